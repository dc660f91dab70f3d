"""Beginners' mistakes and the sentences that answer them: one row for each mistake."""

# ruff: noqa: E501 - a row of the table is one mistake
# ruff: noqa: PLW0108 - the lambda is what a beginner writes

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from tests.engines import HAS_WASM
from tests.errors.reading import error_of, value_of

needs_engine = pytest.mark.skipif(not HAS_WASM, reason="needs an engine")

SQUARE = eg.fn([eg.Real])(lambda x: x * x)
PRODUCT = eg.fn([eg.Real, eg.Real])(lambda x, y: x * y)
TOTAL = eg.fn([eg.Vec(3, eg.Real)])(lambda v: eg.sum(v))
JIT = eg.jit(lambda x: x * x)


@dataclasses.dataclass
class Plain:
    x: float
    y: float


class Thing:
    pass


def by_name(x: Any, *, y: Any) -> Any:
    return x * y


async def later(x: Any) -> Any:
    return x


def yielding(x: Any) -> Iterator[Any]:
    yield x


NAMES = {
    "f": SQUARE, "g": PRODUCT, "h": TOTAL, "jit": JIT, "Plain": Plain, "Thing": Thing, "by_name": by_name,
    "later": later, "yielding": yielding, "table": np.array([1.0, 2.0, 3.0]), "R": eg.Real,
}  # fmt: skip

