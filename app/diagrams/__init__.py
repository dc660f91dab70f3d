"""Diagrams for the page: the gallery, and a kernel for each diagram, called in each frame of a drag."""
