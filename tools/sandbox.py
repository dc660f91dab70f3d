"""Build two sandboxed frames for visitors' programs: their documents, workers and security policies.

One frame runs Python, and the other frame draws pictures and tables of programs. A page sets a frame's
document as `srcdoc`, so the frame has an opaque origin, without storage, caches, cookies or service workers.
The page's policy applies to the frame, and the frame's document adds a stricter policy. Both policies contain
the hash of the frame's script, and allow no other inline script.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.modules import STATIC, imports_of
from tools.node import NODE_MODULES, find_node
from tools.vendor import last_lines

FRAME = "js/sandbox/frame.js"
"""The frame's own script."""
WORKER = "js/sandbox/worker.js"
"""The script of the worker that runs Python in the frame. It is bundled with Pyodide's scripts, because a
worker in the frame cannot load scripts."""
PENROSE = "js/sandbox/penrose/worker.js"
"""The script of the worker that compiles Penrose's programs in the frame. Penrose is bundled with it."""
PICTURES = "js/sandbox/pictures.js"
"""The script of another frame, which draws what programs show. The script that all figures share is bundled
with it."""
FIGURES = ROOT / "pyodide_pkg" / "eglantine" / "figures"
PYODIDE = STATIC / "vendor" / "pyodide" / "pyodide.mjs"
NO_ADDRESS = "https://sandbox.invalid/js/sandbox/worker.js"
"""The value of `import.meta.url` for scripts in the frame. There is no file at this address, and no script
asks for one."""
STRICT = '--tsconfig-raw={"compilerOptions":{"alwaysStrict":true}}'
"""An option of esbuild. Without it, esbuild would take the settings of the folder in which an entry lies."""
IN_A_PAGE = re.compile(r'<meta name="(?:sandbox|pictures)" content="([^"]*)">')
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def sandbox_sources() -> list[Path]:
    """List the sources of the frames and of the Python worker, except Python's engine."""
    ours = {STATIC / name for script in (FRAME, WORKER, PICTURES) for name in imports_of(script)}
    figures = [*set(FIGURES.glob("*.js")) - {FIGURES / "script.min.js"}, FIGURES / "style.py"]
    return [ROOT / "tools" / "sandbox.py", *sorted(ours), *sorted(figures)]


def make_frame(target: Path) -> None:
    """Write the document of the frame that runs Python.

    Raises:
        SetupError: esbuild failed.
    """
    with_script = target.with_suffix(".js")
    esbuild(STATIC / FRAME, with_script, "--format=iife")
    script = with_script.read_text(encoding="utf-8").strip()
    with_script.unlink()
    write_frame(target, script, "worker-src blob:")


def make_pictures(target: Path) -> None:
    """Write the document of the frame that draws programs' pictures and tables.

    Raises:
        SetupError: esbuild failed.
    """
    from eglantine.figures.style import STYLE

    entry, with_script = target.with_name("pictures-entry.js"), target.with_suffix(".js")
    names = [
        json.dumps(path.as_posix())
        for path in (STATIC / PICTURES, *(FIGURES / f"{one}.js" for one in ("figure", "frames")))
    ]
    entry.write_text(
        f"import {{ serve }} from {names[0]};\n"
        f"import {{ wakeFigures }} from {names[1]};\n"
        f"import {{ BOTTOM, LEFT, RIGHT, TOP }} from {names[2]};\n"
        "const box = [LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP];\n"
        f"serve({{ wake: wakeFigures, style: {json.dumps(STYLE)}, box }});\n",
        encoding="utf-8",
    )
    esbuild(entry, with_script, "--format=iife")
    script = with_script.read_text(encoding="utf-8").strip()
    for path in (entry, with_script):
        path.unlink()
    write_frame(target, script, "img-src data:")


def write_frame(target: Path, script: str, directive: str) -> None:
    """Write a frame's document. Its policy allows `script` and WebAssembly, and contains `directive`."""
    assert "</script" not in script
    policy = f"default-src 'none'; script-src {hash_of(script)} 'wasm-unsafe-eval'; {directive}"
    document = (
        '<!doctype html><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><script>{script}</script>'
    )
    target.write_text(document, encoding="utf-8", newline="\n")


def make_worker(target: Path, engine: Path) -> None:
    """Write the script of the Python worker. It contains Pyodide and the engine's script `engine`.

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


def make_penrose(target: Path) -> None:
    """Write the script of the worker that compiles Penrose's programs.

    Penrose uses `await` at the top level of a module, but a worker with an opaque origin cannot be a module.
    So we wrap the bundle in an async function. The bundle has no imports or exports.

    Raises:
        SetupError: esbuild failed.
    """
    esbuild(STATIC / PENROSE, target, "--format=esm", "--legal-comments=eof")
    body = target.read_text(encoding="utf-8")
    failed = 'error => self.postMessage({kind: "failed", reason: String(error)})'
    script = f'(async () => {{"use strict";\n{body}\n}})().catch({failed});\n'
    target.write_text(script, encoding="utf-8", newline="\n")


def penrose_sources() -> list[Path]:
    """List the sources of the worker that compiles Penrose's programs."""
    return [ROOT / "tools" / "sandbox.py", *sorted(STATIC / name for name in imports_of(PENROSE))]


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
            f"esbuild cannot make {target.name}:\n{last_lines(done.stderr)}\nCorrect the named script."
        )


def policy_for(page: str, policy: str) -> str:
    """Return the policy for a page. If the page has sandboxed frames, allow their scripts and workers."""
    scripts = [SCRIPT.search(html.unescape(frame)) for frame in IN_A_PAGE.findall(page)]
    if not scripts:
        return policy
    hashes = " ".join(hash_of(script[1]) for script in scripts if script is not None)
    allowed = policy.replace("'wasm-unsafe-eval'", f"'wasm-unsafe-eval' {hashes}")
    return allowed.replace("worker-src 'self'", "worker-src 'self' blob:")


def hash_of(script: str) -> str:
    """Return the hash of an inline script in the form that a policy contains."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
