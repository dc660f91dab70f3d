"""`python -m tools.icons`: draw the SVG icon as PNG icons and as favicon.ico."""

from __future__ import annotations

import struct

from playwright.sync_api import Browser, sync_playwright

from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium

ICONS = ROOT / "static" / "icons"
DRAWN = ICONS / "eglantine.svg"
PAPER = "#fbf8f3"
"""The icons' background colour: `--paper` of the light theme (static/css/tokens.css). Icons must be opaque,
because some systems cut them to a shape."""
MADE = {
    "eglantine-180.png": (180, 0.84),
    "eglantine-192.png": (192, 0.84),
    "eglantine-512.png": (512, 0.84),
    "eglantine-maskable-512.png": (512, 0.6),
}
"""File → the icon's width in px, and the flower's width divided by the icon's width. In a maskable icon the
flower is small, because systems may cut off the icon's edges."""


FAVICON = ROOT / "static" / "favicon.ico"
FAVICON_PX = 32
FAVICON_SHARE = 0.94
"""The flower's width divided by the width of favicon.ico. Programs that do not read the page look for a file
with this name."""


def main() -> None:
    """Draw each icon in the browser and write its file."""
    svg = DRAWN.read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(require_chromium()), args=launch_arguments())
        for name, (width_px, share) in MADE.items():
            (ICONS / name).write_bytes(drawn_at(browser, svg, width_px, share))
        small = drawn_at(browser, svg, FAVICON_PX, FAVICON_SHARE)
        FAVICON.write_bytes(as_ico(small, FAVICON_PX))
        browser.close()


def drawn_at(browser: Browser, svg: str, width_px: int, share: float) -> bytes:
    """The icon as a PNG of the given width."""
    page = browser.new_page(viewport={"width": width_px, "height": width_px})
    style = f"margin:{(1 - share) / 2 * width_px}px;background:{PAPER};overflow:hidden"
    page.set_content(f'<body style="{style}"><div style="width:{share * width_px}px">{svg}</div>')
    png = page.screenshot()
    page.close()
    return png


def as_ico(png: bytes, width_px: int) -> bytes:
    """Make an .ico file from a PNG: a header of 6 bytes, an entry of 16 bytes, and the PNG."""
    entry = struct.pack("<BBBBHHII", width_px, width_px, 0, 0, 1, 32, len(png), 22)
    return struct.pack("<HHH", 0, 1, 1) + entry + png


if __name__ == "__main__":
    main()
