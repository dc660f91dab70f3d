"""The groups of benchmarks. Each is a module with a function `rows(lab)`, which returns the results.

The part of a group that runs in the browser is a .js file of the same name."""
