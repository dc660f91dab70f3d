"""The wheel is pure Python, small and deterministic, and it works in an otherwise empty environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tools import wheel_sources
from tools.bootstrap import ROOT, pip, venv_python
from tools.python_parts import PACKAGE, make_wheel, python_files

MOST_LOADED = 260_000
"""The largest number of bytes of the wheel that the first page may load (docs/adr/0006)."""
LOADED = """
import sys
import app.service
print(*(name for name in sys.modules if name.split(".")[0] == "eglantine"))
"""
ENTRY_BYTES = 30 + 46
"""The number of bytes that a zip needs for each file in it, besides the file's content and name. It stores
the name twice."""

HELP = """
import inspect, json
import eglantine as eg
from eglantine import formulas, printer, reader

def told(thing):
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature = ""
    return [inspect.getdoc(thing), signature.replace(": 'Any'", "").replace(" -> 'Any'", "")]

things = {"to_fn": formulas.to_fn, "free_names": formulas.free_names}
things |= {"pretty": printer.pretty, "parse": reader.parse}
things |= {"eglantine": eg, **{name: getattr(eg, name) for name in eg.__all__}}
of_math = {name for name, it in vars(eg.math).items() if getattr(it, "__module__", "") == eg.math.__name__}
things |= {f"math.{name}": getattr(eg.math, name) for name in of_math if name[0] != "_"}
for name, thing in list(things.items()):
    if isinstance(thing, type):
        # Members that a loop gave to the class, such as the operators of Array, have no help of their own,
        # and neither have objects of our own classes.
        members = [(key, it) for key, it in vars(thing).items()
                   if getattr(it, "__qualname__", name).startswith(thing.__name__)
                   and type(it).__name__[0] != "_"]
        things |= {f"{name}.{member}": it for member, it in members if member[0] != "_" or member[:2] == "__"}
print(json.dumps({name: told(thing) for name, thing in things.items()}))
"""
"""A program that prints the docstring and the signature of every public name."""

FAILURES = """
import json, traceback
import eglantine as eg
from eglantine import formulas

def places(call):
    try:
        call()
    except eg.EglantineError as error:
        frames = traceback.extract_tb(error.__traceback__)[1:]
        return [(frame.filename.rpartition("eglantine/")[2], frame.lineno, frame.name) for frame in frames]

calls = [
    lambda: formulas.to_fn("x + sin("),
    lambda: eg.fn([eg.Real], eg.Real)(lambda x: x if x else 0.0),
    lambda: eg.grad(lambda v: v)([1.0, 2.0]),
    lambda: eg.Vec(-1, eg.Real),
]
print(json.dumps([places(call) for call in calls]))
"""
"""A program that raises errors deep inside the package and prints the places in their tracebacks."""

TYPED = """
import eglantine as eg

@eg.struct
class Point:
    x: eg.Real
    y: eg.Real

@eg.fn
def area(p: Point) -> eg.Real:
    return p.x * p.y

kernel = eg.compile(eg.grad(area))
reveal_type(Point(1.0, 2.0))
reveal_type(kernel)
reveal_type(kernel.wasm)
eg.diagnose(area)(Point(1.0, 2.0)).nonsense
"""


@pytest.fixture(scope="module")
def project() -> dict[str, object]:
    project: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return project


def metadata(wheel: Path, name: str) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        path = next(path for path in archive.namelist() if path.endswith(f".dist-info/{name}"))
        return dict(Parser().parsestr(archive.read(path).decode("utf-8")))


def test_the_wheel_is_pure_python_for_every_platform(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert metadata(wheel, "WHEEL")["Root-Is-Purelib"] == "true"
    with zipfile.ZipFile(wheel) as archive:
        suffixes = {Path(name).suffix for name in archive.namelist() if ".dist-info/" not in name}
    assert suffixes <= {".py", ".js", ".typed"}


def test_the_part_of_the_wheel_that_the_first_page_loads_is_small(wheel: Path) -> None:
    path = os.pathsep.join([str(ROOT / "pyodide_pkg"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path}
    told = subprocess.run(
        [sys.executable, "-c", LOADED], env=environment, capture_output=True, text=True, check=True
    )
    loaded = {name.replace(".", "/") for name in told.stdout.split()}
    with zipfile.ZipFile(wheel) as archive:
        sizes = {
            info.filename.removesuffix(".py").removesuffix("/__init__"): info.compress_size
            + ENTRY_BYTES
            + 2 * len(info.filename)
            for info in archive.infolist()
        }
    assert "eglantine/checking/diagnose" in sizes.keys() - loaded
    assert sum(sizes[name] for name in loaded) <= MOST_LOADED


def test_the_wheel_contains_only_the_package_and_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    files = {f"eglantine/{path.relative_to(PACKAGE).as_posix()}" for path in python_files(PACKAGE)}
    own_scripts = {name for name in files if "/figures/" in name and name.endswith(".js")}
    files -= {name for name in own_scripts if not name.endswith(".min.js")}
    assert {name for name in names if ".dist-info/" not in name} == files
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name]
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


@pytest.mark.nightly  # other runs build the wheel in another test
def test_the_same_sources_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = tmp_path / make_wheel(tmp_path)["wheel"]
    assert again.read_bytes() == wheel.read_bytes()


def test_the_package_has_no_dependencies(wheel: Path, project: dict[str, object]) -> None:
    assert project["dependencies"] == []
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").splitlines()
    required = [line for line in lines if line.startswith("Requires-Dist:")]
    assert all("extra ==" in line for line in required)
    assert metadata(wheel, "METADATA")["Requires-Python"] == ">=3.11"


def test_every_file_states_the_same_version(wheel: Path, project: dict[str, object]) -> None:
    version = project["version"]
    assert metadata(wheel, "METADATA")["Version"] == version
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    assert re.findall(r'^__version__(?:: \w+)? = "(.*)"$', source, re.MULTILINE) == [version]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install only the wheel into a new environment. Return the environment's Python interpreter."""
    bare = tmp_path_factory.mktemp("environment") / "bare"
    venv.create(bare, with_pip=False, symlinks=True)
    command = [*pip(bare), "install", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return venv_python(bare)


def run(python: Path, program: str, folder: Path) -> str:
    done = subprocess.run(
        [python, "-I", "-c", program],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        encoding="utf-8",
    )
    return done.stdout


def run_sources(program: str, folder: Path) -> str:
    return run(
        Path(sys.executable), f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}){program}", folder
    )