MISTAKES = [
    # derivatives
    ("eg.jvp(f, 2., 1.)", "Found the float 2.0 as the primals of jvp, expected a tuple", "write eg.jvp(f, (2.0,), (1.0,))"),
    ("eg.jvp(f, (2.,), 1.)", "Found the float 1.0 as the tangents of jvp", "write eg.jvp(f, (x,), (1.0,))"),
    ("eg.jvp(f, None, None)", "Found None as the primals of jvp", "expected a tuple"),
    ("eg.jvp(f, (1.,), (1., 2.))", "Found 1 primal and 2 tangents", "eg.jvp(f, (x, y), (dx, dy))"),
    ("eg.hvp(f, 2., 1.)", "Found the float 2.0 as the primals of hvp", "write eg.hvp(f, (2.0,), (1.0,))"),
    ("eg.hvp(lambda v: eg.sum(v), [1., 2.], [1., 0.])", "Found 2 arguments for the lambda (v)", "one Vec is one argument"),
    ("eg.check_grads(f, 2.)", "Found the float 2.0 as the arguments of check_grads", "write eg.check_grads(f, (2.0,))"),
    ("eg.check_grads(f, (2.,), modes=('reverse',))", "expected a tuple of 'fwd'", "write modes=('rev',)"),
    ("eg.check_grads(f, (2.,), modes='fwd')", "expected a tuple of 'fwd'", "write modes=('fwd',)"),
    ("eg.check_grads(f, (2.,), order='2')", "Found the str '2' as the order", "write order=2"),
    ("eg.check_grads(f, (2.,), rtol='a')", "Found the str 'a' as rtol", "write rtol=1e-6"),
    ("eg.check_grads(f, (1., 2.))", "Found 2 arguments for <lambda>, expected 1: x", "write f(x)"),
    ("eg.grad(f(1.))", "Found the float 1.0 where a function belongs", "give the function itself"),
    ("eg.grad('x**2')", "Found the str 'x**2' where a function belongs", "eglantine.formulas.to_fn(text)"),
    ("eg.grad(None)", "Found None where a function belongs", "write a function"),
    ("eg.grad(f, argnums=1)", "which has 1 argument; expected the position 0", "write argnums=0"),
    ("eg.grad(lambda: 1.)()", "has no arguments to differentiate by", "give it a parameter"),
    ("eg.grad(lambda x, y: x * y)(1.)", "Found 1 argument for the lambda (x, y), expected 2", ""),
    ("eg.grad(np.sin)(1.)", "Found 'sin', which computes plain numbers only", "write eg.math.sin(x)"),
    ("eg.grad(by_name)(1., y=2.)", "Found y given by name alone", "remove the `*`"),
    ("eg.vjp(f)", "Found 0 arguments for <lambda>, expected 1: x", ""),
    ("eg.vjp(f, 1.)[1]()", "Found 0 cotangents for the result of <lambda>, expected 1", "write pull(1.0)"),
    ("eg.linearize(f, 1.)[1]()", "Found 1 argument for jvp of <lambda>, expected 2: x, dx", ""),
    ("f.defjvp(3)", "Found 3 (int) as the rule of defjvp, expected a function", "(primals, tangents)"),
    # compiling
    ("eg.compile(f, eg.Real)", "Found Real as the types of the arguments, expected a list", "write eg.compile(f, [eg.Real])"),
    ("eg.compile(lambda v: v[0], eg.Vec(3, eg.Real))", "expected a list", "write eg.compile(f, [eg.Vec(3, eg.Real)])"),
    ("eg.compile(lambda x: x, 'Real')", "Found the str 'Real' as the types", "write eg.compile(f, [eg.Real])"),
    ("eg.compile(f, [eg.Real, eg.Real])", "which has its own: (Real,)", "write eg.compile(f)"),
    ("eg.compile(3)", "Found the int 3 where a function belongs", ""),
    ("eg.compile(jit)", "without types to compile it for", "write eg.compile(f, [types])"),
    ("eg.export(jit, 'out')", "without types to export it for", 'write eg.export(f, "out", [types])'),
    ("eg.export(f, 3)", "expected a function and then the folder", 'write eg.export(f, "out")'),
    ("eg.export('out', f)", "expected a function and then the folder", 'write eg.export(f, "out")'),
    ("eg.jit('x')", "Found the str 'x' where a function belongs", ""),
    ("eg.jit([R])", "Found the list [Real] where a function belongs", ""),
    ("eg.interp(f)()", "Found 0 arguments for <lambda>, expected 1: x", ""),
    # types
    ("eg.Vec(3)", "Found Vec(3), which lacks a type", "write eg.Vec(3, eg.Real)"),
    ("eg.Vec(R)", "Found Vec(Real), which lacks a length", "write eg.Vec(3, eg.Real)"),
    ("eg.Vec(R, 3)", "the length comes first", "write eg.Vec(3, eg.Real)"),
    ("eg.Vec(3, int)", "Found int where a type belongs", "write eg.Fin(n)"),
    ("eg.Fin(3.)", "Found 3.0 as the bound of Fin", "write eg.Fin(3)"),
    ("eg.Fin(0)(0)", "expected no index at all, because there are no elements", ""),
    ("eg.Fin(1)(1)", "expected the index 0;", ""),
    ("eg.Real(3)", "Found a call of Real, which is a type", "write eg.real(i)"),
    ("eg.fn(R)", "Found fn(Real), expected a function or a list of types", "write eg.fn([eg.Real])(f)"),
    ("eg.fn(eg.Vec(2, R))", "expected a function or a list of types", "write eg.fn([eg.Vec(2, eg.Real)])(f)"),
    ("eg.fn(['Real'])(lambda x: x)", "Found 'Real' where a type belongs", "write eg.Real without quotes"),
    ("eg.fn([complex])(lambda x: x)", "Found complex where a type belongs", "write eg.Complex"),
    ("eg.fn([list])(lambda x: x)", "Found list where a type belongs", "write eg.Vec(3, eg.Real)"),
    ("eg.fn([np.ndarray])(lambda x: x)", "Found ndarray where a type belongs", "write eg.Vec(3, eg.Real)"),
    ("eg.fn([Thing])(lambda x: x)", "Found Thing where a type belongs", "@eg.struct"),
    ("eg.fn([eg.Vec])(lambda x: x)", "Found Vec where a type belongs", "write eg.Vec(3, eg.Real)"),
    ("eg.fn([{0: R}])(lambda d: d[0])", "Found the key 0 (int) in a dict; expected names", 'write {"x0": …}'),
    ("eg.jit(lambda d: d[0])({0: 1.0})", "Found the key 0 (int) in a dict; expected names", "a tuple or a list"),
    ("eg.fn([R])(3)", "Found the int 3 where a function belongs", ""),
    ("eg.fn([R, R])(lambda x: x)", "Found 2 arguments for the lambda (x), expected 1", ""),
    ("eg.fn([R, R])(by_name)", "Found the parameter y of by_name(x, *, y), which is given by name alone", "remove the `*` before y"),
    ("eg.fn([R])(lambda x: {x})", "(set), which has no type here", "write a list"),
    ("eg.struct(3)", "Found 3 to make a struct of, expected a class", "@eg.struct"),
    ("eg.opaque(math.sin, R, R)", "Found Real as the types of the arguments", "write eg.opaque(host, [eg.Real], eg.Real)"),
    ("eg.opaque(3, [R], R)", "Found 3 (int) as the host function of opaque", ""),
    ("eg.opaque(lambda x, y: x, [R], R)", "Found 1 argument for the lambda (x, y), expected 2", ""),
    # calling
    ("f()", "Found 0 arguments for <lambda>, expected 1: x", "write f(x)"),
    ("g(1.)", "Found 1 argument for <lambda>, expected 2: x, y", "write f(x, y)"),
    ("g(1., z=2.)", "Found the named arguments 'z' for <lambda>, expected 'y'", ""),
    ("g(1., у=2.)", "this is the Cyrillic letter u, which looks like y", ""),
    ("g(1., 2., y=3.)", "expected none, because all are given by position", ""),
    ("h(1., 2., 3.)", "Found 3 arguments for <lambda>, expected 1: v", ""),
    ("h({1., 2., 3.})", "Found the set {1.0, 2.0, 3.0} as argument v", "a list of 3 elements"),
    ("h('abc')", "Found the str 'abc' as argument v", "a list of 3 elements"),
    ("h(np.eye(3))", "Found the list [1.0, 0.0, 0.0] as element 0 of argument v", "expected a float"),
    ("f(1j)", "Found the complex 1j as argument x", "expected a float"),
    ("jit(1., 2.)", "Found 2 arguments for the lambda (x), expected 1", ""),
    ("jit({1, 2})", "Found the set {1, 2} as argument 0", ""),
    ("eg.math.sin('a')", "Found 'a' (str) as an argument of eg.math.sin", "expected a Real"),
    ("eg.math.clip(1., 2., 'a')", "as an argument of eg.math.minimum", "expected a Real"),
    ("eg.math.polygamma(1., 5)", "Found 1.0 (float) as the order of polygamma", "the order comes first"),
    ("eg.real('a')", "Found 'a' (str) to make a Real of", ""),
    ("eg.norm('abc')", "Found 'abc', expected Vecs", ""),
    ("eg.sum(k for k in range(3))", "Found a generator to sum, expected a Vec", "write eg.sum(n, lambda i: …)"),
    ("eg.sum(3.)", "Found 3.0 (float) to sum, expected a Vec", "write eg.sum(n, lambda i: …)"),
    ("eg.cond(True, 1., 0.)", "Found 1.0 (float) as the first arm of cond, expected a function", "eg.select(p, a, b)"),
    ("eg.vec(3, 1.)", "Found 1.0 (float) as the element of vec, expected a function", "write eg.vec(n, lambda i: …)"),
    ("eg.fori_loop(0, 3, 1., lambda i, c: c)", "expected them the other way round", "eg.fori_loop(lo, hi, lambda i, carry: …, init)"),
    ("eg.fori_loop(0, 2.5, lambda i, c: c, 1.)", "Found 2.5 (float) as a bound of fori_loop", ""),
    ("eg.scan(lambda c, x: c, 1., [1., 2.])", "Found 1.0 (float) from a scan's body", "return (carry, None)"),
    ("eg.scan(lambda c, x: (c, x), 1., 3.)", "Found 3.0 (float) as xs of scan", "length=n"),
    ("eg.scan(lambda c, x: (c, x), 1.)", "Found no length in scan", "length=n"),
    ("eg.debug_print(3)", "Found 3 (int) as the text to print", 'write eg.debug_print("x = {}", x)'),
    # names
    ("eg.sin(1.)", "Found eg.sin, expected a name that exists", "write eg.math.sin(x)"),
    ("eg.math.arctan2(1., 2.)", "Found eg.math.arctan2", "write eg.math.atan2(x, y)"),
    ("eg.math.gamma(1.)", "Found eg.math.gamma", "write eg.math.exp(eg.math.lgamma(x)), for x > 0"),
    ("eg.math.cot(1.)", "Found eg.math.cot", "write 1 / eg.math.tan(x)"),
    ("eg.math.nan_to_num(1.)", "Found eg.math.nan_to_num", "help(eg.math) lists all names"),
    ("eg.math.sqtr(1.)", "Found eg.math.sqtr", "Did you mean `eg.math.sqrt`?"),
    ("eg.math.соs(1.)", "its с is the Cyrillic letter es, which looks like c", "Did you mean `eg.math.cos`?"),
    ("eg.Vector(3)", "Found eg.Vector", "write eg.Vec(3, eg.Real)"),
    ("eg.gradient(f)", "Found eg.gradient", "write eg.grad"),
    ("eg.hesian(f)", "Found eg.hesian", "Did you mean `eg.hessian`?"),
]  # fmt: skip

