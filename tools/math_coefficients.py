"""Compute the constants of `eglantine.mathlib` with mpmath: minimax polynomials, tables and split constants.

    python -m tools.math_coefficients --write    computes all and writes mathlib/coefficients.py
    python -m tools.math_coefficients            recomputes all and fails if the file differs
    python -m tools.math_coefficients NAME ...   prints the named polynomials and their errors

`tools/remez.py` computes the polynomials, and we round their coefficients to doubles. The `bound` of a
polynomial is the largest error that it may have with the rounded coefficients. `tests/mathlib` checks this.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from mpmath import mp, mpf

from tools.remez import Polynomial, remez, weighted_error

OUTPUT = Path(__file__).resolve().parent.parent / "pyodide_pkg" / "eglantine" / "mathlib" / "coefficients.py"


def _polynomials() -> tuple[Polynomial, ...]:
    return (
        *_exponential(),
        *_circular(),
        *_logarithm(),
        *_inverse_circular(),
        *_root(),
        *_hyperbolic(),
        *_error_function(),
        *_gamma(),
        *(_polygamma_tail(order, terms) for order, terms in enumerate((6, 6, 7, 8))),
    )


def _exponential() -> tuple[Polynomial, ...]:
    """The polynomial of exp, exp2 and expm1."""
    half_ln2 = mp.log(2) / 2 * mpf("1.0001")
    return (
        Polynomial(
            "EXP",
            9,
            -half_ln2,
            half_ln2,
            lambda r: (mp.expm1(r) - r - r * r / 2) / r**3,
            lambda r: r**3 / mp.exp(r),
            2.0**-57,
            "(exp(r) - 1 - r - r²/2) / r³ in r",
        ),
    )


def _circular() -> tuple[Polynomial, ...]:
    """The polynomials of sin, cos and tan."""
    quarter_pi = mp.pi / 4 * mpf("1.0001")
    return (
        Polynomial(
            "SIN",
            6,
            mpf(0),
            quarter_pi**2,
            lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
            lambda z: z,
            2.0**-57,
            "(sin(x)/x - 1) / x² in x²",
        ),
        Polynomial(
            "COS",
            6,
            mpf(0),
            quarter_pi**2,
            lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2,
            lambda z: z**2,
            2.0**-58,
            "(cos(x) - 1 + x²/2) / x⁴ in x²",
        ),
    )


def _logarithm() -> tuple[Polynomial, ...]:
    """Describe the polynomials of log and of functions that use log."""
    log_s = 3 - 2 * mp.sqrt(2)
    return (
        Polynomial(
            "LOG",
            7,
            mpf(0),
            (log_s * mpf("1.0001")) ** 2,
            lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
            lambda z: z / 2,
            2.0**-58,
            "(log((1+s)/(1-s))/s - 2) / s² in s²",
        ),
        Polynomial(
            "LOG_TAIL",
            4,
            mpf(0),
            mpf("0.0455") ** 2,
            lambda z: (2 * mp.atanh(mp.sqrt(z) / 2) / mp.sqrt(z) - 1) / z,
            lambda z: z,
            2.0**-66,
            "(2 atanh(r/2)/r - 1) / r² in r²",
        ),
    )


def _inverse_circular() -> tuple[Polynomial, ...]:
    """The polynomials of atan, asin and acos."""
    return (
        Polynomial(
            "ATAN",
            11,
            mpf(0),
            mpf(7) ** 2 / mpf(16) ** 2,
            lambda z: (1 - mp.atan(mp.sqrt(z)) / mp.sqrt(z)) / z,
            lambda z: z,
            2.0**-56,
            "(1 - atan(t)/t) / t² in t²",
        ),
        Polynomial(
            "ASIN",
            12,
            mpf(0),
            mpf("0.25"),
            lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
            lambda z: z,
            2.0**-55,
            "(asin(x)/x - 1) / x² in x²",
        ),
    )


def _root() -> tuple[Polynomial, ...]:
    """Describe the polynomial of `cbrt`, which improves a first approximation of the cube root."""
    return (
        Polynomial(
            "CBRT",
            5,
            mpf("0.905"),
            mpf("1.11"),
            lambda r: r ** (-mpf(1) / 3),
            lambda r: r ** (mpf(1) / 3),
            2.0**-23,
            "r^(-1/3), where t is a first guess of the cube root of x, in r = t³/x",
        ),
    )


def _hyperbolic() -> tuple[Polynomial, ...]:
    """The polynomial of sinh near 0."""
    return (
        Polynomial(
            "SINH",
            7,
            mpf(0),
            mpf(1),
            lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
            lambda z: z,
            2.0**-56,
            "(sinh(x)/x - 1) / x² in x²",
        ),
    )


def _error_function() -> tuple[Polynomial, ...]:
    """Describe the polynomials of erf and erfc: one for small arguments and one for large arguments."""
    return (
        Polynomial(
            "ERF",
            12,
            mpf(0),
            mpf(1),
            lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1,
            lambda _: mpf(1),
            2.0**-53,
            "erf(x)/x - 1 in x²",
        ),
        Polynomial(
            "ERFC",
            13,
            mpf(1) / 8,
            mpf(1) / 3,
            lambda t: mp.erfc(1 / t - 2) * mp.exp((1 / t - 2) ** 2),
            lambda t: mp.exp(-((1 / t - 2) ** 2)) / mp.erf(1 / t - 2),
            2.0**-56,
            "erfc(x) exp(x²), with the error that erf gets from it, in 1/(x+2)",
        ),
    )


def _gamma() -> tuple[Polynomial, ...]:
    """Describe the polynomials of lgamma, for arguments from 1.5 to 2.5 and for large arguments."""
    return (
        Polynomial(
            "LGAMMA",
            18,
            mpf("-0.5"),
            mpf("0.5"),
            lambda t: mp.loggamma(2 + t) / t,
            lambda t: t,
            2.0**-54,
            "lgamma(2+t) / t, with an absolute error, in t",
        ),
        Polynomial(
            "STIRLING",
            6,
            mpf(0),
            1 / mpf("7.5") ** 2,
            lambda w: (mp.loggamma(1 / mp.sqrt(w)) - _stirling(1 / mp.sqrt(w))) / mp.sqrt(w),
            lambda w: mp.sqrt(w) / 7,
            2.0**-56,
            "(lgamma(x) - ((x - 1/2)(log x - 1) + (log 2π - 1)/2)) x in 1/x²",
        ),
    )


def _stirling(x: mpf) -> mpf:
    return (x - mpf("0.5")) * (mp.log(x) - 1) + (mp.log(2 * mp.pi) - 1) / 2


def _polygamma_tail(order: int, terms: int) -> Polynomial:
    """Describe the polynomial for the later terms of the asymptotic expansion of |ψ_n(z)|, for z ≥ 8.

    The first terms are (n-1)!/z^n + n!/(2 z^(n+1)) or, for n = 0, log z - 1/(2z). The polynomial approximates
    the sum of all later terms, times z^(n+2).
    """

    def target(w: mpf) -> mpf:
        z = 1 / mp.sqrt(w)
        leading = mp.fac(order - 1) / z**order if order else -mp.log(z)
        size = (-1) ** (order + 1) * mp.psi(order, z)
        return (size - leading - mp.fac(order) / 2 / z ** (order + 1)) * z ** (order + 2)

    return Polynomial(
        f"POLYGAMMA_{order}",
        terms,
        mpf(0),
        mpf(1) / 64,
        target,
        lambda w: w / (mp.fac(order - 1) if order else 2),
        2.0**-55,
        f"the expansion of |ψ_{order}(z)| z^{order + 2} without its first terms, in 1/z²",
    )


def _rounded(polynomial: Polynomial) -> tuple[float, ...]:
    coefficients = tuple(float(c) for c in remez(polynomial))
    error = weighted_error(polynomial, coefficients)
    if error > polynomial.bound:
        raise ArithmeticError(f"{polynomial.name}: error 2^{float(mp.log(error, 2)):.2f} exceeds its bound.")
    return coefficients


def split(value: mpf, bits: int) -> tuple[float, float]:
    """Split a value into a sum of two doubles. The first is the value, rounded to `bits` binary places."""
    scale = mpf(2) ** bits
    high = mp.nint(value * scale) / scale
    return float(high), float(value - high)


def _head(value: mpf, significant: int) -> mpf:
    """`value` rounded to `significant` bits."""
    exponent = significant - mp.frexp(value)[1]
    return mp.ldexp(mp.nint(mp.ldexp(value, exponent)), -exponent)


BERNOULLI_TERMS = 12


def _constants() -> dict[str, tuple[str, object]]:
    """Compute all constants. Return {name: (comment, a float or a tuple of numbers)}."""
    ln2_high, ln2_low = split(mp.log(2), 42)
    pi_half = mp.pi / 2
    pio2_first = _head(pi_half, 33)
    pio2_second = _head(pi_half - pio2_first, 33)
    centres = [mpf(j) / 16 for j in range(11, 24)]
    logs = [split(mp.log(c), 42) for c in centres]
    angles = [mpf(0), mp.atan(mpf(1) / 2), mp.pi / 4, mp.atan(mpf(3) / 2), pi_half]
    ivln2_head = _head(1 / mp.log(2), 21)
    ivln10_head = _head(1 / mp.log(10), 21)
    log10_2_high, log10_2_low = split(mp.log10(2), 42)
    ln2_head = _head(mp.log(2), 26)
    bernoulli = [mp.bernoulli(2 * j) / mp.factorial(2 * j) for j in range(1, BERNOULLI_TERMS + 1)]
    return {
        "BERNOULLI_OVER_FACTORIALS": (
            "B_2j / (2j)! for j = 1, 2, …: Bernoulli's numbers, for Euler and Maclaurin's formula",
            tuple(map(float, bernoulli)),
        ),
        "LN2_HIGH": ("log 2 to 42 bits after the point. k·LN2_HIGH is exact for |k| < 2^11", ln2_high),
        "LN2_LOW": ("log 2 - LN2_HIGH", ln2_low),
        "INV_LN2": ("1 / log 2", float(1 / mp.log(2))),
        "LN2_HEAD": ("log 2 to 26 bits", float(ln2_head)),
        "LN2_REST": ("log 2 - LN2_HEAD", float(mp.log(2) - ln2_head)),
        "INV_LN2_HEAD": ("1 / log 2 to 21 bits", float(ivln2_head)),
        "INV_LN2_REST": ("1 / log 2 - INV_LN2_HEAD", float(1 / mp.log(2) - ivln2_head)),
        "INV_LN10_HEAD": ("1 / log 10 to 21 bits", float(ivln10_head)),
        "INV_LN10_REST": ("1 / log 10 - INV_LN10_HEAD", float(1 / mp.log(10) - ivln10_head)),
        "LOG10_2_HIGH": ("log10 2 to 42 bits after the point", log10_2_high),
        "LOG10_2_LOW": ("log10 2 - LOG10_2_HIGH", log10_2_low),
        "LOG_CENTRES_HIGH": ("log(j/16) to 42 bits after the point, j = 11 … 23", tuple(h for h, _ in logs)),
        "LOG_CENTRES_LOW": ("log(j/16) - LOG_CENTRES_HIGH", tuple(low for _, low in logs)),
        "INV_PIO2": ("2/π", float(1 / pi_half)),
        "PIO2_1": ("the first 33 bits of π/2", float(pio2_first)),
        "PIO2_2": ("the next 33 bits of π/2", float(pio2_second)),
        "PIO2_3": ("the next 53 bits of π/2", float(pi_half - pio2_first - pio2_second)),
        "HALF_LOG_TWO_PI_LESS_HALF": ("(log 2π - 1) / 2", float((mp.log(2 * mp.pi) - 1) / 2)),
        "LN2": ("log 2", float(mp.log(2))),
        "PIO2_HEAD": ("π/2 to 26 bits", float(_head(pi_half, 26))),
        "PIO2_REST": ("π/2 - PIO2_HEAD", float(pi_half - _head(pi_half, 26))),
        "PIO2_HIGH": ("π/2 to a double", float(pi_half)),
        "PIO2_LOW": ("π/2 - PIO2_HIGH", float(pi_half - mpf(float(pi_half)))),
        "ATAN_CENTRES_HIGH": ("atan of 0, 1/2, 1, 3/2, ∞", tuple(float(a) for a in angles)),
        "ATAN_CENTRES_LOW": ("atan - ATAN_CENTRES_HIGH", tuple(float(a - mpf(float(a))) for a in angles)),
        "TWO_OVER_PI_WORDS": (
            "the bits of 2/π after 64 zero bits, as signed 64-bit words",
            _two_over_pi_words(),
        ),
    }


def _two_over_pi_words() -> tuple[int, ...]:
    """Return the first bits of 2/π as words of 64 bits. The first word is 0.

    The words have enough bits to reduce any double modulo π/2.
    """
    words = 20
    with mp.workprec(64 * words + 64):
        bits = int(mp.floor(mp.ldexp(2 / mp.pi, 64 * (words - 1))))
    unsigned = [(bits >> (64 * (words - 1 - i))) & (2**64 - 1) for i in range(words)]
    return tuple(word - 2**64 if word >> 63 else word for word in unsigned)


POLYNOMIALS = _polynomials()


def render() -> str:
    """The whole text of coefficients.py."""
    lines = [
        '"""Coefficients of polynomials, and other constants, that the functions of this package use.',
        "",
        "The script tools/math_coefficients.py writes this file. For each polynomial, a comment names its",
        "variable, the function that it approximates, and the largest error.",
        '"""',
        "",
    ]
    for polynomial in POLYNOMIALS:
        coefficients = _rounded(polynomial)
        error = float(mp.log(weighted_error(polynomial, coefficients), 2))
        function, variable = polynomial.formula.rsplit(" in ", 1)
        comment = f"# polynomial in {variable} for {function.removesuffix(',')}: error 2^{error:.1f}"
        lines += [comment, _literal(polynomial.name, coefficients)]
    for name, (comment, value) in _constants().items():
        lines += [f"# {comment}", _literal(name, value)]
    return "\n".join(lines) + "\n"


def _literal(name: str, value: object) -> str:
    if not isinstance(value, tuple):
        return f"{name} = {value!r}"
    return f"{name} = (\n" + "".join(f"    {entry!r},\n" for entry in value) + ")"


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands in the module's docstring. Return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="polynomials to print")
    parser.add_argument("--write", action="store_true", help="write mathlib/coefficients.py")
    options = parser.parse_args(arguments)
    if options.names:
        for polynomial in POLYNOMIALS:
            if polynomial.name in options.names:
                coefficients = tuple(float(c) for c in remez(polynomial))
                error = float(mp.log(weighted_error(polynomial, coefficients), 2))
                print(f"{_literal(polynomial.name, coefficients)}  # error 2^{error:.2f}")
        return 0
    text = render()
    if options.write:
        OUTPUT.write_text(text, encoding="utf-8")
        return 0
    if OUTPUT.read_text(encoding="utf-8") != text:
        print(f"{OUTPUT.name} is not what this script computes. Run it with --write.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
