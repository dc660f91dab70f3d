"""Browser contexts that stay open between tests, so that the browser fetches the site only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Clock


class LentPage(Page):
    """A page in a `KeptContext`. It records whether the test may have changed the context."""

    is_context_used = False

    @property
    def context(self) -> BrowserContext:
        """The page's context. Reading it counts as a change, because a test may add routes to it."""
        self.is_context_used = True
        return super().context

    @property
    def clock(self) -> Clock:
        """The page's clock. All pages of a context share one clock, so reading this counts as a change."""
        self.is_context_used = True
        return super().clock


def developer_tools(page: Page) -> CDPSession:
    """The browser's developer tools for a page. A test that uses them must restore the context."""
    context = super(LentPage, page).context if isinstance(page, LentPage) else page.context
    return context.new_cdp_session(page)


PLAIN = "robots.txt"
"""A file of the site that runs no script."""
COMPILE_ENGINE = """async (site) => {
  const manifest = await (await fetch(`${site}build/manifest.json`)).json();
  const file = await fetch(`${site}build/${manifest.engine}`);
  self.engine = await WebAssembly.compile(await file.arrayBuffer());
}"""


class KeptContext:
    """A browser context that is kept from test to test. One page stays open, and tests open further pages.

    From one test to the next, the context keeps only things that no page can read: the browser's cache of
    files and of compiled scripts, and the process that draws the site's pages. The browser ends this process
    when its last page closes, so one page with a plain file stays open. This saves a fifth of the processor
    time of a visit with Python.

    The page that stays open also compiles Python's WebAssembly engine. All pages of the process share the
    machine code, which halves the processor time of a visit with Python.
    """

    def __init__(self, browser: Browser, address: str, arguments: dict[str, Any]) -> None:
        self.address = address
        self.arguments = arguments
        self.context = browser.new_context(**arguments)
        self.keeper = self.context.new_page()
        self.keeper.goto(address + PLAIN)
        self.has_engine = False
        self.lent: list[LentPage] = []

    def open(self, *, wakes: bool) -> LentPage:
        """Open a page. The site's storage is empty, as on a first visit.

        wakes: True if Python will start in the page.
        """
        if wakes and not self.has_engine:
            self.keeper.evaluate(COMPILE_ENGINE, self.address)
            self.has_engine = True
        page = self.context.new_page()
        session = self.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        session.detach()
        page.__class__ = LentPage
        assert isinstance(page, LentPage)
        self.lent.append(page)
        return page

    @property
    def pages(self) -> list[Page]:
        """The open pages of the tests. The page that always stays open is left out."""
        return [page for page in self.context.pages if page is not self.keeper]


class Contexts:
    """The contexts that a browser keeps open. A context is used by one fixture or test at a time."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[KeptContext] = []

    def take(self, address: str, arguments: dict[str, Any]) -> KeptContext:
        """Take a free context for this address and these arguments, or open one.

        Afterwards call `give_back`.
        """
        for kept in self.free:
            if kept.address == address and kept.arguments == arguments:
                self.free.remove(kept)
                return kept
        return KeptContext(self.browser, address, arguments)

    def give_back(self, kept: KeptContext) -> None:
        """Close the context's pages, and keep it for other tests. If a test may have changed it, close it."""
        if any(page.is_context_used for page in kept.lent):
            kept.context.close()
            return
        kept.lent.clear()
        for page in kept.pages:
            page.close()
        self.free.append(kept)

    def close(self) -> None:
        """Close the contexts that nobody uses."""
        for kept in self.free:
            kept.context.close()
        self.free.clear()
