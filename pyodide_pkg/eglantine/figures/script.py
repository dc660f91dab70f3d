"""The script of all figures. `python -m tools.figure_script` makes it from the JavaScript modules."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def script() -> str:
    """Return the script that all figures use.

    If a page contains it several times, only the first copy runs.
    """
    return resources.files(__package__).joinpath("script.min.js").read_text(encoding="utf-8")
