"""Notebooks: figures that tell Python their values. This package loads on request, and needs anywidget.

| module | what it does |
|---|---|
| `widget` | `eg.widget`: a figure as an anywidget |
"""
