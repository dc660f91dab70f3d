"""The playground: run a program, and show its IR and its WebAssembly bytes beside its text."""
