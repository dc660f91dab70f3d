"""Packages that a program installs with micropip: those that lie beside the page, and no others."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MICROPIP: Final = "micropip"
INDEX: Final = "index.json"
"""The file in the folder of packages that says which there are: {name: file}."""


class MissingPackageError(eg.EglantineError, ImportError):
    """A program wants a package that the page does not serve."""


async def prepare(text: str, served: str) -> None:
    """Make micropip ready for a program that names it; it installs only what lies at the address `served`."""
    if MICROPIP not in text or sys.platform != "emscripten":
        return
    import pyodide_js  # type: ignore[import-not-found]
    from pyodide.http import pyfetch  # type: ignore[import-not-found]

    index = await (await pyfetch(f"{served}{INDEX}")).json()
    if MICROPIP not in sys.modules:
        await pyodide_js.loadPackage(served + index[MICROPIP])
    import micropip  # type: ignore[import-not-found]

    plain = getattr(micropip.install, "plain", micropip.install)

    async def install(requirements: Any, *args: Any, **named: Any) -> None:
        wanted = [requirements] if isinstance(requirements, str) else list(requirements)
        for name in wanted:
            url = served + resolved(name, index)
            await plain(url, *args, **named)
            _check_installed(name)

    install.plain = plain  # type: ignore[attr-defined]
    micropip.install = install


def resolved(requirement: str, index: Mapping[str, str]) -> str:
    """The file of a package.

    Raises:
        MissingPackageError: there is none.
    """
    name = normalised(requirement)
    if name not in index:
        raise MissingPackageError(
            f"Found no package {requirement!r} beside this page, which loads nothing from elsewhere; "
            f"expected {listed(index)}; to add one, name it in PACKAGES of tools/vendor.py and serve the "
            "page yourself."
        )
    return index[name]


def normalised(requirement: str) -> str:
    """A package's name as PEP 503 writes it, without the version that is asked for."""
    name = re.split(r"[\s\[<>=!~;@]", requirement.strip(), maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def listed(index: Iterable[str]) -> str:
    """The packages that there are, in words."""
    return " or ".join(sorted(set(index) - {MICROPIP})) or "none"


def _check_installed(name: str) -> None:
    """Raise unless a package is there: Pyodide only logs what it could not load."""
    from importlib import metadata  # with all that it imports it is large, and seldom asked

    try:
        metadata.distribution(normalised(name))
    except metadata.PackageNotFoundError:
        raise MissingPackageError(
            f"Found {name!r} not installed after it was asked for; expected its wheel beside the page; "
            "look into the browser's console for the reason."
        ) from None
