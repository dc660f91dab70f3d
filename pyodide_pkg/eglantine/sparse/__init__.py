"""Find sparsity patterns, and compute Jacobians and Hessians from few directions.

This package is loaded on request.

| module | contents |
|---|---|
| `streams` | columns: a number for each round of nested loops, as an affine function of the round numbers |
| `dependencies` | the inputs that each element of an array depends on, as columns of numbers or of sets |
| `accumulators` | sums that grow in the rounds of loops |
| `overwriting` | arrays that loops fill: the dependencies of an element are those of its last value |
| `carries` | find loops whose carries change in a simple way, so that all rounds can be analysed at once |
| `rounds` | analyse loops: all rounds together, round after round, or until nothing changes |
| `walking` | find the inputs that each row of a function depends on |
| `patterns` | patterns of Booleans, and `eg.sparsity` |
| `colouring` | colour the columns (or rows) of a pattern so that few directions suffice |
| `bicolouring` | choose forward or reverse mode for each entry of a Jacobian |
| `cholesky` | factor matrices of a known pattern, after reordering them to reduce fill |
| `jacobians` | `eg.sparse_jacobian` and `eg.sparse_hessian` |
"""
