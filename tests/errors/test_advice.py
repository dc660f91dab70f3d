"""Errors recommend only existing functions, and recommended expressions compute the right values."""

# ruff: noqa: E501 - a row of the table is one name

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import eglantine as eg
from eglantine.formulas import to_fn
from eglantine.formulas.parser import parse
from eglantine.formulas.words import HABITS, IDENTITIES, NUMBERS, OF_TWO
from eglantine.ir.functions import FUNCTIONS
from eglantine.words.advice import OF_MATHS, OF_PACKAGE
from tests.errors.reading import error_of

PACKAGE = Path(eg.__file__).parent
RECOMMENDED = re.compile(r"\beg((?:\.[A-Za-z_]\w*)+)")
X, Y, V = 0.7, 1.3, [0.7, 1.3, -0.4]


def exists(path: str) -> bool:
    """True if `eg.<path>` exists."""
    value: Any = eg
    for name in path.strip(".").split("."):
        if not hasattr(value, name):
            return False
        value = getattr(value, name)
    return True


@cache
def nodes(path: Path) -> list[ast.AST]:
    """List all nodes of the syntax tree of a module."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def texts(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_function_named_in_a_text_of_the_package_exists() -> None:
    sources = [*PACKAGE.rglob("*.py"), *(PACKAGE.parents[1] / "app").rglob("*.py")]
    said = {
        (path.name, found) for path in sources for text in texts(path) for found in RECOMMENDED.findall(text)
    }
    assert len(said) > 100
    assert [entry for entry in sorted(said) if not exists(entry[1])] == []


FORMULA = re.compile(r"^Found |[;,] expected ")


def in_errors(path: Path) -> Iterator[str]:
    """Yield every string in a module that is inside a call of an error class."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name.endswith("Error"):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


def test_no_error_text_uses_the_pattern_found_and_expected() -> None:
    sources = [*PACKAGE.rglob("*.py"), *(PACKAGE.parents[1] / "app").rglob("*.py")]
    said = {(path.name, text) for path in sources for text in texts(path)}
    assert [entry for entry in sorted(said) if FORMULA.search(entry[1])] == []
    assert FORMULA.search("Found 3 arguments; expected 2: give one for each parameter.")


def test_no_semicolon_joins_the_sentences_of_an_error() -> None:
    sources = [*PACKAGE.rglob("*.py"), *(PACKAGE.parents[1] / "app").rglob("*.py")]
    said = {(path.name, text) for path in sources for text in in_errors(path)}
    assert len(said) > 300
    assert [entry for entry in sorted(said) if ";" in entry[1]] == []


def calls() -> Iterator[str]:
    for module, names in (
        ("math", dir(math)),
        ("np", np.__all__),
        ("np.linalg", np.linalg.__all__),
    ):
        home: Any = {"math": math, "np": np, "np.linalg": np.linalg}[module]
        for name in names:
            function = getattr(home, name)
            if callable(function) and not isinstance(function, type) and not name.startswith("_"):
                yield f"{module}.{name}"


def test_each_function_of_one_real_is_recommended_by_its_name() -> None:
    names = {
        primitive.notation.name or op
        for op, primitive in FUNCTIONS.items()
        if primitive.notation is not None and len(primitive.operands) == 1
    }
    ours = {name for name in names if hasattr(eg.math, name)}
    assert len(ours) > 25
    assert {name for name in ours if OF_MATHS.get(name) != f"eg.math.{name}(x)"} == set()


SKIPPED = {"np.info", "np.test", "np.save", "np.savez", "np.savez_compressed", "np.savetxt", "np.load",
           "np.loadtxt", "np.genfromtxt", "np.fromfile", "np.show_config", "np.show_runtime",
           "np.set_printoptions", "np.seterr", "np.seterrcall", "np.setbufsize"}  # fmt: skip


def test_advice_on_calls_of_math_and_numpy_names_functions_that_exist() -> None:
    recommended: set[str] = set()
    for call in sorted(set(calls()) - SKIPPED):
        for arguments in ("x", "x, y", "v", "v, v"):
            program = f"eg.fn([eg.Real, eg.Real, eg.Vec(3, eg.Real)])(lambda x, y, v: {call}({arguments}))"
            try:
                with np.errstate(all="ignore"):
                    error_of(program)
            except BaseException:  # noqa: BLE001, S112 - this test only looks at our errors
                continue
            recommended |= set(RECOMMENDED.findall(error_of(program).message))
    assert {".math.atan2", ".math.sin", ".sum", ".select", ".norm"} <= recommended
    assert [path for path in sorted(recommended) if not exists(path)] == []


