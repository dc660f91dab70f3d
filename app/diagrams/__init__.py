"""Diagrams for the page: a gallery, and for each diagram a kernel that runs in each frame of a drag."""
