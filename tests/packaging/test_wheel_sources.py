"""The wheel's sources lack comments, docstrings and types, but are otherwise the same programs."""

from __future__ import annotations

import ast
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools import wheel_sources
from tools.python_parts import PACKAGE


def program(source: str) -> ast.Module:
    """Parse a module. Remove docstrings, annotations in functions, and imports for annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                body[:] = [plain(statement, node) for statement in body if not says_nothing(statement)]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return tree


def are_equal(tree: ast.AST, other: ast.AST) -> bool:
    """True if two syntax trees have equal nodes with equal line numbers."""
    pending: list[tuple[Any, Any]] = [(tree, other)]
    while pending:
        one, two = pending.pop()
        if type(one) is not type(two):
            return False
        if isinstance(one, list):
            if len(one) != len(two):
                return False
            pending.extend(zip(one, two, strict=True))
        elif isinstance(one, ast.AST):
            if getattr(one, "lineno", None) != getattr(two, "lineno", None):
                return False
            pending.extend((getattr(one, name, None), getattr(two, name, None)) for name in one._fields)
        elif one != two:
            return False
    return True


def says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return isinstance(statement.value.value, str)
    if isinstance(statement, ast.ImportFrom) and statement.module in {
        "__future__",
        "collections.abc",
        "typing",
    }:
        return True  # other tests fail if the program needs such an import
    return isinstance(statement, ast.Pass)


def plain(statement: ast.stmt, around: ast.AST) -> ast.stmt:
    in_function = not isinstance(around, ast.Module | ast.ClassDef)
    if not in_function or not isinstance(statement, ast.AnnAssign) or statement.value is None:
        return statement
    assignment = ast.Assign(targets=[statement.target], value=statement.value)
    return ast.copy_location(assignment, statement)


def test_each_file_is_the_same_program_line_for_line(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for path in PACKAGE.rglob("*.py"):
            made = archive.read(f"eglantine/{path.relative_to(PACKAGE).as_posix()}").decode("utf-8")
            source = path.read_text(encoding="utf-8")
            assert are_equal(program(made), program(source)), path.name
            assert made.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    "changed",
    [
        "def f(x):\n    return 1.0 + x\n",
        "def f(x):\n\n    return 1 + x\n",
        "def f(x):\n    return 1 + x, 2\n",
    ],
)
def test_programs_with_other_nodes_numbers_or_lines_differ(changed: str) -> None:
    text = "def f(x):\n    return 1 + x\n"
    assert are_equal(program(text), program(text.replace("    ", " ")))
    assert not are_equal(program(text), program(changed))
    assert not are_equal(program(changed), program(text))


SOURCE = '''\
"""A module."""

# why
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from a import b  # what

T: Final = TypeVar("T")

WIDTH = 3
"""Of a beam, in mm."""


def shown(x: float) -> float:
    """Kept, with its types."""
    total: float = x  # of one

    def inner(y: Sequence[float]) -> Any:
        """Not kept."""
        return y

    return inner(total)


def hidden(
    x: dict[str, float], *rest: str, é: int = 1
) -> str:
    text = """a
      # no comment
    """
    return (
        text
        + f"{x}#{rest}"
    )


class Kept:
    """Kept."""

    field: float = 1.0

    def method(self, x: float) -> float:
        """Kept too."""

    def _method(self) -> None:
        """Not kept."""
'''
STRIPPED = '''\



from __future__ import annotations


from typing import Final, TypeVar

from a import b

T: Final = TypeVar("T")

WIDTH = 3



def shown(x: float) -> float:
 """Kept, with its types."""
 total = x

 def inner(y):

  return y

 return inner(total)


def hidden(
x, *rest, é = 1
):
 text = """a
      # no comment
    """
 return (
 text
 + f"{x}#{rest}"
 )


class Kept:
 """Kept."""

 field: float = 1.0

 def method(self, x: float) -> float:
  """Kept too."""

 def _method(self):
  pass
'''


def test_removing_comments_and_private_docstrings_keeps_all_line_numbers() -> None:
    assert wheel_sources.stripped(SOURCE, frozenset({"shown", "Kept"})) == STRIPPED


def test_a_script_loses_indentation_and_comment_lines_but_no_other_line(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        made = archive.read("eglantine/runtime/kernel.js").decode("utf-8").split("\n")
    source = (PACKAGE / "runtime" / "kernel.js").read_text(encoding="utf-8").split("\n")
    assert len(made) == len(source)
    for new, old in zip(made, source, strict=True):
        code = old.strip()
        assert new == ("" if code.startswith(("//", "/*")) else code)
        assert new.count("`") % 2 == 0  # no template string spans lines


def test_public_names_are_found_in_the_modules_that_define_them() -> None:
    public = wheel_sources.exports(PACKAGE)
    assert "grad" in public["functions/derivatives"]
    assert "Kernel" in public["runtime/kernel"]
    assert "sum_" in public["trace/sums"]
    assert public["trace/maths"] == wheel_sources.EVERYTHING
    assert "emit/scope" not in public


def test_the_build_fails_if_a_stripped_file_is_not_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    reindented = wheel_sources.reindented
    monkeypatch.setattr(wheel_sources, "reindented", lambda text: reindented(text).replace(" + ", " - "))
    with pytest.raises(
        wheel_sources.StrippingError, match=r"Removing the comments of .*\.py changed its program, but "
    ):
        wheel_sources.stripped_package(PACKAGE)
