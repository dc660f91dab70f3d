"""A build hook of Hatchling that removes comments and other unneeded text from the sources in the wheel.

A web page or a notebook may load the wheel at every start, so the wheel should be small. The hook removes
comments, private docstrings, annotations of private functions and local variables, and imports that only
these annotations need. It indents each level by one space. Zopfli compresses the files.

Line numbers do not change, so tracebacks show the right lines of our sources. The hook checks that each file
is still the same program.

Public names are the names that `eglantine/__init__.py` imports and the names in `ALSO_PUBLIC`.
"""

from __future__ import annotations

import ast
import io
import re
import struct
import tempfile
import tokenize
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, TypeAlias

import zopfli.zlib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Scope: TypeAlias = ast.Module | ast.ClassDef | Function
Position: TypeAlias = tuple[int, int]
"""Line from 1 and character from 0."""
Cut: TypeAlias = tuple[Position, Position, str]
"""Start, end, and the text that replaces this part."""

PACKAGE = Path("pyodide_pkg") / "eglantine"
EVERYTHING = frozenset({"*"})
"""A mark for a module in which all names are public that do not begin with an underscore."""
NOTHING: frozenset[str] = frozenset()
ALSO_PUBLIC = {
    "errors": frozenset({"_CallError"}),
    "formulas/free": frozenset({"free_names"}),
    "formulas/traced": EVERYTHING,
    "ir/printer": frozenset({"pretty"}),
    "ir/reader": frozenset({"parse"}),
    "types": frozenset({"BoolType", "RealType", "UnitType"}),
}
"""Path of a module → more public names in it: names that users import, and classes behind public names."""
BODIES = ("body", "orelse", "finalbody")
LAYOUT = frozenset(
    {tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER}
)
FOR_TYPES = frozenset({"__future__", "collections.abc", "typing"})
"""Modules that are mostly imported for annotations. `__future__` is imported only for them."""
TEXTS = frozenset({tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)})
"""Tokens that may contain lines whose leading spaces matter. FSTRING_MIDDLE exists since Python 3.12."""


class StrippingError(Exception):
    """Raised if a stripped file is not the same program as its source."""


class WheelSources(BuildHookInterface[Any]):
    """Puts stripped sources into a wheel. Editable installations use the original sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Strip all sources of the package, and add the results to the wheel."""
        if self.target_name != "wheel" or version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory(prefix="eglantine-wheel-")
        package, folder = Path(self.root) / PACKAGE, Path(self.folder.name)
        for name, text in stripped_package(package).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            build_data["force_include"][str(path)] = f"{package.name}/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Compress the wheel as much as possible, and remove the stripped sources."""
        if hasattr(self, "folder"):
            deflate_again(Path(artifact_path))
            self.folder.cleanup()


def stripped_package(package: Path) -> dict[str, str]:
    """Strip all sources of a package. Return {path in the package: stripped text}.

    Raises:
        StrippingError: a stripped file is not the same program as its source.
    """
    public = exports(package)
    results: dict[str, str] = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        source = path.read_text(encoding="utf-8")
        names = public.get(name.removesuffix(".py"), NOTHING)
        results[name] = stripped(source, names)
        if not is_same_program(source, results[name], names):
            raise StrippingError(
                f"Removing the comments of {name} changed its program, but every line of code must stay the "
                "same. Correct tools/wheel_sources.py."
            )
    for path in set(package.rglob("*.js")) - set(
        (package / "figures").iterdir()
    ):  # they are in script.min.js
        results[path.relative_to(package).as_posix()] = bare(path.read_text(encoding="utf-8"))
    return results


# ------------------------------------------------------------------------------------------------ the archive


