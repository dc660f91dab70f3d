"""The book "Derivatives you can hold": prose in HTML, and beside it the Python of its figures.

`chapter_1.html` is a comment with the chapter's title and the sentence under it, and then the prose.
`{{figure:NAME}}` stands for the figure that the function NAME of `chapter_1.py` returns, with its claim.
`{{NAME}}` stands for a number of `NUMBERS` or a piece of `HTML` there. `contents.html` is the first page.
`tools/book.py` builds the pages.
"""

TITLE = "Derivatives you can hold"
CHAPTERS = tuple(range(1, 11))
