"""Trace plans to functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import eglantine as eg
import eglantine.numpy as enp
from tests.programs.drawing import WIDEST_INDEX
from tests.programs.plans import Plan, type_of

_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "damped": lambda a, b: a / (1.0 + b * b),
    "hypot1": lambda a, b: eg.math.sqrt(1.0 + a * a + b * b),
    "mod": lambda a, b: a % b,
    "floordiv": lambda a, b: a // b,
    "mod1": lambda a, b: a % (b + 1),
    "floordiv1": lambda a, b: a // (b + 1),
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
    "digamma": lambda a: eg.math.polygamma(0, a),
    "abs": abs,
}


def _function(name: str) -> Any:
    return _OPERATORS.get(name) or getattr(eg.math, name)


# ---------------------------------------------------------------- host functions

_note = eg.opaque(lambda x: print("noted", x), [eg.Real], eg.Unit)
_note.function.name = _note.__name__ = "note"
_halved = eg.opaque(lambda x: 0.5 * x + 1.0, [eg.Real], eg.Real, pure=True)
_halved.function.name = _halved.__name__ = "halved"
_product = eg.opaque(lambda x, y: x * y, [eg.Real, eg.Real], eg.Real, pure=True)
_product.function.name = _product.__name__ = "product"
HOSTS = {f.__name__: f.__wrapped__ for f in (_note, _halved, _product)}
"""Name of an opaque function → the Python function that it calls."""


@_note.defjvp
def _(primals: Any, _: Any) -> Any:
    return _note(*primals), None


@_halved.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return _halved(*primals), 0.5 * tangents[0]


@_product.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    return _product(x, y), dx * y + x * dy


# ---------------------------------------------------------------- statements


def _total(value: Any) -> Any:
    """Add all Reals in a gradient."""
    return eg.sum(len(value), lambda i: _total(value[i])) if hasattr(value, "__len__") else value


def _small(index: Any) -> Any:
    """Reduce a large index modulo WIDEST_INDEX. Then products of indices fit into 32 bits."""
    return index if index.bounds[1] <= WIDEST_INDEX else index % WIDEST_INDEX


def _in_chain(array: Any, i: Any, n: int, read: str) -> Any:
    """Return the element that round i reads. Its index is i, n − 1 − i or i + 1, depending on `read`."""
    if read == "same" or not n:
        return array[i]
    return array[n - 1 - i] if read == "reversed" else array[(i + 1) % n]


class _Run:
    """Runs the statements of a plan on traced values. Each kind of statement has a method."""

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

    def _const(self, env: Any, value: float, hidden: bool) -> Any:
        """Make a traced constant. If `hidden`, the compiler cannot find its value."""
        if hidden:
            return eg.select(env[0] == env[0], value, -value)
        return eg.asarray([env[0], value])[1]

    def _powi(self, env: Any, a: int, n: int) -> Any:
        return env[a] ** n

    def _select(self, env: Any, p: int, a: int, b: int) -> Any:
        return eg.select(env[p], env[a], env[b])

    def _real(self, env: Any, a: int) -> Any:
        return eg.real(env[a])

    def _index(self, env: Any, op: str, i: int, k: int, n: int, bound: int) -> Any:
        index = _small(env[i])
        match op:
            case "add":
                found = index + k
            case "mul":
                found = index * k
            case "mod":
                found = index % k
            case "floordiv":
                found = index // k
            case "reverse":
                found = n - 1 - index
            case _:
                found = eg.Fin(n)((index * index * index + k) % n)
        return found % bound

    def _indices(self, env: Any, op: str, i: int, j: int, n: int) -> Any:
        return _function(op)(_small(env[i]), _small(env[j])) % n

    # ---------------------------------------------------------------- aggregates

    def _literal(self, env: Any, places: Sequence[int]) -> Any:
        return eg.asarray([env[k] for k in places])

    def _pack(self, env: Any, letter: str, a: int, b: int) -> Any:
        return (env[a], env[b]) if letter == "P" else {"a": env[a], "b": env[b]}

    def _part(self, env: Any, k: int, name: Any) -> Any:
        return env[k][name]

    def _place(self, env: Any, n: int, index: Any) -> Any:
        if isinstance(index, int):
            return index
        how, i = index
        if how == "checked":
            return eg.Fin(n)(env[i] + 0) if env[i].bounds[0] < n else env[i] % n
        return env[i] % n if how == "mod" else n - 1 - env[i] % n

    def _at(self, env: Any, v: int, index: Any) -> Any:
        return env[v][self._place(env, len(env[v]), index)]

    def _slice(self, env: Any, v: int, lo: int, hi: int, step: int) -> Any:
        return env[v][lo:hi:step]

    def _update(self, env: Any, how: str, v: int, index: Any, x: Any) -> Any:
        place = env[v].at[self._place(env, len(env[v]), index)]
        item = env[v][0] if x is None else env[x]
        if isinstance(env[v].type.of, eg.types.FinType):
            # The traced element type may have narrower bounds than the plan.
            item = item % env[v].type.of.n
        return place.set(item) if how == "set" else place.add(item)

    def _dot(self, env: Any, v: int, w: int) -> Any:
        return eg.dot(env[v], env[w])

    def _norm(self, env: Any, v: int) -> Any:
        return eg.norm(env[v])

    def _sumv(self, env: Any, v: int) -> Any:
        items = env[v]
        return eg.sum(len(items), lambda i: items[i])

    # ---------------------------------------------------------------- structure

    def _vec(self, env: Any, n: int, body: Any, k: int) -> Any:
        return eg.vec(n, lambda i: self.body(body, [*env, i])[k])

    def _sum(self, env: Any, n: int | None, i: int | None, body: Any, k: int) -> Any:
        return eg.sum(n if i is None else env[i], lambda j: self.body(body, [*env, j])[k])

    def _chain(self, env: Any, n: int, links: Any) -> Any:
        arrays: list[Any] = []
        for how, reads, body, k in links:
            earlier = tuple(arrays)

            def element(i: Any, arrays: Any, reads: Any = reads, body: Any = body, k: int = k) -> Any:
                items = [_in_chain(array, i, n, read) for array, read in zip(arrays, reads, strict=True)]
                return self.body(body, [*env, i, *items])[k]

            def step(
                i: Any, last: Any, how: str = how, earlier: Any = earlier, element: Any = element
            ) -> Any:
                return getattr(last.at[i], how)(element(i, (*earlier[:-1], last)))

            if how == "each":
                arrays.append(eg.vec(n, lambda i, element=element, earlier=earlier: element(i, earlier)))
            else:
                arrays.append(eg.fori_loop(0, n, step, earlier[-1]))
        return arrays[-1] if n else eg.sum(arrays[-1])

    def _product(self, env: Any, n: int, k: int, m: int, a: int, b: int) -> Any:
        left = eg.vec(n, lambda i: eg.vec(k, lambda j: env[a] * eg.real(i + 1) - eg.real(j)))
        right = eg.vec(k, lambda i: eg.vec(m, lambda j: eg.math.sin(env[b] + eg.real(i + 2 * j))))
        return left @ right

    def _layers(self, env: Any, n: int, k: int, m: int, a: int, b: int) -> Any:
        waves = eg.vec(k, lambda i: eg.vec(m, lambda j: eg.math.sin(env[b] + eg.real(3 * i + 2 * j))))
        array = eg.vec(n, lambda h: env[a] * eg.real(h) + waves)
        return enp.sum(array, 0) * array[-1]

    def _fori(self, env: Any, *parts: Any) -> Any:
        lo, hi, inits, body, after, k = parts

        def step(i: Any, carry: Any) -> Any:
            inner = self.body(body, [*env, i, *carry])
            return tuple(inner[j] for j in after)

        end = hi if isinstance(hi, int) else env[hi[1]]
        return eg.fori_loop(lo, end, step, tuple(env[j] for j in inits))[k]

    def _while(self, env: Any, *parts: Any) -> Any:
        rounds, inits, test, holds, body, after, k = parts

        def goes_on(state: Any) -> Any:
            done, carry = state
            return self.body(test, [*env, *carry, done < float(rounds)])[holds] & (done < float(rounds))

        def step(state: Any) -> Any:
            done, carry = state
            inner = self.body(body, [*env, *carry])
            return done + 1.0, tuple(inner[j] for j in after)

        return eg.while_loop(goes_on, step, (0.0, tuple(env[j] for j in inits)))[1][k]

    def _scan(self, env: Any, *parts: Any) -> Any:
        xs, n, inits, body, after, y, checkpoint, which = parts

        def step(carry: Any, x: Any) -> Any:
            inner = self.body(body, [*env, *carry, *([] if xs is None else [x])])
            return tuple(inner[j] for j in after), inner[y]

        start = tuple(env[j] for j in inits)
        last, ys = eg.scan(step, start, None if xs is None else env[xs], n, checkpoint)
        return last[which] if which < len(last) else ys

    def _cond(self, env: Any, p: int, then: Any, orelse: Any) -> Any:
        arms = [lambda arm=arm: self.body(arm[0], env)[arm[1]] for arm in (then, orelse)]
        return eg.cond(env[p], *arms)

    # ---------------------------------------------------------------- functions

    def _arguments(self, env: Any, args: Any) -> list[Any]:
        """Return the arguments of a call. An item of `args` is a value's position, or ("of", kind)."""
        found = []
        for a in args:
            if isinstance(a, int):
                found.append(env[a])
            else:
                kind = a[1]
                found.append(1 if kind[0] == "I" else eg.asarray([env[0]] * kind[1]))
        return found

    def _call(self, env: Any, k: int, args: Any, result: int) -> Any:
        found = self.callees[k](*self._arguments(env, args))
        return found if len(self.plans[k].results) == 1 else found[f"y{result}"]

    def _bare(self, k: int, result: int) -> Any:
        """Return callee k. If it has several results, return a function for one of the results."""
        if len(self.plans[k].results) == 1:
            return self.callees[k]
        types = [type_of(kind) for kind in self.plans[k].params]
        return eg.fn(types, eg.Real)(lambda *args: self.callees[k](*args)[f"y{result}"])

    def _closure(self, env: Any, *parts: Any) -> Any:
        """Define a function that captures values, and transform it or call it."""
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
            case "linearize":
                y, pushed = eg.linearize(f, env[at])
                return pushed(y) + pushed(env[0])
            case "grad of grad":
                return eg.grad(eg.grad(f))(env[at])
            case "hvp":
                return eg.hvp(f, (env[at],), (env[0],))[0]
            case "checkpoint":
                return eg.checkpoint(f)(env[at])
            case "forward":
                return eg.forward(f)(env[at])
            case "hook":
                return eg.hook(lambda ct: 0.5 * (ct + ct), f(env[at]))
            case "fixed point":
                damped = eg.fn([eg.Real], eg.Real)(lambda x: 0.25 * eg.math.atan(f(x)))
                return eg.fixed_point(lambda x, y: damped(x) + 0.1 * y, env[at], env[0], limit=60)
        return f(env[at])

    def _grad(self, env: Any, *parts: Any) -> Any:
        k, args, argnum, result, with_value = parts
        f, values = self._bare(k, result), self._arguments(env, args)
        if with_value:
            y, ct = eg.value_and_grad(f, (argnum,))(*values)
            return y * _total(ct[0])
        return _total(eg.grad(f, argnum)(*values))

    def _jacfwd(self, env: Any, k: int, args: Any, argnum: int, result: int) -> Any:
        return _total(eg.jacfwd(self._bare(k, result), argnum)(*self._arguments(env, args)))

    def _jacrev(self, env: Any, k: int, args: Any, argnum: int, result: int) -> Any:
        return _total(eg.jacrev(self._bare(k, result), argnum)(*self._arguments(env, args)))

    def _hessian(self, env: Any, k: int, args: Any, argnum: int, result: int) -> Any:
        return _total(eg.hessian(self._bare(k, result), argnum)(*self._arguments(env, args)))

    def _jvp(self, env: Any, k: int, args: Any, tangents: Any, result: int) -> Any:
        kinds = self.plans[k].params
        dx = [
            None if kind[0] == "I" else env[j] if kind[0] == "R" else eg.asarray([env[j]] * kind[1])
            for kind, j in zip(kinds, tangents, strict=True)
        ]
        return eg.jvp(self._bare(k, result), self._arguments(env, args), dx)[1]

    # ---------------------------------------------------------------- calls of the host

    def _opaque(self, env: Any, name: str, a: int, b: int) -> Any:
        return _halved(env[a]) if name == "halved" else _product(env[a], env[b])

    def _effect(self, env: Any, how: str, a: int, other: int) -> Any:
        if how == "print":
            eg.debug_print("{} {}", env[a], env[other])
        else:
            _note(env[a])
        return env[a]


_NOT_STATEMENTS = {"arguments", "bare", "place"}
STATEMENTS = {
    name[1:] for name in vars(_Run) if name[0] == "_" and name[1] != "_" and name[1:] not in _NOT_STATEMENTS
}
"""The names of all kinds of statements. A statement is a tuple, and its first entry is its kind."""


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
