"""The page "Bril": a program, its graph, the graph of its derivative, and its run step by step."""
