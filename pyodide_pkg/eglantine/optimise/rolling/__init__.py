"""Rolling: straight-line code that repeats itself becomes loops."""
