"""The page "Fit": any formula in x and letters, fitted to points."""
