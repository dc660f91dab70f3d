"""Make `sitemap.xml`, the list of the site's pages for search engines, and `robots.txt`, which names it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from xml.sax.saxutils import escape

SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
CANONICAL = re.compile(r'<link rel="canonical" href="(https?:[^"]*)">')


def sitemap(pages: Iterable[str]) -> str:
    """The text of `sitemap.xml`. It lists the address that each page states in its canonical link.

    pages: the HTML of the site's pages. Pages without a canonical link are left out.
    """
    addresses = sorted(unescape(found[1]) for page in pages if (found := CANONICAL.search(page)))
    entries = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def robots(site: str) -> str:
    """The text of `robots.txt`: robots may read everything, and the list of pages is at this address.

    site: the site's address with its closing slash.
    """
    return f"User-agent: *\nAllow: /\nSitemap: {site}{SITEMAP}\n"
