"""Benches: ours and its peers side by side in one run. `python3 -m bench --help`."""
