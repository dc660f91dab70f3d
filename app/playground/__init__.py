"""The playground: run a program and show its rows, bytes and places."""
