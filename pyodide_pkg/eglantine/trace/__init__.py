"""Tracing: run a Python function on symbols to obtain rows."""
