"""The page "Bril": it shows a program, its graph, its derivative's graph, and each step of a run."""
