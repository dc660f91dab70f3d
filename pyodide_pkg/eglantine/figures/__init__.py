"""Figures: pictures of functions that work in any HTML page, without Python and without a server.

| module | what it does |
|---|---|
| `figure` | `eg.figure`: choose the kind of picture |
| `fragments` | write a figure as HTML, as files or as SVG, or show it in a notebook |
| `source` | write the Python program that makes a figure |
| `fits` | fit the parameters of a function to points, in the page |
| `polynomials` | compute the Taylor polynomial of a curve |
| `tapes` | list a function's operations with their values and slopes |
| `templates` | fill numbers into the SVG elements of tapes and diagrams; `templates.js` does the same |
| `ranges` | choose the range of the values, so that axes do not change while a control moves |
| `script` | the script of all figures. `tools/figure_script.py` makes it from the JavaScript modules |
| `style` | the colours and sizes, in both themes |
| `drawing` | draw the still picture; `drawing.js` draws the same picture in the page |
| `solids` | draw functions of two variables: maps, fields and surfaces; `solids.js` draws the same |
| `tables` | draw a table of numbers; `tables.js` draws the same |
| `framed` | put a figure into an iframe, for marimo notebooks |
| `beside` | put figures that share their controls side by side |
| `asides` | trace the second kernel, which computes a sentence's numbers and the points of paths |
| `paths` | draw paths, and write the sentence; `paths.js` does the same |
| `frames` | draw scales, ticks and axes; `frames.js` draws the same |
| `numbers` | write numbers as text; `numbers.js` writes the same text |
| `models` | the function that a figure compiles. It computes values, slopes and second derivatives |
| `controls` | `eg.slider`, `eg.point`, `eg.choice` and `eg.picture` |
| `signatures` | give names to the parameters of a function |

In the page, `figure.js` runs the kernel and updates the picture when a control moves. `takeaway.js` lets the
reader download the figure's files. `pictures.js` reads an image that the reader chooses.
"""
