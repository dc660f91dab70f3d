"""`autograph`: a function whose `if`, `while` and `for` on traced values become branches and loops.

The function's source is parsed and rewritten, in two steps:

1. `break`, `continue` and early `return` become flags and guards; the rest of a block whose `if` always
   leaves moves into that `if`'s other branch, which needs neither.
2. Branches and bodies become functions on the same variables (`nonlocal`), handed to `flow.Flow`; what
   Python evaluates lazily (`and`, `or`, `a if p else b`, `a < b < c`) becomes lambdas.

All nodes keep their places, so that errors and traced rows point to the user's lines. Names that begin with a
dot are no names of Python's, so they never meet the user's. Nothing is executed to define the new function:
its code object is taken out of the compiled module and gets the original's globals, defaults and cells.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar

from .errors import CompileError, LimitError, Span, TypeMismatchError, span_of
from .flow import VALUE, Flow
from .values import current

_FLOW, _RETURNED, _ITEM = ".flow", ".returned", ".item"

_MOVED = 20
"""How deep the rest of a block moves into branches; deeper it is guarded by flags, which does not nest."""

_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_CHEAP = (
    ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.operator,
    ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context,
)  # fmt: skip
"""Nodes of expressions that cost little and cannot trap."""
_CHANGING = frozenset({
    "add", "append", "clear", "discard", "extend", "fill", "insert", "pop", "popitem", "remove", "reverse",
    "setdefault", "sort", "update",
})  # fmt: skip
"""Methods that change a list, set, dict or array in place."""

F = TypeVar("F", bound=Callable[..., Any])
Node = TypeVar("Node", bound=ast.AST)


def autograph(f: F) -> F:
    """The function `f` with its control flow traced: a macro, for `eg.fn`, `eg.grad` and their like.

    While tracing, a condition that is a plain bool keeps Python's meaning. A traced Bool makes branches
    (`eg.cond`) of `if`, `and`, `or` and `a if p else b`, and an `eg.while_loop` of `while`. `for … in range`
    and `for` over a traced Vec are an `eg.fori_loop`, or an `eg.while_loop` where `break` or `return` may end
    them; a `for` over anything else is unrolled, over `list(range(n))` too. An index is a Real where it meets
    one. Bodies may be run several times while tracing. Functions defined in `f` are converted, those that it
    calls are not. A traced `assert` is checked when the code runs, going forward; a `raise` is for what is
    known while tracing. Outside a trace `f` itself runs.

    Raises: CompileError, at its line, for what cannot be converted; TypeMismatchError if `f` is no function
        with a source, and, when traced, for variables that have no value or no one type on some way.
    """
    if not inspect.isfunction(f):
        raise TypeMismatchError(f"Found autograph({f!r}), expected a Python function; decorate it first.")
    original = f.__code__
    code, own = _converted(original)

    @functools.wraps(f)
    def run(*args: Any, **named: Any) -> Any:
        b = current.get()
        if b is None:
            return f(*args, **named)
        flow = Flow()
        cells = dict(zip(original.co_freevars, f.__closure__ or (), strict=True)) | {_FLOW: CellType(flow)}
        closure = tuple(cells[name] for name in code.co_freevars)
        converted = FunctionType(code, f.__globals__, f.__name__, f.__defaults__, closure)
        converted.__kwdefaults__ = f.__kwdefaults__
        promoted, b.promotes = b.promotes, True
        try:
            return converted(*args, **named)
        except NameError as error:
            raise flow.without_value(error, own, original.co_filename) or error from None
        finally:
            b.promotes = promoted

    return run  # type: ignore[return-value]


def _converted(original: CodeType) -> tuple[CodeType, set[str]]:
    """The code of the converted function, and the names of its variables."""
    rewriter = _Rewriter(original.co_filename)
    try:
        definition = _definition(original)
        rewriter.expressions(definition)
        own = rewriter.function(definition)
        outer = _parsed("def _(): pass").body[0]
        assert isinstance(outer, ast.FunctionDef)
        outer.args.args = [ast.arg(name, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
                           for name in (*original.co_freevars, _FLOW)]  # fmt: skip
        outer.body = [definition]
        module = compile(ast.Module([outer], []), original.co_filename, "exec", dont_inherit=True)
    except RecursionError:
        raise LimitError(
            f"Found {original.co_name} nested too deep to be converted; split it.", span_of((original, 0))
        ) from None
    maker = _code_in(module)
    return _code_in(maker, original.co_name), own | {VALUE}


def _code_in(code: CodeType, name: str = "_") -> CodeType:
    return next(x for x in code.co_consts if isinstance(x, CodeType) and x.co_name == name)


def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _definition(code: CodeType) -> ast.FunctionDef:
    """The parsed definition of a function, in its place in the file, without decorators and annotations."""
    try:
        lines, first = inspect.getsourcelines(code)
        text = "".join(lines)
        indented = text[:1].isspace()
        module = _parsed(f"if 1:\n{text}" if indented else text)
    except (OSError, SyntaxError, TypeError):
        module, first, indented = ast.Module([], []), 1, False
    body: Any = module.body[0].body if indented else module.body  # type: ignore[attr-defined]
    definition = body[0] if body else None
    if not isinstance(definition, ast.FunctionDef) or definition.name != code.co_name:
        raise TypeMismatchError(
            f"Found {code.co_name} without a source of its own, expected a function that is written with "
            "`def` in a file or a notebook; write eg.cond, eg.while_loop and eg.select yourself.",
            span_of((code, 0)),
        )
    ast.increment_lineno(module, first - 1 - indented)
    definition.decorator_list, definition.returns = [], None
    arguments = definition.args
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    for parameter in _parameters(arguments):
        parameter.annotation = None
    return definition


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    others = (arguments.vararg, arguments.kwarg)
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *(x for x in others if x)]


# ---------------------------------------------------------------- making nodes


def _at(like: ast.AST, node: Node) -> Node:
    """A new node in the place of another; parts that have a place keep it."""
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
    made: Any = _parsed("def _(): pass").body[0]  # has the fields of the Python that runs
    made = type(made)(**{field: getattr(made, field) for field in made._fields})
    made.name = name
    made.args = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
    made.body = [*([ast.Nonlocal(list(names))] if names else []), *(body or [ast.Pass()])]
    return made  # type: ignore[no-any-return]


# ---------------------------------------------------------------- reading nodes


def _within(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that run in the same scope; of nested scopes, their heads alone."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.comprehension):
            pending += [node.iter, *node.ifs]
        elif not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))


def _assigned(nodes: Iterable[ast.AST]) -> set[str]:
    """The variables that some statements may change."""
    found: set[str] = set()
    for node in _within(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name, body=[ast.Nonlocal(names=names), *_]) if name[0] == ".":
                found.update(names)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name[0] != ".":
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.split(".")[0])
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
                found.update([node.name] if node.name else [])
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
    return found


def _jumps(statements: Iterable[ast.stmt]) -> set[str]:
    """The ways in which some statements may leave their list: "return", "break", "continue"."""
    found = set()
    pending: list[tuple[ast.AST, bool]] = [(statement, False) for statement in statements]
    while pending:
        node, in_loop = pending.pop()
        if isinstance(node, ast.Return):
            found.add("return")
        elif isinstance(node, ast.Break | ast.Continue):
            if not in_loop:
                found.add(type(node).__name__.lower())
        elif isinstance(node, ast.For | ast.While):
            pending += [(child, True) for child in node.body] + [(child, in_loop) for child in node.orelse]
        elif not isinstance(node, ast.expr | _SCOPES):
            pending += [(child, in_loop) for child in ast.iter_child_nodes(node)]
    return found


def _always_jumps(statements: Sequence[ast.stmt]) -> bool:
    """Whether what follows some statements never runs."""
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
    """The variable or call that an element or attribute belongs to."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


