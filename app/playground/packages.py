"""Install packages for programs that use micropip.

Only packages that the site itself serves can be installed.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import re
import sys
from typing import TYPE_CHECKING, Any, Final

import eglantine as eg

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    Bring = Callable[[str], Awaitable[Any]]
    Told = Callable[[dict[str, str]], object]

MICROPIP: Final = "micropip"
INSTEAD: Final = {
    "numpy": "This site has no NumPy, but “import eglantine.numpy as np” has its functions.",
    "scipy": "This site has no SciPy, but eg.minimize, eg.curve_fit, eg.root, eg.odeint and eg.quad do much "
    "of its work.",
    "matplotlib": "This site has no Matplotlib, but plot(f, -3, 3), plot(xs, ys), surface(f) and show(image) "
    "draw pictures.",
    "jax": "This site has no JAX, but eg.grad, eg.vmap, eg.jit and eglantine.numpy mean what JAX’s do.",
}
"""For each missing package, a sentence that names what a program can use instead."""
TO_ADD: Final = "To add packages, serve the page yourself with serve.py --pyodide FOLDER."


class MissingPackageError(eg.EglantineError, ImportError):
    """A program asks for a package that the site does not serve."""


async def prepare(text: str, names: Sequence[str], bring: Bring, told: Told) -> None:
    """Load the packages that a program imports, if they lie beside the page.

    If the program mentions micropip, also load micropip. It then installs only packages that lie beside the
    page.

    names: the names of the packages that lie beside the page, including micropip.
    bring: a function that takes a package's name and returns the bytes of its wheel.
    told: a function that is called with {"loading": name} when a package begins to load, and with
        {"loaded": name} afterwards.
    """
    if sys.platform != "emscripten":
        return
    for name in imported(text):
        if name in names and name != MICROPIP and not is_installed(name):
            with loading(name, told):
                await unpack_all(name, names, bring)
    if MICROPIP not in text:
        return
    if MICROPIP not in sys.modules:
        with loading(MICROPIP, told):
            await unpack(MICROPIP, bring)
            importlib.import_module(MICROPIP)
    import micropip  # type: ignore[import-not-found]

    async def install(requirements: Any, *_args: Any, **_named: Any) -> None:
        wanted = [requirements] if isinstance(requirements, str) else list(requirements)
        for requirement in wanted:
            name = resolved(requirement, names)
            with loading(name, told):
                await unpack_all(name, names, bring)
                for module in modules_of(name):
                    importlib.import_module(module)

    micropip.install = install


def imported(text: str) -> list[str]:
    """List the packages that a program imports. Their names are normalised as in PEP 503.

    The list is empty if the text is not valid Python.
    """
    try:
        nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError):
        return []
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return [*dict.fromkeys(normalised(module.split(".")[0]) for module in modules)]


@contextlib.contextmanager
def loading(name: str, told: Told) -> Iterator[None]:
    """Tell the page that a package is loading. The page stops the program's clock during this time."""
    told({"loading": name})
    try:
        yield
    finally:
        told({"loaded": name})


async def nothing(name: str) -> Any:
    """Refuse to bring a package, because there is no page to ask.

    Raises:
        MissingPackageError: always.
    """
    raise MissingPackageError(
        f"The package {name!r} can be loaded only in a page, but this program does not run in a page. Open "
        "the program in a page."
    )


async def unpack_all(name: str, names: Sequence[str], bring: Bring) -> None:
    """Unpack a package and the packages that it needs, except those that are installed.

    names: the names of the packages that lie beside the page. If a needed package does not lie there, it is
        skipped, because a marker may say that it is not needed here.
    """
    from importlib import metadata

    waiting = [name]
    while waiting:
        package = waiting.pop()
        if is_installed(package):
            continue
        await unpack(package, bring)
        needs = metadata.distribution(package).requires or []
        waiting += [need for need in map(normalised, plain_needs(needs)) if need in names]


def plain_needs(requirements: Iterable[str]) -> list[str]:
    """Return the requirements without those of optional extras."""
    return [one for one in requirements if "extra ==" not in one.replace("extra==", "extra ==")]


async def unpack(name: str, bring: Bring) -> None:
    """Unpack a package's wheel into a directory from which Python imports."""
    import pyodide_js  # type: ignore[import-not-found]

    pyodide_js.unpackArchive(await bring(name), "wheel")
    importlib.invalidate_caches()


def is_installed(name: str) -> bool:
    """Return whether a package can be imported already."""
    from importlib import metadata  # imported here because it is large and seldom needed

    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def modules_of(name: str) -> list[str]:
    """List the top-level packages of an installed distribution."""
    from importlib import metadata

    files = metadata.distribution(name).files or []
    return sorted({path.parts[0] for path in files if len(path.parts) == 2 and path.name == "__init__.py"})


def resolved(requirement: str, names: Sequence[str]) -> str:
    """Return the name of the package that satisfies a requirement, if the site serves it.

    Raises:
        MissingPackageError: the page has no such package.
    """
    name = normalised(requirement)
    if name not in names:
        raise MissingPackageError(
            f"There is no package {requirement!r} on this site. A program here can load only "
            f"{listed(names)}. "
            f"{INSTEAD.get(name, TO_ADD)}"
        )
    return name


def normalised(requirement: str) -> str:
    """Return a requirement's package name, normalised as in PEP 503. For example, A_b>=2 becomes a-b."""
    name = re.split(r"[\s\[<>=!~;@]", requirement.strip(), maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def listed(names: Iterable[str]) -> str:
    """Write the names of the available packages as a text."""
    return " or ".join(sorted(set(names) - {MICROPIP})) or "none"
