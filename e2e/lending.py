"""Browser contexts that stay open between tests, so that the browser fetches the site only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Clock


class LentPage(Page):
    """A page in a `KeptContext`. It records whether a test has read its attribute `context` or `clock`."""

    is_context_used = False

    @property
    def context(self) -> BrowserContext:
        """Record that a test reads the page's context, because the test may change it. Return the context."""
        self.is_context_used = True
        return super().context

    @property
    def clock(self) -> Clock:
        """Record that a test reads the clock, because the test may change it. Return the clock."""
        self.is_context_used = True
        return super().clock


def developer_tools(page: Page) -> CDPSession:
    """Return the browser's developer tools for a page. A test that uses them must restore the context."""
    context = super(LentPage, page).context if isinstance(page, LentPage) else page.context
    return context.new_cdp_session(page)


PLAIN = "robots.txt"
"""The path of a file of the site that runs no script."""
COMPILE_ENGINE = """async (site) => {
  const manifest = await (await fetch(`${site}build/manifest.json`)).json();
  const file = await fetch(`${site}build/${manifest.engine}`);
  self.engine = await WebAssembly.compile(await file.arrayBuffer());
}"""


class KeptContext:
    """A browser context that several tests use, one after another. Each test opens its own pages in it.

    Between tests, the context keeps the browser's cache of files and of compiled scripts, and the process
    that draws the site's pages. No page can read these. The browser ends the process when the last page
    closes. So one page with a plain file always stays open. This saves a fifth of the processor time of a
    visit with Python.

    This page also compiles Python's WebAssembly engine. All pages in the process share the machine code,
    which halves the processor time of a visit with Python.
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
        """The pages that tests have opened."""
        return [page for page in self.context.pages if page is not self.keeper]


class Contexts:
    """The contexts of a browser that are open but not in use. Only one test uses a context at a time."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: list[KeptContext] = []

    def take(self, address: str, arguments: dict[str, Any]) -> KeptContext:
        """Return a free context for this address and these arguments. If there is none, open one.

        Call `give_back` when the test has ended.
        """
        for kept in self.free:
            if kept.address == address and kept.arguments == arguments:
                self.free.remove(kept)
                return kept
        return KeptContext(self.browser, address, arguments)

    def give_back(self, kept: KeptContext) -> None:
        """Close the pages of a context. If a test may have changed the context, close the context itself."""
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
