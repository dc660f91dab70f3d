"""Diagrams for the page: the gallery, and a kernel for each diagram, which a drag calls in each frame."""
