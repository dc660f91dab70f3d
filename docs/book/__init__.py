"""The book "Derivatives you can hold". Each chapter has its prose in HTML, and its figures in Python.

`chapter_1.html` begins with a comment, which holds the chapter's title and subtitle. The prose follows.
`{{figure:NAME}}` in the prose inserts a figure with its claim: the function NAME of `chapter_1.py` returns
them. `{{NAME}}` inserts a number from the dictionary `NUMBERS`, or a piece of HTML from the dictionary `HTML`,
of `chapter_1.py`. `contents.html` is the first page. `tools/book.py` builds the pages.
"""

TITLE = "Derivatives you can hold"
CHAPTERS = tuple(range(1, 11))
