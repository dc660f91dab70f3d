"""Sparsity patterns, and Jacobians and Hessians from few directions. This package is loaded on request.

| module | contents |
|---|---|
| `streams` | columns of numbers, one for each round of a nest of loops, as affine functions of the rounds |
| `dependencies` | the inputs that each element of an array depends on, as columns of numbers or of sets |
| `accumulators` | sums that grow in the rounds of loops |
| `overwriting` | arrays that loops fill: an element depends only on its last value |
| `carries` | find carries of loops that change simply, so that all rounds can be analysed at once |
| `rounds` | analyse loops: all rounds together, round after round, or until nothing changes |
| `walking` | find the inputs that each row of a function depends on |
| `patterns` | patterns of Booleans, and `eg.sparsity` |
| `colouring` | colour the columns (or rows) of a pattern so that few directions suffice |
| `bicolouring` | choose forward or reverse mode for each entry of a Jacobian |
| `cholesky` | factor matrices of a known pattern, in an order of low fill |
| `jacobians` | `eg.sparse_jacobian` and `eg.sparse_hessian` |
"""
