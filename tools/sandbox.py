"""The sandboxed frame that visitors' programs run in: its document, its worker's script, and their policies.

The document is `srcdoc`, so it has an origin of its own, which has nothing: no storage, no caches, no
cookies, no service worker. It inherits the policy of the page around it and adds a stricter one. The only
inline script that either allows is the frame's own, by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.node import NODE_MODULES, find_node
from tools.pages import STATIC, imports_of
from tools.vendor import last_lines

FRAME = "js/sandbox/frame.js"
"""The frame's own script."""
WORKER = "js/sandbox/worker.js"
"""What Python's worker in the frame runs; it is bundled with Pyodide's scripts, for it can load none."""
PYODIDE = STATIC / "vendor" / "pyodide" / "pyodide.mjs"
NO_ADDRESS = "https://sandbox.invalid/js/sandbox/worker.js"
"""What scripts in the frame take for their own address: nothing is there, and nothing is ever asked of it."""
STRICT = '--tsconfig-raw={"compilerOptions":{"alwaysStrict":true}}'
"""Else esbuild takes the settings of whichever folder an entry lies in."""
IN_A_PAGE = re.compile(r'<meta name="sandbox" content="([^"]*)">')
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def sandbox_sources() -> list[Path]:
    """All that is made here, but for Python's engine, comes from these."""
    ours = {STATIC / name for script in (FRAME, WORKER) for name in imports_of(script)}
    return [ROOT / "tools" / "sandbox.py", *sorted(ours)]


def make_frame(target: Path) -> None:
    """Write the frame's document.

    Raises:
        SetupError: esbuild failed.
    """
    with_script = target.with_suffix(".js")
    esbuild(STATIC / FRAME, with_script, "--format=iife")
    script = with_script.read_text(encoding="utf-8").strip()
    with_script.unlink()
    assert "</script" not in script
    policy = f"default-src 'none'; script-src {hash_of(script)} 'wasm-unsafe-eval'; worker-src blob:"
    document = (
        '<!doctype html><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><script>{script}</script>'
    )
    target.write_text(document, encoding="utf-8", newline="\n")


def make_worker(target: Path, engine: Path) -> None:
    """Write the script of the frame's worker, which begins Python with an engine's script.

    Raises:
        SetupError: esbuild failed.
    """
    entry = target.with_name("entry.js")
    names = [json.dumps(path.as_posix()) for path in (engine, STATIC / WORKER)]
    entry.write_text(
        f"import createModule from {names[0]};\nimport {{ serve }} from {names[1]};\nserve(createModule);\n",
        encoding="utf-8",
    )
    address = f"--define:import.meta.url={json.dumps(NO_ADDRESS)}"
    esbuild(entry, target, "--format=iife", "--external:node:*", "--external:ws", address)
    entry.unlink()


def esbuild(entry: Path, target: Path, *options: str) -> None:
    """Make one minified script of an entry and all that it imports.

    Raises:
        SetupError: esbuild failed.
    """
    always = ["--bundle", "--minify", "--target=es2022", "--charset=utf8", "--log-level=error", STRICT]
    program = NODE_MODULES / "esbuild" / "bin" / "esbuild"
    done = find_node().run([program, entry, f"--outfile={target}", *always, *options])
    if done.returncode != 0:
        raise SetupError(
            f"esbuild cannot make {target.name}:\n{last_lines(done.stderr)}\nMend what it names."
        )


def policy_for(page: str, policy: str) -> str:
    """The policy of a page: one with a sandboxed frame allows that frame's script and its worker too."""
    found = IN_A_PAGE.search(page)
    if found is None:
        return policy
    script = SCRIPT.search(html.unescape(found[1]))
    assert script is not None
    allowed = policy.replace("'wasm-unsafe-eval'", f"'wasm-unsafe-eval' {hash_of(script[1])}")
    return allowed.replace("worker-src 'self'", "worker-src 'self' blob:")


def hash_of(script: str) -> str:
    """How a policy names one inline script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
