"""The formulas of the pages: examples, values with derivatives, checks, and surveys of a surface."""
