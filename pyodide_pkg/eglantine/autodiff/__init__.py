"""Differentiation: forward mode, reverse mode, and custom rules.

Both modes visit the rows of a block and build more rows, so a derivative can be differentiated again. Both
modes use the partial derivatives of `ir.primitives.PRIMITIVES`. Each mode has a table with the rule of every
operation: `forward.FORWARD` and `reverse.BACKWARD`.

An example of reverse mode: z = sin(x), in a block with the result z.

1. `reverse.vjp_function` decides which values the loops must keep (`plans.planned`), and copies the block
   into a builder. It adds the parameter ct_z, and calls `Sweep.contribute(z, ct_z)`.
2. `Cotangents.contribute` adds ct_z to the sum of z's contributions so far. If there are cases in which x
   matters but z does not, `Masks` later replaces the contribution of z to x by 0 in these cases.
3. `Sweep.run` visits the rows from the end. At z the sum is complete, because all rows that use z come later
   in the block.
4. `Sweep.run` finds the rule of "sin" in `BACKWARD`: `sweep_rows.primitive_rule`. This rule builds cos(x)
   from the table of primitives and contributes ct_z · cos(x) to x.
5. At the end `Sweep.total(x)` is the result ct_x.

The rule of a loop or branch (`sweep_bodies`) copies the needed forward rows from the body, runs an inner
sweep over these rows, and contributes the totals to rows outside. A new kind of loop needs a rule in
`sweep_bodies` and a rule in `push_bodies`, and the two tables must contain these rules. If the forward loop
must store values for the reverse loop, `residuals` needs code for the new kind too.

| Module | What it does |
|---|---|
| `reverse` | reverse mode: `vjp_function`, the rule of calls, the table `BACKWARD` |
| `sweep` | the loop over rows from the end |
| `sweep_rows`, `sweep_bodies` | the sweep's rules: for rows without blocks, and for loops and branches |
| `cotangents` | the sum of the contributions to each row so far |
| `masks` | make an arm of a choice contribute 0 if the other arm is chosen |
| `plans` | before the forward rows are copied, plan which values loops and calls keep for their reverse |
| `residuals` | choose the values that the forward run of a loop stores for its reverse |
| `extension` | add results to the calls and loops of a block, without renumbering its rows |
| `growing` | find the lengths of arrays that while loops fill |
| `ledger` | a caller's options for a sweep, and the sweep's record of its work |
| `slopes` | cotangent times slope, with few divisions |
| `arms`, `sinking`, `fusion` | before the sweep, move rows and loops into bodies under conditions |
| `inlining` | before differentiation, inline callees that are tiny or called once |
| `forward` | forward mode: `jvp_function`, the rule of calls, the table `FORWARD` |
| `push` | the loop over rows in order |
| `push_rows`, `push_bodies` | the push's rules |
| `custom_rules` | users' rules as traced functions |
| `linearity`, `rule_checks` | check that a user's rule is linear in its tangents |
| `once` | make each derivative only once, and keep Python's stack shallow |
"""
