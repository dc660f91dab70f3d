"""Checks that users run: gradients against differences, and where a number stops being finite."""
