"""Draw random plans of programs. A statement may only use values that are in scope."""

from __future__ import annotations

from typing import Any

import eglantine as eg
from tests.programs.choices import Choices
from tests.programs.loops import Loops
from tests.programs.operands import PLAIN, Drawn, Seen, Style
from tests.programs.plans import BOOL, REAL, Kind, Plan, is_reals, vec_of

SMOOTH = ("sin", "cos", "tanh", "atan", "soft", "bell", "log1p2")
PARTIAL = (
    "exp", "exp2", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "abs", "expm1", "tan", "asin", "acos",
    "sinh", "cosh", "asinh", "acosh", "atanh", "erf", "lgamma", "digamma", "floor", "ceil", "trunc", "round",
    "sign",
)  # fmt: skip
PAIRS = ("add", "sub", "mul", "mul", "div", "damped")
KINKED_PAIRS = ("minimum", "maximum", "atan2", "hypot", "pow", "copysign", "mod", "floordiv")
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
WIDEST_INDEX = 60
"""The upper bound of indices. It is small, so that products of two indices fit into 32 bits."""
DEEPEST = 3
LANDED = {"fixed point": ["fixed point"] if hasattr(eg, "fixed_point") else []}


class Drawing(Loops):
    """A generator of a body's statements."""

    def statement(self, seen: Seen) -> Drawn:
        options = ["un", "bin", "bin", "const", "un", "powi", "cmp", "literal", "kinked", "pack"]
        have = {kind[0] for kind in seen}
        if "B" in have:
            options += ["select", "logic", "real_b", "cond"]
        if "V" in have:
            options += ["elem", "slice", "scan", "at", "update"]
            if any(kind[0] == "V" and kind[2] == REAL for kind in seen):
                options += ["vecun", "vecbin", "dot", "norm", "veccmp"]
            if any(kind[0] == "V" and is_reals(kind) for kind in seen):
                options += ["sumv"]
        if "I" in have:
            options += ["index", "index", "indices", "real_i"]
        if "P" in have or "S" in have:
            options += ["part", "part"]
        if self.depth < DEEPEST:
            options += ["vec", "sum", "fori", "scan_n", "rows", "closure", "while"]
        if self.depth == 0 and self.c.below(4) == 3:  # these run many rounds, so they are rare
            options += ["chain", "chain", "product", "layers"]
        if self.callees:
            options += ["call", "call", "grad", "jvp", "jac"]
        if not self.smooth:
            options += ["opaque", "effect"]
        return getattr(self, "_" + self.c.one(options))(seen)  # type: ignore[no-any-return]

    # ---------------------------------------------------------------- scalars

    def _un(self, seen: Seen) -> Drawn:
        return ("un", self.c.one(SMOOTH if self.smooth else SMOOTH + PARTIAL), self.real(seen)), REAL

    def _bin(self, seen: Seen) -> Drawn:
        return ("bin", self.c.one(PAIRS), self.real(seen), self.real(seen)), REAL

    def _kinked(self, seen: Seen) -> Drawn:
        op = self.c.one(("damped", "hypot1") if self.smooth else KINKED_PAIRS)
        return ("bin", op, self.real(seen), self.real(seen)), REAL

    def _const(self, _: Seen) -> Drawn:
        return ("const", self.c.tame() if self.smooth else self.c.wild(), self.c.flag()), REAL

    def _powi(self, seen: Seen) -> Drawn:
        n = self.c.one((2, 3, 0, 1) if self.smooth else (2, 3, 5, -1, -2, 0, 1))
        return ("powi", self.real(seen), n), REAL

    def _cmp(self, seen: Seen) -> Drawn:
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I"]
        if indices and self.c.flag():
            return ("cmp", self.c.one(COMPARISONS), self.c.one(indices), self.c.one(indices)), BOOL
        return ("cmp", self.c.one(COMPARISONS), self.real(seen), self.real(seen)), BOOL

    def _logic(self, seen: Seen) -> Drawn:
        op = self.c.one(("and", "or", "xor", "not"))
        return ("logic", op, self.of(seen, BOOL), self.of(seen, BOOL)), BOOL

    def _select(self, seen: Seen) -> Drawn:
        kind = self.c.one(seen)
        return ("select", self.of(seen, BOOL), self.of(seen, kind), self.of(seen, kind)), kind

    def _real_b(self, seen: Seen) -> Drawn:
        return ("real", self.of(seen, BOOL)), REAL

    def _real_i(self, seen: Seen) -> Drawn:
        return ("real", self.any(seen, "I")), REAL

    def _index(self, seen: Seen) -> Drawn:
        i = self.any(seen, "I")
        n, k = seen[i][1], self.c.between(1, 4)
        op = self.c.one(("mod", "reverse", "add", "mul", "floordiv", "cube"))
        bounds = {"add": n + k, "mul": (n - 1) * k + 1, "mod": min(n, k), "floordiv": (n - 1) // k + 1}
        bound = bounds.get(op, n)
        return ("index", op, i, k, n, min(bound, WIDEST_INDEX)), ("I", min(bound, WIDEST_INDEX))

    def _indices(self, seen: Seen) -> Drawn:
        """Draw an operation on two indices. Its result is reduced modulo n, and its divisor is never 0."""
        i, j, n = self.any(seen, "I"), self.any(seen, "I"), self.c.between(1, 5)
        return ("indices", self.c.one(("add", "sub", "mul", "floordiv1", "mod1")), i, j, n), ("I", n)

    # ---------------------------------------------------------------- aggregates

    def _literal(self, seen: Seen) -> Drawn:
        kind = self.c.one(seen) if self.c.below(3) == 2 else REAL
        n = self.c.one((1, 2, 3, 5))
        return ("literal", tuple(self.of(seen, kind) for _ in range(n))), vec_of(n, kind)

    def _pack(self, seen: Seen) -> Drawn:
        kinds = [self.c.one(seen) for _ in range(2)]
        letter = self.c.one("PS")
        return ("pack", letter, *(self.of(seen, kind) for kind in kinds)), (letter, *kinds)

    def _part(self, seen: Seen) -> Drawn:
        k = self.any(seen, "PS")
        at = self.c.below(len(seen[k]) - 1)
        return ("part", k, at if seen[k][0] == "P" else "ab"[at]), seen[k][1 + at]

    def _elem(self, seen: Seen) -> Drawn:
        v = self.any(seen, "V")
        return ("at", v, self.c.between(-seen[v][1], seen[v][1] - 1)), seen[v][2]

    def _at(self, seen: Seen) -> Drawn:
        v = self.any(seen, "V")
        return ("at", v, self.index_or(seen, seen[v][1])), seen[v][2]

    def _slice(self, seen: Seen) -> Drawn:
        v = self.any(seen, "V")
        n = seen[v][1]
        lo = self.c.below(n)
        hi = self.c.between(lo + 1, n)
        step = self.c.one((1, 1, 2))
        return ("slice", v, lo, hi, step), vec_of(len(range(lo, hi, step)), seen[v][2])

    def _vecun(self, seen: Seen) -> Drawn:
        v = self.reals(seen)
        return ("un", self.c.one(SMOOTH), v), seen[v]

    def _vecbin(self, seen: Seen) -> Drawn:
        v = self.reals(seen)
        other = self.of(seen, seen[v]) if self.c.flag() else self.real(seen)
        return ("bin", self.c.one(("add", "sub", "mul", "damped")), v, other), seen[v]

    def _veccmp(self, seen: Seen) -> Drawn:
        v = self.reals(seen)
        return ("cmp", self.c.one(COMPARISONS), v, self.real(seen)), vec_of(seen[v][1], BOOL)

    def _dot(self, seen: Seen) -> Drawn:
        v = self.reals(seen)
        return ("dot", v, self.of(seen, seen[v])), REAL

    def _norm(self, seen: Seen) -> Drawn:
        return ("norm", self.reals(seen)), REAL

    def _sumv(self, seen: Seen) -> Drawn:
        able = [k for k, kind in enumerate(seen) if kind[0] == "V" and is_reals(kind)]
        v = self.c.one(able)
        return ("sumv", v), seen[v][2]

    # ---------------------------------------------------------------- branches and updates

    def _cond(self, seen: Seen) -> Drawn:
        arms = [self.inner(seen, 3) for _ in range(2)]
        kind = self.c.one([kind for kind in arms[0][1] if kind in arms[1][1]])
        return ("cond", self.of(seen, BOOL), *((body, self.of(kinds, kind)) for body, kinds in arms)), kind

    def _update(self, seen: Seen) -> Drawn:
        """Draw v.at[i].set(x) or v.at[i].add(x). If no suitable x is in scope, x is None and means v[0]."""
        v = self.any(seen, "V")
        _, n, kind = seen[v]
        how = self.c.one(("set", "add")) if kind[0] == "R" or (kind[0] == "V" and kind[2] == REAL) else "set"
        x = self.of(seen, kind) if kind in seen else None
        return ("update", how, v, self.index_or(seen, n), x), seen[v]

    # ---------------------------------------------------------------- functions

    def _closure(self, seen: Seen) -> Drawn:
        body, kinds = self.inner([*seen, REAL], 3)
        modes = (
            "call", "grad", "jvp", "vjp", "grad of grad", "checkpoint", "linearize", "hvp", "forward", "hook",
            *LANDED["fixed point"],
        )  # fmt: skip
        return ("closure", self.c.one(modes), body, self.real(kinds), self.real(seen)), REAL

    def arguments(self, seen: Seen, plan: Plan) -> tuple[Any, ...]:
        """Choose the position of each argument of a callee. If no value fits, choose ("of", kind)."""
        return tuple(self.of(seen, kind) if kind in seen else ("of", kind) for kind in plan.params)

    def callee(self) -> tuple[int, Plan]:
        k = self.c.below(len(self.callees))
        return k, self.callees[k]

    def _call(self, seen: Seen) -> Drawn:
        k, plan = self.callee()
        return ("call", k, self.arguments(seen, plan), self.c.below(len(plan.results))), REAL

    def real_argument(self, plan: Plan) -> int:
        return self.c.one([k for k, kind in enumerate(plan.params) if kind == REAL])

    def _grad(self, seen: Seen) -> Drawn:
        k, plan = self.callee()
        args, result = self.arguments(seen, plan), self.c.below(len(plan.results))
        return ("grad", k, args, self.real_argument(plan), result, self.c.flag()), REAL

    def _jac(self, seen: Seen) -> Drawn:
        k, plan = self.callee()
        args, result = self.arguments(seen, plan), self.c.below(len(plan.results))
        which = self.c.one(("jacfwd", "jacrev", "hessian"))
        return (which, k, args, self.real_argument(plan), result), REAL

    def _jvp(self, seen: Seen) -> Drawn:
        k, plan = self.callee()
        args, tangents = self.arguments(seen, plan), tuple(self.real(seen) for _ in plan.params)
        return ("jvp", k, args, tangents, self.c.below(len(plan.results))), REAL

    def _opaque(self, seen: Seen) -> Drawn:
        name = self.c.one(("halved", "product"))
        return ("opaque", name, self.real(seen), self.real(seen)), REAL

    def _effect(self, seen: Seen) -> Drawn:
        """Draw a print, or a call of a host function that prints. The value of the statement is a Real."""
        k = self.real(seen)
        return ("effect", self.c.one(("print", "note")), k, self.any(seen, "RBI")), REAL


def plan(c: Choices, style: Style = PLAIN, *, scalar: bool = False, size: int = 10) -> Plan:
    """Draw a program with at most `size` top-level statements. If `scalar`, it returns a Real."""
    callees: list[Plan] = []
    for _ in range(c.below(3)):
        callees.append(_callee(c, style, tuple(callees)))
    kinds = [REAL, REAL]
    if c.flag():
        given = (vec_of(3), vec_of(5), vec_of(2, vec_of(3)), vec_of(2, ("S", REAL, REAL)),
                 ("S", vec_of(2), REAL), ("P", REAL, ("I", 4)), vec_of(3, BOOL))  # fmt: skip
        kinds.append(c.one(given))
    if c.flag():
        kinds.append(c.one((BOOL, ("I", 3))))
    top = Drawing(c, style, tuple(callees), 0)
    body, seen = top.body(kinds, size)
    if scalar:
        results: tuple[int, ...] = (top.real(seen),)
    else:
        results = tuple(range(len(seen) - c.between(1, 3), len(seen)))
    return Plan(tuple(kinds), body, results, tuple(callees))


def _callee(c: Choices, style: Style, callees: tuple[Plan, ...]) -> Plan:
    """Draw a function that other functions can call. It returns one or two Reals."""
    inner = Drawing(c, style, callees, 2)
    params: tuple[Kind, ...] = c.one(((REAL,), (REAL, REAL), (REAL, vec_of(3)), (REAL, ("I", 3))))
    body, kinds = inner.body(params, 4)
    results = tuple(inner.real(kinds) for _ in range(c.between(1, 2)))
    rule = params == (REAL,) and len(results) == 1 and c.flag()
    return Plan(params, body, results, callees, rule)
