"""The page "Sparse": a net of springs, the pattern of its Hessian, and Newton's method for where it rests."""
