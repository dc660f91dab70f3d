"""The groups of benches. Each is a module with `rows(lab)`, and a .js file beside it runs in the browser."""
