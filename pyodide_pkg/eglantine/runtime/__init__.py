"""Runtime: engines, memory, threads, and kernels that take and return Python values.

| module | what it does |
|---|---|
| `kernel` | call a compiled function with Python values |
| `engines` | find the engine of this Python |
| `stops` | make the error for a run that stopped early |
| `batch` | run a kernel at many points with few calls into the engine |
| `browser` | run modules in the browser that Pyodide runs in |
| `native` | run modules on CPython through wasmtime |
| `places` | group leaves for writing to memory, and record how much memory kernels use |
| `hosts` | define the protocol of engines and instances |
| `gates` | let only one thread at a time use a memory |
| `leaves` | mark arguments that need not be written, because memory already holds them |
"""
