"""Notebooks: figures whose values Python can read. This package loads on request, and needs anywidget.

| module | what it does |
|---|---|
| `widget` | `eg.widget`: a figure as an anywidget |
"""
