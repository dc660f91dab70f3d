"""Measure how pages load: the times until visitors can see, drag and edit, and the transferred bytes.

Each sample comes from a browser with a new profile. A cold browser has never opened the page. A warm browser
has opened and closed the page before. A slow browser has never opened the page, and has a phone's processor
and network.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bench.measure import OURS, Row, Series
from bench.slow_wire import SLOW_4G, slowed
from tools.browser import find_chromium, launch_arguments
from tools.pages import PAGES, SHELL

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Response

    from bench.lab import Lab

VISITS = 5
"""The number of visits of each kind. If nothing is timed, there is only one visit of each kind. There is also
only one visit on the slow network, because it takes a minute."""
SETTLED_MS = 2500
"""The time, in milliseconds, that we wait at the end of a visit. After this time, the browser has stored its
compiled code."""
LONGEST_MS = 180_000
SLOWER = 4
"""The factor by which Chromium slows the page's main thread, so that it is about as slow as on a phone.
Chromium cannot slow the page's workers."""
SLOW = "slow phone (4× CPU, 1.6 Mbit/s, 150 ms)"

WITH_PYTHON = frozenset({"billiards", "playground", "quadratic", "robot", "tape"})
"""The names of the pages that start Python by themselves."""
KINDS = (
    ("vendor/pyodide/", "Pyodide"),
    ("build/engine-", "Pyodide"),
    ("build/snapshot-", "snapshot"),
    ("build/", "compiled beforehand"),
    ("js-", "scripts"),
    ("vendor/", "other libraries"),
    ("", "HTML, styles, icons"),
)
"""Pairs (beginning of a file's path below the site, kind of the file). The first pair that fits counts."""

WATCH = """
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    globalThis.longTasks.push(...list.getEntries().map((task) => task.duration));
  }).observe({ type: "longtask", buffered: true });
"""
MARK = "(name) => performance.getEntriesByName(name)[0]?.startTime ?? null"
UNTIL = """([names, longest]) => new Promise((done, fail) => {
  const seen = () => names.some((name) => performance.getEntriesByName(name).length > 0);
  const observer = new PerformanceObserver(() => seen() && done(null));
  observer.observe({ entryTypes: ["mark", "paint"] });
  if (seen()) done(null);
  setTimeout(() => fail(new Error(`no ${names}`)), longest);
})"""
SCRIPTS_BEFORE = """(end) => performance.getEntriesByType("resource")
  .filter(({ name, startTime }) => /^\\/js[-/]/.test(new URL(name).pathname) && startTime < end)
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
REPLACED_ON = {"pages": "robot", "playground": "playground"}
"""For each service, a page on which we let the service's worker die."""
REPLACED_MS = 1500
REPLACED = """async ([service, count]) => {
  const from = document.scripts[0].src;
  const { PythonWorker } = await import(new URL("engine/python-worker.js", from));
  const { loadManifest } = await import(new URL("engine/manifest.js", from));
  const isSandboxed = service === "playground";
  const open = isSandboxed ? (await import(new URL("engine/sandbox.js", from))).openSandbox : undefined;
  let ready = () => {};
  const onStatus = ({ phase }) => phase === "ready" && ready();
  const python = new PythonWorker(await loadManifest(), onStatus, { isSandboxed, open });
  const readyAfter = async (act) => {
    const coming = new Promise((resolve) => { ready = resolve; });
    const begun = performance.now();
    act();
    await coming;
    return performance.now() - begun;
  };
  await readyAfter(() => python.start());
  const samples = [];
  while (samples.length < count) samples.push(await readyAfter(() => python.worker.kill()));
  python.destroy();
  return samples;
}"""
USABLE = ("draggable", "editable")
"""The names of the marks that a page sets when a person can drag or edit something. If a page sets both, the
first one counts. Pages without a picture set only the second."""

EARLY = "first tier"
"""The name of the mark that a page sets when formulas can be typed. Python may not have loaded yet."""
TYPED_MS = 3000
"""The longest time, in milliseconds, that it should take until formulas are editable on a slow phone."""


@dataclass
class Visit:
    """The measurements of a visit: times in ms since the visit began, and numbers of transferred bytes."""

    paint: float
    usable: float
    early: float | None
    python: float | None
    longest_task: float
    scripts_before: float
    travelled: Mapping[str, int] = field(default_factory=dict)


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows for every page, from cold, warm and slow browsers."""
    for name in sorted(path.stem for path in PAGES.glob("*.html") if path.stem != SHELL):
        lab.say(name)
        yield from page_rows(lab, name)
    lab.say("workers that die")
    yield from replacement_rows(lab)


def page_rows(lab: Lab, name: str) -> Iterator[Row]:
    """One page's rows."""
    count = 1 if lab.check else VISITS
    pairs = [cold_and_warm(lab, name) for _ in range(count)]
    cold, warm = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    yield from times(f"{name} page, cold", cold, usable_ms=600, python_ms=1000)
    yield from times(f"{name} page, warm", warm, usable_ms=300, python_ms=500)
    before = {OURS: Series((cold[0].scripts_before / 1000,))}
    yield Row(f"{name} page: our scripts before it can be used, gzipped", "kB", before, target=60)
    kinds = {f"{OURS}: {kind}": Series((size / 1000,)) for kind, size in sorted(cold[0].travelled.items())}
    everything = {OURS: Series((sum(cold[0].travelled.values()) / 1000,)), **kinds}
    note = "All bytes that the server sends until the page is at rest. Files are compressed if this helps."
    yield Row(f"{name} page: what travels", "kB", everything, note=note)
    if not lab.check:
        with slowed(urlsplit(lab.url).port or 0, SLOW_4G) as port, profile(lab) as context:
            slow = visit(context, f"http://127.0.0.1:{port}/", name, slower=SLOWER)
        yield from times(f"{name} page, {SLOW}", [slow])


