"""Rewriting: copy rows while inlining, pruning, lowering or hoisting them."""
