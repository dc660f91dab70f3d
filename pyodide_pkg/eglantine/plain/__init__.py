"""Plain Python values: their types, and how they flatten into leaves."""