def deflate_again(path: Path) -> None:
    """Compress a zip again with Zopfli. We write the archive ourselves, because `zipfile` only uses zlib."""
    with zipfile.ZipFile(path) as archive:
        files = [(info, archive.read(info)) for info in archive.infolist()]
    archive_bytes, directory = bytearray(), bytearray()
    for info, content in files:
        offset, name = len(archive_bytes), info.filename.encode()
        deflated = zopfli.zlib.compress(content)[2:-4]  # without zlib's header and checksum
        method, data = (8, deflated) if len(deflated) < len(content) else (0, content)
        year, month, day, hour, minute, second = info.date_time
        time, date = hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day
        about = struct.pack(
            "<5H3L2H", 20, 0x800, method, time, date, info.CRC, len(data), len(content), len(name), 0
        )
        archive_bytes += b"PK\3\4" + about + name + data
        directory += b"PK\1\2" + struct.pack("<BB", 20, info.create_system) + about
        directory += struct.pack("<3H2L", 0, 0, 0, info.external_attr, offset) + name
    count = len(files)
    end = struct.pack("<4H2LH", 0, 0, count, count, len(directory), len(archive_bytes), 0)
    path.write_bytes(archive_bytes + directory + b"PK\5\6" + end)


# ----------------------------------------------------------------------------------- public names


def exports(package: Path) -> dict[str, frozenset[str]]:
    """Find the public names of the package. Return {module's path: its public names}."""
    trees = {
        path.relative_to(package).with_suffix("").as_posix(): ast.parse(path.read_bytes(), str(path))
        for path in package.rglob("*.py")
    }
    seen = {"__init__": EVERYTHING, **ALSO_PUBLIC}
    for module, name in imports(trees, "__init__").values():
        module, name = origin(trees, module, name)
        if name:
            seen[module] = seen.get(module, NOTHING) | {name}
        else:
            seen[module] = EVERYTHING
    return seen


def imports(trees: Mapping[str, ast.Module], module: str) -> dict[str, tuple[str, str]]:
    """Find a module's imports from the package. Return {name: (imported module, name in that module)}.

    If a whole module is imported, the second name is "".
    """
    results: dict[str, tuple[str, str]] = {}
    statements = [*trees[module].body]
    statements += [inner for node in statements if isinstance(node, ast.If) for inner in node.body]
    for node in statements:
        if not isinstance(node, ast.ImportFrom):
            continue
        source = imported_module(trees, module, node)
        if source is None:
            continue
        for alias in node.names:
            inner = alias.name if source == "__init__" else f"{source}/{alias.name}".removeprefix("__init__/")
            whole = inner.replace("/__init__", "")
            results[alias.asname or alias.name] = (whole, "") if whole in trees else (source, alias.name)
    return results


def imported_module(trees: Mapping[str, ast.Module], module: str, node: ast.ImportFrom) -> str | None:
    """Return the path of an imported module. Return None if it belongs to another package."""
    parts = (node.module or "").split(".") if node.module else []
    if node.level:
        folder = module.split("/")[:-1]
        parts = [*folder[: len(folder) - node.level + 1], *parts]
    elif parts[:1] == [PACKAGE.name]:
        parts = parts[1:]
    else:
        return None
    path = "/".join(parts) or "__init__"
    return path if path in trees else f"{path}/__init__"


def origin(trees: Mapping[str, ast.Module], module: str, name: str) -> tuple[str, str]:
    """Find the module that defines an imported name. Return this module, and the name in it."""
    while name and name in (known := imports(trees, module)):
        module, name = known[name]
    return module, name


def private_scopes(tree: ast.Module, public: AbstractSet[str]) -> Iterator[Scope]:
    """Yield the private scopes of a module: private classes and functions, and perhaps the module itself.

    public: the module's public names.
    """
    if public != EVERYTHING:
        yield tree
    pending: list[tuple[ast.AST, AbstractSet[str]]] = [(tree, public)]
    while pending:
        node, names = pending.pop()
        for child in ast.iter_child_nodes(node):
            inside = names
            if isinstance(child, ast.ClassDef | Function):
                seen = child.name in names or (names == EVERYTHING and not is_underscored(child.name))
                inside = EVERYTHING if seen and isinstance(child, ast.ClassDef) else NOTHING
                if not seen:
                    yield child
            pending.append((child, inside))


def is_underscored(name: str) -> bool:
    """True if a name begins with an underscore and is not a special name such as `__init__`."""
    return name.startswith("_") and not name.endswith("__")


