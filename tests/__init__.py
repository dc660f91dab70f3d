"""Unit tests. `python3 -m tests` runs them, the browser tests and every check."""
