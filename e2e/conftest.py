"""Fixtures for the browser tests: a server of the built site, and a page whose errors fail the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, expect

from e2e.lending import Contexts
from e2e.plain_host import WHERE, copy_pages
from e2e.sharing import SharedPage
from e2e.silent_worker import ASLEEP, leave_python_asleep
from tests.nightly import skip_by_day
from tools.bootstrap import ROOT, SetupError
from tools.browser import find_shell, launch_arguments
from tools.build import build
from tools.export import MARK, export
from tools.files import one_at_a_time
from tools.server import start
from tools.vendor import vendor

PATIENCE_MS = 60_000
"""The longest time that a test waits for an event. Tests do not check speed, because a slow or busy machine
must not make them fail. `python3 -m bench` compares our speed with the speed of other programs."""


def patient(*limits_ms: int) -> str:
    """Make a script for a page. It multiplies the time of a timer by ten if this time is in `limits_ms`.

    After a pause, a page starts a timer for the rest of a limit. The script multiplies this time too. It
    recognises such a time by its fraction of a millisecond.
    """
    return f"""(() => {{
      const limits = new Set({[*limits_ms]});
      const isLimit = (ms) => limits.has(ms) || (ms > 1000 && ms % 1 !== 0);
      const plain = self.setTimeout;
      self.setTimeout = (act, ms, ...given) => plain(act, isLimit(ms) ? 10 * ms : ms, ...given);
    }})();"""


FOR_NAMES = patient(10_000, 12_000)
"""A script that multiplies a time limit of the playground by ten. Python has 10 s to list the names that the
editor suggests. If Python is still busy with other work, it has 2 s more."""
PATIENT = patient(2_000, 4_000, 10_000, 12_000, 20_000, 22_000)
"""A script that multiplies the pages' time limits by ten, because a busy machine may need longer. Python has
2 s for a formula, 10 s for an editor's names and 20 s for a simulation. If Python is still busy with other
work, it has 2 s more. A test of the limits is marked `own_limits`."""
FAST = """Object.defineProperty(PerformanceResourceTiming.prototype, "responseEnd", {
  configurable: true,
  get() { return this.responseStart; },
});"""
"""A script that makes every file seem to arrive at once. Pages measure how fast their files arrive. If files
arrive slowly, Python starts from other files. A busy machine must not have this effect. Tests of slow
connections override this script."""
ONE_PROCESS = "--process-per-site"
"""The browser's option that lets all pages of the site share a process. `KeptContext` keeps this process
alive, so that the browser starts fewer processes."""
WAIT_FOR_PYTHON = frozenset({"compiling", "editable", "let_python_come"})
"""The names of fixtures that start Python, even in a file whose tests are marked `without_python`."""
SMALL_SITE = frozenset({"billiards", "embed", "playground", "quadratic", "regression", "robot"})
"""The pages of the small exported site, besides its start page. Most tests of a plain host use only these."""
ABORTED = "net::ERR_ABORTED"
FIRST_HTTP_ERROR = 400
IN_THE_PAGE = frozenset({"about", "blob", "data"})
"""The schemes of addresses that the browser loads without a request to a server."""


def pytest_configure() -> None:
    expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    ours = [item for item in items if item.path.is_relative_to(ROOT / "e2e")]
    skip_by_day(ours)
    if not ours or find_shell():
        return
    reason = "no Chromium on this machine: python3 -m tests installs one or says how"
    if os.environ.get("EGLANTINE_REQUIRE_BROWSER"):
        raise pytest.UsageError(reason)
    for item in ours:
        item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def built() -> None:
    """Build the site."""
    try:
        vendor()
        build()
    except SetupError as error:
        pytest.fail(str(error))


@pytest.fixture(scope="session")
def server_url(built: None) -> Iterator[str]:
    """Serve the built site. Yield its address, which ends with a slash."""
    server = start(ROOT / "static")
    yield server.url
    server.close()


@pytest.fixture(scope="session")
def base_url(server_url: str) -> str:
    return server_url


@pytest.fixture(scope="session")
def site_folder(built: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the site to the subfolder `WHERE` of a folder. Tests may change only copies of this folder.

    The export runs once, for all processes of a test run.
    """
    temporary = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        temporary = temporary.parent
    folder = temporary / "host"
    with one_at_a_time(temporary / "host.lock"):
        if not (folder / WHERE / MARK).exists():
            export(folder / WHERE)
    return folder


