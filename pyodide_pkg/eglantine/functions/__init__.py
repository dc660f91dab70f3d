"""The functions that users work with, their derivatives, and policies of differentiation.

policies: choose how a function is differentiated, and count how deep derivatives nest.
fixed_points: fixed points whose derivative is a linear solve.
jacobians: Jacobians and Hessians.
closures: turn captured values of a function into arguments.
derivatives: jvp, vjp, linearize and gradients.
hooks: change a cotangent on its way back.
fn: `fn`, `opaque`, and functions whose types are known only when they are called.
structures: build values with the structure of a type, such as Jacobians.
rules: trace custom derivatives.
"""
