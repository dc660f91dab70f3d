"""Differentiation: forward mode, reverse mode, and custom rules."""
