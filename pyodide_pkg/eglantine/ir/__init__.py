"""The intermediate representation: rows, primitives, the builder, the printer, the checker."""
