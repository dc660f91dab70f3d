"""An exported function gives the same bits on a blank page of a plain file server as in the app."""

from __future__ import annotations

import base64
import contextlib
import functools
import gzip
import http.server
import json
import math
import struct
import threading
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from playwright.sync_api import expect

import eglantine as eg
from app.service import jet
from eglantine import formulas

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

POINTS = [(2.0, 3.0), (0.1, -0.7), (1.7, 2.3), (1e-300, 0.5), (-1.5, 3.0), (30.1, 11.9)]
BLANK = '<!doctype html><link rel="icon" href="data:,"><title>blank</title>'
STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:"
WORKER = """
import load from "./f.js";
onmessage = async ({ data }) => {
  const f = await load();
  postMessage(data.map((point) => f(...point)));
};
"""
FLAT = """const flat = (value) => typeof value === "number"
    ? [value] : Object.values(value).flatMap((item) => flat(item));
  const hex = (x) => {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, x);
    return bits.getBigUint64(0).toString(16).padStart(16, "0");
  };"""
IN_THE_APP = f"""async ([module, abi, points]) => {{
  {FLAT}
  const {{ instantiate }} = await import(new URL("js/engine/kernel.js", document.baseURI).href);
  const bytes = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
  const kernel = instantiate(bytes, abi);
  return points.map((point) => flat(kernel.call(...point)).map(hex));
}}"""
ALONE = f"""async ([points]) => {{
  {FLAT}
  const {{ default: load }} = await import(new URL("f.js", document.baseURI).href);
  const f = await load();
  return points.map((point) => flat(f(...point)).map(hex));
}}"""
IN_A_WORKER = f"""([points]) => new Promise((resolve) => {{
  {FLAT}
  const worker = new Worker(new URL("worker.js", document.baseURI), {{ type: "module" }});
  worker.onmessage = ({{ data }}) => resolve(data.map((value) => flat(value).map(hex)));
  worker.onerror = (event) => resolve(event.message);
  worker.postMessage(points);
}})"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """A stock file server without a log."""

    headers_sent: ClassVar[dict[str, str]] = {}

    def end_headers(self) -> None:
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class _Strict(_Quiet):
    """A plain file server that sends a strict Content-Security-Policy."""

    headers_sent: ClassVar = {"Content-Security-Policy": STRICT}


@pytest.fixture(scope="module")
def function() -> eg.Fn:
    """Return the function that the app compiles for x^y: the value, the gradient and the Hessian."""
    return jet(formulas.to_fn("x^y", ["x", "y"]))


@pytest.fixture(params=[_Quiet, _Strict], ids=["stock server", "strict policy"])
def blank_site(request: pytest.FixtureRequest, function: eg.Fn, tmp_path: Path) -> Iterator[str]:
    """Serve a blank page and the exported files with a plain file server. Yield the page's address."""
    eg.export(function, tmp_path, name="f")
    (tmp_path / "index.html").write_text(BLANK)
    (tmp_path / "worker.js").write_text(WORKER)
    handler = functools.partial(request.param, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def leaves(value: Any) -> list[float]:
    """The numbers of a nested value, in order."""
    if isinstance(value, dict):
        value = value.values()
    return [value] if isinstance(value, float) else [leaf for item in value for leaf in leaves(item)]


@pytest.mark.allow_console  # the blank page is another origin
def test_the_exported_module_alone_gives_the_bits_of_the_app(
    page: Page, server_url: str, function: eg.Fn, blank_site: str
) -> None:
    artifact = eg.compile_artifact(function)
    page.goto(f"{server_url}quadratic.html")
    module = base64.b64encode(artifact.wasm).decode()
    in_the_app = page.evaluate(IN_THE_APP, [module, artifact.abi, POINTS])
    expected = [leaves(function(*point)) for point in POINTS]
    assert not any(math.isnan(x) for row in expected[:4] for x in row)
    page.goto(blank_site)
    alone = page.evaluate(ALONE, [POINTS])
    assert alone == in_the_app
    for bits, row in zip(alone, expected, strict=True):
        assert [x for x, y in zip(bits, row, strict=True) if y == y] == [
            struct.pack(">d", y).hex() for y in row if y == y
        ]


@pytest.mark.allow_console
def test_an_exported_function_works_in_a_worker(page: Page, function: eg.Fn, blank_site: str) -> None:
    page.goto(blank_site)
    points = POINTS[:3]
    bits = page.evaluate(IN_A_WORKER, [points])
    assert bits == [[struct.pack(">d", x).hex() for x in leaves(function(*point))] for point in points]


WITHIN = """async () => {
  const { default: load } = await import(new URL("f.js", document.baseURI).href);
  let inner = () => {};
  const f = await load(undefined, { host: (x) => { inner(); return x; } });
  const told = () => { try { return f([1, 1, 1]).join(); } catch (error) { return error.message; } };
  const first = told();
  inner = () => f([7, 7, 7]);
  const within = told();
  inner = () => {};
  return [first, within, told()];
}"""


@pytest.mark.allow_console
def test_calling_an_exported_function_within_its_own_call_is_an_error(page: Page, tmp_path: Path) -> None:
    def host(x: float) -> float:
        return x

    opaque = eg.opaque(host, [eg.Real], eg.Real)
    f = eg.fn([eg.Vec(3, eg.Real)])(lambda v: eg.vec(3, lambda i: v[i] + opaque(v[0])))
    eg.export(f, tmp_path, name="f")
    (tmp_path / "index.html").write_text(BLANK)
    with served(tmp_path) as url:
        page.goto(url)
        first, within, last = page.evaluate(WITHIN)
    assert first == last == "2,2,2"
    assert within.startswith("f was called within a call of it")


@pytest.mark.allow_console
@pytest.mark.parametrize("blank_site", [_Quiet], indirect=True, ids=["stock server"])
def test_the_exported_page_shows_a_value(page: Page, function: eg.Fn, blank_site: str) -> None:
    page.goto(f"{blank_site}f.html")
    shown = page.locator("#result")
    shown.filter(has_text="{").wait_for()
    assert leaves(json.loads(shown.inner_text(), parse_int=float)) == leaves(function(1.0, 1.0))


IN_THE_PAGE = f"""async (points) => {{
  {FLAT}
  const from = (name) => import(new URL(`engine/${{name}}.js`, document.scripts[0].src));
  const {{ loadManifest, loadPresets }} = await from("presets");
  const {{ instantiate }} = await from("kernel");
  const [{{ artifact }}] = await loadPresets(await loadManifest());
  const kernel = instantiate(artifact.wasm, artifact.abi);
  return points.map((point) => flat(kernel.call(...point)).map(hex));
}}"""
MOST_BYTES = 5_000
"""The largest size of a formula's gzipped module and gzipped script together, in bytes."""
EXPORTS = {
    "quadratic.html": {"formula"},
    "billiards.html": {"shot", "paths"},
    "robot.html": {"training", "motion"},
    "regression.html": {"fit", "exact"},
    "tape.html": {"tape"},
}
"""For each page, the names of the modules in the archive that the page exports."""


def archive_of(page: Page) -> zipfile.ZipFile:
    """Click the export button of a page. Return the downloaded archive."""
    with page.expect_download(timeout=60_000) as download:
        page.locator("button.export").click()
    archive = zipfile.ZipFile(download.value.path())
    assert archive.testzip() is None
    return archive


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder with a plain file server. Yield its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", EXPORTS)
def test_each_page_gives_its_modules_as_files(page: Page, server_url: str, name: str) -> None:
    page.goto(f"{server_url}{name}")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    archive = archive_of(page)
    assert set(archive.namelist()) == {
        f"{module}{suffix}" for module in EXPORTS[name] for suffix in (".wasm", ".js", ".d.ts", ".html")
    }
    for module in EXPORTS[name]:
        assert archive.read(f"{module}.wasm").startswith(b"\0asm")
        assert f"{module}.wasm".encode() in archive.read(f"{module}.js")


@pytest.mark.allow_console  # the blank page is another origin
def test_quadratics_export_is_small_and_gives_its_bits_on_a_blank_page(
    page: Page, server_url: str, tmp_path: Path
) -> None:
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    archive = archive_of(page)
    in_the_page = page.evaluate(IN_THE_PAGE, POINTS)
    size = sum(len(gzip.compress(archive.read(name))) for name in ("formula.wasm", "formula.js"))
    assert size <= MOST_BYTES
    archive.extractall(tmp_path)
    (tmp_path / "index.html").write_text(BLANK)
    (tmp_path / "f.js").write_text('export { default } from "./formula.js";')
    with served(tmp_path) as address:
        page.goto(address)
        assert page.evaluate(ALONE, [POINTS]) == in_the_page
        page.goto(f"{address}formula.html")
        page.locator("#result").filter(has_text="{").wait_for()


def test_the_playground_exports_the_function_that_is_shown(page: Page, server_url: str) -> None:
    page.goto(f"{server_url}playground.html")
    expect(page.locator("button.export")).to_be_disabled()
    expect(page.locator(".cm-content")).to_be_visible()
    page.locator("button.run").click()
    expect(page.locator("button.export")).to_be_enabled(timeout=60_000)
    shown = page.locator("[name=function]").input_value()
    assert set(archive_of(page).namelist()) == {f"{shown}{end}" for end in (".wasm", ".js", ".d.ts", ".html")}
