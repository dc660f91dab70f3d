"""Simulations as ordinary functions: billiards, robots, regression."""
