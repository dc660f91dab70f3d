"""Draw random plans. Each statement is chosen from the statements that the values in scope make possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import eglantine as eg
from tests.programs.choices import Choices
from tests.programs.plans import BOOL, REAL, Kind, Plan, Statement, is_reals, vec_of

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
"""The largest index, chosen so that products of two indices fit into 32 bits."""
DEEPEST = 3
LANDED = {"fixed point": ["fixed point"] if hasattr(eg, "fixed_point") else []}

Drawn = tuple[Statement, Kind]
Seen = list[Kind]


@dataclass(frozen=True)
class Style:
    """The features that a program may have.

    smooth: the program uses only functions whose derivatives exist everywhere, and has no effects.
    total: no index can be out of range.
    """

    smooth: bool = False
    total: bool = False


PLAIN = Style()


class Drawing:
    """A generator of a body's statements.

    callees: the functions that may be called.
    depth: the number of enclosing bodies.
    """

    def __init__(self, c: Choices, style: Style, callees: Sequence[Plan], depth: int) -> None:
        self.c, self.style, self.callees, self.depth = c, style, callees, depth
        self.smooth = style.smooth

    def body(self, kinds: Sequence[Kind], size: int) -> tuple[tuple[Statement, ...], Seen]:
        """A body whose parameters have these kinds, with at most `size` statements.

        Returns the statements and the kinds of all values: the parameters, then a value for each statement.
        """
        seen = list(kinds)
        statements = []
        for _ in range(1 + max(self.c.below(size), self.c.below(size))):
            statement, kind = self.statement(seen)
            statements.append(statement)
            seen.append(kind)
        return tuple(statements), seen

    def statement(self, seen: Seen) -> Drawn:
        """The next statement and the kind of its value."""
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
        if self.callees:
            options += ["call", "call", "grad", "jvp", "jac"]
        if not self.smooth:
            options += ["opaque", "effect"]
        return getattr(self, "_" + self.c.one(options))(seen)  # type: ignore[no-any-return]

    # ---------------------------------------------------------------- choosing operands

    def of(self, seen: Seen, kind: Kind) -> int:
        """The position of a value of this kind, most often of the newest such value."""
        found = [k for k, other in enumerate(seen) if other == kind]
        return found[-1] if not self.c.flag() else self.c.one(found)

    def any(self, seen: Seen, letter: str) -> int:
        """The position of a value whose kind begins with one of these letters."""
        return self.c.one([k for k, kind in enumerate(seen) if kind[0] in letter])

    def real(self, seen: Seen) -> int:
        return self.of(seen, REAL)

    def reals(self, seen: Seen) -> int:
        """The position of a Vec of Reals."""
        return self.c.one([k for k, kind in enumerate(seen) if kind[0] == "V" and kind[2] == REAL])

    def index_or(self, seen: Seen, n: int) -> Any:
        """An index for a Vec of length n.

        It is a whole number, or a pair: how to use an index in scope ("mod", "reversed" or "checked"), and
        the position of that index.
        """
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I"]
        if not indices or self.c.below(4) == 0:
            return self.c.between(-n, n - 1)
        how = ("mod", "reversed", "mod", "reversed", "mod", "mod" if self.style.total else "checked")
        return self.c.one(how), self.c.one(indices)

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
        """An operation on two indices, taken modulo n so that the result is an index. Divisors are not 0."""
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

    # ---------------------------------------------------------------- structure

    def inner(self, kinds: Sequence[Kind], size: int = 4) -> tuple[tuple[Statement, ...], Seen]:
        """A random body inside this one."""
        return Drawing(self.c, self.style, self.callees, self.depth + 1).body(kinds, size)

    def _vec(self, seen: Seen) -> Drawn:
        n = self.c.one((1, 2, 3, 5))
        body, kinds = self.inner([*seen, ("I", n)])
        return ("vec", n, body, self.real(kinds)), vec_of(n)

    def _rows(self, seen: Seen) -> Drawn:
        """A Vec with elements of any kind."""
        n = self.c.one((1, 2, 3))
        body, kinds = self.inner([*seen, ("I", n)])
        kind = self.c.one(kinds)
        return ("vec", n, body, self.of(kinds, kind)), vec_of(n, kind)

    def _sum(self, seen: Seen) -> Drawn:
        n = self.c.one((2, 1, 0, 4, 7))
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I" and 1 < kind[1] < 10]
        count: Any = self.c.one(indices) if indices and self.c.flag() else None
        bound = n if count is None else seen[count][1] - 1
        body, kinds = self.inner([*seen, ("I", max(bound, 1))])
        kind = self.c.one([kind for kind in kinds if is_reals(kind)])
        return ("sum", n if count is None else None, count, body, self.of(kinds, kind)), kind

    def carry(self, seen: Seen) -> tuple[tuple[int, ...], list[Kind]]:
        """Initial values of a loop's carry, and their kinds."""
        places = tuple(self.of(seen, self.c.one(seen)) for _ in range(self.c.between(1, 3)))
        return places, [seen[k] for k in places]

    def _fori(self, seen: Seen) -> Drawn:
        lo = self.c.one((0, 1, 2))
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I" and kind[1] < 8]
        hi: Any = lo + self.c.one((2, 1, 0, 4))
        bound = hi
        if indices and self.c.below(3) == 2:
            k = self.c.one(indices)
            lo, hi, bound = 0, ("index", k), seen[k][1] - 1
        inits, carry = self.carry(seen)
        body, kinds = self.inner([*seen, ("I", max(bound, 1 if isinstance(hi, tuple) else lo + 1)), *carry])
        after = tuple(self.of(kinds, kind) for kind in carry)
        k = self.c.below(len(inits))
        return ("fori", lo, hi, inits, body, after, k), carry[k]

    def _while(self, seen: Seen) -> Drawn:
        """A loop that ends after a few rounds, or earlier if a Bool that its condition reads is false."""
        rounds = self.c.one((2, 1, 0, 5))
        inits, carry = self.carry(seen)
        test, tested = self.inner([*seen, *carry, BOOL], 2)
        body, kinds = self.inner([*seen, *carry])
        after = tuple(self.of(kinds, kind) for kind in carry)
        k = self.c.below(len(inits))
        return ("while", rounds, inits, test, self.of(tested, BOOL), body, after, k), carry[k]

    def _scan(self, seen: Seen) -> Drawn:
        return self.scan(seen, self.any(seen, "V"))

    def _scan_n(self, seen: Seen) -> Drawn:
        return self.scan(seen, None)

    def scan(self, seen: Seen, xs: int | None) -> Drawn:
        """A scan over a Vec in scope or, if `xs` is None, over a number of steps."""
        n = seen[xs][1] if xs is not None else self.c.one((3, 1, 4, 7))
        inits, carry = self.carry(seen)
        body, kinds = self.inner([*seen, *carry, *([seen[xs][2]] if xs is not None else [])])
        after = tuple(self.of(kinds, kind) for kind in carry)
        y = self.c.below(len(kinds))
        checkpoint = self.c.one((None, None, "sqrt", 1, 2, 3))
        which = self.c.below(len(carry) + 1)
        kind = carry[which] if which < len(carry) else vec_of(n, kinds[y])
        return ("scan", xs, n, inits, body, after, y, checkpoint, which), kind

    def _cond(self, seen: Seen) -> Drawn:
        arms = [self.inner(seen, 3) for _ in range(2)]
        kind = self.c.one([kind for kind in arms[0][1] if kind in arms[1][1]])
        return ("cond", self.of(seen, BOOL), *((body, self.of(kinds, kind)) for body, kinds in arms)), kind

    def _update(self, seen: Seen) -> Drawn:
        """v.at[i].set(x) or v.at[i].add(x). If x is None, an element of v is used."""
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
        """The positions of a callee's arguments, or ("of", kind) for arguments whose kind is not in scope."""
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
        """A print, or a call of a host function without a result. Its value is its Real argument."""
        k = self.real(seen)
        return ("effect", self.c.one(("print", "note")), k, self.any(seen, "RBI")), REAL


def plan(c: Choices, style: Style = PLAIN, *, scalar: bool = False, size: int = 10) -> Plan:
    """A random program with up to `size` statements at its top level. If `scalar`, its result is one Real."""
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
    """A random function with one or two parameters, the first a Real, and one or two Real results."""
    inner = Drawing(c, style, callees, 2)
    params: tuple[Kind, ...] = c.one(((REAL,), (REAL, REAL), (REAL, vec_of(3)), (REAL, ("I", 3))))
    body, kinds = inner.body(params, 4)
    results = tuple(inner.real(kinds) for _ in range(c.between(1, 2)))
    rule = params == (REAL,) and len(results) == 1 and c.flag()
    return Plan(params, body, results, callees, rule)
