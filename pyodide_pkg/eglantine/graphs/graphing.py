"""`eg.graph`: a function's rows as a graph of nodes and edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eglantine.analysis.liveness import live_rows
from eglantine.errors import TypeMismatchError, span_of, written
from eglantine.functions.fn import Fn, argument_types, as_fn, bound_arguments, check_function, fn
from eglantine.ir.primitives import operands
from eglantine.ir.printer import reachable
from eglantine.ir.program import NESTING, Block, Cond, Function
from eglantine.ir.row_types import F64, Row
from eglantine.leaves import leaves
from eglantine.plain.marshal import flatten
from eglantine.types import RealType, StructType, TupleType, Type, VecType

from .nodes import Edge, Node, chain_to, levels_of, reaching
from .values import cotangents_of, values_of
from .writing import as_dot, as_json, as_mermaid

SIGNS = {
    "add": "+", "sub": "−", "mul": "×", "div": "÷", "neg": "−", "iadd": "+", "isub": "−", "imul": "×",
    "lt": "<", "le": "≤", "gt": ">", "ge": "≥", "eq": "=", "ne": "≠", "ilt": "<", "ile": "≤", "igt": ">",
    "ige": "≥", "ieq": "=", "ine": "≠", "acc": "sum", "acc_index": "element", "add_to": "add to",
}  # fmt: skip
"""A dict from the names of operations to the signs that stand for the operations in pictures."""


class Graph:
    """The operations of a function as nodes, and the uses of their results as edges.

    name: the function's name.
    nodes: a tuple of all nodes. An operation comes after its operands.
    edges: a tuple of all edges. An edge leads from a value to an operation that uses the value.
    inputs: a dict from the name of each Real, index or array in the arguments to the number of its node.
    outputs: a dict from the name of each Real, index or array in the result to the number of its node.
    functions: a dict from the name of each function that is called directly or indirectly to its graph.
    """

    def __init__(self, function: Function, names: Mapping[Function, str]) -> None:
        self.name = function.name
        self._function, self._names = function, names
        building = _Building(names)
        self._rows = building.function(function)
        block = function.block
        self.inputs: dict[str, int] = {}
        self.outputs: dict[str, int] = {}
        if block is not None:
            inputs, outputs = _input_names(function), _leaf_names("result", function.result)
            self.inputs = {name: self._rows[row] for name, row in zip(inputs, block.params, strict=True)}
            for name, row in zip(outputs, block.results, strict=True):
                self.outputs[name] = building.node(block, row, self._rows, None)
        levels = levels_of(len(building.nodes), building.edges, (n[0] not in _IDLE for n in building.nodes))
        self.nodes = tuple(
            Node(k, op, label, of, parent, levels[k], line)
            for k, (op, label, of, parent, line) in enumerate(building.nodes)
        )
        self.edges = tuple(building.edges)

    @property
    def functions(self) -> dict[str, Graph]:
        """Return a dict from names to graphs, for the functions that are called directly or indirectly."""
        callees = reachable(self._function)[1:]
        return {self._names[callee]: Graph(callee, self._names) for callee in callees if callee.block}

    @property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The operations, grouped into levels. Operations of one level do not need each other's results.

        The first level needs only inputs and constants. A loop or branch counts as one operation, so the
        operations in its body are left out.
        """
        groups: dict[int, list[int]] = {}
        for node in self.nodes:
            if node.parent is None and node.op not in _IDLE:
                groups.setdefault(node.level, []).append(node.id)
        return tuple(tuple(groups[level]) for level in sorted(groups))

    @property
    def critical_path(self) -> tuple[int, ...]:
        """The nodes on a longest path from an input or constant to an output."""
        if not self.outputs:
            return ()
        levels = [node.level for node in self.nodes]
        end = max(self.outputs.values(), key=lambda node: levels[node])
        return tuple(chain_to(end, self.edges, levels))

    def reaching(self, output: str | int | None = None) -> tuple[str, ...]:
        """Return the names of the inputs that can affect an output, directly or through a condition.

        output: the name or the position of the output, or None for all outputs together.
        """
        names = list(self.outputs)
        if output is None:
            ends = list(self.outputs.values())
        elif output in self.outputs:
            ends = [self.outputs[output]]
        elif isinstance(output, int) and -len(names) <= output < len(names):
            ends = [self.outputs[names[output]]]
        else:
            raise TypeMismatchError(
                f"{self.name} has no output {output!r}. Its outputs are {', '.join(names)}. Write "
                f"graph.reaching({names[0] if names else 'result'!r})."
            )
        reached = reaching(ends, self.edges)
        return tuple(name for name, node in self.inputs.items() if node in reached)

    def at(self, *args: Any) -> dict[int, tuple[float, float | None]]:
        """Return the value and the cotangent of each Real for the arguments `args`.

        Reals inside loops and branches are left out. The cotangent of a node is the derivative of the result
        with respect to the node's value. It is None if the result is not one Real.
        """
        function = self._function
        block = function.block
        assert block is not None
        given = bound_arguments(Fn(function), args)
        values = [
            value for arg, of, name in zip(given, function.params, _parameters(function), strict=True)
            for value in flatten(arg, of, f"argument {name} of {self.name}")
        ]  # fmt: skip
        rows = [row for row in self._rows if row > 0 and block.types[row] is F64]
        found = values_of(function, values, rows)
        cotangents: Sequence[float | None] = [None] * len(rows)
        if isinstance(function.result, RealType):
            cotangents = cotangents_of(function, values, rows)
        return {
            self._rows[row]: pair for row, pair in zip(rows, zip(found, cotangents, strict=True), strict=True)
        }

    def dot(self) -> str:
        """The graph as a text for Graphviz."""
        return as_dot(self.name, self.nodes, self.edges, self.outputs)

    def mermaid(self) -> str:
        """The graph as a text for Mermaid."""
        return as_mermaid(self.nodes, self.edges, self.outputs)

    def json(self) -> str:
        """The graph as JSON."""
        return as_json(self.name, self.nodes, self.edges, self.inputs, self.outputs)

    def __repr__(self) -> str:
        return f"<graph of {self.name}: {len(self.nodes)} nodes, {len(self.edges)} edges>"


