"""A page that the tests of a file use one after another, so that the file visits the site only once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page


class SharedPage:
    """A page in a context of its own, and what it did wrong. A test that spoils the page gets it replaced."""

    def __init__(self, opened: Callable[[list[str]], BrowserContext]) -> None:
        self.opened = opened
        self.troubles: list[str] = []
        self.context: BrowserContext | None = None

    def lend(self) -> Page:
        """The page. A new page is blank, and an old one is as the last test has left it."""
        if self.context is None:
            self.context = self.opened(self.troubles)
        self.troubles.clear()
        return self.context.pages[0]

    def take_back(self) -> list[str]:
        """End the routes and the further pages of a test. Return what the page did wrong during the test."""
        if self.context is not None:
            first, *others = self.context.pages
            for other in others:
                other.close()
            first.unroute_all()
            self.context.unroute_all()
        return [*self.troubles]

    def close(self) -> None:
        """Close the page. The next test gets a new one."""
        if self.context is not None:
            self.context.close()
        self.context = None
