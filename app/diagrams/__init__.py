"""Diagrams for the page: the gallery, and one kernel for each frame of a drag."""
