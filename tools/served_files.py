"""Find, read and compress the files that the server sends. Results are cached."""

from __future__ import annotations

import gzip
import hashlib
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tools.compressed import COMPRESSED, COMPRESSIBLE
from tools.distribution import PACKAGES, Distribution
from tools.editions import NAMED, Edition, Editions
from tools.embed import EMBED, FRAMED_BY_ALL, FRAMED_BY_NOBODY
from tools.files import BUILD
from tools.lean import lean
from tools.sandbox import policy_for

POLICY = "; ".join(  # noqa: FLY002 – a line a directive
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "require-trusted-types-for 'script'",
        "trusted-types eglantine",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
MIME_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".mts": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
UNKNOWN_TYPE = "application/octet-stream"
SEGMENT = re.compile(r"[A-Za-z0-9_@+][A-Za-z0-9_@+.~ -]*(?<![. ])")
"""The pattern of one part of a path. It excludes names that begin with a dot, drive letters and streams. It
also excludes names that end with a dot or a space, because Windows drops these characters."""
HASHED_NAME = re.compile(r".*-[0-9a-f]{12}\.[a-z0-9]+")
"""The pattern of a file's name that contains the hash of the file's content (tools/build.py). Such a file
never changes."""
SMALLEST_WORTH_COMPRESSING = 512
"""The smallest size, in bytes, of a file that is compressed. In a smaller file, gzip's header takes about as
many bytes as gzip saves."""


@dataclass(frozen=True)
class Content:
    """The content that the server sends for a file.

    plain, gzipped, brotli: the content without compression, compressed by gzip, and compressed by Brotli.
    digest: the hash of `plain`.
    source: the hash of the file on disk. For a script, `plain` is its lean form, so `source` is not equal to
        `digest`.
    policy: the Content-Security-Policy for the response.
    """

    plain: bytes
    gzipped: bytes | None
    digest: str
    source: str = ""
    brotli: bytes | None = None
    policy: str = POLICY

    def coded(self, accepted: str) -> tuple[bytes, str]:
        """Choose an encoding from an Accept-Encoding header. Return the bytes and the encoding's name."""
        for coding, body in (("br", self.brotli), ("gzip", self.gzipped)):
            if body is not None and accepts(accepted, coding):
                return body, coding
        return self.plain, ""


class Library:
    """Finds and reads the files in a folder. It reads a file again only if the file has changed."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._known: dict[Path, tuple[tuple[object, ...], Content]] = {}
        self._editions = Editions(self.root)
        self.edition = Edition("", {})
        self.beside: Distribution | None = None
        self._lent: dict[str, Library] = {}

    def lend(self, prefix: str, folder: Path) -> None:
        """Also serve the files of another folder, at addresses that begin with `prefix`."""
        self._lent[prefix] = Library(folder)

    def refresh(self) -> None:
        """Update the hash of all scripts and styles. The server inserts this hash into pages."""
        self.edition = self._editions.newest()

    def find(self, target: str) -> Path | None:
        """Find the file for a request's target. Return None if it does not exist or must not be served."""
        for prefix, library in self._lent.items():
            if target.startswith(prefix):
                return library.find(target[len(prefix) - 1 :])
        path = target.split("?", 1)[0].split("#", 1)[0]
        if not path.startswith("/"):
            return None
        try:
            decoded = unquote_to_bytes(path).decode("utf-8")
        except UnicodeDecodeError:
            return None
        segments = (decoded[1:] or "index.html").split("/")
        if self.beside is not None and segments[0] == PACKAGES:
            return self.beside.files.get("/".join(segments[1:]))
        if not all(SEGMENT.fullmatch(segment) for segment in segments):
            return None
        if (named := NAMED.fullmatch(segments[0])) and not (self.root / segments[0]).exists():
            segments[0] = named[1]
        try:
            if "." not in segments[-1] and not self.root.joinpath(*segments).exists():
                segments[-1] += ".html"
            file = self.root.joinpath(*segments).resolve(strict=True)
            regular = stat.S_ISREG(file.stat().st_mode)
        # the file does not exist, a chain of links is endless, or the name is invalid
        except (OSError, RuntimeError, ValueError):
            return None
        return file if regular and file.is_relative_to(self.root) else None

    def read(self, path: Path) -> Content:
        """Return the content of a file that `find` found. Read the file only if its content is not cached."""
        status = path.stat()
        version = (status.st_mtime_ns, status.st_size, self.edition.name if path.suffix == ".html" else "")
        known = self._known.get(path)
        if known and known[0] == version:
            return known[1]
        source = path.read_bytes()
        plain = self._served(path, source)
        digest = hashlib.sha256(plain).hexdigest()
        packed = gzipped(plain, digest) if path.suffix in COMPRESSIBLE else None
        policy = policy_for(plain.decode(), POLICY) if path.suffix == ".html" else POLICY
        if path.name == EMBED:
            policy = policy.replace(FRAMED_BY_NOBODY, FRAMED_BY_ALL)
        content = Content(plain, packed, digest, hashlib.sha256(source).hexdigest(), brotli_of(path), policy)
        self._known[path] = (version, content)
        return content

    def _served(self, path: Path, source: bytes) -> bytes:
        """Return the bytes to send for a file, such as a script's lean form or a page with new addresses."""
        if path.suffix == ".js":
            return lean(source)
        if self.beside is not None and path == self.root / BUILD.name / "manifest.json":
            return self.beside.manifest(source)
        if path.suffix == ".html" and self.edition.digests:
            return self.edition.page(source.decode()).encode()
        return source

    def is_named(self, path: Path, target: str, content: Content) -> bool:
        """True if a request's target contains the hash of the current scripts and styles."""
        folder = target.lstrip("/").split("/", 1)[0]
        if not NAMED.fullmatch(folder) or not path.is_relative_to(self.root):
            return False
        return self.edition.has(folder, path.relative_to(self.root).as_posix(), content.source)


def gzipped(plain: bytes, digest: str) -> bytes | None:
    """Compress bytes with gzip, or read them from the build's cache. Return None if gzip saves nothing."""
    if len(plain) < SMALLEST_WORTH_COMPRESSING:
        return None
    cached = BUILD / COMPRESSED / digest
    packed = cached.read_bytes() if cached.exists() else gzip.compress(plain, compresslevel=6, mtime=0)
    return packed if len(packed) < len(plain) else None


def brotli_of(path: Path) -> bytes | None:
    """Read the Brotli copy of a file, or return None. Only built files with a hash in their name have a copy.

    A copy of a gzip file, such as the snapshot, contains the unpacked content.
    """
    copy = path.with_name(f"{path.name}.br")
    return copy.read_bytes() if HASHED_NAME.fullmatch(path.name) and copy.exists() else None


def accepts(header: str, coding: str) -> bool:
    """True if an Accept-Encoding header allows an encoding. `*` means all encodings, and q=0 forbids."""
    allowed: dict[str, bool] = {}
    for item in header.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        allowed[name] = not any(re.fullmatch(r"q\s*=\s*0(\.0*)?", parameter) for parameter in parameters)
    return allowed.get(coding, allowed.get("*", False))
