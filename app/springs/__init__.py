"""The page "Sparse": a net of springs that Newton's method brings to rest, and its Hessian's pattern."""
