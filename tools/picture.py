"""`python -m tools.picture`: make the README's picture from the real page."""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from tools.bootstrap import ROOT
from tools.browser import launch_arguments, require_chromium
from tools.server import start

PICTURE = ROOT / "docs" / "quadratic.png"
SIZE = {"width": 1200, "height": 720}
FORMULA = "sin(x) * y^2"
X = "1.2"


def main() -> None:
    """Open the page, type a formula, wait for its derivatives, and take a screenshot."""
    server = start(ROOT / "static")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=str(require_chromium()), args=launch_arguments()
            )
            page = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
            page.goto(f"{server.url}/")
            page.get_by_role("textbox", name="Formula for z").fill(FORMULA)
            page.get_by_text("compiled here").wait_for()
            field = page.locator("[name=x]")
            field.fill(X)
            field.press("Enter")
            page.locator(".handle").press("ArrowLeft")
            page.locator(".handle").blur()
            page.wait_for_timeout(500)  # for KaTeX's fonts to load
            page.screenshot(path=PICTURE)
            browser.close()
    finally:
        server.close()


if __name__ == "__main__":
    main()
