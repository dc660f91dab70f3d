"""WebAssembly: instructions and modules as bytes and as text."""
