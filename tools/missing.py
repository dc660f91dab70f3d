"""Make `404.html`, the page for an address that does not exist, with links to the site's pages.

A host may show this page for an address in any folder, so the page must not need other files. It contains its
own style sheet and no scripts. Its security policy allows only this style sheet.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterable, Mapping

from tools.bootstrap import ROOT
from tools.filling import word

MISSING = "404.html"
STYLES = tuple(ROOT / "static" / "css" / name for name in ("tokens.css", "missing.css"))
POLICY_IN_A_PAGE = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def missing_page(words: Mapping[str, str], pages: Iterable[str], home: str) -> str:
    """Make the page's HTML.

    Args:
        words: {key: text} in one language.
        pages: the names of the pages to link to. A page's name is also the key of its text.
        home: the address of the site's first page. It ends with a slash. If it is relative, it may be wrong
            in other folders, so the page also has a link to the parent folder.
    """
    style = "\n".join(path.read_text(encoding="utf-8").strip() for path in STYLES)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    text = {key: html.escape(value) for key, value in words.items()}
    named = {name: html.escape(word(words, name, MISSING)) for name in pages}
    links = "".join(f'<li><a href="{home}{name}.html">{shown}</a></li>\n' for name, shown in named.items())
    link_up = f'<p>{text["missingUp"]} <a href="../">{text["missingUpLink"]}</a></p>\n'
    up = "" if home.startswith("/") else link_up
    return (
        f'<!doctype html>\n<html lang="{text["LANGUAGE"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>{text['missingTitle']}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header><a class="name" href="{home}">{text["name"]}</a></header>\n<main>\n'
        f"<h1>{text['missingHeading']}</h1>\n<p>{text['missingWhat']}</p>\n"
        f'<p><a href="{home}">{text["missingHome"]}</a></p>\n<ul>\n{links}</ul>\n{up}'
        "</main>\n</body>\n</html>\n"
    )


def policy_in(page: str) -> str:
    """Find the security policy in a page's `<meta>` element.

    Raises:
        ValueError: the page sets no policy.
    """
    match = POLICY_IN_A_PAGE.search(page)
    if match is None:
        raise ValueError("This page has no security policy, but it needs one in a <meta>. Add one.")
    return html.unescape(match[1])
