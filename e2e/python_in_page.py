"""Run Python programs in a page, with unchanged Pyodide, one of our archives, and files of a test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tools.bootstrap import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUN = """async ([archive, files, program]) => {
  const base = new URL("./", document.baseURI);
  const { loadPyodide } = await import(new URL("vendor/pyodide/pyodide.mjs", base).href);
  const manifest = await (await fetch(new URL("build/manifest.json", base))).json();
  const stdLibURL = new URL(`build/${manifest.stdlib}`, base).href;
  const pyodide = await loadPyodide({ indexURL: new URL("vendor/pyodide/", base).href, stdLibURL });
  const ours = await (await fetch(new URL(`build/${manifest[archive]}`, base))).arrayBuffer();
  pyodide.unpackArchive(ours, "zip", { extractDir: manifest.pythonPath });
  for (const [path, text] of Object.entries(files)) {
    pyodide.FS.mkdirTree(`here/${path}`.replace(/[/][^/]*$/, ""));
    pyodide.FS.writeFile(`here/${path}`, text);
  }
  pyodide.runPython(`import sys; sys.path.insert(0, "here")`);
  return pyodide.runPython(program);
}"""


def run_in_page(page: Page, archive: str, paths: list[str], program: str) -> Any:
    """Run a Python program in the page. Its last expression must be a JSON text. Return the decoded text.

    archive: the archive with the package `eglantine`: "wheel", or "python", which also contains `app`.
    paths: the files of the repository that the program can read and import.
    """
    files = {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}
    return json.loads(page.evaluate(RUN, [archive, files, program]))
