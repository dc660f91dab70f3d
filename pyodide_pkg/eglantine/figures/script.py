"""The script of all figures, which `python -m tools.figure_script` makes from the JavaScript modules."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def script() -> str:
    """The script of all figures. A page may contain it several times. Then only the first copy is used."""
    return resources.files(__package__).joinpath("script.min.js").read_text(encoding="utf-8")
