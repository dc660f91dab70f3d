"""Exports: write a function as files that run without Python or Eglantine.

| module | what it does |
|---|---|
| `script` | write a module with its JavaScript and TypeScript |
| `values` | write the JavaScript that reads and writes values in memory |
"""
