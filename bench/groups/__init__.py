"""The groups of benchmarks. Each group is a module. Its function `rows(lab)` returns the results.

If a part of a group runs in the browser, this part is a .js file with the group's name."""
