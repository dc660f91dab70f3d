"""The pages' Python code, which runs in workers with Eglantine: the examples and the services."""
