"""Exports: a function as files that need nothing else."""
