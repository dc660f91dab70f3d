"""Make a `Lab` for benches: a Chromium browser, and a server for the files of the site and of the bench."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.diagrams import registry
from bench.measure import Row, row_from_json
from tools.bootstrap import ROOT, SetupError
from tools.browser import find_chromium, launch_arguments
from tools.node import NODE_MODULES, find_node
from tools.served_files import Content, Library
from tools.server import start

BENCH = ROOT / "bench"
STATIC = ROOT / "static"
LONGEST_MS = 600_000
"""The longest time, in milliseconds, that a group may take in the browser. After it, the group counts as
stuck."""


@dataclass(frozen=True)
class Peer:
    """An npm package that takes part in comparisons.

    folder: the folder with the package's node_modules.
    entry: the text of a JavaScript module. We bundle this module and everything that it imports.
    """

    folder: Path
    package: str
    entry: str
    platform: str = "browser"


PEERS = {
    "rose.js": Peer(ROOT, "rose", 'export * from "rose";', "neutral"),
    "tfjs.js": Peer(
        BENCH / "peers",
        "@tensorflow/tfjs-core",
        'import "@tensorflow/tfjs-backend-cpu";\n'
        'import "@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops";\n'
        'import "@tensorflow/tfjs-core/dist/register_all_gradients";\n'
        'export * from "@tensorflow/tfjs-core";\n',
    ),
    "jax-js.js": Peer(BENCH / "peers", "@jax-js/jax", 'export * from "@jax-js/jax";'),
}
"""The npm packages that take part, by the names of their bundles below /peers/."""


class Shelves(Library):
    """Finds the file for an address: in /bench/, /peers/ (bundles), /diagrams/ (graphs), or on the site."""

    def __init__(self, peers: Path) -> None:
        super().__init__(STATIC)
        self._others = {"/bench/": Library(BENCH), "/peers/": Library(peers)}
        if diagrams := registry.folder():
            self._others["/diagrams/"] = Library(diagrams)

    def find(self, target: str) -> Path | None:
        for prefix, library in self._others.items():
            if target.startswith(prefix):
                return library.find(target[len(prefix) - 1 :])
        return super().find(target)

    def is_named(self, path: Path, target: str, content: Content) -> bool:
        return path.is_relative_to(self.root) and super().is_named(path, target, content)


@dataclass(frozen=True)
class Lab:
    """A running server and browser.

    check: if true, the benches only compare results and time nothing.
    peers: maps the file name of each peer that we could not prepare to the reason.
    say: the function that prints one line of progress.
    kept: a file for the measurements of a long group, or None. Another run can continue from the file.
    minutes: the number of minutes after which a long group starts no new measurement.
    """

    url: str
    browser: Browser
    check: bool
    peers: dict[str, str]
    say: Callable[[str], None]
    kept: Path | None = None
    minutes: float = inf

    def in_browser(self, group: str, work: dict[str, Any]) -> Iterator[Row]:
        """Run bench/groups/{group}.js on the data `work`, and yield its rows."""
        yield from map(row_from_json, self.in_browser_raw(group, work))

    def in_browser_raw(self, group: str, work: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Run bench/groups/{group}.js on the data `work`, and yield its reports, which are dicts."""
        context = self.browser.new_context()
        page = context.new_page()
        page.set_default_timeout(LONGEST_MS)
        page.on("console", lambda message: self.say(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.say(f"uncaught: {error}"))
        options = {
            "group": group,
            "check": self.check,
            "missing": self.peers,
            "sources": sources(),
            "work": work,
        }
        try:
            page.goto(f"{self.url}bench/page/index.html")
            for row in rows_of(page, options):
                self.say(row["title"].strip())
                yield row
        finally:
            context.close()


def sources() -> dict[str, str]:
    """Return {path below bench/: source} of the bench's modules that the page imports into Pyodide."""
    paths = [*BENCH.glob("*.py"), *(BENCH / "diagrams").glob("*.py")]
    return {path.relative_to(BENCH).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def rows_of(page: Page, options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Start the benchmarks in the page, and yield each report that the page's worker sends.

    Raises:
        SetupError: the whole worker failed, and not only the work for a single row.
    """
    page.evaluate("(options) => globalThis.bench.start(options)", options)
    while (report := page.evaluate("() => globalThis.bench.next()"))["kind"] == "row":
        yield report["row"]
    if report["kind"] == "failed":
        raise SetupError(f"The bench's worker failed: {report['reason']}")


@contextmanager
def open_lab(
    *, check: bool, say: Callable[[str], None], kept: Path | None = None, minutes: float = inf
) -> Iterator[Lab]:
    """Open a lab that serves the built site. Close the lab at the end.

    Raises:
        SetupError: there is no Chromium.
    """
    chromium = find_chromium()
    if chromium is None:
        raise SetupError(
            "The benchmarks need Chromium or Chrome, but neither was found. Install one of them."
        )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        peers = Path(folder)
        missing = prepare_peers(peers, install=not check)
        server = start(STATIC)
        server.library = Shelves(peers)
        browser = playwright.chromium.launch(executable_path=str(chromium), args=launch_arguments())
        try:
            yield Lab(server.url, browser, check, missing, say, kept, minutes)
        finally:
            browser.close()
            server.close()


def prepare_peers(folder: Path, *, install: bool) -> dict[str, str]:
    """Bundle the peers' code into a folder. Return {file name: reason} for each bundle that failed.

    install: if true, also install the packages that only benches need.
    """
    reason = install_peers() if install else ""
    reasons = {name: bundle(peer, folder / name, reason) for name, peer in PEERS.items()}
    return {name: why for name, why in reasons.items() if why}


def install_peers() -> str:
    """Install the packages of bench/peers if they are missing. If this fails, return the reason, else ""."""
    stamp = BENCH / "peers" / "node_modules" / ".package-lock.json"
    lock = BENCH / "peers" / "package-lock.json"
    if stamp.exists() and stamp.stat().st_mtime >= lock.stat().st_mtime:
        return ""
    done = find_node().run_npm(["ci"], cwd=BENCH / "peers")
    return "" if done.returncode == 0 else f"npm ci failed: {(done.stderr or done.stdout).strip()[-300:]}"


def bundle(peer: Peer, output: Path, reason: str) -> str:
    """Bundle a peer into one ES module. If this fails, return the reason, else ""."""
    home = peer.folder / "node_modules"
    if not (home / peer.package).is_dir():
        return reason or f"npm package `{peer.package}` is not installed"
    with tempfile.TemporaryDirectory(dir=home, prefix=".entry-") as folder:
        entry = Path(folder, "entry.js")
        entry.write_text(peer.entry, encoding="utf-8")
        options = [
            "--bundle",
            "--format=esm",
            "--target=es2022",
            "--log-level=error",
            f"--platform={peer.platform}",
        ]
        esbuild = NODE_MODULES / "esbuild" / "bin" / "esbuild"
        done = find_node().run([esbuild, entry, f"--outfile={output}", *options])
    return "" if done.returncode == 0 else f"esbuild could not bundle it: {done.stderr.strip()[-300:]}"
