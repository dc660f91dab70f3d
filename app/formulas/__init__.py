"""Formulas of the page: examples, jets and checks."""
