"""A program that exceeds a limit raises an error that states the limit."""

from __future__ import annotations

from typing import Any

import pytest
import wasmtime

import eglantine as eg
from eglantine.emit import body as emit_body
from eglantine.runtime.hosts import Instance
from eglantine.runtime.kernel import Kernel
from eglantine.types import as_type
from tests.runtime.modules import artifact

R = eg.Real


def many(n: int) -> Any:
    """Make a function with two calls of a function that has n arguments and is too long to be inlined."""
    f = eg.fn([R] * n, R)(lambda *xs: sum((eg.math.sin(x) for x in xs), eg.real(0.0)))
    return eg.fn([R])(lambda x: f(*[x] * n) + f(*[x + 1.0] * n))


def multiples(n: int) -> Any:
    """Make a function with two calls of a function that has n results and is too long to be inlined."""
    f = eg.fn([R])(lambda x: tuple(eg.math.sin(x * float(k)) for k in range(n)))
    return eg.fn([R])(lambda x: sum(f(x), eg.real(0.0)) + sum(f(x + 1.0), eg.real(0.0)))


def nested(depth: int) -> Any:
    """Loops nested `depth` deep."""

    def body(left: int, x: Any) -> Any:
        return eg.fori_loop(0, 2, lambda i, c: body(left - 1, c) * 0.5, x) if left else x + 1.0

    return eg.fn([R])(lambda x: body(depth, x))


def deep(depth: int) -> Any:
    of: Any = R
    for _ in range(depth):
        of = (of,)
    return of


def vec(depth: int) -> Any:
    of: Any = R
    for _ in range(depth):
        of = eg.Vec(1, of)
    return of


HUGE = 10**9

TOO_LARGE = {
    "parameters of a function": (
        lambda: many(1001),
        "passes or returns 1,001 scalars, but at most 1,000 are possible. Pass them in a Vec",
    ),
    "results of a function": (
        lambda: multiples(1001),
        "passes or returns 1,001 scalars, but at most 1,000 are possible",
    ),
    "parameters of a host function": (
        lambda: eg.fn([R])(lambda x: eg.opaque(max, [R] * 1001, R)(*[x] * 1001)),
        "passes or returns 1,001 scalars, but at most 1,000 are possible",
    ),
    "values of a print": (
        lambda: eg.fn([R])(lambda x: (eg.debug_print("{} " * 1001, *[x] * 1001), x)[1]),
        "passes or returns 1,001 scalars, but at most 1,000 are possible",
    ),
    "a parameter": (
        lambda: eg.fn([eg.Vec(HUGE, R)])(lambda v: v[0]),
        "needs 8,000,000,072 bytes of arrays, but it may use at most 1,073,741,824. Use fewer",
    ),
    "an array of arrays": (
        lambda: eg.fn([eg.Vec(HUGE, eg.Vec(HUGE, R))])(lambda v: v[0][0]),
        "may use at most 1,073,741,824",
    ),
    "what is stacked": (
        lambda: eg.fn([R, eg.Fin(HUGE)])(lambda x, k: eg.vec(HUGE, lambda i: x * eg.real(i))[k]),
        "may use at most 1,073,741,824",
    ),
    "a length": (
        lambda: eg.Vec((1 << 31) + 1, R),
        "at most 2,147,483,648, .* but this one is 2,147,483,649",
    ),
    "a bound": (lambda: eg.Fin(1 << 40), "A length can be at most 2,147,483,648"),
    "rounds": (
        lambda: eg.fn([R])(lambda x: eg.fori_loop(0, 1 << 31, lambda i, c: c * x, x)),
        "at most 2,147,483,647 rounds, but this one has 2,147,483,648",
    ),
    "an index": (lambda: eg.fn([eg.Fin(1 << 17)])(lambda i: eg.real(i * i)), "an index has at most 32 bits"),
    "loops in loops": (lambda: nested(101), "at most 100 deep, but here they nest 101 deep"),
    "tuples in tuples": (lambda: eg.fn([deep(5000)])(lambda x: x), "nest at most 63 deep"),
    "vecs in vecs": (lambda: vec(5000), "nest at most 63 deep"),
}


