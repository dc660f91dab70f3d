"""`eg.graph`: the operations of a function as nodes and edges. `eg.graph` loads this package.

| module | contents |
|---|---|
| `nodes` | nodes, edges, levels, the critical path, and the inputs that reach each output |
| `writing` | a graph as the text of Graphviz, Mermaid and JSON |
| `values` | the value and the cotangent of each node at a point |
| `graphing` | `eg.graph`: make a graph of a function's rows |
"""
