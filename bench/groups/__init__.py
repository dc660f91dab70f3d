"""The groups of benches. Each is a module with `rows(lab)`. The .js file beside it runs in the browser."""
