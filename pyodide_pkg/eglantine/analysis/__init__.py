"""Analyses: which rows are live, active or conditional, and which functions call which."""
