"""Exports: a function as files that need nothing else.

| module | what it does |
|---|---|
| `script` | write a module with its JavaScript and TypeScript |
| `values` | convert values between JavaScript and memory |
"""
