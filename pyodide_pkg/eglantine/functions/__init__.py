"""Users' functions, their derivatives, and ways to control how they are differentiated.

policies: choose how a function is differentiated, and count how deep derivatives nest.
fixed_points: find fixed points, and compute their derivatives by solving a linear system.
jacobians: Jacobians and Hessians.
closures: turn captured values of a function into arguments.
derivatives: jvp, vjp, linearize and gradients.
hooks: let a user's function change cotangents in reverse mode.
fn: `fn`, `opaque`, and functions whose types are known only when they are called.
structures: build values with the structure of a type, such as Jacobians.
rules: trace custom derivatives.
"""
