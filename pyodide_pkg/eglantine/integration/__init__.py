"""Integrals and differential equations, as programs of the language."""
