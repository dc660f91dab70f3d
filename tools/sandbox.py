"""The sandboxed frame for visitors' programs: its document, its worker's script, and their policies.

The document is `srcdoc`, so it has an origin of its own without storage, caches, cookies or service workers.
It inherits the policy of the page around it and adds a stricter one. The only inline script that both
policies allow is the frame's own, by its hash.
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
"""The script of Python's worker in the frame. It is bundled with Pyodide's scripts, because it cannot load
any."""
PYODIDE = STATIC / "vendor" / "pyodide" / "pyodide.mjs"
NO_ADDRESS = "https://sandbox.invalid/js/sandbox/worker.js"
"""The value of `import.meta.url` for scripts in the frame. Nothing is there, and nothing asks for it."""
STRICT = '--tsconfig-raw={"compilerOptions":{"alwaysStrict":true}}'
"""Without this, esbuild takes the settings of the folder in which an entry lies."""
IN_A_PAGE = re.compile(r'<meta name="sandbox" content="([^"]*)">')
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def sandbox_sources() -> list[Path]:
    """The files from which the frame and its worker are made, except Python's engine."""
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
    """Write the script of the frame's worker, which starts Python with the given engine's script.

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
    """Bundle an entry and all its imports into one minified script.

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
    """The policy of a page. If the page has a sandboxed frame, its script and worker are allowed too."""
    frame = IN_A_PAGE.search(page)
    if frame is None:
        return policy
    script = SCRIPT.search(html.unescape(frame[1]))
    assert script is not None
    allowed = policy.replace("'wasm-unsafe-eval'", f"'wasm-unsafe-eval' {hash_of(script[1])}")
    return allowed.replace("worker-src 'self'", "worker-src 'self' blob:")


def hash_of(script: str) -> str:
    """The name of an inline script in a policy."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
