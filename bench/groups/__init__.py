"""The groups of benches: a module each with `rows(lab)`; what runs in the browser is in the .js beside it."""