_ALIASES = frozenset({"check", "acc_read"})
"""Operations that get no node in a graph, because their value always equals their first operand."""

_IDLE = frozenset({"input", "const", "part"})


def _parameters(function: Function) -> list[str]:
    names = function.param_names
    return [names[k] if k < len(names) else f"x{k}" for k in range(len(function.params))]


def _leaf_names(name: str, of: Type) -> list[str]:
    """Return a name for each leaf of a value, such as "p.a" or "p[0]"."""
    match of:
        case VecType(_, element):
            inner = _leaf_names("", element)
            return [f"{name}{own}" for own in inner]
        case TupleType(items):
            return [leaf for k, item in enumerate(items) for leaf in _leaf_names(f"{name}[{k}]", item)]
        case StructType(fields):
            return [leaf for field, item in fields for leaf in _leaf_names(f"{name}.{field}", item)]
    return [name] * len(leaves(of))


class _Building:
    """Collects the nodes and edges of a graph.

    nodes: for each node, a tuple (op, label, type, parent, line) with the fields of `Node`.
    """

    def __init__(self, names: Mapping[Function, str]) -> None:
        self.names = names
        self.nodes: list[tuple[str, str, str, int | None, int | None]] = []
        self.edges: list[Edge] = []
        self._constants: dict[Any, int] = {}

    def add(self, op: str, label: str, of: Any, parent: int | None, source: Any = None) -> int:
        """Add a node and return its number."""
        span = span_of(written(source)[0]) if source is not None else None
        self.nodes.append((op, label, repr(of), parent, span.line if span else None))
        return len(self.nodes) - 1

    def function(self, function: Function) -> dict[int, int]:
        """Add the nodes of a function. Return the node of each row."""
        block = function.block
        if block is None:
            return {}
        names = _input_names(function)
        rows: dict[int, int] = {}
        for row, name in zip(block.params, names, strict=True):
            rows[row] = self.add("input", name, block.types[row], None)
        self._body(block, rows, None)
        return rows

    def node(self, block: Block, row: int, rows: dict[int, int], parent: int | None) -> int:
        """Return the node of a row or constant. Add a node when a constant is used for the first time."""
        if row > 0:
            return rows[row]
        value = 0.0 if row == 0 else block.consts[~row]
        key = (parent, type(value), repr(value))
        if key not in self._constants:
            of = F64 if row == 0 else block.const_types[~row]
            self._constants[key] = self.add(
                "const", f"{value:g}" if type(value) is float else str(value), of, parent
            )
        return self._constants[key]

    def _body(self, block: Block, rows: dict[int, int], parent: int | None) -> None:
        """Add the nodes of a block and of the bodies in it, in the order of execution."""
        pending = [(block, rows, parent, iter(_shown(block, parent)))]
        while pending:
            block, rows, parent, remaining = pending[-1]
            for i in remaining:
                row = block.rows[i]
                if row[0] == "proj" and _is_only_result(block, row[1], parent):
                    rows[i] = rows[row[1]]
                    continue
                if row[0] in _ALIASES:
                    rows[i] = self.node(block, row[1], rows, parent)
                    continue
                sources = [self.node(block, a, rows, parent) for a in operands(row)]
                op, label = self._named(row)
                node = rows[i] = self.add(op, label, block.types[i], parent, block.sources[i])
                self.edges += [Edge(source, node, k) for k, source in enumerate(sources)]
                if row[0] == "add_to":
                    rows[row[1]] = node
                if row[0] in NESTING:
                    pending += [
                        (body, self._parameters_of(body, row, sources, node), node, iter(_shown(body, node)))
                        for body in reversed(row[2].blocks)
                    ]
                    for acc in (a for a in operands(row) if a > 0 and block.types[a].dtype == "acc"):
                        rows[acc] = node
                    break
            else:
                pending.pop()

    def _parameters_of(self, body: Block, row: Row, sources: Sequence[int], node: int) -> dict[int, int]:
        """Add the nodes of a body's parameters, and edges to them from their initial values."""
        names = ["from outside"] * len(body.params)
        if not isinstance(row[2], Cond):
            carried = row[2].carried
            names[: 1 + carried] = ["round", *["carry"] * carried]
        rows = {
            param: self.add("input", name, body.types[param], node)
            for param, name in zip(body.params, names, strict=True)
        }
        self.edges += [Edge(source, rows[param], 0) for param, source in row[2].given(body, sources)]
        return rows

    def _named(self, row: Row) -> tuple[str, str]:
        """The operation of a row and its label."""
        op: str = row[0]
        if op == "call":
            return "call", self.names.get(row[2], row[2].name)
        if op == "loop":
            return ("while", "while") if row[2].test else ("loop", f"loop × {row[2].count or row[2].extent}")
        if op == "cond":
            return "cond", "if"
        if op == "proj":
            return "part", f"part {row[2]}"
        if op == "powi":
            return "powi", f"power {row[2]}"
        return op, SIGNS.get(op, op)


