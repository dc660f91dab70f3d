"""Make `embed.html`. It lets any site show our pages, without header and footer, in an `<iframe>`.

Other sites cannot frame any other page of ours. `embed.html` stores nothing in the browser
(`static/js/embed-early.js`). It contains the contents of all pages in `<template>` elements. For an address
such as `embed.html?page=robot`, `static/js/embed.js` shows the content of the page Robot and starts its
script.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

EMBED = "embed.html"
FRAMED_BY_NOBODY = "frame-ancestors 'none'"
FRAMED_BY_ALL = "frame-ancestors *"


@dataclass(frozen=True)
class Widget:
    """A page's content, and the styles and the script that it needs. The content includes all texts.

    keys: the rows of the page's table of keyboard shortcuts, as HTML.
    styles: the addresses of the page's style sheets.
    """

    name: str
    title: str
    look: str
    script: str
    styles: str
    keys: str
    content: str


def embed_page(widgets: Iterable[Widget], head: Iterable[str], words: Mapping[str, str]) -> str:
    """Make the HTML of embed.html.

    head: lines for the `<head>` of embed.html, which contain the documents of the sandboxed frames.
    """
    text = {key: html.escape(value) for key, value in words.items()}
    frames = "".join(f"  {line}\n" for line in head)
    templates = "".join(
        f'<template data-page="{one.name}" data-title="{html.escape(one.title)}" data-class="{one.look}" '
        f'data-script="{one.script}" data-styles="{one.styles}">\n{one.content}\n'
        f'<table class="rows-of-keys">{one.keys}</table></template>\n'
        for one in widgets
    )
    return f"""<!doctype html>
<html lang="{text["LANGUAGE"]}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>{text["name"]}</title>
  <script src="js/embed-early.js"></script>
  <script src="js/theme-early.js"></script>
  <link rel="icon" href="icons/eglantine.svg" type="image/svg+xml">
  <link rel="stylesheet" href="css/tokens.css">
  <link rel="stylesheet" href="css/page.css">
  <link rel="stylesheet" href="css/picture.css">
  <link rel="stylesheet" href="css/panel.css">
  <link rel="stylesheet" href="css/windows.css">
  <link rel="stylesheet" href="css/embed.css">
{frames}  <script type="module" src="js/embed.js"></script>
</head>
<body>
<header hidden><button type="button" class="theme quiet">{text["theme"]}</button></header>
<main></main>
<footer class="small">
  <a class="whole" href="./" target="_blank" rel="noopener">{text["openWhole"]}</a>
  <button type="button" class="open-keys quiet" aria-haspopup="dialog">{text["keys"]}</button>
</footer>
<dialog class="keys" closedby="any" aria-labelledby="keys-heading">
  <div class="keys-head"><h2 id="keys-heading">{text["keys"]}</h2>
  <button type="button" class="close">{text["close"]}</button></div>
  <table></table>
</dialog>
{templates}</body>
</html>
"""
