"""micropip installs the wheel from its URL into an unchanged Pyodide, in a page and in a worker."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from tests.seeds import NIGHTLY
from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROGRAM = """
import micropip
await micropip.install("{wheel}")
import eglantine as eg

f = eg.fn([eg.Real, eg.Real], eg.Real)(lambda x, y: x ** y)
k = await eg.compile_async(eg.value_and_grad(f, (0, 1)))
here = k(2.0, 3.0) == eg.value_and_grad(f, (0, 1))(2.0, 3.0)
batch = k.batch([2.0, 3.0], [3.0, 2.0]) == [k(2.0, 3.0), k(3.0, 2.0)]
sync = eg.compile(eg.fn([eg.Vec(3, eg.Real)], eg.Real)(lambda v: eg.sum(v)))([1.0, 2.0, 3.5])

power = eg.compile(f)
points = list(power.js.batch([2.0, 3.0], [3.0, 2.0]))
double = eg.compile(eg.fn([eg.Vec(3, eg.Real)])(lambda v: v * 2.0))
total = eg.compile(eg.fn([eg.Vec(3, eg.Real)])(lambda v: eg.sum(v)), memory={"v": (double, "return")})
double([1.0, 2.0, 3.0])
halves = eg.compile(eg.fn([eg.Fin(99)])(lambda n: eg.fori_loop(0, n, lambda i, x: x / 2, 1.0)), fuel=3)
try:
    halves(4)
    stopped = False
except eg.FuelError:
    stopped = halves(3) == 0.125
[k(2.0, 3.0)[0], here, batch, sync, k.js(2.0, 3.0)[0], points == [8.0, 9.0], total(...), stopped]
"""

START = """
export async function run(program, wheel) {
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const pyodide = await loadPyodide();
  await pyodide.loadPackage(new URL("./pyodide/MICROPIP", import.meta.url).href);
  const result = await pyodide.runPythonAsync(program.replace("{wheel}", wheel));
  return result.toJs();
}
"""
WORKER = """
import { run } from "./start.mjs";
onmessage = async ({ data }) => {
  try { postMessage({ value: await run(...data) }); } catch (error) { postMessage({ error: String(error) }); }
};
"""
IN_WORKER = """([program, wheel]) => new Promise((resolve) => {
  const worker = new Worker(new URL("worker.mjs", document.baseURI), { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => resolve({ error: event.message });
  worker.postMessage([program, wheel]);
})"""
ON_MAIN = """async ([program, wheel]) => {
  const { run } = await import(new URL("start.mjs", document.baseURI).href);
  try { return { value: await run(program, wheel) }; } catch (error) { return { error: String(error) }; }
}"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """A stock file server without a log."""

    extensions_map: ClassVar = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
    }

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def bare_site(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Serve a page with Pyodide, and our wheel. Yield the addresses of the page and of the wheel."""
    assert server_url  # `server_url` has built the wheel
    folder: Path = tmp_path_factory.mktemp("bare")
    shutil.copytree(ROOT / "static" / "vendor" / "pyodide", folder / "pyodide")
    micropip = next((folder / "pyodide").glob("micropip-*.whl")).name
    wheel = next((ROOT / "static" / "build").glob("eglantine-*.whl"))
    shutil.copy(wheel, folder)
    (folder / "index.html").write_text('<!doctype html><link rel="icon" href="data:,"><title>bare</title>')
    (folder / "start.mjs").write_text(START.replace("MICROPIP", micropip))
    (folder / "worker.mjs").write_text(WORKER)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    yield url, url + wheel.name
    server.shutdown()
    server.server_close()


@pytest.mark.allow_console
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(ON_MAIN, id="main thread"),
        # The case "worker" runs only at night, because the playground's tests also use micropip in a worker.
        pytest.param(IN_WORKER, id="worker", marks=pytest.mark.skipif(not NIGHTLY, reason="long: at night")),
    ],
)
def test_micropip_installs_the_wheel_from_its_url_and_it_works(
    page: Page, bare_site: tuple[str, str], script: str
) -> None:
    url, wheel = bare_site
    page.goto(url)
    answer = page.evaluate(script, [PROGRAM, wheel])
    assert "error" not in answer, answer["error"]
    assert answer["value"] == [8.0, True, True, 6.5, 8.0, True, 12.0, True]
