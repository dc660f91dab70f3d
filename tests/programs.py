"""Well-typed programs for the laws: plans of statements that Hypothesis draws, and what they trace to.

A plan is plain data, so that a failing one shrinks and prints. A body is a tuple of statements; each adds one
value to those it can see, which later statements name by position. Bodies of loops and branches see all that
is around them. Derivatives of planned functions are statements too, so that transforms nest inside programs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

import eglantine as eg

Kind = tuple[Any, ...]
"""("R",) a Real, ("B",) a Bool, ("I", n) an index below n, ("V", n) a Vec of Reals, ("M", m, n) a Vec of
Vecs, ("S", n) a Vec of n structs {"a": Real, "b": Real}."""

REAL: Kind = ("R",)
BOOL: Kind = ("B",)

WILD = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, -2.5e-310, 1e308, 1e-200, -1e18, 3.0)
"""Numbers at which arithmetic has its corners."""

TAME = st.floats(-2.0, 2.0, allow_subnormal=False).map(lambda x: round(x, 3) + 0.0)
ANY_REAL = st.one_of(TAME, st.sampled_from(WILD), st.floats())


def type_of(kind: Kind) -> Any:
    """The language's type of a kind."""
    match kind:
        case ("R",):
            return eg.Real
        case ("B",):
            return eg.Bool
        case ("I", n):
            return eg.Fin(n)
        case ("V", n):
            return eg.Vec(n, eg.Real)
        case ("M", m, n):
            return eg.Vec(m, eg.Vec(n, eg.Real))
        case ("S", n):
            return eg.Vec(n, {"a": eg.Real, "b": eg.Real})
    raise AssertionError(kind)


def values(kind: Kind, reals: Any) -> Any:
    """A strategy of plain values of a kind."""
    match kind:
        case ("R",):
            return reals
        case ("B",):
            return st.booleans()
        case ("I", n):
            return st.integers(0, n - 1)
        case ("V", n):
            return st.lists(reals, min_size=n, max_size=n)
        case ("M", m, n):
            return st.lists(st.lists(reals, min_size=n, max_size=n), min_size=m, max_size=m)
        case ("S", n):
            return st.lists(st.fixed_dictionaries({"a": reals, "b": reals}), min_size=n, max_size=n)
    raise AssertionError(kind)


@dataclass(frozen=True)
class Plan:
    """A function to be traced.

    params: the kinds of its parameters.
    results: positions of the values it returns; one alone is returned bare.
    callees: the plans of functions it may call or differentiate; each has Real parameters.
    rule: whether it has a derivative of its own (of one Real parameter and result).
    """

    params: tuple[Kind, ...]
    body: tuple[Any, ...]
    results: tuple[int, ...]
    callees: tuple[Plan, ...] = ()
    rule: bool = False


# ---------------------------------------------------------------- drawing plans

SMOOTH = ("sin", "cos", "tanh", "atan", "soft", "bell", "log1p2")
PARTIAL = (
    "exp", "log", "sqrt", "abs", "expm1", "cbrt", "asin", "erf", "sinh", "floor", "round", "sign", "tan",
)  # fmt: skip
PAIRS = ("add", "sub", "mul", "mul", "div", "damped")
KINKED_PAIRS = ("minimum", "maximum", "atan2", "hypot", "pow", "copysign", "mod")
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


