"""Benchmarks that measure Eglantine and comparable libraries in one run. See `python3 -m bench --help`."""
