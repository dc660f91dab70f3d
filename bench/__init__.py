"""Benches: Eglantine and its peers side by side in one run. See `python3 -m bench --help`."""
