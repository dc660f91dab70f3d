"""Each notebook tool turns a notebook with a figure into a page, and a browser opens this page."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
import venv
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.plain_host import Host
from tests.patience import PATIENCE_S
from tools.bootstrap import ROOT, pip, venv_python
from tools.vendor import download

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, FrameLocator, Locator, Page

pytestmark = [pytest.mark.nightly, pytest.mark.without_python]

CELL = 'import eglantine as eg\n\neg.figure("a*x^2", x=(0, 3), a=eg.slider(0, 2, 1))'
MOVED = "x = 1.8: a*x^2 = 6.48, slope 7.2"
"""The sentence for a = 2: 2·1.8² and 4·1.8."""
RUN_ALL = """async () => {
  await jupyterapp.shell.currentWidget.sessionContext.ready;
  await jupyterapp.commands.execute("notebook:run-all-cells");
}"""
"""A script that waits for the kernel of JupyterLab's notebook and then runs all cells."""
PYTHON_MS = 1000 * PATIENCE_S
MARIMO_FILES = re.compile(r"https://cdn\.jsdelivr\.net/npm/@marimo-team/frontend@[\d.]+/dist/")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the notebook tools in a new virtual environment. Return the folder with their programs."""
    folder = tmp_path_factory.mktemp("hosts")
    venv.create(folder, with_pip=False, symlinks=True)
    requirements = ROOT / "tools" / "requirements-hosts.txt"
    command = [*pip(folder), "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*command, "--requirement", str(requirements)], check=True)
    return venv_python(folder).parent


def run(tools: Path, folder: Path, *command: str) -> str:
    """Run one of the tools in a folder, with our package. Return its output."""
    paths = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "pyodide_pkg")}
    done = subprocess.run(
        [str(tools / command[0]), *command[1:]], cwd=folder, check=False, capture_output=True, text=True,
        env={**os.environ, **paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that cannot reach the network.

    The tools' pages refer to libraries on the network. A figure must work without them.
    """
    context = browser.new_context()
    context.route("https://**", lambda route: route.abort())
    yield context.new_page()
    context.close()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    served = Host(tmp_path)
    yield served
    served.server.shutdown()
    served.server.server_close()


def opened(page: Page, host: Host, name: str) -> None:
    page.goto(f"http://127.0.0.1:{host.port}/{name}")


def is_live(place: Page | FrameLocator | Locator) -> None:
    """The figure follows its slider."""
    expect(place.locator("figure[data-awake=ready]")).to_be_visible()
    place.get_by_role("slider", name="a", exact=True).fill("2")
    expect(place.locator(".told")).to_have_text(MOVED)


def notebook(*sources: str, kernel: str = "python3") -> str:
    """Return the JSON of a notebook. Its cells contain `sources`, or `CELL` if there are none."""
    plain = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**plain, "id": f"cell-{k}", "source": source} for k, source in enumerate(sources or [CELL])]
    spec = {"display_name": "Python 3", "language": "python", "name": kernel}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5})


def test_nbconvert_writes_a_live_figure(tools: Path, tmp_path: Path, page: Page, host: Host) -> None:
    (tmp_path / "one.ipynb").write_text(notebook(), encoding="utf-8")
    run(tools, tmp_path, "jupyter-nbconvert", "--execute", "--to", "html", "one.ipynb")
    opened(page, host, "one.html")
    is_live(page)


def test_a_kernel_gives_a_widget_its_values(tools: Path, tmp_path: Path) -> None:
    source = (
        'import eglantine as eg\nw = eg.widget(eg.figure("a*x", x=(0, 1), a=eg.slider(0, 2, 1)))\nw\n'
        'heard = []\nw.observe(lambda change: heard.append(change["new"]), "values")\n'
        'w.set_state({"values": {"a": 1.5}})  # as when a view sends a message\nprint(heard)'
    )
    (tmp_path / "one.ipynb").write_text(notebook(source), encoding="utf-8")
    run(
        tools, tmp_path, "jupyter-nbconvert", "--execute", "--to", "notebook", "--output", "done", "one.ipynb"
    )
    [cell] = json.loads((tmp_path / "done.ipynb").read_text(encoding="utf-8"))["cells"]
    assert "".join(cell["outputs"][-1]["text"]) == "[{'a': 1.5}]\n"


