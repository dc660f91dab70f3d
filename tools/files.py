"""Writing files that others read meanwhile."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old content or the new one, never half of it."""
    data = content.encode() if isinstance(content, str) else content
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as made:
        made.write(data)
    shutil.copymode(__file__, made.name)
    Path(made.name).replace(path)


def write_changed(path: Path, content: str) -> None:
    """Write a file, likewise, if that changes it; its folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content.encode():
        write_atomically(path, content)
