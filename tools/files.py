"""Write files safely while other programs read or write them."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.bootstrap import ROOT

BUILD = ROOT / "static" / "build"
"""The folder of everything that we build for the pages."""
HASH_DIGITS = 12


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file in one step, so that other programs read either the old content or the new content."""
    data = content.encode() if isinstance(content, str) else content
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as made:
        made.write(data)
    shutil.copymode(__file__, made.name)
    Path(made.name).replace(path)


def write_changed(path: Path, content: str) -> None:
    """Write a file atomically if its content changes. Make the folder if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content.encode():
        write_atomically(path, content)


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Lock a file during a `with` block, so that only one program at a time runs the block.

    path: the file to lock. If it does not exist, it is created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as held:
        if os.name == "nt":  # pragma: no cover – on Windows, the lock fails after ten seconds
            import msvcrt

            msvcrt.locking(held.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def with_hash(path: Path) -> str:
    """Add a hash of a file's content to its name (`a.zip` → `a-0123456789ab.zip`). Return the new name."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:HASH_DIGITS]
    return path.replace(path.with_name(f"{path.stem}-{digest}{path.suffix}")).name
