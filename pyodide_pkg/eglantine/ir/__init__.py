"""The intermediate representation: rows, primitives, the builder, the printer and the checker."""