# ---------------------------------------------------------------- rewriting


class _Rewriter:
    """Rewrites one function and those that are defined in it.

    own: the variables of the function that is being rewritten.
    loops: the numbers of the loops around a statement; their flags end with them.
    asked: the flags that a guard reads.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.own: set[str] = set()
        self.loops: list[int] = []
        self.asked: set[str] = set()
        self.count = 0
        self.depth = 0

    def refuse(self, node: Any, found: str, expected: str) -> CompileError:
        """The error for what cannot be converted."""
        span = Span(self.source, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        return CompileError(f"Found {found} in a function with control_flow; {expected}.", span)

    # ---- expressions

    def expressions(self, root: ast.AST) -> None:
        """Replace lazy expressions, innermost first."""
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
                    part, f"`{ast.unparse(part)}` in an expression that may not be evaluated",
                    "expected no assignment there; write it as a statement before",
                )  # fmt: skip
        return _lambda(node)

    def _chain(self, node: ast.Compare, cheap: tuple[bool, ...]) -> ast.expr:
        """a < b < c as (λ l r: l < r and r < c)(a, b)."""
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
        """Rewrite a definition in place; the names of its variables come back."""
        around = self.own, self.loops, self.asked, self.depth
        parameters = {parameter.arg for parameter in _parameters(node.args)}
        self.own, self.loops, self.asked, self.depth = _assigned(node.body) | parameters, [], set(), 0
        for part in _within(node.body):
            if isinstance(part, ast.Yield | ast.YieldFrom | ast.Await | ast.AsyncFor | ast.AsyncWith):
                raise self.refuse(part, "a generator", "expected a plain function; return a tuple")
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
        """A list of statements without jumps; `tail` says that nothing follows it in the loop or function."""
        out: list[ast.stmt] = []
        left: set[str] = set()
        rest = list(statements)
        while rest:
            chunk, rest = self._chunk(rest)
            kinds = _jumps(chunk) if rest else set()
            made = [
                new for k, s in enumerate(chunk)
                for new in self.statement(s, tail and not rest and k == len(chunk) - 1)
            ] if not left else self._guarded(left, chunk, tail and not rest)  # fmt: skip
            out += made
            left |= kinds
        return out

    def _chunk(self, statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The statements up to the first that may jump, which gets the others if they belong into it."""
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
        """Whether none of these jumps has been made."""
        flags = sorted(map(self._flag, left))
        self.asked.update(flags)
        return _call("clear", *map(_load, flags))

    def _flag(self, kind: str) -> str:
        return _RETURNED if kind == "return" else f".{kind}{self.loops[-1]}"

    def statement(self, s: ast.stmt, tail: bool) -> list[ast.stmt]:
        """What stands for a statement."""
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
                raise self.refuse(s, f"`{ast.unparse(s)}`", "expected variables of its own; return the value")
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
        made = [_set(VALUE, s.value or ast.Constant(None))]
        if not tail or self.loops:
            made.append(_set(_RETURNED, ast.Constant(True)))
        return [_at(s, new) for new in made]

    def _compound(self, s: Any) -> list[ast.stmt]:
        """`with`, `try` and `match`, which stay as they are; the statements in them do not."""
        if isinstance(s, ast.Try | ast.TryStar) and _jumps([s]):
            raise self.refuse(s, "a jump out of `try`", "expected it outside; assign a variable there")
        self.depth += 1
        for part in (s, *getattr(s, "handlers", ()), *getattr(s, "cases", ())):
            for field in ("body", "orelse", "finalbody"):
                if getattr(part, field, None):
                    setattr(part, field, self.block(getattr(part, field), False) or [_at(s, ast.Pass())])
        self.depth -= 1
        return [s]

    def _changes(self, s: Any) -> list[ast.stmt]:
        """The questions whether what a statement changes in place may be changed."""
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
        made: list[ast.stmt] = []
        for value, augmented in changed:
            root = _root(value)
            if isinstance(root, ast.Name):
                is_own = root.id in self.own
                question = _call("changes", _load(root.id), *map(_constant, (root.id, is_own, augmented)))
                made.append(_at(s, ast.Expr(question)))
        return made

    # ---- branches and loops

    def _if(self, s: ast.If, tail: bool) -> list[ast.stmt]:
        self.depth += 1
        then, orelse = self.block(s.body, tail), self.block(s.orelse, tail)
        self.depth -= 1
        names = sorted(_assigned([*then, *orelse]))
        made = [_function(".then", then, names=names)]
        if orelse:
            made.append(_function(".else", orelse, names=names))
        other = _load(".else") if orelse else ast.Constant(None)
        call = _call("branch", s.test, _constant(tuple(names)), _load(".then"), other)
        made.append(ast.Expr(_at(s.test, call)))
        return [_at(s, new) for new in made]

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
        made = [_set(flags["break"], ast.Constant(False))] if "break" in kinds else []
        made += self._while(s, body, going) if isinstance(s, ast.While) else self._for(s, body, going)
        made = [_at(s, new) for new in made]
        if not s.orelse:
            return made
        if not ends:
            return made + self.block(s.orelse, tail)
        test = _at(s, _call("clear", *(_load(flags[kind]) for kind in sorted(ends))))
        self.asked.update(flags.values())
        return made + self._if(ast.copy_location(ast.If(test, s.orelse, []), s), tail)

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


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)
