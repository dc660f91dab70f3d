"""Notebooks: figures whose values Python hears. Loads on request, and needs anywidget.

| module | what it does |
|---|---|
| `widget` | `eg.widget`: a figure as an anywidget |
"""
