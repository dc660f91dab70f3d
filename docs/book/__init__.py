"""The book "Derivatives you can hold". Each chapter has its prose in HTML, and its figures in Python.

`chapter_1.html` begins with a comment that contains the chapter's title and subtitle. Then comes the prose.
In the prose, `{{figure:NAME}}` inserts the figure and the claim that the function NAME of `chapter_1.py`
returns. `{{NAME}}` inserts an entry of the dictionary `NUMBERS` or `HTML` of `chapter_1.py`: a number, or a
piece of HTML. `contents.html` is the first page. `tools/book.py` builds the pages.
"""

TITLE = "Derivatives you can hold"
CHAPTERS = tuple(range(1, 11))
