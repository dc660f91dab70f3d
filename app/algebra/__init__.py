"""Turn compiled functions back into readable formulas: simplify them and typeset them as TeX."""