TRACED = [
    # the body of a function of a Real x, a Vec v of three, an index i below three, and a struct d
    ("eg.cond(x > 0, x, 0.)", "Found a traced Real as the first arm of cond, expected a function", "eg.select(p, a, b)"),
    ("eg.cond(x > 0, lambda: x, 0.)", "Found 0.0 (float) as the second arm of cond", "eg.select(p, a, b)"),
    ("eg.cond(x > 0, lambda y: y, lambda y: y)", "Found a lambda of y as the first arm of cond", "function of 0 arguments"),
    ("eg.cond(x > 0, lambda: x)", "with the wrong arguments", "expected eg.cond(p, then, orelse, *operands)"),
    ("eg.select(x > 0, x)", "with the wrong arguments (missing 1", "expected eg.select(p, a, b)"),
    ("eg.select(x, 1., 2.)", "Found a traced Real as the condition of select", "x > 0"),
    ("eg.sum(x * k for k in range(3))", "Found a generator to sum", "eg.sum(n, lambda i: …)"),
    ("eg.sum(lambda i: x, 3)", "Found a lambda as a length", "the length comes first"),
    ("eg.vec(3, x)", "Found a traced Real as the element of vec", "eg.vec(n, lambda i: …)"),
    ("eg.vec(3, lambda: x)", "Found a lambda without parameters as the element of vec", "function of 1 argument"),
    ("eg.fori_loop(0, 3, x, lambda k, c: c)", "expected them the other way round", ""),
    ("eg.fori_loop(0, 3, lambda c: c, x)", "Found a lambda of c as the body of fori_loop", "function of 2 arguments"),
    ("eg.fori_loop(0, x, lambda k, c: c, x)", "Found a traced Real as a bound of fori_loop", "eg.while_loop"),
    ("eg.while_loop(x > 0, lambda c: c, x)", "Found a traced Bool as the condition of while_loop, expected a function", ""),
    ("eg.while_loop(lambda c: x, lambda c: c, x)", "expected a Bool", "x > 0"),
    ("eg.scan(lambda c: (c, c), x, [1., 2.])", "Found a lambda of c as the body of scan", "function of 2 arguments"),
    ("table[i]", "Found a NumPy array indexed by a traced index", "write eg.asarray(table)[i]"),
    ("2 * table[i] + x", "Found a NumPy array indexed by a traced index", "write eg.asarray(table)[i]"),
    ("table[x]", "Found a NumPy array indexed by", "eg.asarray(table)[i]"),
    ("{1.: 2.}[x]", "Found a dict looked up by a traced Real", "eg.select"),
    ("x.sin()", "Found the attribute 'sin' asked of a traced Real", "write eg.math.sin(x)"),
    ("v.sum()", "Found the attribute 'sum' asked of a traced Vec(3, Real)", "write eg.sum(v)"),
    ("v.append(x)", "a Vec has a fixed length", "eg.asarray([*v, x])"),
    ("v.at[0].mul(2.)", "Found the attribute 'mul'", "v.at[i].set(x)"),
    ("v.at(0)", "called like a function", "v.at[i].set(x)"),
    ("v @ v", "Found `@` between traced Vecs", "write eg.dot(v, w)"),
    ("d.a", "Found the field 'a' asked of a struct with a dot", "write d['a']"),
    ("d.b", "Found the field 'b' asked of a struct with a dot", "its fields are a"),
    ("d['b']", "Found the field 'b' asked of a struct; expected one of a", ""),
    ("d['а']", "this is the Cyrillic letter a, which looks like a", "Did you mean `a`?"),
    ("d + d", "Found `+` on a struct", "write it for each field"),
    ("x()", "Found a traced Real called like a function", "write `*` for a product"),
    ("len(x)", "Found the length asked of a traced Real", ""),
    ("divmod(x, 2)", "Found divmod of a traced Real", "write (x // y, x % y)"),
    ("x ^ 2", "Found `^` between a traced Real and 2 (int)", "write x ** y for a power"),
    ("f'{x:.2f}'", "Found a traced Real where Python needs a plain number", 'eg.debug_print("{}", x)'),
    ("float(x)", "Found a traced Real where Python needs a plain number", "leave float(…) out"),
    ("range(i)", "Found a traced index where Python needs a plain number", "eg.fori_loop"),
    ("eg.debug_print('x =', x)", "Found the text 'x =' to print with 1 value", "expected a {} for each"),
    ("v[5]", "Found the index 5 into a Vec of 3, expected an index from 0 to 2", ""),
]  # fmt: skip


