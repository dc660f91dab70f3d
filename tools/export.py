"""`python3 serve.py --export FOLDER`: write the site as a folder that any host can serve.

The folder contains only files that the pages need. All addresses are relative, so the site works at any path
of a host. Compressible files have compressed copies `NAME.gz` and `NAME.br`, for hosts that can send them.
The development server sends security policies as headers. In the exported site, the pages contain the
policies. The service worker `sw.js` stores the whole site in the visitor's browser.
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
from urllib.parse import urljoin

from tools.bootstrap import SetupError, say
from tools.compressed import BROTLI_SUFFIX, COMPRESSIBLE, GZIP, in_brotli
from tools.editions import FOLDERS, Editions
from tools.embed import EMBED, FRAMED_BY_ALL
from tools.files import BUILD
from tools.lean import lean
from tools.missing import MISSING, missing_page, policy_in
from tools.modules import STATIC
from tools.pages import HOME, TEXTS, linked_pages, read_words
from tools.sandbox import policy_for
from tools.served_files import MIME_TYPES, POLICY, SMALLEST_WORTH_COMPRESSING
from tools.sitemap import ROBOTS, SITEMAP, robots, sitemap

MARK = ".eglantine-site"
"""The name of a file that marks a folder as an export. Such a folder may be replaced by a new export."""
SERVICE_WORKER = "sw.js"
WEB_MANIFEST = "site.webmanifest"
LEFT_OUT = (
    "pages/**/*",
    "pages/*",
    "vendor/penrose.js",  # the script of its worker contains it
    "vendor/pyodide/python_stdlib.zip",
    "vendor/pyodide/pyodide.asm.*",
    "vendor/pyodide/pyodide-lock.json",
    "build/*.br",
    "build/*.html",  # documents of sandboxed frames; the pages contain copies
    "**/*.d.ts",
    "**/*.d.mts",
    SERVICE_WORKER,
)
"""Patterns of the files that are not copied into an export, because no page asks for them. `sw.js` is among
them, because it is written separately."""
NOT_KEPT = (
    "build/source/**/*",
    "build/eglantine-*.whl",
    "build/penrose-*.js",
    "icons/*.png",
    SITEMAP,
    ROBOTS,
    MARK,
    MISSING,
)
"""Patterns of the files that the browser does not keep for use without a network. Few visitors need them, for
example to read the source, to install the site, or to compile Penrose's programs."""
NOT_IN_A_PAGE = "frame-ancestors"
"""A directive of the security policy that works only in an HTTP header."""
ADDRESS = re.compile(r'((?:href|src)=")(?:\./)?(?!#|data:|https?:)([^"]*)')
"""The pattern of an address in a page that is relative to the page's folder."""
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')
CHARSET = '  <meta charset="utf-8">\n'
ICONS = {"eglantine-192.png": 192, "eglantine-512.png": 512}
MASKABLE = "eglantine-maskable-512.png"
PACKED = ".bin"
"""The suffix of files that are in gzip's format, such as the snapshot. In this way, every host sends them
compressed."""
KEPT_BROTLI = ".brotli"
"""The name of a folder in `static/build/` with files that are compressed with Brotli. Each is named by the
sha256 of the file before compression."""
HASH_DIGITS = 32


def export(target: Path, address: str | None = None) -> Path:
    """Write the built site into a folder, replacing an earlier export. Return the folder.

    address: the site's future address, or None. If it is given, each page contains its own absolute address,
        and `sitemap.xml` lists the addresses of all pages.

    Raises:
        SetupError: the folder contains files that are not from an export, or it cannot be written.
    """
    target = target.resolve()
    if target.exists() and any(target.iterdir()) and not (target / MARK).exists():
        raise SetupError(
            f"The folder {target} has files that no export wrote. Name a new or an empty folder."
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".exporting-") as folder:
            made = Path(folder, "site")
            write_site(made, address)
            shutil.rmtree(target, ignore_errors=True)
            made.replace(target)
    except OSError as error:
        raise SetupError(
            f"The folder {target} cannot be written ({error.strerror}). Name another folder."
        ) from error
    say(f"{target}: {summary(target)}")
    return target


def write_site(made: Path, address: str | None) -> None:
    """Write every file of the site into a new folder."""
    for path in sources():
        copy = made / path.relative_to(STATIC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        write(copy, lean(path.read_bytes()) if path.suffix == ".js" else path.read_bytes())
    edition = Editions(made).newest()
    for folder in FOLDERS:  # a page that was opened before an update may use folders without a hash
        shutil.copytree(made / folder, made / edition.folder(folder))
    words = read_words(TEXTS)
    write(made / WEB_MANIFEST, web_manifest(words))
    (made / MISSING).unlink()
    for page in sorted(made.glob("*.html")):
        write(page, at(address, with_policies(edition.page(page.read_text(encoding="utf-8")))))
        if page.stem != HOME:
            write_copy(page)
    if address is not None:
        texts = [page.read_text(encoding="utf-8") for page in sorted(made.glob("*.html"))]
        write(made / SITEMAP, sitemap(texts))
        write(made / ROBOTS, robots(with_slash(address)))
    write(made / MISSING, missing_page(words, linked_pages(), home="./"))
    write(made / SERVICE_WORKER, service_worker(made, words))
    (made / MARK).touch()
    compress(made)


def sources() -> list[Path]:
    """List the files of `static/` that belong to the site."""
    left_out = found(STATIC, LEFT_OUT)
    return [
        path
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(STATIC).parts)
        and path not in left_out
    ]


