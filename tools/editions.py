"""Addresses of our scripts and styles that say what is in them: no browser asks whether they have changed.

A page names `js/x.js`, and is sent with `js-0123456789ab/x.js`: the folder carries a hash of all scripts and
styles, and what these name beside them is found in the same one. The files themselves lie in `js` and `css`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("css", "js")
"""Below the site's root: what is in them names files beside them by relative addresses alone."""
HASH_DIGITS = 12
NAMED = re.compile(rf"({'|'.join(FOLDERS)})-([0-9a-f]{{{HASH_DIGITS}}})")
"""Such a folder as a page is sent with it."""
IN_A_PAGE = re.compile(rf'((?:href|src)=")({"|".join(FOLDERS)})/')


@dataclass(frozen=True)
class Edition:
    """All scripts and styles at one moment: their hash, and each one's by its path below the root."""

    name: str
    digests: Mapping[str, str]

    def folder(self, plain: str) -> str:
        """How a page of this edition names the folder."""
        return f"{plain}-{self.name}"

    def page(self, text: str) -> str:
        """A page that asks for this edition."""
        return IN_A_PAGE.sub(lambda match: f"{match[1]}{self.folder(match[2])}/", text)

    def has(self, named: str, path: str, digest: str) -> bool:
        """Whether a file at `path`, asked for by the folder `named`, is this edition's."""
        return named == self.folder(path.split("/", 1)[0]) and self.digests.get(path) == digest


class Editions:
    """The edition of a folder at any moment; files are read again when they change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._known: dict[Path, tuple[tuple[int, int], str]] = {}

    def newest(self) -> Edition:
        """What the files are now."""
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
