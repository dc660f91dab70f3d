"""Put a hash into the addresses of our scripts and styles, so that browsers can store them for ever.

If a page's source contains `js/x.js`, the server sends the page with `js-0123456789ab/x.js`. The digits are a
hash of all scripts and styles, so every change gives new addresses. Scripts and styles refer to each other by
relative addresses, so these addresses contain the hash too. On the disk, the files are in `js` and `css`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("css", "js")
"""Folders below the site's root whose files name each other only by relative addresses."""
HASH_DIGITS = 12
NAMED = re.compile(rf"({'|'.join(FOLDERS)})-([0-9a-f]{{{HASH_DIGITS}}})")
"""The name of such a folder in a page as it is sent."""
IN_A_PAGE = re.compile(rf'((?:href|src)=")({"|".join(FOLDERS)})/')


@dataclass(frozen=True)
class Edition:
    """An edition: all scripts and styles at one moment.

    name: a hash of all files.
    digests: the hash of each file, by its path below the root.
    """

    name: str
    digests: Mapping[str, str]

    def folder(self, plain: str) -> str:
        """The name of the folder `plain` with this edition's hash, as in js-0123456789ab for js."""
        return f"{plain}-{self.name}"

    def page(self, text: str) -> str:
        """A page's HTML, changed so that it asks for the files of this edition."""
        return IN_A_PAGE.sub(lambda match: f"{match[1]}{self.folder(match[2])}/", text)

    def has(self, named: str, path: str, digest: str) -> bool:
        """True if `named` is the hashed name of `path`'s folder, and this edition contains that file."""
        return named == self.folder(path.split("/", 1)[0]) and self.digests.get(path) == digest


class Editions:
    """Finds the newest edition of a folder. It reads a file again only if the file has changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[Path, tuple[tuple[int, int], str]] = {}

    def newest(self) -> Edition:
        """The edition of the files as they are now."""
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
