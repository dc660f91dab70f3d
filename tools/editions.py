"""Put a hash into the addresses of our scripts and styles, so that browsers can store them for ever.

The server replaces an address such as `js/x.js` in a page by `js-0123456789ab/x.js`. The digits are a hash of
all scripts and styles, so every change gives new addresses. Scripts and styles refer to each other by
relative addresses, which need no hash. On the disk, the folders are `js` and `css`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("css", "js")
"""The folders of styles and scripts in the site's root. The files in them refer to each other only by
relative addresses."""
HASH_DIGITS = 12
NAMED = re.compile(rf"({'|'.join(FOLDERS)})-([0-9a-f]{{{HASH_DIGITS}}})")
"""The pattern of such a folder's name in a page that is sent to a browser. The name then ends with a hash."""
IN_A_PAGE = re.compile(rf'((?:href|src)=")({"|".join(FOLDERS)})/')


@dataclass(frozen=True)
class Edition:
    """A version of the site's scripts and styles.

    name: the hash of all scripts and styles.
    digests: {path of a file below the site's root: hash of the file}.
    """

    name: str
    digests: Mapping[str, str]

    def folder(self, plain: str) -> str:
        """Add the edition's hash to a folder's name, as in js-0123456789ab for js."""
        return f"{plain}-{self.name}"

    def page(self, text: str) -> str:
        """Add the edition's hash to the addresses of scripts and styles in a page."""
        return IN_A_PAGE.sub(lambda match: f"{match[1]}{self.folder(match[2])}/", text)

    def has(self, named: str, path: str, digest: str) -> bool:
        """True if the folder name `named` has the edition's hash, and `digest` is the hash of the file."""
        return named == self.folder(path.split("/", 1)[0]) and self.digests.get(path) == digest


class Editions:
    """Computes the current edition of a site's folder. It reads only files that have changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[Path, tuple[tuple[int, int], str]] = {}

    def newest(self) -> Edition:
        """Return the edition of the current files."""
        digests = {
            path.relative_to(self.root).as_posix(): self._digest(path)
            for folder in FOLDERS
            for path in sorted((self.root / folder).rglob("*"))
            if path.suffix in {".css", ".js"}
        }
        lines = "\n".join(f"{path} {digest}" for path, digest in digests.items())
        return Edition(hashlib.sha256(lines.encode()).hexdigest()[:HASH_DIGITS], digests)

    def _digest(self, path: Path) -> str:
        status = path.stat()
        version = (status.st_mtime_ns, status.st_size)
        known = self._known.get(path)
        if known is None or known[0] != version:
            known = version, hashlib.sha256(path.read_bytes()).hexdigest()
            self._known[path] = known
        return known[1]
