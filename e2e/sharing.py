"""A page that all tests of a file use, one after another. So the file loads the site only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

    from e2e.lending import Contexts, KeptContext

    Watch = Callable[[Page, str, list[str], BrowserContext], Callable[[], None]]


class SharedPage:
    """A page that several tests use, one after another. It records its errors.

    address: the site's address.
    scripts: scripts that run each time the page opens an address, before the page's own scripts.
    watch: a function that starts adding the page's errors to a list. It returns a function that ends this.
    wakes: True if Python starts in the site's pages.
    """

    def __init__(
        self,
        contexts: Contexts,
        address: str,
        arguments: dict[str, Any],
        scripts: list[str],
        watch: Watch,
        *,
        wakes: bool,
    ) -> None:
        self.contexts = contexts
        self.address = address
        self.arguments = arguments
        self.scripts = scripts
        self.watch = watch
        self.wakes = wakes
        self.troubles: list[str] = []
        self.kept: KeptContext | None = None

    def lend(self) -> Page:
        """Return the page. The first test gets a blank page. Later tests get what the last test left."""
        if self.kept is None:
            self.kept = self.contexts.take(self.address, self.arguments)
            self.page = self.kept.open(wakes=self.wakes)
            for script in self.scripts:
                self.page.add_init_script(script)
            self.stop_watching = self.watch(self.page, self.address, self.troubles, self.kept.context)
        self.troubles.clear()
        return self.page

    def take_back(self) -> list[str]:
        """Remove the routes and pages that a test has added. Return the errors that happened in the test."""
        if self.kept is not None:
            for other in self.kept.pages:
                if other is not self.page:
                    other.close()
            self.page.unroute_all()
            self.kept.context.unroute_all()
        return [*self.troubles]

    def close(self) -> None:
        """Close the page. The next test gets a new one."""
        if self.kept is not None:
            self.stop_watching()
            self.contexts.give_back(self.kept)
        self.kept = None
