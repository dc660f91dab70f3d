"""Functions as users hold them, their derivatives, and policies.

policies: how a function is differentiated: computed again, by forward mode, how deep.
fixed_points: fixed points whose derivative is a linear solve.
jacobians: Jacobians and Hessians.
closures: functions that capture traced values, as functions of all the values that they use.
derivatives: jvp, vjp, linearize and gradients.
hooks: functions that change a cotangent on its way back.
fn: `fn`, `opaque`, and functions whose types are known only when they are called.
structures: values with the structure of a function's arguments.
rules: custom derivatives as traced functions.
"""