def _input_names(function: Function) -> list[str]:
    """Return a name for each leaf of the parameters, and for each captured value."""
    pairs = zip(function.params, _parameters(function), strict=True)
    names = [leaf for of, name in pairs for leaf in _leaf_names(name, of)]
    return [*names, *(f"captured {k}" for k in range(function.hidden))]


def _shown(block: Block, parent: int | None) -> list[int]:
    """List the rows of a block that become nodes. Leave out unused rows of the outermost block."""
    live = live_rows(block).flags if parent is None else None
    return [
        i for i, row in enumerate(block.rows)
        if row[0] not in ("zero", "param") and (live is None or live[i])
    ]  # fmt: skip


def _is_only_result(block: Block, row: int, parent: int | None) -> bool:
    """True if only one row reads the results of a call, loop or branch."""
    return sum(block.rows[i][:2] == ("proj", row) for i in _shown(block, parent)) == 1


def graph(f: Any, *args: Any) -> Graph:
    """Return the operations of f as a graph of nodes and edges.

    >>> import eglantine as eg
    >>> @eg.fn
    ... def f(x: eg.Real, y: eg.Real) -> eg.Real:
    ...     return eg.math.sin(x) * y
    >>> g = eg.graph(f)
    >>> [node.label for node in g.nodes], [(edge.source, edge.target) for edge in g.edges]
    (['x', 'y', 'sin', '×'], [(0, 2), (1, 3), (2, 3)])
    >>> g.levels, g.critical_path, g.reaching("result")
    (((2,), (3,)), (0, 2, 3), ('x', 'y'))
    >>> g.at(0.0, 5.0)
    {0: (0.0, 5.0), 1: (5.0, 0.0), 2: (0.0, 5.0), 3: (0.0, 1.0)}

    `g.dot()`, `g.mermaid()` and `g.json()` return the graph as text. `g.levels` groups operations that could
    run at the same time. `g.critical_path` lists the nodes of a longest chain. `g.reaching(output)` lists the
    inputs that can affect an output. `g.at(*args)` maps each node to its value and its cotangent.

    args: example values of f's arguments. We use only their types. Leave them out if f has types.
    """
    if isinstance(f, Fn):
        function = f.function
    else:
        check_function(f)
        if not args and _takes_arguments(f):
            raise TypeMismatchError(
                "This function has no types, so its graph needs arguments. Write eg.graph(f, x), or make "
                "the function an eg.fn."
            )
        function = as_fn(f, argument_types(args)).function
    if function.block is None:  # f is an opaque function: draw one call of it
        make = fn(function.params, function.result, names=_parameters(function))
        function = make(lambda *values: f(*values)).function  # noqa: PLW0108 - `trace` looks into functions
    names: dict[Function, str] = {}
    for callee in reachable(function):
        name, k = callee.name, 1
        while name in names.values():
            k += 1
            name = f"{callee.name}.{k}"
        names[callee] = name
    return Graph(function, names)


def _takes_arguments(f: Any) -> bool:
    code = getattr(getattr(f, "__wrapped__", f), "__code__", None)
    defaults = getattr(f, "__defaults__", None) or ()
    return code is None or code.co_argcount > len(defaults)
