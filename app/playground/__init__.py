"""The playground: run a program and show its rows and bytes beside its text."""
