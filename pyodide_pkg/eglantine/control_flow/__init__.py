"""Python's `if`, `while` and `for` on traced values."""