class _Drawing:
    """The values that a body being drawn can see, by kind."""

    def __init__(self, draw: Any, smooth: bool, callees: Sequence[Plan], depth: int) -> None:
        self.draw, self.smooth, self.callees, self.depth = draw, smooth, callees, depth

    def choose(self, items: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(items)))

    def body(self, kinds: Sequence[Kind], size: int) -> tuple[tuple[Any, ...], list[Kind]]:
        """Statements (at most `size`) after values of these kinds, and the kinds of all values then."""
        seen = list(kinds)
        statements = []
        for _ in range(self.draw(st.integers((size + 1) // 2, size))):
            statement, kind = self.statement(seen)
            statements.append(statement)
            seen.append(kind)
        return tuple(statements), seen

    def of(self, seen: Sequence[Kind], kind: Kind) -> int:
        """The position of a value of a kind; the newest most often."""
        found = [k for k, other in enumerate(seen) if other == kind]
        return found[-1] if self.draw(st.booleans()) else self.choose(found)

    def some(self, seen: Sequence[Kind], letter: str) -> int | None:
        found = [k for k, other in enumerate(seen) if other[0] == letter]
        return self.choose(found) if found else None

    def statement(self, seen: list[Kind]) -> tuple[Any, Kind]:
        """The next statement and the kind of its value."""
        options = ["un", "un", "bin", "bin", "bin", "const", "powi", "cmp", "literal", "kinked"]
        have = {kind[0] for kind in seen}
        if "B" in have:
            options += ["select", "logic", "real_b", "cond"]
        if "V" in have:
            options += ["elem", "vecun", "vecbin", "slice", "dot", "norm", "sumv", "scan"]
            if "I" in have:
                options += ["at", "at"]
        if "I" in have:
            options += ["index", "real_i"]
        if "M" in have:
            options += ["row", "trace"]
        if "S" in have:
            options += ["field"]
        if self.depth < 3:
            options += ["vec", "sum", "fori", "rows", "structs", "closure"]
        if self.callees:
            options += ["call", "call", "grad", "jvp"]
        return getattr(self, "_" + self.choose(options))(seen)

    def real(self, seen: Sequence[Kind]) -> int:
        return self.of(seen, REAL)

    def _un(self, seen: Any) -> Any:
        return ("un", self.choose(SMOOTH if self.smooth else SMOOTH + PARTIAL), self.real(seen)), REAL

    def _bin(self, seen: Any) -> Any:
        return ("bin", self.choose(PAIRS), self.real(seen), self.real(seen)), REAL

    def _kinked(self, seen: Any) -> Any:
        op = self.choose(("damped", "hypot1") if self.smooth else KINKED_PAIRS)
        return ("bin", op, self.real(seen), self.real(seen)), REAL

    def _const(self, _: Any) -> Any:
        return ("const", self.draw(TAME if self.smooth else ANY_REAL)), REAL

    def _powi(self, seen: Any) -> Any:
        n = self.choose((2, 3, 0, 1) if self.smooth else (2, 3, 5, -1, -2, 0, 1))
        return ("powi", self.real(seen), n), REAL

    def _cmp(self, seen: Any) -> Any:
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I"]
        if indices and self.draw(st.booleans()):
            i, j = self.choose(indices), self.choose(indices)
            return ("cmp", self.choose(COMPARISONS), i, j), BOOL
        return ("cmp", self.choose(COMPARISONS), self.real(seen), self.real(seen)), BOOL

    def _logic(self, seen: Any) -> Any:
        op = self.choose(("and", "or", "xor", "not"))
        return ("logic", op, self.of(seen, BOOL), self.of(seen, BOOL)), BOOL

    def _select(self, seen: Any) -> Any:
        kind = self.choose(seen)
        return ("select", self.of(seen, BOOL), self.of(seen, kind), self.of(seen, kind)), kind

    def _real_b(self, seen: Any) -> Any:
        return ("real", self.of(seen, BOOL)), REAL

    def _real_i(self, seen: Any) -> Any:
        return ("real", self.some(seen, "I")), REAL

    def _literal(self, seen: Any) -> Any:
        n = self.choose((1, 2, 3, 5))
        return ("literal", tuple(self.real(seen) for _ in range(n))), ("V", n)

    def _elem(self, seen: Any) -> Any:
        v = self.some(seen, "V")
        return ("elem", v, self.draw(st.integers(-seen[v][1], seen[v][1] - 1))), REAL

    def _at(self, seen: Any) -> Any:
        v, i = self.some(seen, "V"), self.some(seen, "I")
        return ("at", v, i, self.choose(("mod", "reversed"))), REAL

    def _slice(self, seen: Any) -> Any:
        v = self.some(seen, "V")
        n = seen[v][1]
        lo = self.draw(st.integers(0, n - 1))
        hi = self.draw(st.integers(lo + 1, n))
        return ("slice", v, lo, hi), ("V", hi - lo)

    def _vecun(self, seen: Any) -> Any:
        v = self.some(seen, "V")
        return ("un", self.choose(SMOOTH), v), seen[v]

    def _vecbin(self, seen: Any) -> Any:
        v = self.some(seen, "V")
        other = self.of(seen, seen[v]) if self.draw(st.booleans()) else self.real(seen)
        return ("bin", self.choose(("add", "sub", "mul", "damped")), v, other), seen[v]

    def _dot(self, seen: Any) -> Any:
        v = self.some(seen, "V")
        return ("dot", v, self.of(seen, seen[v])), REAL

    def _norm(self, seen: Any) -> Any:
        return ("norm", self.some(seen, "V")), REAL

    def _sumv(self, seen: Any) -> Any:
        return ("sumv", self.some(seen, "V")), REAL

    def _index(self, seen: Any) -> Any:
        i = self.some(seen, "I")
        n, k = seen[i][1], self.draw(st.integers(1, 4))
        op = self.choose(("add", "mul", "mod", "floordiv", "reverse", "cube"))
        bounds = {"add": n + k, "mul": (n - 1) * k + 1, "mod": min(n, k), "floordiv": (n - 1) // k + 1}
        return ("index", op, i, k, n), ("I", bounds.get(op, n))

    def _row(self, seen: Any) -> Any:
        m = self.some(seen, "M")
        i = self.some(seen, "I")
        which = self.draw(st.integers(0, seen[m][1] - 1)) if i is None else ("mod", i)
        return ("row", m, which), ("V", seen[m][2])

    def _trace(self, seen: Any) -> Any:
        return ("trace", self.some(seen, "M")), REAL

    def _field(self, seen: Any) -> Any:
        return ("field", self.some(seen, "S"), self.choose("ab"), self.some(seen, "I")), REAL

    # ------------------------------------------------------------ structure

    def inner(self, kinds: Sequence[Kind], size: int = 4) -> tuple[tuple[Any, ...], list[Kind]]:
        return _Drawing(self.draw, self.smooth, self.callees, self.depth + 1).body(kinds, size)

    def _vec(self, seen: Any) -> Any:
        n = self.choose((1, 2, 3, 5))
        body, kinds = self.inner([*seen, ("I", n)])
        return ("vec", n, body, self.real(kinds)), ("V", n)

    def _rows(self, seen: Any) -> Any:
        m = self.choose((1, 2, 3))
        vectors = [kind for kind in seen if kind[0] == "V"]
        body, kinds = self.inner([*seen, ("I", m)])
        kind = self.choose(vectors) if vectors else None
        if kind is None:
            return ("vec", m, body, self.real(kinds)), ("V", m)
        return ("vec", m, body, self.of(kinds, kind)), ("M", m, kind[1])

    def _structs(self, seen: Any) -> Any:
        n = self.choose((1, 2, 3))
        body, kinds = self.inner([*seen, ("I", n)])
        return ("structs", n, body, self.real(kinds), self.real(kinds)), ("S", n)

    def _sum(self, seen: Any) -> Any:
        n = self.choose((0, 1, 2, 4, 7))
        i = self.some(seen, "I")
        dynamic = None if i is None or self.draw(st.booleans()) else i
        bound = n if dynamic is None else seen[i][1] - 1
        body, kinds = self.inner([*seen, ("I", max(bound, 1))])
        kind = self.choose([kind for kind in kinds if kind[0] in "RV"])
        if bound == 0:
            return ("const", 0.0), REAL
        return ("sum", n if dynamic is None else None, dynamic, body, self.of(kinds, kind)), kind

    def _fori(self, seen: Any) -> Any:
        lo = self.choose((0, 1, 2))
        hi = lo + self.choose((0, 1, 2, 4))
        able = [k for k, kind in enumerate(seen) if kind[0] in "RVBM"]
        inits = [self.choose(able) for _ in range(self.choose((1, 2, 3)))]
        carry = [seen[k] for k in inits]
        if hi == lo:
            return ("const", 1.0), REAL
        body, kinds = self.inner([*seen, ("I", hi), *carry])
        after = tuple(self.of(kinds, kind) for kind in carry)
        k = self.draw(st.integers(0, len(inits) - 1))
        return ("fori", lo, hi, tuple(inits), body, after, k), carry[k]

    def _scan(self, seen: Any) -> Any:
        xs = self.some(seen, "V")
        able = [k for k, kind in enumerate(seen) if kind[0] in "RV"]
        inits = [self.choose(able) for _ in range(self.choose((1, 2)))]
        carry = [seen[k] for k in inits]
        body, kinds = self.inner([*seen, *carry, REAL])
        after = tuple(self.of(kinds, kind) for kind in carry)
        return ("scan", xs, tuple(inits), body, after, self.real(kinds)), seen[xs]

    def _cond(self, seen: Any) -> Any:
        arms = [self.inner(seen, 3) for _ in range(2)]
        common = [kind for kind in arms[0][1] if kind in arms[1][1]]
        kind = self.choose(common)
        return ("cond", self.of(seen, BOOL), *((body, self.of(kinds, kind)) for body, kinds in arms)), kind

    def _closure(self, seen: Any) -> Any:
        body, kinds = self.inner([*seen, REAL], 3)
        mode = self.choose(("grad", "jvp", "vjp", "grad of grad", "call"))
        return ("closure", mode, body, self.real(kinds), self.real(seen)), REAL

    def _call(self, seen: Any) -> Any:
        k = self.draw(st.integers(0, len(self.callees) - 1))
        plan = self.callees[k]
        args = tuple(self.real(seen) for _ in plan.params)
        return ("call", k, args, self.draw(st.integers(0, len(plan.results) - 1))), REAL

    def _grad(self, seen: Any) -> Any:
        k = self.draw(st.integers(0, len(self.callees) - 1))
        args = tuple(self.real(seen) for _ in self.callees[k].params)
        return ("grad", k, args, self.draw(st.integers(0, len(args) - 1)), self.choose((0, 1))), REAL

    def _jvp(self, seen: Any) -> Any:
        k = self.draw(st.integers(0, len(self.callees) - 1))
        n = len(self.callees[k].params)
        args, tangents = (tuple(self.real(seen) for _ in range(n)) for _ in range(2))
        return ("jvp", k, args, tangents, self.choose((0, 1))), REAL


@st.composite
def plans(draw: Any, *, smooth: bool = False, scalar: bool = False, size: int = 10) -> Plan:
    """A program of up to `size` statements at its top.

    smooth: only functions whose derivatives exist everywhere. scalar: one Real result.
    """
    callees: list[Plan] = []
    for _ in range(draw(st.integers(0, 2))):
        inner = _Drawing(draw, smooth, tuple(callees), 2)
        params = (REAL,) * draw(st.integers(1, 2))
        body, kinds = inner.body(params, 4)
        results = tuple(inner.real(kinds) for _ in range(draw(st.integers(1, 2))))
        rule = len(params) == len(results) == 1 and draw(st.booleans())
        callees.append(Plan(params, body, results, tuple(callees), rule))
    kinds = [REAL, REAL]
    if draw(st.booleans()):
        kinds.append(draw(st.sampled_from([("V", 3), ("V", 5), ("M", 2, 3), ("S", 2)])))
    if draw(st.booleans()):
        kinds.append(draw(st.sampled_from([BOOL, ("I", 3)])))
    top = _Drawing(draw, smooth, tuple(callees), 0)
    body, seen = top.body(kinds, size)
    if scalar:
        results = (top.real(seen),)
    else:
        wanted = range(len(seen) - draw(st.integers(1, 3)), len(seen))
        results = tuple(k for k in wanted if k >= 0)
    return Plan(tuple(kinds), body, results, tuple(callees))


# ---------------------------------------------------------------- from a plan to a function

_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "damped": lambda a, b: a / (1.0 + b * b),
    "hypot1": lambda a, b: eg.math.sqrt(1.0 + a * a + b * b),
    "mod": lambda a, b: a % b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a, b: ~a,
    "soft": lambda a: eg.math.sqrt(1.0 + a * a),
    "bell": lambda a: eg.math.exp(-(a * a)),
    "log1p2": lambda a: eg.math.log1p(a * a),
    "abs": abs,
}


def _function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = _OPERATORS.get(name) or getattr(eg.math, name)
    return found


class _Run:
    """One function's plan carried out on (traced) values."""

    def __init__(self, callees: Sequence[Any], plans: Sequence[Plan]) -> None:
        self.callees, self.plans = callees, plans

    def body(self, statements: Sequence[Any], seen: Sequence[Any]) -> list[Any]:
        env = list(seen)
        for statement in statements:
            env.append(getattr(self, "_" + statement[0])(env, *statement[1:]))
        return env

    def _un(self, env: Any, name: str, a: int) -> Any:
        return _function(name)(env[a])

    def _bin(self, env: Any, name: str, a: int, b: int) -> Any:
        return _function(name)(env[a], env[b])

    _cmp = _logic = _bin

    def _const(self, env: Any, value: float) -> Any:
        return eg.select(env[0] == env[0], value, value)  # traced: plain ones compute as Python does

    def _powi(self, env: Any, a: int, n: int) -> Any:
        return env[a] ** n

    def _select(self, env: Any, p: int, a: int, b: int) -> Any:
        return eg.select(env[p], env[a], env[b])

    def _real(self, env: Any, a: int) -> Any:
        return eg.real(env[a])

    def _literal(self, env: Any, places: Sequence[int]) -> Any:
        return eg.asarray([env[k] for k in places])

    def _elem(self, env: Any, v: int, k: int) -> Any:
        return env[v][k]

    def _at(self, env: Any, v: int, i: int, how: str) -> Any:
        n = len(env[v])
        index = env[i] % n
        return env[v][index if how == "mod" else n - 1 - index]

    def _slice(self, env: Any, v: int, lo: int, hi: int) -> Any:
        return env[v][lo:hi]

    def _dot(self, env: Any, v: int, w: int) -> Any:
        return eg.dot(env[v], env[w])

    def _norm(self, env: Any, v: int) -> Any:
        return eg.norm(env[v])

    def _sumv(self, env: Any, v: int) -> Any:
        return eg.sum(env[v])

    def _index(self, env: Any, op: str, i: int, k: int, n: int) -> Any:
        match op:
            case "add":
                return env[i] + k
            case "mul":
                return env[i] * k
            case "mod":
                return env[i] % k
            case "floordiv":
                return env[i] // k
            case "reverse":
                return n - 1 - env[i]
        return eg.Fin(n)((env[i] * env[i] * env[i] + k) % n)

    def _row(self, env: Any, m: int, i: Any) -> Any:
        return env[m][i if isinstance(i, int) else env[i[1]] % len(env[m])]

    def _trace(self, env: Any, m: int) -> Any:
        n = len(env[m][0])
        return eg.sum(len(env[m]), lambda i: env[m][i][i % n] * env[m][i][n - 1])

    def _field(self, env: Any, v: int, name: str, i: int | None) -> Any:
        return env[v][0 if i is None else env[i] % len(env[v])][name]

    def _vec(self, env: Any, n: int, body: Any, k: int) -> Any:
        return eg.vec(n, lambda i: self.body(body, [*env, i])[k])

    def _structs(self, env: Any, n: int, body: Any, a: int, b: int) -> Any:
        def element(i: Any) -> Any:
            inner = self.body(body, [*env, i])
            return {"a": inner[a], "b": inner[b]}

        return eg.vec(n, element)

    def _sum(self, env: Any, n: int | None, i: int | None, body: Any, k: int) -> Any:
        return eg.sum(n if i is None else env[i], lambda j: self.body(body, [*env, j])[k])

    def _fori(self, env: Any, *parts: Any) -> Any:
        lo, hi, inits, body, after, k = parts

        def step(i: Any, carry: Any) -> Any:
            inner = self.body(body, [*env, i, *carry])
            return tuple(inner[j] for j in after)

        return eg.fori_loop(lo, hi, step, tuple(env[j] for j in inits))[k]

    def _scan(self, env: Any, *parts: Any) -> Any:
        xs, inits, body, after, y = parts

        def step(carry: Any, x: Any) -> Any:
            inner = self.body(body, [*env, *carry, x])
            return tuple(inner[j] for j in after), inner[y]

        last, ys = eg.scan(step, tuple(env[j] for j in inits), env[xs])
        first = last[0]
        return eg.vec(len(ys), lambda i: ys[i] + 0.5 * (first if not hasattr(first, "__len__") else first[0]))

    def _cond(self, env: Any, p: int, then: Any, orelse: Any) -> Any:
        arms = [lambda arm=arm: self.body(arm[0], env)[arm[1]] for arm in (then, orelse)]
        return eg.cond(env[p], *arms)

    def _call(self, env: Any, k: int, args: Any, result: int) -> Any:
        found = self.callees[k](*(env[j] for j in args))
        return found if len(self.plans[k].results) == 1 else found[f"y{result}"]

    def _bare(self, k: int, result: int) -> Any:
        """A callee with one Real result."""
        if len(self.plans[k].results) == 1:
            return self.callees[k]
        n = len(self.plans[k].params)
        return eg.fn([eg.Real] * n, eg.Real)(lambda *args: self.callees[k](*args)[f"y{result}"])

    def _closure(self, env: Any, *parts: Any) -> Any:
        """A derivative of a function that is traced here and uses all that is around it."""
        mode, body, k, at = parts
        f = eg.fn([eg.Real], eg.Real)(lambda x: self.body(body, [*env, x])[k])
        match mode:
            case "grad":
                return eg.grad(f)(env[at])
            case "jvp":
                y, dy = eg.jvp(f, [env[at]], [env[0]])
                return y - dy
            case "vjp":
                y, pulled = eg.vjp(f, env[at])
                return pulled(y)[0] + pulled(env[0])[0]
            case "grad of grad":
                return eg.grad(eg.grad(f))(env[at])
        return f(env[at])

    def _grad(self, env: Any, k: int, args: Any, argnum: int, result: int) -> Any:
        return eg.grad(self._bare(k, result), argnum)(*(env[j] for j in args))

    def _jvp(self, env: Any, k: int, args: Any, tangents: Any, result: int) -> Any:
        return eg.jvp(self._bare(k, result), [env[j] for j in args], [env[j] for j in tangents])[1]


def function_of(plan: Plan) -> Any:
    """The `eg.fn` that a plan describes."""
    callees = [_callee(inner) for inner in plan.callees]
    run = _Run(callees, plan.callees)

    def program(*args: Any) -> Any:
        found = run.body(plan.body, args)
        results = tuple(found[k] for k in plan.results)
        return results[0] if len(results) == 1 else results

    return eg.fn([type_of(kind) for kind in plan.params])(program)


def _callee(plan: Plan) -> Any:
    run = _Run([_callee(inner) for inner in plan.callees], plan.callees)

    def called(*args: Any) -> Any:
        found = run.body(plan.body, args)
        results = [found[k] for k in plan.results]
        return results[0] if len(results) == 1 else {f"y{k}": value for k, value in enumerate(results)}

    made = eg.fn([type_of(kind) for kind in plan.params])(called)
    if plan.rule:

        @made.defjvp
        def _(primals: Any, tangents: Any) -> Any:
            return made(*primals), tangents[0] * (eg.math.cos(primals[0]) + made(*primals))

    return made


def arguments(plan: Plan, *, wild: bool = False) -> Any:
    """A strategy of a program's arguments; wild ones hold infinities, NaN, both zeros and such."""
    return st.tuples(*(values(kind, ANY_REAL if wild else TAME) for kind in plan.params))


def tangents_of(of: Any, reals: Any) -> Any:
    """A strategy of plain values of a type that holds only Reals and Units."""
    match of:
        case eg.types.RealType():
            return reals
        case eg.types.VecType(n, element):
            return st.lists(tangents_of(element, reals), min_size=n, max_size=n)
        case eg.types.TupleType(items):
            return st.tuples(*(tangents_of(item, reals) for item in items))
        case eg.types.StructType(fields):
            return st.fixed_dictionaries({name: tangents_of(item, reals) for name, item in fields})
    return st.none()
