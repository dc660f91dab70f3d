"""The page "Sparse": Newton's method brings a net of springs to rest. The page shows its sparse Hessian."""
