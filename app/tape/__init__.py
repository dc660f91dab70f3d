"""The page "Tape". It shows a formula's evaluation and differentiation step by step."""
