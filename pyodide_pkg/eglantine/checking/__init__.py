"""Checks that users run: compare gradients with differences, and find where a number stops being finite."""
