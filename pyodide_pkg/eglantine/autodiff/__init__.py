"""Differentiation: forward mode, reverse mode, and custom rules.

Both modes go over the rows of a block and build more rows, so a derivative can be differentiated again. Both
use the partial derivatives of `ir.primitives.PRIMITIVES`, and each has one total table with the rule of every
operation: `forward.FORWARD` and `reverse.BACKWARD`.

How one cotangent travels. Take z = sin(x), in a block whose result is z.

1. `reverse.vjp_function` resumes the block in a builder, adds the parameter ct_z, and calls
   `Sweep.contribute(z, ct_z)`.
2. `Cotangents.contribute` adds ct_z to the running sum of z. If x matters in more cases than z does, `Masks`
   later replaces the contribution by 0 in those other cases.
3. `Sweep.run` goes over the rows from the end. At z the sum is complete, for all users of z come later.
4. It looks up "sin" in `BACKWARD` and calls `sweep_rows.primitive_rule`. That builds cos(x) by the table of
   primitives, and contributes ct_z · cos(x) to x.
5. At the end `Sweep.total(x)` is the result ct_x.

The rule of a loop or branch (`sweep_bodies`) does the same in a body: it copies the forward rows that it
needs, runs an inner sweep over them, and contributes the totals outside. A new kind of loop needs a rule in
`sweep_bodies` and one in `push_bodies`, both named in the tables, and `residuals` if its forward run is to
store values of its rounds.

| Module | What it does |
|---|---|
| `reverse` | reverse mode: `vjp_function`, the rule of calls, the table `BACKWARD` |
| `sweep` | the loop over rows from the end |
| `sweep_rows`, `sweep_bodies` | its rules: rows without blocks; loops and branches |
| `cotangents` | what has been contributed to each row so far |
| `masks` | 0 from the arm that a choice does not take |
| `residuals` | what the forward run of a loop stores for its reverse |
| `growing` | lengths of arrays that while loops fill |
| `ledger` | what a caller may hand to a sweep, and what the sweep notes |
| `slopes` | cotangent times slope without needless divisions |
| `arms`, `sinking`, `fusion` | before the sweep: rows and loops moved to where they matter less often |
| `inlining` | before either mode: tiny callees, and those called once, in place |
| `forward` | forward mode: `jvp_function`, the rule of calls, the table `FORWARD` |
| `push` | the loop over rows in order |
| `push_rows`, `push_bodies` | its rules |
| `custom_rules` | users' rules, traced |
| `linearity`, `rule_checks` | whether such a rule is linear in its tangents |
| `once` | each derivative made once, however deep calls nest |
"""
