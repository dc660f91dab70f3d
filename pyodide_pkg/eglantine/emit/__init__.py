"""Emission: choose a memory layout and write WebAssembly bytes.

| module | what it does |
|---|---|
| `module` | emit a module: lay out memory, write all functions, assemble |
| `tiles`, `tiling` | write a loop that computes several sums at once |
| `along` | write a loop that computes sums along a matrix's rows |
| `pairs`, `pairing` | write a loop with pairs of sums that need the same operations |
| `updating` | write a loop that changes an element of an array in each round, two rounds at a time |
| `lanes` | write a loop that runs two rounds at a time, in the lanes of a v128 |
| `structure` | the table of functions that write operations of more than one instruction |
| `while_loops` | write a while loop |
| `loops` | write a counted loop: index, carry, stacked results |
| `branches` | write a branch |
| `calls` | write calls, prints and requirements |
| `results` | bind the results of calls, loops and branches to locals or memory |
| `arrays` | write arrays, accumulators and index checks |
| `entry` | write the entry (its parameters and results are in memory), and divide long blocks |
| `watched` | write rows, and record the instructions of each row for a witness |
| `scope` | write the rows of a block |
| `expressions` | the part of `scope` that takes most of the time |
| `addresses` | choose and push the addresses of arrays, and copy arrays |
| `locals` | assign locals to rows and constants |
| `growing` | write code that enlarges buffers while it runs |
| `linkage` | share functions, tables and traps among a module's functions |
| `body` | collect the instructions and locals of one function |
| `usage` | count the uses of each row before any code is written |
| `batch` | write a module that calls a kernel at many points |
| `witness` | report which bytes were written for each row |
| `layout` | place parameters, results, tables and frames in memory |
| `contract` | describe imports, and check limits on signatures |
| `artifact` | hold a finished module and its contract |
"""
