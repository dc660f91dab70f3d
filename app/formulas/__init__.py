"""The pages' formulas: examples, value and derivatives, checks of these, and searches for critical points."""
