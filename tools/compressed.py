"""Make compressed copies of built files in advance, so that the server need not compress them on request."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.bootstrap import ROOT, SetupError
from tools.files import BUILD, write_atomically
from tools.node import find_node
from tools.vendor import last_lines

BROTLI = ROOT / "tools" / "brotli.mjs"
AT_ONCE = 60
"""The largest number of files in one command line. Systems limit the length of a command line."""
BROTLI_SUFFIX = ".br"
GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
COMPRESSED = ".gzip"
"""The name of a folder of gzipped files for the server. Each file is named by the sha256 of its unpacked
content."""
WORTH_PRECOMPRESSING = 64 * 1024
"""The smallest size, in bytes, of a file that the build compresses. The server compresses a smaller file on
request, in about a millisecond."""
COMPRESSIBLE = frozenset({".css", ".html", ".js", ".json", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest"})
"""The suffixes of files that gzip makes smaller. Zips, wheels and fonts are missing, because they are already
compressed."""


def make_brotli(target: Path, paths: list[Path]) -> dict[str, str]:
    """Compress large files with Brotli into the folder `target`. Gzip files are unpacked first.

    Raises:
        SetupError: Node failed.
    """
    worth = [path for path in paths if path.stat().st_size >= WORTH_PRECOMPRESSING]
    in_brotli({path: target / f"{path.name}{BROTLI_SUFFIX}" for path in worth})
    return {f"brotli/{path.name}": f"{path.name}{BROTLI_SUFFIX}" for path in worth}


def in_brotli(copies: Mapping[Path, Path]) -> None:
    """Compress files with Brotli. `copies` is {file: compressed file}. Gzip files are unpacked first.

    This takes seconds for a large file.

    Raises:
        SetupError: Node failed.
    """
    jobs = [{"source": str(path), "target": str(copy)} for path, copy in copies.items()]
    for k in range(0, len(jobs), AT_ONCE):
        done = find_node().run([BROTLI, json.dumps(jobs[k : k + AT_ONCE])])
        if done.returncode != 0:
            raise SetupError(
                f"Compressing with Brotli failed:\n{last_lines(done.stderr)}\n"
                "Correct the error that Node reports, and run this again."
            )


def precompress(paths: Iterable[Path]) -> dict[str, str]:
    """Compress large files with gzip, and write them into the server's cache."""
    folder = BUILD / COMPRESSED
    folder.mkdir(exist_ok=True)
    for path in paths:
        content = path.read_bytes()
        if len(content) >= WORTH_PRECOMPRESSING:
            name = hashlib.sha256(content).hexdigest()
            write_atomically(folder / name, gzip.compress(content, compresslevel=9, mtime=0))
    return {}


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file. Unpack a gzip file first."""
    content = path.read_bytes()
    plain = gzip.decompress(content) if content.startswith(GZIP) else content
    return hashlib.sha256(plain).hexdigest()
