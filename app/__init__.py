"""Python that runs beside Eglantine in the pages' workers: the examples and the pages' services."""