@pytest.mark.parametrize(
    ("call", "ours"),
    [
        ("math.atan2(x, y)", "eg.math.atan2(x, y)"),
        ("math.fabs(x)", "abs(x)"),
        ("np.fmod(x, y)", "x - y * eg.math.trunc(x / y)"),
        ("math.gamma(x)", "eg.math.exp(eg.math.lgamma(x))"),
        ("math.fsum(v)", "eg.sum(v)"),
        ("math.sqrt(v)", "eg.math.sqrt(x)"),
        ("np.gcd(x, y)", "eg.math"),
        ("np.nancumsum(v)", "eg.math"),
        ("math.trunc(x)", "eg.math.trunc(x)"),
        ("round(x)", "eg.math.round(x)"),
        ("int(x)", "eg.math.trunc(x)"),
    ],
)
def test_an_error_on_a_call_of_math_or_numpy_names_our_function(call: str, ours: str) -> None:
    error = error_of(f"eg.fn([eg.Real, eg.Real, eg.Vec(3, eg.Real)])(lambda x, y, v: {call})")
    assert ours in error.message
    assert error.text == call


@pytest.mark.parametrize(
    ("body", "call", "ours"),
    [
        ("math.sqrt(4.0) * math.cos(x)", "math.cos(x)", "eg.math.cos(x)"),
        ("np.exp(1.0) + math.sin(x)", "math.sin(x)", "eg.math.sin(x)"),
        ("np.fmod(np.cos(x), 1.0)", "np.fmod(np.cos(x), 1.0)", "eg.math.trunc(x / y)"),
        ("eg.math.exp(math.log(x))", "math.log(x)", "eg.math.log(x)"),
        ("math.floor(2.5) + math.erf(\n    x)", "math.erf(\n    x)", "eg.math.erf(x)"),
        ("wurzel(x) + math.sin(1.0)", "wurzel(x)", "eg.math.sqrt(x)"),
    ],
)
def test_an_error_with_advice_marks_the_call_that_failed(body: str, call: str, ours: str) -> None:
    error = error_of(f"eg.fn([eg.Real])(lambda x: {body})", wurzel=math.sqrt)
    assert ours in error.message
    assert error.text == call


def ours(expression: str, x: float) -> float:
    """Evaluate a recommended expression with Eglantine at x, y = Y and v = V."""
    text = expression.partition(", for ")[0]
    f = eg.fn([eg.Real, eg.Real, eg.Vec(3, eg.Real)])(eval(f"lambda x, y, v: {text}", {"eg": eg}))  # noqa: S307
    found = f(x, Y, V)
    assert found is not None
    return found  # type: ignore[no-any-return]


SCALARS: dict[str, Callable[..., Any]] = {
    "gammaln": math.lgamma, "loggamma": math.lgamma, "ln": math.log, "sgn": np.sign, "ceiling": math.ceil,
    "digamma": mpmath.digamma, "psi": mpmath.digamma, "cot": mpmath.cot, "sec": mpmath.sec,
    "csc": mpmath.csc, "coth": mpmath.coth, "sech": mpmath.sech, "csch": mpmath.csch, "erfc": math.erfc,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)), "logistic": lambda x: 1 / (1 + math.exp(-x)),
    "expit": lambda x: 1 / (1 + math.exp(-x)), "logit": lambda x: math.log(x) - math.log(1 - x),
    "relu": abs, "leaky_relu": abs, "softplus": lambda x: math.log(1 + math.exp(x)),
    "erf": math.erf, "lgamma": math.lgamma, "factorial": lambda x: math.gamma(x + 1), "exp10": lambda x: 10**x,
    "tau": lambda x: math.tau, "fma": lambda x, y: x * y + x, "clip": lambda x: x,
    "where": lambda x, y: x, "max": max, "min": min, "dist": lambda v: 0.0, "norm": np.linalg.norm,
    "divmod": divmod, "mod": math.fmod, "remainder": math.remainder, "round": round, "ldexp": lambda x, y: x * 2**y,
    "cumsum": np.cumsum, "sumprod": lambda v: float(np.dot(v, v)), "dot": lambda v: float(np.dot(v, v)),
    "vdot": lambda v: float(np.dot(v, v)), "inner": lambda v: float(np.dot(v, v)),
    "isclose": lambda x, y: False,
}  # fmt: skip
OF_ARRAYS = {"take", "array", "asarray", "zeros", "ones", "arange", "vmap"}


