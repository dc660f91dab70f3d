"""Solvers for integrals and differential equations. The solutions can be differentiated."""
