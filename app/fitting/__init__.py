"""The page "Fit". It fits a formula to points by choosing values for all letters except x."""