@pytest.fixture(scope="session")
def small_site(site_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of `site_folder` with few pages. A browser caches it three times as fast as the whole site."""
    folder = tmp_path_factory.mktemp("small")
    copy_pages(site_folder / WHERE, folder / WHERE, SMALL_SITE)
    return folder


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    chromium = find_shell()
    arguments = [*launch_arguments(), ONE_PROCESS]
    return {**browser_type_launch_args, "executable_path": str(chromium), "args": arguments}


@pytest.fixture(scope="session")
def browser(browser: Browser) -> Browser:
    """Add a script to all pages of the browser. It pretends that the network connection is fast."""
    make = browser.new_context

    def new_context(**arguments: Any) -> BrowserContext:
        context = make(**arguments)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(FAST)
        return context

    browser.new_context = new_context  # type: ignore[method-assign]
    return browser


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Contexts]:
    """The contexts whose pages most tests use."""
    kept = Contexts(browser)
    yield kept
    kept.close()


@pytest.fixture
def page(
    contexts: Contexts,
    browser_context_args: dict[str, object],
    server_url: str,
    new_context: Callable[..., BrowserContext],
    request: pytest.FixtureRequest,
) -> Iterator[Page]:
    """A new page. The test fails if the page reports an error or requests another origin.

    Mark a test `allow_console` if it expects such errors or requests. In a test marked `without_python`,
    Python never loads. The page's storage is empty, but the browser may have cached the site's files. Mark a
    test `own_context` if it needs an empty cache or visits another host.
    """
    marked = request.node.get_closest_marker
    needs_python = marked("with_python") or WAIT_FOR_PYTHON.intersection(request.fixturenames)
    sleeps = bool(marked("without_python") and not needs_python)
    has_own = marked("own_context") or marked("browser_context_args")
    if has_own:
        kept = None
        context = new_context()
        page = context.new_page()
    else:
        kept = contexts.take(server_url, browser_context_args)
        context = kept.context
        page = kept.open(wakes=not sleeps)
    if not marked("own_limits"):
        page.add_init_script(PATIENT)
    if sleeps:
        leave_python_asleep(page)
    troubles: list[str] = []
    stop_watching = watch(page, server_url, troubles, context)
    yield page
    stop_watching()
    if kept is not None:
        contexts.give_back(kept)
    if troubles and not request.node.get_closest_marker("allow_console"):
        pytest.fail("the page had errors:\n" + "\n".join(troubles))


@pytest.fixture(scope="module")
def tab(browser: Browser, server_url: str) -> Iterator[Page]:
    """A page for tests that only open links. The tests of a file share it. Errors in the page fail a test."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(PATIENT)
    troubles: list[str] = []
    watch(page, server_url, troubles)
    yield page
    context.close()
    if troubles:
        pytest.fail("the page had errors:\n" + "\n".join(troubles))


@pytest.fixture(scope="module")
def sharing(
    contexts: Contexts,
    browser_context_args: dict[str, object],
    server_url: str,
    request: pytest.FixtureRequest,
) -> Iterator[SharedPage]:
    """The page that all tests of a file share."""
    marked = request.node.get_closest_marker
    scripts = [
        *([] if marked("own_limits") else [PATIENT]),
        *([ASLEEP] if marked("without_python") else []),
    ]
    page = shared_page(contexts, browser_context_args, server_url, scripts)
    yield page
    page.close()


def shared_page(
    contexts: Contexts, arguments: dict[str, Any], server_url: str, scripts: list[str]
) -> SharedPage:
    """Make a page that several tests can use, one after another.

    scripts: scripts that run each time the page opens an address, before the page's own scripts.
    """

    return SharedPage(contexts, server_url, arguments, scripts, watch, wakes=ASLEEP not in scripts)


@pytest.fixture
def shared(sharing: SharedPage, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that all tests of a file share. It is blank at first, and errors fail the test as in `page`.

    Each test must restore the page's state. If a test fails, the next test gets a new page. Give the marks
    `without_python` and `own_limits` to the whole file, not to a single test.
    """
    failed_before = request.session.testsfailed
    yield sharing.lend()
    troubles = sharing.take_back()
    if troubles and not request.node.get_closest_marker("allow_console"):
        sharing.close()
        pytest.fail("the page had errors:\n" + "\n".join(troubles))
    if request.session.testsfailed > failed_before:
        sharing.close()


FORGET_WORDS = """() => {
  for (const said of document.querySelectorAll("[role=status], .notice")) said.textContent = "";
}"""


def open_link(page: Page, address: str) -> None:
    """Clear the page's messages, then open an address. A new fragment alone does not reload the page."""
    page.evaluate(FORGET_WORDS)
    page.goto(address)


def watch(
    page: Page, server_url: str, troubles: list[str], context: BrowserContext | None = None
) -> Callable[[], None]:
    """Add a line to `troubles` for each error of a page and for each request to another origin.

    Return a function that stops this recording. context: the page's context, if the caller has it.
    """
    home = urlsplit(server_url).netloc

    def console(message: ConsoleMessage) -> None:
        if message.type == "error":
            troubles.append(f"console: {message.text}")

    def requested(request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in IN_THE_PAGE and url.netloc != home:
            troubles.append(f"left the machine: {request.url}")

    def answered(response: Response) -> None:
        if response.status >= FIRST_HTTP_ERROR:
            troubles.append(f"answered {response.status}: {response.url}")

    def failed(request: Request) -> None:
        if request.failure != ABORTED:  # the test left the page, or replaced its worker, during the request
            troubles.append(f"failed: {request.url} ({request.failure})")

    page.on("console", console)
    page.on("pageerror", lambda error: troubles.append(f"uncaught: {error}"))
    context = context or page.context
    listeners = {"request": requested, "response": answered, "requestfailed": failed}
    for event, listener in listeners.items():
        context.on(event, listener)  # type: ignore[call-overload]

    def stop() -> None:
        for event, listener in listeners.items():
            context.remove_listener(event, listener)

    return stop