def found(folder: Path, patterns: Iterable[str]) -> set[Path]:
    """Find all files below a folder that match one of the patterns."""
    return {path for pattern in patterns for path in folder.glob(pattern)}


def with_slash(address: str) -> str:
    """The site's address as a folder."""
    return address if address.endswith("/") else f"{address}/"


def at(address: str | None, page: str) -> str:
    """In a page's HTML, make the canonical address and the preview picture's address absolute.

    If the site's address is None, return the page unchanged.
    """
    if address is None:
        return page
    site = with_slash(address)
    whole = CANONICAL.sub(
        lambda link: (
            f'<link rel="canonical" href="{urljoin(site, link[1])}">\n'
            f'  <meta property="og:url" content="{urljoin(site, link[1])}">'
        ),
        page,
    )
    return whole.replace('property="og:image" content="', f'property="og:image" content="{site}')


def with_policies(page: str) -> str:
    """Add the development server's security policies to a page. Also add tags for installing the site."""
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
    """Copy `NAME.html` to `NAME/index.html`, because some hosts serve `/NAME` only from this folder."""
    copy = page.with_suffix("") / "index.html"
    copy.parent.mkdir()
    write(copy, ADDRESS.sub(r"\1../\2", page.read_text(encoding="utf-8")))


def web_manifest(words: Mapping[str, str]) -> str:
    """Make the web app manifest, which contains the name and the icons of the installed site."""
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
    """Make the service worker `sw.js`.

    The script contains the hashes, types and policies of the files that it stores in the browser, and its own
    texts. The hashes are in the script, because data in a browser's cache could be changed.
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
    """Return the security policies of the pages, which the service worker sends as headers.

    The result is {page's name: policy}. The key "" means all pages with the usual policy. Only a policy in a
    header can say which sites may frame a page. A policy in a `<meta>` cannot.
    """
    own = {
        page.relative_to(made).as_posix(): policy_in(page.read_text(encoding="utf-8"))
        for page in sorted(made.rglob("*.html"))
        if page.name != MISSING
    }
    frames = next(part for part in POLICY.split("; ") if part.startswith(NOT_IN_A_PAGE))
    others = {
        name: f"{policy}; {FRAMED_BY_ALL if name in (EMBED, f'{Path(EMBED).stem}/index.html') else frames}"
        for name, policy in own.items()
    }
    return {"": POLICY, **{name: policy for name, policy in others.items() if policy != POLICY}}


def damaged_words(words: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the page that the service worker shows if a stored page is damaged."""
    keys = {
        "language": "LANGUAGE",
        "title": "damagedTitle",
        "sentence": "damagedSentence",
        "again": "damagedAgain",
    }
    return {name: html.escape(words[key]) for name, key in keys.items()}


def unpacked(content: bytes) -> bytes:
    """Return a file's content. If the file is a gzip file, such as the snapshot, unpack it first."""
    return gzip.decompress(content) if content.startswith(GZIP) else content


def compress(made: Path) -> None:
    """Write compressed copies `NAME.gz` and `NAME.br` of all files that become smaller by compression.

    A gzip file has only the copy `NAME.br`, which contains the unpacked content in Brotli. Pages check
    whether the file that they receive is still packed.

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
    """Return a site's files, compressed with Brotli. Use existing copies from the build and from a cache.

    Raises:
        SetupError: Node failed.
    """
    cache = BUILD / KEPT_BROTLI
    cache.mkdir(parents=True, exist_ok=True)
    copies = {}
    for path in paths:
        built = STATIC / path.relative_to(made).with_name(f"{path.name}{BROTLI_SUFFIX}")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]
        copies[path] = built if built.exists() else cache / digest
    in_brotli({path: copy for path, copy in copies.items() if not copy.exists()})
    for copy in cache.iterdir():
        if copy not in copies.values():
            copy.unlink()
    return [copy.read_bytes() for copy in copies.values()]


def write(path: Path, content: str | bytes) -> None:
    """Write a file of the site."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def summary(site: Path) -> str:
    """Describe the size of a site, without and with compression."""
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix not in {".gz", ".br"}]
    plain = sum(path.stat().st_size for path in files)
    travels = sum(
        min(copy.stat().st_size for copy in (path, Path(f"{path}.br")) if copy.exists()) for path in files
    )
    return f"{len(files)} files, {plain / 1e6:.1f} MB ({travels / 1e6:.1f} MB in Brotli)"
