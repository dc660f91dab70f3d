"""Runtime: engines, memory, threads, and kernels that take and return Python values.

| module | what it does |
|---|---|
| `kernel` | call a compiled function with Python values |
| `engines` | find the engine of this Python |
| `stops` | turn a run that stopped into an error |
| `batch` | run a kernel at many points in one crossing |
| `browser` | run modules in the browser that Pyodide runs in |
| `native` | run modules on CPython through wasmtime |
| `places` | arrange leaves in memory, and record how much memory is taken |
| `hosts` | define the protocol of engines and instances |
| `gates` | let one thread at a time use a memory |
| `leaves` | mark arguments that are not written, because memory already holds them |
"""
