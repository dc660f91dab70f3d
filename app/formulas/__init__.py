"""Formulas on pages: examples, values and derivatives, checks of these numbers, and critical points."""
