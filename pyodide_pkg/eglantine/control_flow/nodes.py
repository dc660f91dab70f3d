"""Build and inspect Python's syntax trees, for the rewriter."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

_FLOW, _RETURNED, _ITEM = ".flow", ".returned", ".item"

_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef

F = TypeVar("F", bound=Callable[..., Any])
Node = TypeVar("Node", bound=ast.AST)


def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    others = (arguments.vararg, arguments.kwarg)
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *(x for x in others if x)]


def _at(like: ast.AST, node: Node) -> Node:
    """Give a new node, and all its new parts, the line and column of `like`. Return the new node."""
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, like)
        elif "lineno" in part._attributes:
            continue
        pending.extend(ast.iter_child_nodes(part))
    return node


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _call(method: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(_load(_FLOW), method, ast.Load()), list(args), [])


def _constant(value: Any) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple([_constant(item) for item in value], ast.Load())
    return ast.Constant(value)


def _set(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _lambda(body: ast.expr, *parameters: str) -> ast.expr:
    return ast.Lambda(ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, []), body)


def _function(name: str, body: list[ast.stmt], *parameters: str, names: Sequence[str] = ()) -> ast.stmt:
    definition: Any = _parsed("def _(): pass").body[0]  # its fields depend on the Python version
    definition = type(definition)(**{field: getattr(definition, field) for field in definition._fields})
    definition.name = name
    definition.args = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
    definition.body = [*([ast.Nonlocal(list(names))] if names else []), *(body or [ast.Pass()])]
    return definition  # type: ignore[no-any-return]


def _within(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield these nodes and all nodes inside them. Do not enter nested functions, lambdas and classes."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.comprehension):
            pending += [node.iter, *node.ifs]
        elif not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))


def _assigned(nodes: Iterable[ast.AST]) -> set[str]:
    """Find the variables that the statements may assign or delete."""
    changed: set[str] = set()
    for node in _within(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                changed.add(name)
            case ast.FunctionDef(name=name, body=[ast.Nonlocal(names=names), *_]) if name[0] == ".":
                changed.update(names)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name[0] != ".":
                changed.add(name)
            case ast.alias(name=name, asname=other):
                changed.add(other or name.split(".")[0])
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
                changed.update([node.name] if node.name else [])
            case ast.MatchMapping(rest=str(name)):
                changed.add(name)
    return changed


def _jumps(statements: Iterable[ast.stmt]) -> set[str]:
    """Find the kinds of jumps ("return", "break" or "continue") that may lead out of these statements."""
    ways = set()
    pending: list[tuple[ast.AST, bool]] = [(statement, False) for statement in statements]
    while pending:
        node, in_loop = pending.pop()
        if isinstance(node, ast.Return):
            ways.add("return")
        elif isinstance(node, ast.Break | ast.Continue):
            if not in_loop:
                ways.add(type(node).__name__.lower())
        elif isinstance(node, ast.For | ast.While):
            pending += [(child, True) for child in node.body] + [(child, in_loop) for child in node.orelse]
        elif not isinstance(node, ast.expr | _SCOPES):
            pending += [(child, in_loop) for child in ast.iter_child_nodes(node)]
    return ways


def _always_jumps(statements: Sequence[ast.stmt]) -> bool:
    """True if code after these statements never runs."""
    return any(
        isinstance(s, ast.Return | ast.Break | ast.Continue | ast.Raise)
        or (isinstance(s, ast.If) and _always_jumps(s.body) and _always_jumps(s.orelse))
        or (isinstance(s, ast.While) and _is_true(s.test) and "break" not in _jumps(s.body))
        or (isinstance(s, ast.With) and _always_jumps(s.body))
        for s in statements
    )


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _root(node: ast.expr) -> ast.expr:
    """Strip all indices and attributes from an expression: return `a` for `a[i].b`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)
