"""The command line: evaluate, export, draw, fit, minimise, run Bril, and show the compiler's results.

| module | what it does |
|---|---|
| `main` | reads the arguments, runs a command, and reports errors in one sentence |
| `commands` | computes and prints the answer of each command |
| `inputs` | reads numbers by name, functions of a user's file, and columns of data |
| `completions` | writes scripts that complete commands in bash, zsh and fish |
"""