# -------------------------------------------------------------------------------------------------- stripping


def stripped(source: str, public: AbstractSet[str]) -> str:
    """Remove comments, private docstrings and private annotations from a module's text."""
    tree, lines = ast.parse(source), source.split("\n")
    private = list(private_scopes(tree, public))
    cuts = [(token.start, token.end, "") for token in tokens(source) if token.type == tokenize.COMMENT]
    cuts.extend(docstring_cuts(tree, lines, private))
    for function in private:
        if isinstance(function, Function):
            cuts.extend(annotation_cuts(lines, function))
    cuts.extend(
        (extent(lines, local.target)[1], extent(lines, local.annotation)[1], "")
        for local in annotated_locals(tree)
        if local.lineno == local.annotation.end_lineno
    )
    text = without(lines, cuts)
    lines = text.split("\n")
    needless = ((extent(lines, old), new) for old, new in imports_for_types(ast.parse(text)))
    return reindented(
        without(lines, [(*place, ast.unparse(new) if new.names else "") for place, new in needless])
    )


def without_private_docstrings(source: str, public: AbstractSet[str]) -> str:
    """Remove private docstrings from a module's text. Line numbers do not change."""
    tree, lines = ast.parse(source), source.split("\n")
    return without(lines, docstring_cuts(tree, lines, private_scopes(tree, public)))


def docstring_cuts(tree: ast.Module, lines: list[str], private: Iterable[Scope]) -> Iterator[Cut]:
    """Yield cuts that remove private docstrings and other statements that are only strings."""
    for body, statement in unseen_texts(tree, private):
        is_alone = len(body) == 1 and body is not tree.body
        yield *extent(lines, statement), "pass" if is_alone else ""


def imports_for_types(tree: ast.Module) -> Iterator[tuple[ast.ImportFrom, ast.ImportFrom]]:
    """Yield (import, replacement) for each import with unused names. The replacement omits these names."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if any(getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns")):
        used.add("annotations")
    for old in tree.body:
        if isinstance(old, ast.ImportFrom) and old.module in FOR_TYPES and old.lineno == old.end_lineno:
            names = [alias for alias in old.names if (alias.asname or alias.name) in used]
            if len(names) < len(old.names):
                yield old, ast.copy_location(ast.ImportFrom(old.module, names, 0), old)


def bare(script: str) -> str:
    """Remove indentation and comment lines from a JavaScript text that has no multi-line strings."""
    return re.sub(r"(?m)^ *(//.*|/\*\*.*\*/)$|^ +", "", script)


def unseen_texts(tree: ast.Module, private: Iterable[Scope]) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """Yield (list, statement) for each statement that is only a string, except public docstrings."""
    hidden = {id(scope) for scope in private}
    for node in ast.walk(tree):
        for body in bodies(node):
            seen = body[:1] if isinstance(node, Scope) and id(node) not in hidden else []
            yield from (
                (body, statement) for statement in body if is_text(statement) and statement not in seen
            )


def bodies(node: ast.AST) -> list[list[ast.stmt]]:
    """Return a node's lists of statements, such as the two branches of an `if`."""
    lists = [getattr(node, name, None) for name in BODIES]
    return [statements for statements in lists if isinstance(statements, list)]


def is_text(statement: ast.stmt) -> bool:
    """True if a statement is only a string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def annotation_cuts(lines: list[str], function: Function) -> Iterator[Cut]:
    """Yield cuts that remove a function's annotations, except annotations in parentheses."""
    for parameter in parameters(function):
        if parameter.annotation is not None:
            start, end = extent(lines, parameter.annotation)
            named = (parameter.lineno, extent(lines, parameter)[0][1] + len(parameter.arg))
            if start[0] == named[0] and re.fullmatch(r":\s*", lines[start[0] - 1][named[1] : start[1]]):
                yield named, end, ""
    if function.returns is not None:
        start, end = extent(lines, function.returns)
        line = lines[start[0] - 1]
        arrow = re.search(r"\s*->\s*$", line[: start[1]])
        if arrow and start[0] == end[0] and line[end[1] :].startswith(":"):
            yield (start[0], arrow.start()), end, ""


