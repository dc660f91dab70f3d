"""`python -m tools.icons`: make the icons of the installed page from the drawn one."""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium

ICONS = ROOT / "static" / "icons"
DRAWN = ICONS / "eglantine.svg"
PAPER = "#fbf8f3"
"""The light theme's `--paper` (static/css/tokens.css). Icons must be opaque for systems that cut them to a
shape."""
MADE = {
    "eglantine-180.png": (180, 0.84),
    "eglantine-192.png": (192, 0.84),
    "eglantine-512.png": (512, 0.84),
    "eglantine-maskable-512.png": (512, 0.6),
}
"""File → width in px, and the flower's share of it. A mask may cut off the outer fifth of an icon."""


def main() -> None:
    """Draw each icon in the browser and write its file."""
    svg = DRAWN.read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(require_chromium()), args=launch_arguments())
        for name, (width_px, share) in MADE.items():
            page = browser.new_page(viewport={"width": width_px, "height": width_px})
            style = f"margin:{(1 - share) / 2 * width_px}px;background:{PAPER};overflow:hidden"
            page.set_content(f'<body style="{style}"><div style="width:{share * width_px}px">{svg}</div>')
            page.screenshot(path=ICONS / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
