"""Diagrams: import the scalar program of a diagram's energy, differentiate it, and compile both.

| module | what it does |
|---|---|
| `compiling` | compile the energies of all stages, and time each pass |
| `energy` | build the function of an energy and of its gradient |
| `gradient` | differentiate an energy while its rows are being built |
| `rounds` | turn pieces of one shape into loops |
| `operations` | write the graphs' operations as rows |
| `pieces` | find the pieces of a graph that have the same shape |
| `lanes` | compare many numbers at once inside one long integer |
| `graphs` | read a graph in the format `penrose-scalar-dag/1` |
| `exterior` | minimise an energy: an exterior point method around L-BFGS |
"""
