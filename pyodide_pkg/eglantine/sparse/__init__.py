"""Sparsity patterns, and Jacobians and Hessians from few directions. This package is loaded on request.

| module | contents |
|---|---|
| `streams` | columns of numbers, one for each round of a nest of loops, as affine functions of the rounds |
| `dependencies` | the inputs that each element of an array depends on, as columns of numbers or of sets |
| `accumulators` | sums that grow in the rounds of loops |
| `overwriting` | arrays that loops fill: an element depends only on its last value |
| `carries` | find carries of loops that change simply, so that all rounds can be analysed at once |
| `rounds` | loops: all rounds together, one after another, or until nothing changes |
| `walking` | go over the rows of a function and find the inputs that each row depends on |
| `patterns` | patterns of Booleans, and `eg.sparsity` |
| `colouring` | colour the columns (or rows) of a pattern so that few directions suffice |
| `bicolouring` | which entries of a Jacobian forward mode computes, and which reverse mode |
| `cholesky` | factor matrices of a known pattern, in an order of low fill |
| `jacobians` | `eg.sparse_jacobian` and `eg.sparse_hessian` |
"""
