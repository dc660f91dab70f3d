"""Make `robots.txt`, and make `sitemap.xml`, which lists the site's pages for search engines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from xml.sax.saxutils import escape

SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
CANONICAL = re.compile(r'<link rel="canonical" href="(https?:[^"]*)">')


def sitemap(pages: Iterable[str]) -> str:
    """Make the text of `sitemap.xml`. It lists the canonical addresses of the pages.

    pages: the HTML of the site's pages. A page without a canonical link is not listed.
    """
    addresses = sorted(unescape(found[1]) for page in pages if (found := CANONICAL.search(page)))
    entries = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def robots(site: str) -> str:
    """Make the text of `robots.txt`. It allows all requests, and contains the address of `sitemap.xml`.

    site: the site's address, which ends with a slash.
    """
    return f"User-agent: *\nAllow: /\nSitemap: {site}{SITEMAP}\n"
