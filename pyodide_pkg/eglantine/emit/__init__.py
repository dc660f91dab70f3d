"""Emission: choose a memory layout and write WebAssembly bytes."""
