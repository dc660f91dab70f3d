"""The site as a folder that any host can serve: `python3 serve.py --export FOLDER`.

The folder holds what the pages ask for and nothing else. All addresses are relative, so it may lie at any
path. Beside each file that is worth it lie `NAME.gz` and `NAME.br`, for hosts that send those. The policies
that the development server sends as headers are in the pages, and `sw.js` keeps the whole site in the
visitor's browser.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.bootstrap import SetupError, say
from tools.build import BROTLI_SUFFIX, BUILD, COMPRESSIBLE, GZIP, in_brotli
from tools.editions import FOLDERS, Editions
from tools.lean import lean
from tools.missing import MISSING, missing_page, policy_in
from tools.pages import HOME, STATIC, TEXTS, linked_pages, read_words
from tools.sandbox import policy_for
from tools.server import MIME_TYPES, POLICY, SMALLEST_WORTH_COMPRESSING

MARK = ".eglantine-site"
"""A file that says: this folder was exported, and may be replaced."""
SERVICE_WORKER = "sw.js"
WEB_MANIFEST = "site.webmanifest"
LEFT_OUT = (
    "pages/**/*",
    "pages/*",
    "vendor/pyodide/python_stdlib.zip",
    "vendor/pyodide/pyodide.asm.*",
    "vendor/pyodide/pyodide-lock.json",
    "build/*.br",
    "**/*.d.ts",
    "**/*.d.mts",
    SERVICE_WORKER,
)
"""What no page asks for; `sw.js` is written apart."""
NOT_KEPT = ("build/source/**/*", "build/eglantine-*.whl", "icons/*.png", MARK, MISSING)
"""What is not kept in the browser: it is for who reads the source, or installs from the site."""
NOT_IN_A_PAGE = "frame-ancestors"
"""A directive that only a header can give."""
ADDRESS = re.compile(r'((?:href|src)=")(?:\./)?(?!#|data:)([^"]*)')
"""An address in a page which is relative to the page's folder."""
CHARSET = '  <meta charset="utf-8">\n'
ICONS = {"eglantine-192.png": 192, "eglantine-512.png": 512}
MASKABLE = "eglantine-maskable-512.png"
PACKED = ".bin"
"""Suffix of files that are gzip by their own account, so that any host sends them small: the snapshot."""
KEPT_BROTLI = ".brotli"
"""Folder in `static/build/` of compressed copies, by the sha256 of what they are of."""
HASH_DIGITS = 32


def export(target: Path) -> Path:
    """Write the built site into a folder, in the place of an export that is there; returns the folder.

    Raises:
        SetupError: the folder holds something else, or cannot be written.
    """
    target = target.resolve()
    if target.exists() and any(target.iterdir()) and not (target / MARK).exists():
        raise SetupError(
            f"The folder {target} holds files that were not exported: name a new or an empty folder."
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".exporting-") as folder:
            made = Path(folder, "site")
            write_site(made)
            shutil.rmtree(target, ignore_errors=True)
            made.replace(target)
    except OSError as error:
        raise SetupError(
            f"The folder {target} cannot be written ({error.strerror}): name another."
        ) from error
    say(f"{target}: {summary(target)}")
    return target


def write_site(made: Path) -> None:
    """Write every file of the site into a new folder."""
    for path in sources():
        copy = made / path.relative_to(STATIC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        write(copy, lean(path.read_bytes()) if path.suffix == ".js" else path.read_bytes())
    edition = Editions(made).newest()
    for folder in FOLDERS:  # the plain one is for a page that was open while another edition came
        shutil.copytree(made / folder, made / edition.folder(folder))
    words = read_words(TEXTS)
    write(made / WEB_MANIFEST, web_manifest(words))
    (made / MISSING).unlink()
    for page in sorted(made.glob("*.html")):
        write(page, with_policies(edition.page(page.read_text(encoding="utf-8"))))
        if page.stem != HOME:
            write_copy(page)
    write(made / MISSING, missing_page(words, linked_pages(), home="./"))
    write(made / SERVICE_WORKER, service_worker(made, words))
    (made / MARK).touch()
    compress(made)


def sources() -> list[Path]:
    """The files of `static/` that the site is made of."""
    left_out = found(STATIC, LEFT_OUT)
    return [
        path
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(STATIC).parts)
        and path not in left_out
    ]


def found(folder: Path, patterns: Iterable[str]) -> set[Path]:
    """The files below a folder that one of the patterns finds."""
    return {path for pattern in patterns for path in folder.glob(pattern)}


def with_policies(page: str) -> str:
    """A page with what the development server says in headers, and with what an installed site has."""
    of_page = policy_for(page, POLICY)
    policy = "; ".join(part for part in of_page.split("; ") if not part.startswith(NOT_IN_A_PAGE))
    assert page.count(CHARSET) == 1
    added = [
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="referrer" content="no-referrer">',
        f'<meta name="offline" content="{SERVICE_WORKER}">',
        f'<link rel="manifest" href="{WEB_MANIFEST}">',
        '<link rel="apple-touch-icon" href="icons/eglantine-180.png">',
    ]
    return page.replace(CHARSET, CHARSET + "".join(f"  {line}\n" for line in added))


