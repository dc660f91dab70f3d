"""`python -m tools.picture`: take two screenshots, for the README and for previews of links."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium
from tools.server import start

PICTURE = ROOT / "docs" / "quadratic.png"
CARD = ROOT / "static" / "icons" / "card.png"
"""The picture that other sites show beside a link to a page."""
CARD_SIZE = {"width": 1200, "height": 630}
SIZE = {"width": 1200, "height": 720}
FORMULA = "sin(x) * y^2"
X = "1.2"


def main() -> None:
    """Open the page, type a formula, wait for its derivatives, and take screenshots."""
    server = start(ROOT / "static")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=str(require_chromium()), args=launch_arguments()
            )
            for path, size in ((PICTURE, SIZE), (CARD, CARD_SIZE)):
                photograph(browser, server.url, path, size)
            browser.close()
    finally:
        server.close()


def photograph(browser: Browser, address: str, path: Path, size: dict[str, int]) -> None:
    """Take one screenshot."""
    page = browser.new_page(viewport=size, color_scheme="light")  # type: ignore[arg-type]
    page.goto(f"{address}quadratic.html")
    page.get_by_role("textbox", name="Formula for z").fill(FORMULA)
    page.get_by_text("compiled here").wait_for()
    field = page.locator("[name=x]")
    field.fill(X)
    field.press("Enter")
    page.locator(".handle").press("ArrowLeft")
    page.locator(".handle").blur()
    page.wait_for_timeout(500)  # for KaTeX's fonts to load
    page.screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main()
