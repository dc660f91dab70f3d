"""The groups of benches. Each group is a module with `rows(lab)`. The .js file beside the module runs in the
browser."""
