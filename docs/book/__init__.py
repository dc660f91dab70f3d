"""The book "Derivatives you can hold". Each chapter has its prose in HTML, and its figures in Python.

`chapter_1.html` begins with a comment that contains the chapter's title and subtitle. Then comes the prose.
It can contain `{{figure:NAME}}`, which inserts the figure and the claim that the function NAME of
`chapter_1.py` returns. `{{NAME}}` inserts a number from the dictionary `NUMBERS` of `chapter_1.py`, or a
piece of HTML from its dictionary `HTML`. `contents.html` is the first page. `tools/book.py` builds the pages.
"""

TITLE = "Derivatives you can hold"
CHAPTERS = tuple(range(1, 11))