def write_copy(page: Path) -> None:
    """Write `NAME/index.html` beside `NAME.html`, for hosts that know `/NAME` only as a folder."""
    copy = page.with_suffix("") / "index.html"
    copy.parent.mkdir()
    write(copy, ADDRESS.sub(r"\1../\2", page.read_text(encoding="utf-8")))


def web_manifest(words: Mapping[str, str]) -> str:
    """What a system shows of the site once it is installed, in the words of a language."""
    icons = [
        {"src": f"icons/{name}", "sizes": f"{width_px}x{width_px}", "type": "image/png", "purpose": "any"}
        for name, width_px in ICONS.items()
    ]
    icons.append({"src": f"icons/{MASKABLE}", "sizes": "512x512", "type": "image/png", "purpose": "maskable"})
    icons.append({"src": "icons/eglantine.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    manifest = {
        "id": "./",
        "name": words["name"],
        "short_name": words["name"],
        "description": words["intro"],
        "lang": words["LANGUAGE"],
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#fbf8f3",
        "theme_color": "#fbf8f3",
        "icons": icons,
    }
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def service_worker(made: Path, words: Mapping[str, str]) -> str:
    """`sw.js` with its tables: the files that it keeps, their types and policies, and its words.

    The hashes are part of the script, so that nothing in a cache can change them.
    """
    not_kept = found(made, NOT_KEPT)
    files = {
        path.relative_to(made).as_posix(): hashlib.sha256(unpacked(path.read_bytes())).hexdigest()
        for path in sorted(made.rglob("*"))
        if path.is_file() and path not in not_kept
    }
    text = (STATIC / SERVICE_WORKER).read_text(encoding="utf-8")
    tables = {"FILES": files, "TYPES": MIME_TYPES, "POLICIES": policies(made), "WORDS": damaged_words(words)}
    for name, table in tables.items():
        empty = f"const {name} = {{}};\n"
        assert text.count(empty) == 1
        text = text.replace(empty, f"const {name} = {json.dumps(table, indent=1)};\n")
    return text


def policies(made: Path) -> dict[str, str]:
    """The policy of every file that the service worker serves: a page's own where it has another than most.

    A header can also say who may frame a page, which a `<meta>` cannot.
    """
    own = {
        page.relative_to(made).as_posix(): policy_in(page.read_text(encoding="utf-8"))
        for page in sorted(made.rglob("*.html"))
        if page.name != MISSING
    }
    frames = next(part for part in POLICY.split("; ") if part.startswith(NOT_IN_A_PAGE))
    others = {name: f"{policy}; {frames}" for name, policy in own.items()}
    return {"": POLICY, **{name: policy for name, policy in others.items() if policy != POLICY}}


def damaged_words(words: Mapping[str, str]) -> dict[str, str]:
    """What the service worker says where a page is damaged and there is no network, as HTML."""
    keys = {
        "language": "LANGUAGE",
        "title": "damagedTitle",
        "sentence": "damagedSentence",
        "again": "damagedAgain",
    }
    return {name: html.escape(words[key]) for name, key in keys.items()}


def unpacked(content: bytes) -> bytes:
    """What is in a file that is gzip by its own account, as the snapshot is; other files as they are."""
    return gzip.decompress(content) if content.startswith(GZIP) else content


def compress(made: Path) -> None:
    """Put `NAME.gz` and `NAME.br` beside each file that becomes smaller by that.

    What is gzip by its own account has only the second, of what is in it: a page sees which of both has come.

    Raises:
        SetupError: Node failed.
    """
    worth = [
        path
        for path in sorted(made.rglob("*"))
        if path.suffix in {*COMPRESSIBLE, PACKED} and path.stat().st_size >= SMALLEST_WORTH_COMPRESSING
    ]
    for path, brotli in zip(worth, brotli_of(worth, made), strict=True):
        plain = path.read_bytes()
        zipped = plain if path.suffix == PACKED else gzip.compress(plain, 9, mtime=0)
        for suffix, content in ((".gz", zipped), (".br", brotli)):
            if len(content) < len(plain):
                write(path.with_name(path.name + suffix), content)


def brotli_of(paths: Iterable[Path], made: Path) -> list[bytes]:
    """Files of a site in Brotli; the build has some, and copies of the others are kept.

    Raises:
        SetupError: Node failed.
    """
    kept = BUILD / KEPT_BROTLI
    kept.mkdir(parents=True, exist_ok=True)
    copies = {}
    for path in paths:
        built = STATIC / path.relative_to(made).with_name(f"{path.name}{BROTLI_SUFFIX}")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]
        copies[path] = built if built.exists() else kept / digest
    in_brotli({path: copy for path, copy in copies.items() if not copy.exists()})
    for copy in kept.iterdir():
        if copy not in copies.values():
            copy.unlink()
    return [copy.read_bytes() for copy in copies.values()]


def write(path: Path, content: str | bytes) -> None:
    """Write a file of the site."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def summary(site: Path) -> str:
    """How large the site is, and how much of it travels."""
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix not in {".gz", ".br"}]
    plain = sum(path.stat().st_size for path in files)
    travels = sum(
        min(copy.stat().st_size for copy in (path, Path(f"{path}.br")) if copy.exists()) for path in files
    )
    return f"{len(files)} files, {plain / 1e6:.1f} MB ({travels / 1e6:.1f} MB in Brotli)"