@pytest.mark.parametrize("name", sorted(OF_MATHS.keys() - OF_ARRAYS))
def test_a_recommended_expression_computes_the_named_function(name: str) -> None:
    reference = SCALARS.get(name) or getattr(math, name, None) or getattr(np, name)
    expression = OF_MATHS[name]
    of_vec = re.search(r"\bv\b", expression) is not None
    takes_two = re.search(r"\by\b", expression) is not None
    at = Y if name in ("acosh", "arccosh") else X
    expected = reference(V) if of_vec else reference(at, Y) if takes_two else reference(at)
    found = ours(expression, at)
    assert np.asarray(found, float) == pytest.approx(np.asarray(expected, float), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "expression", sorted({OF_MATHS[name] for name in OF_ARRAYS} | {*OF_PACKAGE.values()})
)
def test_other_recommended_expressions_can_be_evaluated(expression: str) -> None:
    assert eval(expression, {"eg": eg, "x": X, "y": Y, "v": V}) is not None  # noqa: S307


# ---------------------------------------------------------------- formulas

REFERENCES: dict[str, Callable[..., Any]] = {
    "ctg": mpmath.cot, "cotan": mpmath.cot, "cosec": mpmath.csc, "arccot": mpmath.acot,
    "arcsec": mpmath.asec, "arccsc": mpmath.acsc, "cosc": lambda x: (1 - mpmath.cos(x)) / x,
    "versin": lambda x: 1 - mpmath.cos(x), "haversin": lambda x: (1 - mpmath.cos(x)) / 2,
    "sind": lambda x: mpmath.sin(mpmath.radians(x)), "cosd": lambda x: mpmath.cos(mpmath.radians(x)),
    "tand": lambda x: mpmath.tan(mpmath.radians(x)), "logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)), "expit": lambda x: 1 / (1 + mpmath.exp(-x)),
    "logit": lambda x: mpmath.log(x) - mpmath.log(1 - x), "relu": lambda x: x,
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)), "swish": lambda x: x / (1 + mpmath.exp(-x)),
    "silu": lambda x: x / (1 + mpmath.exp(-x)), "gelu": lambda x: x * mpmath.ncdf(x),
    "gaussian": lambda x: mpmath.exp(-x * x / 2), "gauss": lambda x: mpmath.exp(-x * x / 2),
    "fact": mpmath.factorial, "psi": mpmath.digamma, "trigamma": lambda x: mpmath.psi(1, x),
    "exp10": lambda x: 10**x, "square": lambda x: x * x, "sqr": lambda x: x * x, "sq": lambda x: x * x,
    "cube": lambda x: x**3, "inverse": lambda x: 1 / x, "inv": lambda x: 1 / x, "reciprocal": lambda x: 1 / x,
    "heaviside": lambda x: 1, "step": lambda x: 1, "int": int, "frac": mpmath.frac,
    "fract": mpmath.frac, "deg": mpmath.degrees, "rad": mpmath.radians, "neg": lambda x: -x,
    "mod": lambda x, y: x % y, "rem": math.fmod, "logb": math.log,
    "mean": lambda x, y: (x + y) / 2, "avg": lambda x, y: (x + y) / 2, "average": lambda x, y: (x + y) / 2,
    "norm": math.hypot, "dist": math.hypot, "nroot": lambda x, y: x ** (1 / y), "sum": lambda x, y: x + y,
    "plus": lambda x, y: x + y, "add": lambda x, y: x + y, "fmod": math.fmod,
}  # fmt: skip


@pytest.mark.parametrize(
    "name", sorted(name for name, meaning in {**IDENTITIES, **OF_TWO}.items() if meaning)
)
def test_a_recommended_formula_equals_the_named_function(name: str) -> None:
    meaning = {**IDENTITIES, **OF_TWO}[name].partition(" for ")[0]
    at = 1.7 if name.removeprefix("arc").removeprefix("a") in ("sec", "csc", "coth") else X
    values = (at, Y) if name in OF_TWO else (at,)
    reference = REFERENCES.get(name) or getattr(mpmath, name)
    assert to_fn(meaning, ("x", "y"))(at, Y) == pytest.approx(float(reference(*values)), rel=1e-12)


@pytest.mark.parametrize("name", sorted(name for name, meaning in NUMBERS.items() if meaning))
def test_a_recommended_formula_equals_the_named_constant(name: str) -> None:
    expected = {"tau": math.tau, "euler": math.e, "degree": math.pi / 180}.get(name, float(mpmath.phi))
    assert to_fn(NUMBERS[name], ())() == pytest.approx(expected, rel=1e-15)


def test_each_alternative_spelling_stands_for_an_existing_function() -> None:
    for habit, name in HABITS.items():
        assert parse(
            f"{name}(x, y)" if name == "pow" else f"{name}(x,0,1)" if name == "clip" else f"{name}(x)"
        )
        assert habit not in IDENTITIES
        assert habit not in OF_TWO
