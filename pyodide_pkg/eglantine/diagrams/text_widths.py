"""The widths of letters in Helvetica, so that text can be measured without a browser.

The widths are in thousandths of the font's size. Source: Adobe's font metrics of Helvetica (Core 14 AFM
files).
"""

from __future__ import annotations

_LETTERS = {
    191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-`r", 334: "{}", 355: '"', 389: "*",
    469: "^", 500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ",
    667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1015: "@",
}  # fmt: skip
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
OTHER = 600
"""The width that we assume for a letter outside the table, in thousandths of the font's size.

The SVG stretches each text to the width that we computed."""
CAP_HEIGHT = 0.718
"""The height of capital letters in a font of size 1."""


def text_width(text: str) -> float:
    """The width of a text of size 1."""
    return sum(_WIDTHS.get(letter, OTHER) for letter in text) / 1000
