"""Python that runs beside Eglantine in the page's worker: the examples and the page's services."""