def replacement_rows(lab: Lab) -> Iterator[Row]:
    """Kill the worker that runs Python, and measure how long the page needs to replace it."""
    for service, name in REPLACED_ON.items():
        with profile(lab) as context:
            visit(context, lab.url, name)
            page = context.pages[0]
            page.goto(f"{lab.url}{name}.html")
            samples = page.evaluate(REPLACED, [service, 1 if lab.check else VISITS])
        yield row(f"{name} page: Python is ready again after its worker died", samples, REPLACED_MS)


def times(
    title: str, visits: list[Visit], usable_ms: float | None = None, python_ms: float | None = None
) -> Iterator[Row]:
    """The times of visits of one kind."""
    yield row(f"{title}: first paint", [each.paint for each in visits])
    yield row("  can be used", [each.usable for each in visits], usable_ms)
    early = [each.early for each in visits if each.early is not None]
    if early:
        yield row("  formulas can be typed", early, TYPED_MS if SLOW in title else None)
    python = [each.python for each in visits if each.python is not None]
    if python:
        yield row("  Python is ready", python, python_ms)
    yield row("  the longest task", [each.longest_task for each in visits])


def row(title: str, samples: list[float], target: float | None = None) -> Row:
    """A row with only our times, in ms."""
    return Row(title, "ms", {OURS: Series(tuple(samples))}, target=target)


def cold_and_warm(lab: Lab, name: str) -> tuple[Visit, Visit]:
    """Visit a page twice in a new profile. Return the measurements of both visits."""
    with profile(lab) as context:
        return visit(context, lab.url, name), visit(context, lab.url, name)


@contextmanager
def profile(lab: Lab) -> Iterator[BrowserContext]:
    """Open a browser with a new profile. Its caches are on disk, as in a person's browser."""
    with tempfile.TemporaryDirectory() as folder:
        context = lab.browser.browser_type.launch_persistent_context(
            folder,
            executable_path=find_chromium(),
            args=launch_arguments(),
            viewport={"width": 1280, "height": 800},
        )
        context.set_default_timeout(LONGEST_MS)
        context.add_init_script(WATCH)
        try:
            yield context
        finally:
            context.close()


def visit(context: BrowserContext, url: str, name: str, *, slower: int = 1) -> Visit:
    """Open a page, wait until it has finished loading (with Python), measure, and close it."""
    page = context.pages[0]  # a page in the background is not painted
    responses: list[Response] = []

    def heard(response: Response) -> None:
        responses.append(response)

    context.on("response", heard)
    if slower > 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(f"{url}{name}.html", timeout=LONGEST_MS)
    awaited = [USABLE, ("first-contentful-paint",), *([("python",)] if name in WITH_PYTHON else [])]
    for names in awaited:
        page.evaluate(UNTIL, [list(names), LONGEST_MS])
    page.wait_for_timeout(SETTLED_MS)
    measured = read(page)
    context.remove_listener("response", heard)
    measured.travelled = sizes(responses, url)
    page.goto("about:blank")
    return measured


def read(page: Page) -> Visit:
    """Read the measurements from a page at rest."""
    marks: dict[str, Any] = {
        name: page.evaluate(MARK, name) for name in (*USABLE, EARLY, "python", "first-contentful-paint")
    }
    usable = next(marks[name] for name in USABLE if marks[name] is not None)
    return Visit(
        paint=marks["first-contentful-paint"],
        usable=usable,
        early=marks[EARLY],
        python=marks["python"],
        longest_task=max(page.evaluate("globalThis.longTasks"), default=0.0),
        scripts_before=page.evaluate(SCRIPTS_BEFORE, usable),
    )


def sizes(responses: list[Response], url: str) -> dict[str, int]:
    """Add up the transferred bytes by kind of file. Files from the browser's cache do not count."""
    travelled: dict[str, int] = defaultdict(int)
    for response in responses:
        path = response.url.removeprefix(url)
        kind = next(kind for beginning, kind in KINDS if path.startswith(beginning))
        if response.status == 200:  # 304 has no body
            travelled[kind] += int(response.headers.get("content-length", 0))
    return dict(travelled)