@pytest.mark.parametrize("make", TOO_LARGE, ids=list(TOO_LARGE))
def test_a_program_beyond_a_limit_is_an_error_that_states_the_limit(make: str) -> None:
    build, sentence = TOO_LARGE[make]
    with pytest.raises(eg.LimitError, match=sentence) as raised:
        eg.compile(build())
    assert raised.value.span is not None


def test_a_program_exactly_at_a_limit_runs() -> None:
    assert eg.compile(many(1000))(0.0) == pytest.approx(1000 * 0.8414709848078965)
    assert eg.compile(nested(5))(0.0) == eg.interp(nested(5))(0.0)
    value: Any = 1.5
    for _ in range(63):
        value = [value]
    k = eg.compile(eg.fn([vec(63)])(lambda v: v))
    assert k(value) == value
    assert k.batch([value, value]) == [value, value]
    assert eg.compile(eg.fn([R] * 2000)(lambda *xs: sum(xs[1:], xs[0])))(*[0.5] * 2000) == 1000.0


def test_a_body_with_too_many_locals_or_bytes_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def body(_: Any, c: Any) -> Any:
        values = [eg.math.sqrt(c + float(k)) for k in range(200)]
        for x in [*values, *values[::-1]]:
            c = c * x
        return c

    f = eg.fn([R])(lambda x: eg.fori_loop(0, 3, body, x))
    monkeypatch.setattr(emit_body, "MAX_LOCALS", 200)
    with pytest.raises(eg.LimitError, match=r"has 2\d\d values alive at once .* but at most 200 values and "):
        eg.compile(f)
    monkeypatch.setattr(emit_body, "MAX_LOCALS", 300)
    monkeypatch.setattr(emit_body, "MAX_BODY_BYTES", 500)
    with pytest.raises(
        eg.LimitError, match=r"and 500 bytes are possible\. Write repeated parts as loops or functions"
    ):
        eg.compile(f)


def test_many_constant_arrays_make_one_data_segment() -> None:
    """Engines accept at most 100,000 data segments in a module."""
    tables = [[k + 0.5 * i for i in range(40)] for k in range(300)]

    def program(i: Any) -> Any:
        return sum((eg.asarray(table)[i] for table in tables), eg.real(0.0))

    f = eg.fn([eg.Fin(40)])(program)
    k = eg.compile(f)
    assert k.wat.count("(data ") == 1
    assert [k(i) for i in (0, 7, 39)] == [sum(table[i] for table in tables) for i in (0, 7, 39)]


# ---------------------------------------------------------------- memory


def test_users_can_limit_the_memory_that_the_abi_states() -> None:
    f = eg.fn([eg.Vec(100_000, R)])(lambda v: v * 2.0)
    size = eg.compile_artifact(f).abi["memory"]["bytes"]
    assert size == 64 + 2 * 800_000
    assert eg.compile(f, memory=size).memory_bytes == size
    with pytest.raises(eg.LimitError, match=r"needs 1,600,064 bytes .* at most 1,600,063\. .* with memory="):
        eg.compile(f, memory=size - 1)
    with pytest.raises(eg.LimitError, match="may use at most 1,600,063"):
        eg.compile_artifact(f, memory=size - 1)
    large = eg.fn([eg.Vec(1 << 27, R)])(lambda v: v[5])
    assert eg.compile_artifact(large, memory=1 << 31).abi["memory"]["pages"] == (1 << 14) + 1


def test_a_batch_that_needs_too_much_memory_is_a_limit_error() -> None:
    made = artifact([as_type(eg.Vec(300, R))], R, "")
    text = made.wat.replace('(memory (export "memory") 1)', '(memory (export "memory") 1 2)')
    assert text != made.wat
    k = Kernel(made.__class__(bytes(wasmtime.wat2wasm(text)), made.abi, text), [as_type(eg.Vec(300, R))], R)
    instance: Instance = k._instance
    with pytest.raises(
        eg.LimitError, match=r"A kernel needs [0-9,]+ bytes of memory, but the engine does not have them"
    ):
        k.batch([[0.0] * 300] * 100)
    assert instance.size() == 65536
    assert k([0.0] * 300) == 0.0
