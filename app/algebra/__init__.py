"""Write formulas for people to read: find them in the IR's rows, simplify them, typeset them as TeX."""