def sentence(error: Any) -> None:
    """Every message is a sentence that names the thing found and ends with a full stop."""
    assert error.message.startswith("Found ")
    assert error.message.rstrip("?").endswith((".", "`"))
    assert " 0x" not in error.message


@pytest.mark.parametrize(("program", "found", "advice"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_answered_by_a_sentence_at_its_place(program: str, found: str, advice: str) -> None:
    error = error_of(program, **NAMES)
    sentence(error)
    assert found in error.message
    assert advice in error.message
    assert program.startswith(error.text)
    assert error.text


@pytest.mark.parametrize(("body", "found", "advice"), TRACED, ids=[row[0] for row in TRACED])
def test_a_mistake_in_a_function_is_answered_at_its_place(body: str, found: str, advice: str) -> None:
    types = '[R, eg.Vec(3, R), eg.Fin(3), {"a": R}]'
    error = error_of(f"eg.fn({types})(lambda x, v, i, d: {body})", **NAMES)
    sentence(error)
    assert found in error.message
    assert advice in error.message
    assert error.text in body
    assert error.text


KERNELS = [
    "eg.grad(k)", "eg.value_and_grad(k)", "eg.vjp(k, 1.)", "eg.jvp(k, (1.,), (1.,))", "eg.hvp(k, (1.,), (1.,))",
    "eg.diagnose(k)", "eg.jit(k)", "eg.interp(k)", "eg.compile(k)", "eg.check_grads(k, (1.,))", "eg.hessian(k)",
    "eg.linearize(k, 1.)", "eg.jacfwd(k)", "eg.jacrev(k)", "eg.checkpoint(k)", "eg.fn(k)", "eg.fn([eg.Real])(k)",
]  # fmt: skip


@needs_engine
@pytest.mark.parametrize("program", KERNELS)
def test_a_kernel_is_no_function_to_differentiate(program: str) -> None:
    error = error_of(program, k=eg.compile(SQUARE))
    sentence(error)
    assert error.kind is eg.TypeMismatchError
    assert "which is compiled code" in error.message
    assert "eg.compile(eg.grad(f))" in error.message
    assert "return it from there" not in error.message
    assert error.text == program


@needs_engine
def test_a_kernel_called_with_a_traced_value_says_what_to_call() -> None:
    error = error_of("eg.fn([eg.Real])(lambda x: 2 * k(x))", k=eg.compile(SQUARE))
    assert error.kind is eg.TypeMismatchError
    assert "call the function that was compiled, not its kernel" in error.message
    assert error.text == "k(x)"


@needs_engine
def test_a_kernel_takes_arguments_by_name() -> None:
    kernel = eg.compile(eg.fn([eg.Real, eg.Real])(lambda x, y: x - y))
    assert kernel(5.0, y=2.0) == kernel(y=2.0, x=5.0) == 3.0
    error = error_of("k(1., z=2.)", k=kernel)
    assert "Found the named arguments 'z' of <lambda>, expected 'y'" in error.message


@needs_engine
@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("k([1., 2.])", "Found 2 elements in argument v, expected 3; its type is Vec(3, Real)"),
        ("k(1., 2., 3.)", "Found 3 arguments of <lambda>, expected 1 (v)"),
        ("k(None)", "Found None as argument v, expected a list of 3 elements"),
        ("k([1., None, 3.])", "Found None as element 1 of argument v"),
        ("k.batch(1.)", "Found the float 1.0 as column v"),
    ],
)
def test_a_kernel_says_what_its_arguments_should_be(program: str, found: str) -> None:
    error = error_of(program, k=eg.compile(TOTAL))
    assert found in error.message
    assert error.text == program


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("eg.Vec(np.int64(3), eg.Real)", eg.Vec(3, eg.Real)),
        ("eg.Fin(np.int64(3))", eg.Fin(3)),
        ("eg.real([1, 2])", [1.0, 2.0]),
        ("hasattr(eg, 'nothing')", False),
        ("getattr(eg.math, 'nothing', 7)", 7),
    ],
)
def test_a_correct_program_gives_its_value(program: str, value: Any) -> None:
    assert value_of(program) == value


@pytest.mark.parametrize(
    ("function", "kind", "advice"),
    [
        (later, "async function later", "without `async`"),
        (yielding, "generator yielding", "instead of `yield`"),
    ],
)
def test_a_function_that_returns_no_value_at_once(function: Any, kind: str, advice: str) -> None:
    for program in ("eg.fn([eg.Real])(function)", "eg.jit(function)(1.0)", "eg.grad(function)(1.0)"):
        error = error_of(program, function=function)
        assert kind in error.message
        assert advice in error.message
        assert error.error.span is not None
        assert error.error.span.line == function.__code__.co_firstlineno


def test_an_index_into_one_element_is_not_told_a_range() -> None:
    error = error_of("eg.fn([eg.Fin(1), eg.Vec(1, eg.Real)])(lambda i, v: v[i + 1])")
    assert "expected the index 0;" in error.message
    assert error.text == "v[i + 1]"


def test_a_type_error_of_the_users_own_stays_as_it_is() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        value_of("eg.fn([eg.Real])(lambda x: eg.vec(2, lambda i: None + 1))")
    with pytest.raises(AttributeError, match="'str' object has no attribute 'nothing'"):
        value_of("eg.fn([eg.Real])(lambda x: 'text'.nothing)")