def annotated_locals(tree: ast.Module) -> Iterator[ast.AnnAssign]:
    """Yield the annotated assignments inside functions. Python does not evaluate their annotations."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, is_local = pending.pop()
        for child in ast.iter_child_nodes(node):
            if is_local and isinstance(child, ast.AnnAssign) and child.value is not None:
                yield child
            inside = isinstance(child, Function) or (is_local and not isinstance(child, ast.ClassDef))
            pending.append((child, inside))


def parameters(function: Function) -> list[ast.arg]:
    """All parameters of a function."""
    known = function.args
    last = [parameter for parameter in (known.vararg, known.kwarg) if parameter is not None]
    return [*known.posonlyargs, *known.args, *known.kwonlyargs, *last]


def extent(lines: list[str], node: ast.stmt | ast.expr | ast.arg) -> tuple[Position, Position]:
    """Return the start and the end of a node as (line, column). Columns count characters, not bytes."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    ends = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    (a, b) = ((line, len(lines[line - 1].encode()[:offset].decode())) for line, offset in ends)
    return a, b


def without(lines: list[str], cuts: Iterable[Cut]) -> str:
    """Apply cuts to the lines of a text, and return the text. Line numbers do not change."""
    left = list(lines)
    for (first, start), (last, end), instead in sorted(cuts, reverse=True):
        rest = left[last - 1][end:]
        left[first - 1 : last] = [left[first - 1][:start] + instead, *[""] * (last - first)]
        left[last - 1] += rest
    return "\n".join(left)


def reindented(text: str) -> str:
    """Indent a program by one space for each level. Strings do not change."""
    lines = text.split("\n")
    levels: dict[int, int] = {}
    inside: set[int] = set()
    level = 0
    for token in tokens(text):
        level += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type in TEXTS:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        if token.type not in LAYOUT:
            levels.setdefault(token.start[0], level)
    for k, line in enumerate(lines, start=1):
        if k in inside:
            continue
        body = line.lstrip() if k + 1 in inside else line.strip()
        lines[k - 1] = " " * levels[k] + body if k in levels else ""
    return "\n".join(lines)


def tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a module."""
    return tokenize.generate_tokens(io.StringIO(text).readline)


# ------------------------------------------------------------------------------------------- the verification


def is_same_program(source: str, made: str, public: AbstractSet[str]) -> bool:
    """True if two modules differ only in private docstrings and private annotations."""
    try:
        return essence(source, public) == essence(made, public)
    except SyntaxError:
        return False


def essence(text: str, public: AbstractSet[str]) -> tuple[str, list[int]]:
    """Return a module's syntax tree without private docstrings and annotations, and the nodes' lines."""
    tree = ast.parse(text)
    private = list(private_scopes(tree, public))
    for body, statement in list(unseen_texts(tree, private)):
        place = body.index(statement)
        is_alone = len(body) == 1 and body is not tree.body
        body[place : place + 1] = [ast.copy_location(ast.Pass(), statement)] if is_alone else []
    for function in private:
        if isinstance(function, Function):
            function.returns = None
            for parameter in parameters(function):
                parameter.annotation = None
    plain = {id(local): without_annotation(local) for local in annotated_locals(tree)}
    for node in ast.walk(tree):
        for body in bodies(node):
            body[:] = [plain.get(id(statement), statement) for statement in body]
    for old, new in list(imports_for_types(tree)):
        place = tree.body.index(old)
        tree.body[place : place + 1] = [new] if new.names else []
    return ast.dump(tree), [node.lineno for node in ast.walk(tree) if hasattr(node, "lineno")]


def without_annotation(assignment: ast.AnnAssign) -> ast.stmt:
    """Turn `x: T = 1` into `x = 1`."""
    assert assignment.value is not None
    plain = ast.Assign(targets=[assignment.target], value=assignment.value)
    return ast.copy_location(plain, assignment)
