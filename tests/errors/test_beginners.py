"""Each beginner's mistake in the tables below raises an error that says what to do."""

# ruff: noqa: E501 - a row of the table is one mistake
# ruff: noqa: PLW0108 - the lambda is what a beginner writes

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import eglantine as eg
from eglantine.unknown import unknown_name
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
    ("eg.jvp(f, 2., 1.)", "The primals of jvp must be a tuple with one value for each argument, but here it is the float 2.0", "Write eg.jvp(f, (2.0,), (1.0,))"),
    ("eg.jvp(f, (2.,), 1.)", "The tangents of jvp must be a tuple with one value for each argument, but here it is the float 1.0", "Write eg.jvp(f, (x,), (1.0,))"),
    ("eg.jvp(f, None, None)", "The primals of jvp must be a tuple with one value for each argument, but here it is None", "Write eg.jvp(f, (x,), (1.0,))"),
    ("eg.jvp(f, (1.,), (1., 2.))", "eg.jvp needs as many tangents as primals, but it was given 1 primal and 2 tangents", "eg.jvp(f, (x, y), (dx, dy))"),
    ("eg.hvp(f, 2., 1.)", "The primals of hvp must be a tuple with one value for each argument, but here it is the float 2.0", "Write eg.hvp(f, (2.0,), (1.0,))"),
    ("eg.hvp(lambda v: eg.sum(v), [1., 2.], [1., 0.])", "The lambda (v) takes 1 argument, but here it gets 2", "One Vec is one argument"),
    ("eg.check_grads(f, 2.)", "The arguments of check_grads must be a tuple with one value for each argument, but here it is the float 2.0", "Write eg.check_grads(f, (2.0,))"),
    ("eg.check_grads(f, (2.,), modes=('reverse',))", "The modes of check_grads must be a tuple of 'fwd' (forward mode) and 'rev' (reverse mode), but they are ('reverse',)", "Write modes=('rev',)"),
    ("eg.check_grads(f, (2.,), modes='fwd')", "The modes of check_grads must be a tuple of 'fwd' (forward mode) and 'rev' (reverse mode), but they are 'fwd'", "Write modes=('fwd',)"),
    ("eg.check_grads(f, (2.,), order='2')", "The order of check_grads must be a whole number ≥ 1, but it is the str '2'", "Write order=2"),
    ("eg.check_grads(f, (2.,), rtol='a')", "The rtol of check_grads must be a number, but it is the str 'a'", "Write rtol=1e-6"),
    ("eg.check_grads(f, (1., 2.))", "<lambda> takes 1 argument (x), but this call gives 2", "Write f(x)"),
    ("eg.grad(f(1.))", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is the float 1.0", "Give the function itself"),
    ("eg.grad('x**2')", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is the str 'x**2'", "eglantine.formulas.to_fn(text)"),
    ("eg.grad(None)", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is None", "Write a function"),
    ("eg.grad(f, argnums=1)", "<lambda> has 1 argument, so argnums takes the position 0, but it is 1", "Write argnums=0"),
    ("eg.grad(lambda: 1.)()", "has no arguments to differentiate by", "Give it a parameter"),
    ("eg.grad(lambda x, y: x * y)(1.)", "The lambda (x, y) takes 2 arguments, but here it gets 1", ""),
    ("eg.grad(np.sin)(1.)", "'sin' computes plain numbers only, but the function here must take traced values", "Write eg.math.sin(x)"),
    ("eg.grad(by_name)(1., y=2.)", "The arguments y can be passed only by name, but each parameter needs a position", "Remove the `*`"),
    ("eg.vjp(f)", "<lambda> takes 1 argument (x), but this call gives 0", ""),
    ("eg.vjp(f, 1.)[1]()", "The result of <lambda> takes 1 cotangent, but it was given 0", "Write pull(1.0)"),
    ("eg.linearize(f, 1.)[1]()", "jvp of <lambda> takes 2 arguments (x, dx), but this call gives 1", ""),
    ("f.defjvp(3)", "The rule of defjvp must be a function, but it is 3 (int)", "(primals, tangents)"),
    # compiling
    ("eg.compile(f, eg.Real)", "The types of the arguments must be a list with a type for each, but here they are Real", "Write eg.compile(f, [eg.Real])"),
    ("eg.compile(lambda v: v[0], eg.Vec(3, eg.Real))", "The types of the arguments must be a list with a type for each, but here they are Vec(3, Real)", "Write eg.compile(f, [eg.Vec(3, eg.Real)])"),
    ("eg.compile(lambda x: x, 'Real')", "The types of the arguments must be a list with a type for each, but here they are the str 'Real'", "Write eg.compile(f, [eg.Real])"),
    ("eg.compile(f, [eg.Real, eg.Real])", "<lambda> has parameters of the types (Real,), but this call asks for the types (Real, Real)", "write eg.compile(f)"),
    ("eg.compile(3)", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is the int 3", ""),
    ("eg.compile(jit)", "A lambda cannot be compiled, because the types of its arguments are not known", "write eg.compile(f, [types])"),
    ("eg.export(jit, 'out')", "The Jit <jit <lambda>> cannot be exported, because the types of its arguments are not known", 'write eg.export(f, "out", [types])'),
    ("eg.export(f, 3)", "eg.export needs a function and then the folder to write into, but it was given <fn <lambda>(Real) -> Real> and 3", 'Write eg.export(f, "out")'),
    ("eg.export('out', f)", "eg.export needs a function and then the folder to write into, but it was given 'out' and <fn <lambda>(Real) -> Real>", 'Write eg.export(f, "out")'),
    ("eg.jit('x')", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is the str 'x'", ""),
    ("eg.jit([R])", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is the list [Real]", ""),
    ("eg.interp(f)()", "<lambda> takes 1 argument (x), but this call gives 0", ""),
    # types
    ("eg.Vec(3)", "A Vec needs a length and the type of its elements, but Vec(3) lacks a type", "Write eg.Vec(3, eg.Real)"),
    ("eg.Vec(R)", "A Vec needs a length and the type of its elements, but Vec(Real) lacks a length", "Write eg.Vec(3, eg.Real)"),
    ("eg.Vec(R, 3)", "The length of a Vec must be a whole number or a Fin, but this one is Real", "write eg.Vec(3, eg.Real)"),
    ("eg.Vec(3, int)", "A type is needed here, but this is int", "Write eg.Fin(n)"),
    ("eg.Fin(3.)", "The bound of Fin must be a whole number, but it is 3.0", "Write eg.Fin(3)"),
    ("eg.Fin(0)(0)", "Fin(0) takes no index at all, because there are no elements, but it was given the index 0", ""),
    ("eg.Fin(1)(1)", "Fin(1) takes the index 0, but it was given the index 1", ""),
    ("eg.Real(3)", "Real is a type, so it cannot be called to make a value", "Write a value itself, such as 2.0 for a Real, or eg.real(i) to convert an index or a Bool to a Real"),
    ("eg.fn(R)", "eg.fn needs a function or a list of types, but it was given Real", "Write eg.fn([eg.Real])(f)"),
    ("eg.fn(eg.Vec(2, R))", "eg.fn needs a function or a list of types, but it was given Vec(2, Real)", "Write eg.fn([eg.Vec(2, eg.Real)])(f)"),
    ("eg.fn(['Real'])(lambda x: x)", "A type is needed here, but this is 'Real'", "Write eg.Real without quotes"),
    ("eg.fn([complex])(lambda x: x)", "A type is needed here, but this is complex", "Write eg.Complex"),
    ("eg.fn([list])(lambda x: x)", "A type is needed here, but this is list", "Write eg.Vec(3, eg.Real)"),
    ("eg.fn([np.ndarray])(lambda x: x)", "A type is needed here, but this is ndarray", "Write eg.Vec(3, eg.Real)"),
    ("eg.fn([Thing])(lambda x: x)", "A type is needed here, but this is Thing", "@eg.struct"),
    ("eg.fn([eg.Vec])(lambda x: x)", "A type is needed here, but this is Vec", "Write eg.Vec(3, eg.Real)"),
    ("eg.fn([{0: R}])(lambda d: d[0])", "A struct's fields have names, but this dict has the key 0 (int)", 'Write {"x0": …}'),
    ("eg.jit(lambda d: d[0])({0: 1.0})", "A struct's fields have names, but this dict has the key 0 (int)", "a tuple or a list"),
    ("eg.fn([R])(3)", "A function is needed here, such as an eg.fn, an eg.jit or a Python function, but this is the int 3", ""),
    ("eg.fn([R, R])(lambda x: x)", "The lambda (x) takes 1 argument, but here it gets 2", ""),
    ("eg.fn([R, R])(by_name)", "The parameter y of by_name(x, *, y) is given by name alone, but each parameter needs a position", "Remove the `*` before y"),
    ("eg.fn([R])(lambda x: {x})", "{<a traced Real>} (set) has no type here", "Write a list"),
    ("eg.struct(3)", "eg.struct turns a class into a struct, but it was given 3", "@eg.struct"),
    ("eg.opaque(math.sin, R, R)", "The types of the arguments must be a list with a type for each, but here they are Real", "Write eg.opaque(host, [eg.Real], eg.Real)"),
    ("eg.opaque(3, [R], R)", "The host function of opaque must be a function, but it is 3 (int)", ""),
    ("eg.opaque(lambda x, y: x, [R], R)", "The lambda (x, y) takes 2 arguments, but here it gets 1", ""),
    # calling
    ("f()", "<lambda> takes 1 argument (x), but this call gives 0", "Write f(x)"),
    ("g(1.)", "<lambda> takes 2 arguments (x, y), but this call gives 1", "Write f(x, y)"),
    ("g(1., z=2.)", "<lambda> takes 'y' by name here, but this call gives 'z'", ""),
    ("g(1., у=2.)", "this is the Cyrillic letter u, which looks like y", ""),
    ("g(1., 2., y=3.)", "<lambda> takes nothing by name here, because all arguments are given by position, but this call gives 'y'", ""),
    ("h(1., 2., 3.)", "<lambda> takes 1 argument (v), but this call gives 3", ""),
    ("h({1., 2., 3.})", "Argument v of <lambda> must be a list of 3 elements, but it is the set {1.0, 2.0, 3.0}", "a list of 3 elements"),
    ("h('abc')", "Argument v of <lambda> must be a list of 3 elements, but it is the str 'abc'", "a list of 3 elements"),
    ("h(np.eye(3))", "Element 0 of argument v of <lambda> must be a float, but it is the list [1.0, 0.0, 0.0]", "Change this value"),
    ("f(1j)", "Argument x of <lambda> must be a float, but it is the complex 1j", "Convert it, or use eg.interp"),
    ("jit(1., 2.)", "The lambda (x) takes 1 argument, but here it gets 2", ""),
    ("jit({1, 2})", "Argument 0 must be a number, bool, None, tuple, dict, list or struct, but it is the set {1, 2}", ""),
    ("eg.math.sin('a')", "eg.math.sin needs a Real, but it was given 'a' (str)", "Use eg.real to convert a Bool to a Real"),
    ("eg.math.clip(1., 2., 'a')", "eg.math.minimum needs a Real, but it was given 'a' (str)", "Use eg.real to convert a Bool to a Real"),
    ("eg.math.polygamma(1., 5)", "The order of polygamma must be a whole number from 0 to 100, but it is 1.0 (float)", "The order comes first"),
    ("eg.real('a')", "eg.real converts an index, a Bool or a number to a Real, but it was given 'a' (str)", ""),
    ("eg.norm('abc')", "eg.dot and eg.norm work on Vecs, but this is 'abc'", ""),
    ("eg.sum(k for k in range(3))", "eg.sum needs a Vec, but it was given a generator", "Write eg.sum(n, lambda i: …)"),
    ("eg.sum(3.)", "eg.sum needs a Vec, but it was given 3.0 (float)", "Write eg.sum(n, lambda i: …)"),
    ("eg.cond(True, 1., 0.)", "The first arm of cond must be a function, but it is 1.0 (float)", "eg.select(p, a, b)"),
    ("eg.vec(3, 1.)", "The element of vec must be a function, but it is 1.0 (float)", "Write eg.vec(n, lambda i: …)"),
    ("eg.fori_loop(0, 3, 1., lambda i, c: c)", "The body of fori_loop is 1.0 (float), and its initial carry is a lambda", "eg.fori_loop(lo, hi, lambda i, carry: …, init)"),
    ("eg.fori_loop(0, 2.5, lambda i, c: c, 1.)", "A bound of fori_loop must be a whole number or an index, but this one is 2.5 (float)", ""),
    ("eg.scan(lambda c, x: c, 1., [1., 2.])", "The body of scan must return a pair (carry, y), but it returned 1.0 (float)", "Return (carry, None)"),
    ("eg.scan(lambda c, x: (c, x), 1., 3.)", "The xs of scan must be a Vec, or a tuple or struct of Vecs, but this is 3.0 (float)", "length=n"),
    ("eg.scan(lambda c, x: (c, x), 1.)", "eg.scan needs exactly one length, but it was given no length", "length=n"),
    ("eg.debug_print(3)", "eg.debug_print needs a text with a {} for each value, but its first argument is 3 (int)", 'Write eg.debug_print("x = {}", x)'),
    # names
    ("eg.sin(1.)", "There is no eg.sin", "Write eg.math.sin(x)"),
    ("eg.math.arctan2(1., 2.)", "There is no eg.math.arctan2", "Write eg.math.atan2(x, y)"),
    ("eg.math.gamma(1.)", "There is no eg.math.gamma", "Write eg.math.exp(eg.math.lgamma(x)), for x > 0"),
    ("eg.math.cot(1.)", "There is no eg.math.cot", "Write 1 / eg.math.tan(x)"),
    ("eg.math.nan_to_num(1.)", "There is no eg.math.nan_to_num", "See help(eg.math) for all names"),
    ("eg.math.sqtr(1.)", "There is no eg.math.sqtr", "Did you mean `eg.math.sqrt`?"),
    ("eg.math.соs(1.)", "There is no eg.math.соs", "Did you mean `eg.math.cos`?"),
    ("eg.Vector(3)", "There is no eg.Vector", "Write eg.Vec(3, eg.Real)"),
    ("eg.gradient(f)", "There is no eg.gradient", "Write eg.grad"),
    ("eg.hesian(f)", "There is no eg.hesian", "Did you mean `eg.hessian`?"),
]  # fmt: skip

TRACED = [
    # Each expression uses four traced values: a Real x, a Vec v of length 3, an index i and a struct d.
    ("eg.cond(x > 0, x, 0.)", "The first arm of cond must be a function, but it is a traced Real", "eg.select(p, a, b)"),
    ("eg.cond(x > 0, lambda: x, 0.)", "The second arm of cond must be a function, but it is 0.0 (float)", "eg.select(p, a, b)"),
    ("eg.cond(x > 0, lambda y: y, lambda y: y)", "The first arm of cond must be a function of 0 arguments, but it is a lambda of y", "function of 0 arguments"),
    ("eg.cond(x > 0, lambda: x)", "with the wrong arguments", "Write it as eg.cond(p, then, orelse, *operands)"),
    ("eg.select(x > 0, x)", "with the wrong arguments (missing 1", "Write it as eg.select(p, a, b)"),
    ("eg.select(x, 1., 2.)", "The condition of select must be a Bool, but it is a traced Real", "x > 0"),
    ("eg.sum(x * k for k in range(3))", "eg.sum needs a Vec, but it was given a generator", "eg.sum(n, lambda i: …)"),
    ("eg.sum(lambda i: x, 3)", "A length must be a whole number ≥ 0, or a Fin, but this one is a lambda", "The length comes first"),
    ("eg.vec(3, x)", "The element of vec must be a function, but it is a traced Real", "eg.vec(n, lambda i: …)"),
    ("eg.vec(3, lambda: x)", "The element of vec must be a function of 1 argument, but it is a lambda without parameters", "function of 1 argument"),
    ("eg.fori_loop(0, 3, x, lambda k, c: c)", "The body of fori_loop is a traced Real, and its initial carry is a lambda", ""),
    ("eg.fori_loop(0, 3, lambda c: c, x)", "The body of fori_loop must be a function of 2 arguments, but it is a lambda of c", "function of 2 arguments"),
    ("eg.fori_loop(0, x, lambda k, c: c, x)", "A bound of fori_loop must be a whole number or an index, but this one is a traced Real", "eg.while_loop"),
    ("eg.while_loop(x > 0, lambda c: c, x)", "The condition of while_loop must be a function, but it is a traced Bool", ""),
    ("eg.while_loop(lambda c: x, lambda c: c, x)", "The condition of while_loop must be a Bool, but it is a traced Real", "x > 0"),
    ("eg.scan(lambda c: (c, c), x, [1., 2.])", "The body of scan must be a function of 2 arguments, but it is a lambda of c", "function of 2 arguments"),
    ("table[i]", "This NumPy array is indexed by a traced index, which is known only when the program runs", "Write eg.asarray(table)[i]"),
    ("2 * table[i] + x", "This NumPy array is indexed by a traced index, which is known only when the program runs", "Write eg.asarray(table)[i]"),
    ("table[x]", "This NumPy array is indexed by a traced index, which is known only when the program runs", "eg.asarray(table)[i]"),
    ("{1.: 2.}[x]", "A dict needs a key that is known, but this key is a traced Real, which is known only when the program runs", "eg.select"),
    ("x.sin()", "A traced Real has no attribute 'sin'", "Write eg.math.sin(x)"),
    ("v.append(x)", "A traced Vec(3, Real) has no attribute 'append'", "eg.asarray([*v, x])"),
    ("v.at[0].mul(2.)", "A place in a Vec (`v.at[i]`) has no attribute 'mul'", "v.at[i].set(x)"),
    ("v.at(0)", "called like a function", "v.at[i].set(x)"),
    ("d.a", "A struct without a class is a dict, so its fields are read with brackets, but here 'a' is read with a dot", "Write d['a']"),
    ("d.b", "A struct without a class is a dict, so its fields are read with brackets, but here 'b' is read with a dot", "Use one of its fields: a"),
    ("d['b']", "This struct has no field 'b'", ""),
    ("d['а']", "this is the Cyrillic letter a, which looks like a", "Did you mean `a`?"),
    ("d + d", "`+` works on Reals and Vecs, but not on a struct", "Apply it to each field"),
    ("x()", "A traced Real is called like a function, but only a function can stand before the brackets", "Write `*` for a product"),
    ("len(x)", "A traced Real has no length", ""),
    ("divmod(x, 2)", "divmod needs plain numbers, but it was given a traced Real", "write (x // y, x % y)"),
    ("x ^ 2", "`^` does not work between a traced Real and 2 (int)", "Write x ** y for a power"),
    ("f'{x:.2f}'", "Python needs a plain number here, but this is a traced Real, whose number is known only when the program runs", 'eg.debug_print("{}", x)'),
    ("float(x)", "float needs a plain number, but x is a traced Real, whose number is known only when the program runs", "Leave float(…) out"),
    ("range(i)", "range needs a plain number, but i is a traced index, whose number is known only when the program runs", "eg.fori_loop"),
    ("eg.debug_print('x =', x)", "eg.debug_print needs a {} in its text for each value, but 'x =' is printed with 1 value", 'Write eg.debug_print("{}", …)'),
    ("v[5]", "A Vec of 3 takes an index from 0 to 2, but it was given the index 5", ""),
]  # fmt: skip


def sentence(error: Any) -> None:
    """Check that an error message consists of sentences and contains no semicolon or memory address."""
    assert not error.message.startswith("Found ")
    assert ". " in error.message
    assert ";" not in error.message
    assert error.message.rstrip("?").endswith((".", "`"))
    assert " 0x" not in error.message


@pytest.mark.parametrize(("program", "found", "advice"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_raises_an_error_with_advice_at_its_place(program: str, found: str, advice: str) -> None:
    error = error_of(program, **NAMES)
    sentence(error)
    assert found in error.message
    assert advice in error.message
    assert program.startswith(error.text)
    assert error.text


@pytest.mark.parametrize(("body", "found", "advice"), TRACED, ids=[row[0] for row in TRACED])
def test_a_mistake_in_a_function_raises_an_error_with_advice(body: str, found: str, advice: str) -> None:
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
def test_differentiating_a_kernel_is_an_error_with_advice(program: str) -> None:
    error = error_of(program, k=eg.compile(SQUARE))
    sentence(error)
    assert error.kind is eg.TypeMismatchError
    assert "is compiled code and takes only numbers" in error.message
    assert "eg.compile(eg.grad(f))" in error.message
    assert "return it from there" not in error.message
    assert error.text == program


@needs_engine
def test_calling_a_kernel_with_a_traced_value_is_an_error_with_advice() -> None:
    error = error_of("eg.fn([eg.Real])(lambda x: 2 * k(x))", k=eg.compile(SQUARE))
    assert error.kind is eg.TypeMismatchError
    assert "call the function that was compiled, not its kernel" in error.message
    assert error.text == "k(x)"


@needs_engine
def test_a_kernel_takes_arguments_by_name() -> None:
    kernel = eg.compile(eg.fn([eg.Real, eg.Real])(lambda x, y: x - y))
    assert kernel(5.0, y=2.0) == kernel(y=2.0, x=5.0) == 3.0
    error = error_of("k(1., z=2.)", k=kernel)
    assert "<lambda> takes 'y' by name here, but this call gives 'z'." in error.message


@needs_engine
@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("k([1., 2.])", "Argument v must have 3 elements, because its type is Vec(3, Real), but it has 2."),
        ("k(1., 2., 3.)", "<lambda> takes 1 argument (v), but this call gives 3."),
        ("k(None)", "Argument v must be a list of 3 elements, but it is None."),
        ("k([1., None, 3.])", "Element 1 of argument v must be a float, but it is None."),
        ("k.batch(1.)", "Column v must be a sequence of values, but it is the float 1.0."),
    ],
)
def test_a_wrong_argument_of_a_kernel_is_an_error_with_advice(program: str, found: str) -> None:
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
def test_correct_programs_similar_to_the_mistakes_work(program: str, value: Any) -> None:
    assert value_of(program) == value


@pytest.mark.parametrize(
    ("function", "kind", "advice"),
    [
        (later, "async function later", "without `async`"),
        (yielding, "generator yielding", "instead of `yield`"),
    ],
)
def test_tracing_an_async_function_or_a_generator_is_an_error(function: Any, kind: str, advice: str) -> None:
    for program in ("eg.fn([eg.Real])(function)", "eg.jit(function)(1.0)", "eg.grad(function)(1.0)"):
        error = error_of(program, function=function)
        assert kind in error.message
        assert advice in error.message
        assert error.error.span is not None
        assert error.error.span.line == function.__code__.co_firstlineno


def test_the_error_for_a_vec_of_one_element_names_only_the_index_0() -> None:
    error = error_of("eg.fn([eg.Fin(1), eg.Vec(1, eg.Real)])(lambda i, v: v[i + 1])")
    assert "takes the index 0, but" in error.message
    assert error.text == "v[i + 1]"


def test_a_type_error_in_user_code_is_not_changed() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        value_of("eg.fn([eg.Real])(lambda x: eg.vec(2, lambda i: None + 1))")
    with pytest.raises(AttributeError, match="'str' object has no attribute 'nothing'"):
        value_of("eg.fn([eg.Real])(lambda x: 'text'.nothing)")


@pytest.mark.parametrize(
    ("name", "statement"),
    [("numpy", "import eglantine.numpy as enp"), ("diagrams", "from eglantine import diagrams")],
)
def test_a_part_that_is_not_imported_yet_names_its_import(name: str, statement: str) -> None:
    assert f"There is no eg.{name}. Write `{statement}`." in str(unknown_name(name, "eg", eg.__all__))
