"""Make the documentation's pages from `docs/*.md`. The reference also contains the package's docstrings.

contents: the list of all documents.
programs: the Python blocks of documents, and their dependencies.
markup: Markdown to HTML.
signatures: signatures and docstrings as Markdown.
reference: the reference's pages.
search: the index of the search.
building: `python -m tools.documents.building FOLDER`.
"""
