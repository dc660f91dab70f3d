"""Emission: choose a memory layout and write WebAssembly bytes.

| module | what it does |
|---|---|
| `module` | emit a module: lay out memory, write all functions, assemble |
| `tiles`, `tiling` | write a loop over sums, which computes several sums at once |
| `along` | write such a loop for sums along the rows of a matrix |
| `pairs`, `pairing` | write a loop with pairs of sums: the same operations compute both sums of a pair |
| `updating` | write a loop that changes an element of an array in each round, two rounds at a time |
| `lanes` | write a loop that runs two rounds at a time, in the lanes of a v128 |
| `structure` | a table: for each operation of more than one instruction, the function that writes it |
| `while_loops` | write a while loop |
| `loops` | write a counted loop: index, carry, stacked results |
| `branches` | write a branch |
| `calls` | write calls, prints and requirements |
| `results` | bind the results of calls, loops and branches to locals or memory |
| `arrays` | write arrays, accumulators, and checks of an index |
| `entry` | write the entry, whose parameters and results lie in memory, and divide long blocks |
| `watched` | write rows, and record for a witness the instructions of each row |
| `scope` | write the rows of a block |
| `expressions` | the loop of `scope` in which emission spends most of its time |
| `addresses` | find, push and copy the addresses of arrays |
| `locals` | give rows and constants their locals |
| `growing` | write code that enlarges buffers while it runs |
| `linkage` | share functions, tables and traps among a module's functions |
| `body` | collect the instructions and locals of one function |
| `usage` | count, before writing, how rows are used |
| `batch` | write a module that calls a kernel at many points |
| `witness` | report which bytes were written for each row |
| `layout` | place parameters, results, tables and frames in memory |
| `contract` | describe imports, and check limits on signatures |
| `artifact` | hold a finished module and its contract |
"""
