"""Rewrite a function's syntax tree: `if`, `while` and `for` become calls of `flow`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from eglantine.errors import CompileError, Span

from .nodes import (
    _ITEM,
    _RETURNED,
    _always_jumps,
    _assigned,
    _at,
    _call,
    _constant,
    _function,
    _is_store,
    _is_true,
    _jumps,
    _lambda,
    _load,
    _parameters,
    _root,
    _set,
    _within,
)
from .variables import VALUE

_MOVED = 20
"""The number of nested branches and loops below which the rest of a block may move into a branch.

In deeper code, flags guard the rest instead.
"""
_CHEAP = (
    ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.operator,
    ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context,
)  # fmt: skip
"""The kinds of nodes of expressions that cost little and cannot trap."""
_CHANGING = frozenset({
    "add", "append", "clear", "discard", "extend", "fill", "insert", "pop", "popitem", "remove", "reverse",
    "setdefault", "sort", "update",
})  # fmt: skip
"""The names of methods that change a list, set, dict or array in place."""


class _Rewriter:
    """Rewrites one function and the functions that are defined in it.

    own: the variables of the current function.
    loops: the numbers of the loops around the current statement. The names of a loop's flags end with the
        loop's number.
    asked: the flags that at least one `if` tests.
    count: the number of loops so far.
    depth: the number of branches and loops around the current statement.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.own: set[str] = set()
        self.loops: list[int] = []
        self.asked: set[str] = set()
        self.count = 0
        self.depth = 0

    def refuse(self, node: Any, found: str, advice: str) -> CompileError:
        """Make the error for a node that cannot be converted."""
        span = Span(self.source, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        return CompileError(f"A function with control_flow cannot contain {found}. {advice}.", span)

    # ---- expressions

    def expressions(self, root: ast.AST) -> None:
        """Replace expressions that Python evaluates lazily, such as `a and b`, by calls.

        Inner expressions are replaced first.
        """
        places: list[tuple[ast.AST, str, int]] = []
        nodes = [root]
        for node in nodes:
            for field, value in ast.iter_fields(node):
                for k, child in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(child, ast.AST):
                        nodes.append(child)
                        places.append((node, field, k if isinstance(value, list) else -1))
        cheap = {id(node): self._cheap(node) for node in nodes if isinstance(node, ast.BoolOp | ast.Compare)}
        for parent, field, k in reversed(places):
            holder = getattr(parent, field)
            node = holder[k] if k >= 0 else holder
            new = self._expression(node, cheap.get(id(node), ()))
            if new is node:
                continue
            _at(node, new)
            if k >= 0:
                holder[k] = new
            else:
                setattr(parent, field, new)

    def _cheap(self, node: ast.BoolOp | ast.Compare) -> tuple[bool, ...]:
        parts = node.values[1:] if isinstance(node, ast.BoolOp) else node.comparators[1:]
        return tuple(all(isinstance(x, _CHEAP) for x in ast.walk(part)) for part in parts)

    def _expression(self, node: ast.AST, cheap: tuple[bool, ...]) -> ast.AST:
        match node:
            case ast.BoolOp(op=op, values=[first, *others]):
                method = "all" if isinstance(op, ast.And) else "any"
                return _call(method, _constant(cheap), first, *map(self._lazy, others))
            case ast.UnaryOp(op=ast.Not(), operand=p):
                return _call("negation", p)
            case ast.IfExp(test=p, body=then, orelse=orelse):
                return _call("choice", p, self._lazy(then), self._lazy(orelse))
            case ast.Compare(ops=[_, _, *_]):
                return self._chain(node, cheap)
        return node

    def _lazy(self, node: ast.expr) -> ast.expr:
        for part in _within([node]):
            if isinstance(part, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
                raise self.refuse(
                    part, f"`{ast.unparse(part)}` in an expression that Python may skip",
                    "Write it as a statement before this expression",
                )  # fmt: skip
        return _lambda(node)

    def _chain(self, node: ast.Compare, cheap: tuple[bool, ...]) -> ast.expr:
        """Rewrite a < b < c as (λ l r: l < r and r < c)(a, b)."""
        ops, operands = node.ops, [node.left, *node.comparators]
        chain: ast.expr = ast.Compare(_load(".l"), [ops[-1]], [operands[-1]])
        for k in range(len(ops) - 2, -1, -1):
            pair = ast.Compare(_load(".l"), [ops[k]], [_load(".r")])
            rest = ast.Call(_lambda(chain, ".l"), [_load(".r")], [])
            both = _call("all", _constant((all(cheap[k:]),)), pair, self._lazy(rest))
            left = operands[0] if k == 0 else _load(".l")
            chain = ast.Call(_lambda(both, ".l", ".r"), [left, operands[k + 1]], [])
        return chain

    # ---- functions

    def function(self, node: ast.FunctionDef) -> set[str]:
        """Rewrite a function's definition in place. Return the names of the function's variables."""
        around = self.own, self.loops, self.asked, self.depth
        parameters = {parameter.arg for parameter in _parameters(node.args)}
        self.own, self.loops, self.asked, self.depth = _assigned(node.body) | parameters, [], set(), 0
        for part in _within(node.body):
            if isinstance(part, ast.Yield | ast.YieldFrom | ast.Await | ast.AsyncFor | ast.AsyncWith):
                raise self.refuse(part, "a generator", "Return a tuple from a plain function")
        returns = "return" in _jumps(node.body)
        last = node.body[-1]
        if returns and not _always_jumps(node.body):
            node.body.append(_at(last, ast.Return(ast.Constant(None))))
        body = self.block(node.body, True)
        names = sorted(_assigned(body))
        head: list[ast.stmt] = [
            ast.AnnAssign(ast.Name(name, ast.Store()), ast.Constant(None), None, 1)
            for name in names if name not in parameters
        ]  # fmt: skip
        if _RETURNED in self.asked:
            head.append(_set(_RETURNED, ast.Constant(False)))
        if VALUE in names:
            body.append(_at(last, ast.Return(_load(VALUE))))
        node.body = [*(_at(node.body[0], statement) for statement in head), *body]
        own = self.own
        self.own, self.loops, self.asked, self.depth = around
        return own | set(names)

    # ---- lists of statements

    def block(self, statements: Sequence[ast.stmt], tail: bool) -> list[ast.stmt]:
        """Rewrite a list of statements. Flags replace jumps such as `break`.

        tail: true if this is the last list of statements in the loop or function.
        """
        out: list[ast.stmt] = []
        left: set[str] = set()
        rest = list(statements)
        while rest:
            chunk, rest = self._chunk(rest)
            kinds = _jumps(chunk) if rest else set()
            rewritten = [
                new for k, s in enumerate(chunk)
                for new in self.statement(s, tail and not rest and k == len(chunk) - 1)
            ] if not left else self._guarded(left, chunk, tail and not rest)  # fmt: skip
            out += rewritten
            left |= kinds
        return out

    def _chunk(self, statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Split a list of statements after the first one that may jump. Return both parts.

        If this statement is an `if` and one of its branches always jumps, move the second part into the other
        branch.
        """
        for k, s in enumerate(statements):
            if isinstance(s, ast.Return | ast.Break | ast.Continue):
                return statements[: k + 1], []
            if not _jumps([s]):
                continue
            rest = statements[k + 1 :]
            if isinstance(s, ast.If) and self.depth < _MOVED:
                if _always_jumps(s.body):
                    s.orelse, rest = s.orelse + rest, []
                elif _always_jumps(s.orelse):
                    s.body, rest = s.body + rest, []
            return statements[: k + 1], [] if _always_jumps([s]) else rest
        return statements, []

    def _guarded(self, left: set[str], chunk: list[ast.stmt], tail: bool) -> list[ast.stmt]:
        test = _at(chunk[0], self._clear(left))
        return self._if(ast.copy_location(ast.If(test, chunk, []), chunk[0]), tail)

    def _clear(self, left: set[str]) -> ast.expr:
        """Make an expression that is true if no flag for these kinds of jumps is set."""
        flags = sorted(map(self._flag, left))
        self.asked.update(flags)
        return _call("clear", *map(_load, flags))

    def _flag(self, kind: str) -> str:
        return _RETURNED if kind == "return" else f".{kind}{self.loops[-1]}"

    def statement(self, s: ast.stmt, tail: bool) -> list[ast.stmt]:
        """Rewrite a statement. Return the statements that replace it."""
        match s:
            case ast.Return():
                return self._return(s, tail)
            case ast.Break():
                return [_at(s, _set(self._flag("break"), ast.Constant(True)))]
            case ast.Continue():
                return [] if tail else [_at(s, _set(self._flag("continue"), ast.Constant(True)))]
            case ast.If():
                return self._if(s, tail)
            case ast.While() | ast.For():
                return self._loop(s, tail)
            case ast.FunctionDef():
                self.function(s)
                return [s]
            case ast.Global() | ast.Nonlocal():
                raise self.refuse(s, f"`{ast.unparse(s)}`", "Use local variables, and return the value")
            case ast.Try() | ast.With() | ast.Match() | ast.TryStar():
                return self._compound(s)
            case ast.AnnAssign(target=ast.Name() as target, value=value):
                return [_at(s, ast.Assign([target], value))] if value else []
            case ast.Assert(test=test, msg=message):
                because = self._lazy(message) if message else ast.Constant(None)
                return [_at(s, ast.Expr(_call("checks", test, because)))]
            case ast.Raise():
                return [_at(s, ast.Expr(_call("raises"))), s]
        return [*self._changes(s), s]

    def _return(self, s: ast.Return, tail: bool) -> list[ast.stmt]:
        if tail and not self.loops and self.depth == 0:
            return [s]
        statements = [_set(VALUE, s.value or ast.Constant(None))]
        if not tail or self.loops:
            statements.append(_set(_RETURNED, ast.Constant(True)))
        return [_at(s, new) for new in statements]

    def _compound(self, s: Any) -> list[ast.stmt]:
        """Rewrite the statements inside a `with`, `try` or `match`, but keep the statement itself."""
        if isinstance(s, ast.Try | ast.TryStar) and _jumps([s]):
            raise self.refuse(s, "a jump out of `try`", "Assign a variable there, and jump outside")
        self.depth += 1
        for part in (s, *getattr(s, "handlers", ()), *getattr(s, "cases", ())):
            for field in ("body", "orelse", "finalbody"):
                if getattr(part, field, None):
                    setattr(part, field, self.block(getattr(part, field), False) or [_at(s, ast.Pass())])
        self.depth -= 1
        return [s]

    def _changes(self, s: Any) -> list[ast.stmt]:
        """Make a call of `Flow.changes` for each object that a statement changes in place."""
        changed: list[tuple[ast.expr, bool]] = []
        match s:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                parts = [part for target in targets for part in ast.walk(target)]
                changed += [(part.value, False) for part in parts if _is_store(part)]  # type: ignore[attr-defined]
            case ast.AugAssign(target=ast.Name(id=name)):
                changed.append((_load(name), True))
            case ast.AugAssign(target=target):
                changed.append((target.value, False))  # type: ignore[union-attr]
        for node in _within([s]):
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CHANGING:
                    changed.append((value, False))
                case ast.Call(func=ast.Name(id="next"), args=[value, *_]):
                    changed.append((value, False))
        statements: list[ast.stmt] = []
        for value, augmented in changed:
            root = _root(value)
            if isinstance(root, ast.Name):
                is_own = root.id in self.own
                question = _call("changes", _load(root.id), *map(_constant, (root.id, is_own, augmented)))
                statements.append(_at(s, ast.Expr(question)))
        return statements

    # ---- branches and loops

    def _if(self, s: ast.If, tail: bool) -> list[ast.stmt]:
        self.depth += 1
        then, orelse = self.block(s.body, tail), self.block(s.orelse, tail)
        self.depth -= 1
        names = sorted(_assigned([*then, *orelse]))
        statements = [_function(".then", then, names=names)]
        if orelse:
            statements.append(_function(".else", orelse, names=names))
        other = _load(".else") if orelse else ast.Constant(None)
        call = _call("branch", s.test, _constant(tuple(names)), _load(".then"), other)
        statements.append(ast.Expr(_at(s.test, call)))
        return [_at(s, new) for new in statements]

    def _loop(self, s: ast.While | ast.For, tail: bool) -> list[ast.stmt]:
        self.count += 1
        self.loops.append(self.count)
        self.depth += 1
        kinds = _jumps(s.body)
        ends = kinds - {"continue"}
        flags = {kind: self._flag(kind) for kind in kinds}
        body = self.block(s.body, True)
        self.depth -= 1
        going = _at(s, self._clear(ends)) if ends else None
        self.loops.pop()
        if flags.get("continue") in self.asked:
            body.insert(0, _at(s, _set(flags["continue"], ast.Constant(False))))
        statements = [_set(flags["break"], ast.Constant(False))] if "break" in kinds else []
        statements += self._while(s, body, going) if isinstance(s, ast.While) else self._for(s, body, going)
        statements = [_at(s, new) for new in statements]
        if not s.orelse:
            return statements
        if not ends:
            return statements + self.block(s.orelse, tail)
        test = _at(s, _call("clear", *(_load(flags[kind]) for kind in sorted(ends))))
        self.asked.update(flags.values())
        return statements + self._if(ast.copy_location(ast.If(test, s.orelse, []), s), tail)

    def _while(self, s: ast.While, body: list[ast.stmt], going: ast.expr | None) -> list[ast.stmt]:
        test: ast.expr = _lambda(s.test)
        self._lazy(s.test)
        if going:
            both = going if _is_true(s.test) else _call("all", _constant((False,)), going, _lambda(s.test))
            test = _lambda(both)
        names = sorted(_assigned(body))
        call = _call("repeat", test, _constant(tuple(names)), _load(".body"))
        return [_function(".body", body, names=names), ast.Expr(_at(s.test, call))]

    def _for(self, s: ast.For, body: list[ast.stmt], going: ast.expr | None) -> list[ast.stmt]:
        items = s.iter
        if isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id == "range":
            items = _at(items, _call("range", items.func, *items.args))
        body = [_at(s.target, ast.Assign([s.target], _load(_ITEM))), *body]
        names, targets = sorted(_assigned(body)), sorted(_assigned([s.target]))
        stop = [_lambda(going)] if going else []
        call = _call("each", items, _constant(tuple(names)), _load(".body"), _constant(tuple(targets)), *stop)
        return [_function(".body", body, _ITEM, names=names), ast.Expr(_at(s.iter, call))]