def test_the_wheel_installs_into_a_bare_environment_and_imports(
    wheel: Path, installed: Path, tmp_path: Path
) -> None:
    program = "import eglantine, sys; print(eglantine.__file__); print(eglantine.__version__)"
    path, version = run(installed, program, tmp_path).split()
    assert Path(path).is_relative_to(installed.parent.parent)
    assert version == metadata(wheel, "METADATA")["Version"]


def test_help_prints_the_same_for_wheel_and_sources(installed: Path, tmp_path: Path) -> None:
    ours, theirs = json.loads(run_sources(HELP, tmp_path)), json.loads(run(installed, HELP, tmp_path))
    assert theirs == ours
    assert ours["grad"][0]


def test_a_users_type_checker_knows_the_wheels_types(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(TYPED, encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--strict", f"--python-executable={installed}", "program.py"]
    told = subprocess.run(mypy, check=False, capture_output=True, text=True, cwd=tmp_path).stdout
    assert re.findall(r'Revealed type is "(.*)"', told) == [
        "program.Point",
        "eglantine.runtime.kernel.Kernel",
        "bytes",
    ]
    [mistake] = [line for line in told.splitlines() if "error:" in line]
    assert '"nonsense"' in mistake


def test_a_traceback_names_the_lines_of_the_sources(installed: Path, tmp_path: Path) -> None:
    places = json.loads(run(installed, FAILURES, tmp_path))
    assert places == json.loads(run_sources(FAILURES, tmp_path))
    assert all(places)


def hatchling(target: str, sources: Path, folder: Path) -> None:
    """Build the target "wheel" or "sdist" (source distribution) with hatchling."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), "--target", target]
    subprocess.run(command, cwd=sources, check=True, capture_output=True)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of a source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    hatchling("sdist", ROOT, folder)
    [archive] = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder)  # noqa: S202 - our own archive
    return folder / archive.name.removesuffix(".tar.gz")


def test_a_source_distribution_contains_all_that_a_wheel_is_built_from(unpacked: Path) -> None:
    needed = [ROOT / "pyproject.toml", ROOT / "LICENSE", ROOT / "tools" / "wheel_sources.py"]
    for path in (*needed, *python_files(PACKAGE)):
        assert (unpacked / path.relative_to(ROOT)).read_bytes() == path.read_bytes(), path


@pytest.mark.nightly  # Zopfli compresses for half a minute
def test_a_source_distribution_makes_the_same_wheel(wheel: Path, unpacked: Path, tmp_path: Path) -> None:
    hatchling("wheel", unpacked, tmp_path)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_every_module_of_the_wheel_can_be_imported(installed: Path, tmp_path: Path) -> None:
    needs_an_engine = {"eglantine.runtime.browser", "eglantine.runtime.native"}
    modules = [
        ".".join(("eglantine", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        for path in python_files(PACKAGE)
        if path.suffix == ".py"
    ]
    imports = "\n".join(f"import {name}" for name in modules if name not in needs_an_engine)
    run(installed, imports, tmp_path)


def test_the_wheel_keeps_an_annotation_of_several_lines() -> None:
    source = "def f():\n    places: list[\n        int\n    ] = []\n    return places\n"
    made = wheel_sources.stripped(source, frozenset())
    compile(made, "made", "exec")
    assert "int" in made
