"""The pages' own Python code: examples and services. It runs in web workers, together with Eglantine."""
