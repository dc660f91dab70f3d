"""Complex numbers: a struct of two Reals with operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eglantine.types import Real

from . import maths
from .choices import select
from .scalars import LONGEST_WHOLE_POWER, RealValue, is_plain_number


@dataclass(frozen=True)
class Complex:  # noqa: PLW1641 - a frozen dataclass has a hash
    """The complex number re + i·im, traced or plain. The class is also the type of such numbers.

    The operators + − * / ** == != work with Complexes, Reals and Python's complex numbers. There are
    `abs(z)`, `z.conj()` and `z.phase()`. exp, log, sqrt, sin, cos, sinh and cosh are methods, and the
    functions of these names in `eg.math` accept a Complex. Functions with several values return the principal
    value, as in cmath. A division by w overflows if |w|² overflows.

    You can pass a Python complex to a parameter that is declared as Complex or has no declared type. Results
    are Complexes. `complex(z)` converts z to a Python complex.

    The gradient of a real function of u + iv is ∂/∂u + i·∂/∂v, the direction of steepest ascent, as in
    Zygote. JAX returns the conjugate of this number. If f is holomorphic, the gradient of f(z).re is the
    conjugate of f′(z).
    """

    re: Real
    im: Real

    __eglantine_operand__ = True  # if the left operand is a Real, Python calls our operators
    __array_ufunc__ = None  # the same for a NumPy array as the left operand

    @staticmethod
    def polar(r: Any, phi: Any) -> Complex:
        """The number of modulus r and phase phi."""
        return Complex(r * maths.cos(phi), r * maths.sin(phi))

    @property
    def real(self) -> Any:
        """The real part, as in Python's complex numbers."""
        return self.re

    @property
    def imag(self) -> Any:
        """The imaginary part, as in Python's complex numbers."""
        return self.im

    def conj(self) -> Complex:
        """The conjugate re − i·im."""
        return Complex(self.re, -self.im)

    conjugate = conj

    def phase(self) -> Any:
        """The angle from the positive real axis, from −π to π."""
        return maths.atan2(self.im, self.re)

    def __complex__(self) -> complex:
        return complex(self.re, self.im)

    def __bool__(self) -> bool:
        return bool(self != 0)

    # ------------------------------------------------------------ operators

    def __pos__(self) -> Complex:
        return self

    def __neg__(self) -> Complex:
        return Complex(-self.re, -self.im)

    def __abs__(self) -> Any:
        return maths.hypot(self.re, self.im)

    def __add__(self, other: Any) -> Any:
        if _is_real(other):
            return Complex(self.re + other, self.im)
        w = _complex(other)
        return NotImplemented if w is None else Complex(self.re + w.re, self.im + w.im)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if _is_real(other):
            return Complex(self.re - other, self.im)
        w = _complex(other)
        return NotImplemented if w is None else Complex(self.re - w.re, self.im - w.im)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if _is_real(other):
            return Complex(self.re * other, self.im * other)
        w = _complex(other)
        if w is None:
            return NotImplemented
        return Complex(self.re * w.re - self.im * w.im, self.re * w.im + self.im * w.re)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if _is_real(other):
            return Complex(self.re / other, self.im / other)
        w = _complex(other)
        return NotImplemented if w is None else self * w.conj() / (w.re * w.re + w.im * w.im)

    def __rtruediv__(self, other: Any) -> Any:
        return self.conj() * other / (self.re * self.re + self.im * self.im)

    def __pow__(self, n: Any) -> Any:
        if isinstance(n, int | float) and n == n // 1 and abs(n) <= LONGEST_WHOLE_POWER:
            return self._whole_power(int(n))
        return (self.log() * n).exp() if _is_real(n) or _complex(n) is not None else NotImplemented

    def __rpow__(self, other: Any) -> Any:
        base = Complex(other, 0.0) if _is_real(other) else _complex(other)
        return NotImplemented if base is None else (self * base.log()).exp()

    def _whole_power(self, n: int) -> Complex:
        """Compute z ** n for an integer n by repeated squaring, from the lowest bit of |n| to the highest."""
        result, square, k = None, self, abs(n)
        while k:
            if k & 1:
                result = square if result is None else result * square
            k >>= 1
            square = square * square if k else square
        if result is None:
            return Complex(1.0, 0.0)
        return result if n > 0 else 1.0 / result

    def __eq__(self, other: object) -> Any:
        if _is_real(other):
            return (self.re == other) & (self.im == 0.0)
        w = _complex(other)
        return NotImplemented if w is None else (self.re == w.re) & (self.im == w.im)

    def __ne__(self, other: object) -> Any:
        if _is_real(other):
            return (self.re != other) | (self.im != 0.0)
        w = _complex(other)
        return NotImplemented if w is None else (self.re != w.re) | (self.im != w.im)

    # ------------------------------------------------------------ functions

    def exp(self) -> Complex:
        """e to the power z."""
        return Complex.polar(maths.exp(self.re), self.im)

    def log(self) -> Complex:
        """The natural logarithm, with an imaginary part from −π to π."""
        return Complex(maths.log(abs(self)), self.phase())

    def sqrt(self) -> Complex:
        """The square root whose real part is not negative."""
        large = maths.sqrt((abs(self) + abs(self.re)) / 2.0)
        small = self.im / select(large == 0.0, 1.0, 2.0 * large)
        right = self.re >= 0.0
        return Complex(select(right, large, abs(small)), select(right, small, maths.copysign(large, self.im)))

    def sin(self) -> Complex:
        """The sine."""
        a, b = self.re, self.im
        return Complex(maths.sin(a) * maths.cosh(b), maths.cos(a) * maths.sinh(b))

    def cos(self) -> Complex:
        """The cosine."""
        a, b = self.re, self.im
        return Complex(maths.cos(a) * maths.cosh(b), -(maths.sin(a) * maths.sinh(b)))

    def sinh(self) -> Complex:
        """The hyperbolic sine."""
        a, b = self.re, self.im
        return Complex(maths.sinh(a) * maths.cos(b), maths.cosh(a) * maths.sin(b))

    def cosh(self) -> Complex:
        """The hyperbolic cosine."""
        a, b = self.re, self.im
        return Complex(maths.cosh(a) * maths.cos(b), maths.sinh(a) * maths.sin(b))


def _is_real(value: Any) -> bool:
    return isinstance(value, RealValue) or is_plain_number(value)


def _complex(value: Any) -> Complex | None:
    """Convert a Complex or a Python complex to a Complex. Return None for anything else."""
    if isinstance(value, complex):
        return Complex(value.real, value.imag)
    return value if isinstance(value, Complex) else None


def with_complexes(value: Any) -> Any:
    """Convert a Python complex to a Complex, also inside of lists. Return other values unchanged."""
    if isinstance(value, list) and value and isinstance(value[0], complex):
        return [_complex(item) if isinstance(item, complex) else item for item in value]
    return _complex(value) if isinstance(value, complex) else value
