"""What the page needs of a formula: examples, value with derivatives, checks, and surveys of its surface."""