def test_jupyterlab_shows_a_live_figure_and_python_hears_a_widget(
    tools: Path, tmp_path: Path, page: Page
) -> None:
    source = (
        "import eglantine as eg\n\n"
        'fig = eg.figure("a*x^2", x=(0, 3), a=eg.slider(0, 2, 1))\nw = eg.widget(fig)\n'
        'display(fig, w)\nheard = display("nothing", display_id=True)\n'
        'w.observe(lambda change: heard.update(change["new"]), "values")'
    )
    (tmp_path / "one.ipynb").write_text(notebook(source), encoding="utf-8")
    with lab(tools, tmp_path) as url:
        page.goto(f"{url}/lab/tree/one.ipynb")
        page.wait_for_function("globalThis.jupyterapp?.shell.currentWidget?.context?.isReady")
        page.evaluate(RUN_ALL)
        outputs = page.locator(".jp-OutputArea-output")
        for k in range(2):
            outputs.nth(k).locator("figure").scroll_into_view_if_needed()
            is_live(outputs.nth(k))
        expect(outputs.filter(has_text="{'a': 2}")).to_be_visible()


@contextmanager
def lab(tools: Path, folder: Path) -> Iterator[str]:
    """Run a JupyterLab server in a folder. Yield its address."""
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--expose-app-in-browser"]
    options.append("--IdentityProvider.token=")
    paths = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "pyodide_pkg")}
    server = subprocess.Popen(
        [str(tools / "jupyter-lab"), *options], cwd=folder, env={**os.environ, **paths, "HOME": str(folder)},
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    rest = threading.Thread(target=server.stderr.read, daemon=True)  # a full pipe would stop the server
    try:
        lines = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in server.stderr)
        address = next(found[0] for found in lines if found)
        rest.start()
        yield address
    finally:
        server.terminate()
        server.wait()
        if rest.is_alive():
            rest.join()
        server.stderr.close()


def test_marimo_writes_a_live_figure(tools: Path, tmp_path: Path, page: Page, host: Host) -> None:
    body = "\n".join(f"    {line}" for line in CELL.splitlines())
    program = f"import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n{body}\n    return\n"
    (tmp_path / "one.py").write_text(program, encoding="utf-8")
    run(tools, tmp_path, "marimo", "export", "html", "one.py", "--output", "one.html", "--force")
    # The page loads marimo's own files from the network. We serve them from the installed marimo.
    text = MARIMO_FILES.sub("static/", (tmp_path / "one.html").read_text(encoding="utf-8"))
    (tmp_path / "one.html").write_text(text, encoding="utf-8")
    [static] = tools.parent.glob("lib/python*/site-packages/marimo/_static")
    (tmp_path / "static").symlink_to(static, target_is_directory=True)
    opened(page, host, "one.html")
    is_live(page.frame_locator("iframe"))


def test_sphinx_with_myst_writes_a_live_figure(tools: Path, tmp_path: Path, page: Page, host: Host) -> None:
    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_nb"]\nnb_execution_mode = "force"\n', encoding="utf-8"
    )
    heading = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n\n# A page\n\n"
    (tmp_path / "index.md").write_text(f"{heading}```{{code-cell}}\n{CELL}\n```\n", encoding="utf-8")
    run(tools, tmp_path, "sphinx-build", "-q", "-b", "html", ".", "built")
    opened(page, host, "built/index.html")
    is_live(page)


