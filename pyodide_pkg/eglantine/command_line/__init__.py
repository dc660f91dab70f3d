"""The command line: evaluate, export, draw, fit, minimise, run Bril, and show what the compiler makes.

| module | what it does |
|---|---|
| `main` | reads the arguments, runs a command, and tells errors in one sentence |
| `commands` | what each command computes and prints |
| `inputs` | reads numbers by name, functions of a user's file, and columns of data |
| `completions` | scripts that complete commands in bash, zsh and fish |
"""
