"""Replace the placeholders `{{NAME}}` and `data-text="KEY"` in a page's HTML (see tools/pages.py)."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from tools.bootstrap import ROOT, SetupError

PAGES = ROOT / "static" / "pages"
WITH_PARTS = frozenset({"content", "keys"})
"""Names of the shell's placeholders `{{NAME}}` whose text may contain placeholders again."""
CONTROLS = frozenset({"a", "button", "input", "select", "textarea"})
"""Elements whose label is also shown as a tooltip. Other elements, such as pictures, have no tooltip, because
it would be in the way."""
SLOT = re.compile(r"\{\{\s*([\w.-]+)((?:\s+[\w-]+=[\w.-]+)*)\s*\}\}")
TAG = re.compile(r"<([a-z][a-z0-9-]*)((?:\s+[\w-]+(?:=\"[^\"]*\")?)*)\s*>(?=(</)?)")
WORDED = re.compile(r"\s+data-(text|label|placeholder|roledescription|content)=\"([^\"]*)\"")


def fill_slots(text: str, slots: Mapping[str, str], where: str) -> str:
    """Replace each `{{NAME}}` by the value `slots[NAME]` or by the content of `static/pages/parts/NAME.html`.

    Raises:
        SetupError: a placeholder's NAME is not in `slots`, and its file does not exist.
    """

    def filled(match: re.Match[str]) -> str:
        name, arguments = match[1], dict(item.split("=", 1) for item in match[2].split())
        if name in slots:
            return fill_slots(slots[name], {}, where) if name in WITH_PARTS else slots[name]
        part = PAGES / "parts" / f"{name}.html"
        if not part.exists():
            raise SetupError(
                f"{where} names {{{{{name}}}}}, which does not exist. Write "
                f"static/pages/parts/{name}.html, or correct the name."
            )
        return fill_slots(part.read_text(encoding="utf-8").rstrip("\n"), arguments, f"parts/{name}.html")

    return SLOT.sub(filled, text)


def fill_words(text: str, words: Mapping[str, str], where: str) -> str:
    """Fill in the texts and labels of a page's elements. `words` holds the texts of one language.

    Raises:
        SetupError: `words` lacks a key, or an element that should receive a text is not empty.
    """

    def filled(match: re.Match[str]) -> str:
        tag, attributes, is_empty = match.groups()
        content = ""
        for kind, key in WORDED.findall(attributes):
            text_of_key = word(words, key, where)
            if kind == "text":
                if not is_empty:
                    raise SetupError(
                        f'{where}: data-text="{key}" is on an element with content. Empty the element.'
                    )
                content = html.escape(text_of_key, quote=False)
        worded = WORDED.sub(
            lambda attribute: attributes_of(tag, attribute[1], words[attribute[2]]), attributes
        )
        return f"<{tag}{worded}>{content}"

    return TAG.sub(filled, text)


def attributes_of(tag: str, kind: str, text: str) -> str:
    """Return the HTML attributes that replace an attribute `data-KIND`. Their value is `text`."""
    names = {
        "text": (),
        "label": ("aria-label", "title") if tag in CONTROLS else ("aria-label",),
        "placeholder": ("placeholder",),
        "content": ("content",),
        "roledescription": ("aria-roledescription",),
    }[kind]
    return "".join(f' {name}="{html.escape(text)}"' for name in names)


def word(words: Mapping[str, str], key: str, where: str) -> str:
    """Return the text for a key.

    Raises:
        SetupError: the key does not exist.
    """
    if key not in words:
        raise SetupError(
            f"{where} asks for the text {key!r}, but no texts.js has it. Add it to a texts.js first."
        )
    return words[key]