def test_pandoc_which_writes_the_pages_of_quarto_keeps_a_live_figure(
    tools: Path, tmp_path: Path, page: Page, host: Host
) -> None:
    (tmp_path / "one.ipynb").write_text(notebook(), encoding="utf-8")
    run(
        tools, tmp_path, "jupyter-nbconvert", "--execute", "--to", "notebook", "--output", "done", "one.ipynb"
    )
    [files] = tools.parent.glob("lib/python*/site-packages/pypandoc/files")
    (tools / "pandoc").symlink_to(files / "pandoc")
    run(
        tools,
        tmp_path,
        "pandoc",
        "done.ipynb",
        "--standalone",
        "--metadata=title=A page",
        "--output=one.html",
    )
    opened(page, host, "one.html")
    is_live(page)


LITE_CELLS = (
    f"%pip install -q http://127.0.0.1:PORT/site/WHEEL\n{CELL}",
    "eg.value_and_grad(lambda x, y: x ** y, (0, 1))(2.0, 3.0)",
    "cube = eg.fn([eg.Real], eg.Real)(lambda x: x ** 3)\n(await eg.compile_async(eg.grad(cube)))(2.0)",
)
OF_LITE = ("micropip", "ipython", "jedi")
"""The packages of Pyodide that JupyterLite's Python loads when it starts."""


def test_jupyterlite_runs_python_with_the_wheel_of_a_site(
    tools: Path, tmp_path: Path, page: Page, host: Host
) -> None:
    [wheel] = (ROOT / "static" / "build").glob("eglantine-*.whl")
    (tmp_path / "site").mkdir()
    shutil.copy(wheel, tmp_path / "site")
    cells = [cell.replace("PORT", str(host.port)).replace("WHEEL", wheel.name) for cell in LITE_CELLS]
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "one.ipynb").write_text(notebook(*cells, kernel="python"), encoding="utf-8")
    settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": {"exposeAppInBrowser": True}}
    (tmp_path / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
    put_pyodide(tmp_path / "static" / "pyodide")
    download("comm", tmp_path / "more")
    [comm] = tmp_path.glob("more/comm-*.whl")
    options = ["--contents=files", f"--piplite-wheels={comm}", "--output-dir=built", "--apps=notebooks"]
    run(tools, tmp_path, "jupyter-lite", "build", *options)
    opened(page, host, "built/notebooks/index.html?path=one.ipynb")
    page.wait_for_function("globalThis.jupyterapp?.shell.currentWidget?.context?.isReady")
    page.evaluate(RUN_ALL)
    outputs = page.locator(".jp-OutputArea-output")
    expect(outputs.filter(has_text="(8.0, (12.0, 5.545177444479562))")).to_be_visible(timeout=PYTHON_MS)
    expect(outputs.filter(has_text=re.compile(r"^\s*12\.0\s*$"))).to_be_visible(timeout=PYTHON_MS)
    page.locator("figure").scroll_into_view_if_needed()
    is_live(page)


def put_pyodide(folder: Path) -> None:
    """Put Pyodide into a folder, with the packages that JupyterLite's Python needs."""
    shutil.copytree(ROOT / "static" / "vendor" / "pyodide", folder)
    lock_file = folder / "pyodide-lock.json"
    lock = json.loads(lock_file.read_text(encoding="utf-8"))
    packages: dict[str, Any] = {}
    waiting = [*OF_LITE]
    while waiting:
        key = waiting.pop().replace("_", "-")
        packages[key] = lock["packages"][key]
        waiting += [name for name in packages[key]["depends"] if name.replace("_", "-") not in packages]
    for key, package in packages.items():
        if key != "micropip":  # which is there
            download(f"{package['name']}=={package['version']}", folder)
        [wheel] = folder.glob(f"{key.replace('-', '_')}-*.whl")
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        package.update(file_name=wheel.name, sha256=digest)
    lock_file.write_text(json.dumps({**lock, "packages": packages}), encoding="utf-8")
