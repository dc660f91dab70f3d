"""CIEDE2000, the perceived difference of two colours, written as ordinary Python and differentiated.

The formula and the test data are from Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula" (2005).
The value for red and green, and its gradient, are from Zygote's documentation. They were computed by the
Julia package Colors, which rounds intermediate colours to single precision. Our functions have a parameter
`rounded`, a function that they apply to intermediate values. For Zygote's values, it rounds them, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import eglantine as eg

Engines = Callable[..., Any]
m = eg.math


class RGB(NamedTuple):
    """A colour in sRGB. Each component lies between 0 and 1."""

    r: eg.Real
    g: eg.Real
    b: eg.Real


class Lab(NamedTuple):
    """A colour in CIELAB."""

    L: eg.Real
    a: eg.Real
    b: eg.Real


RED, GREEN = RGB(1.0, 0.0, 0.0), RGB(0.0, 1.0, 0.0)

WHITE = (0.95047, 1.0, 1.08883)  # D65
XYZ_OF_RGB = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


def as_it_is(x: Any) -> Any:
    return x


def single(x: Any) -> Any:
    """Round x to 24 significant bits by Dekker's splitting. The derivative is 1."""
    c = x * (2.0**29 + 1)
    return c - (c - x)


@eg.autograph
def linear(v: Any) -> Any:
    if v <= 0.04045:
        return v / 12.92
    return ((v + 0.055) / 1.055) ** 2.4


@eg.autograph
def lightness(t: Any) -> Any:
    if t > 216 / 24389:
        return m.cbrt(t)
    return (24389 / 27 * t + 16) / 116


def lab_of(colour: Any, rounded: Any) -> Lab:
    r, g, b = (linear(v) for v in colour)
    xyz = [rounded(x * r + y * g + z * b) for x, y, z in XYZ_OF_RGB]
    fx, fy, fz = (lightness(v / w) for v, w in zip(xyz, WHITE, strict=True))
    return Lab(rounded(116 * fy - 16), rounded(500 * (fx - fy)), rounded(200 * (fy - fz)))


def degrees(x: Any) -> Any:
    return x * (180 / m.pi)


def cosd(x: Any) -> Any:
    return m.cos(x * (m.pi / 180))


def sind(x: Any) -> Any:
    return m.sin(x * (m.pi / 180))


def seventh_power(x: Any, rounded: Any) -> Any:
    y = x
    for _ in range(6):
        y = rounded(y * x)
    return y


def chroma(a: Any, b: Any, rounded: Any = as_it_is) -> Any:
    return rounded(m.sqrt(rounded(rounded(a * a) + rounded(b * b))))


@eg.autograph
def hue(a: Any, b: Any) -> Any:
    if a == 0 and b == 0:
        return 0.0
    return degrees(m.atan2(b, a)) % 360


@eg.autograph
def distance(one: Any, two: Any, rounded: Any) -> Any:
    """Compute the CIEDE2000 difference of two colours in CIELAB."""
    mean = rounded(chroma(one.a, one.b, rounded) + chroma(two.a, two.b, rounded)) / 2
    power = seventh_power(mean, rounded)
    g = (1 - m.sqrt(power / (power + 25.0**7))) / 2
    a1, a2 = one.a * (1 + g), two.a * (1 + g)
    c1, c2 = chroma(a1, one.b), chroma(a2, two.b)
    h1, h2 = hue(a1, one.b), hue(a2, two.b)

    dh, mh = h2 - h1, h1 + h2
    if c1 * c2 == 0:
        dh = 0.0
    else:
        if dh > 180:
            dh -= 360
            mh += 360
        elif dh < -180:
            dh += 360
            mh += 360
        mh = mh / 2 % 360
    dL, dC, dH = two.L - one.L, c2 - c1, 2 * m.sqrt(c1 * c2) * sind(dh / 2)
    mL, mC = (one.L + two.L) / 2, (c1 + c2) / 2

    t = (1 - 0.17 * cosd(mh - 30) + 0.24 * cosd(2 * mh)
         + 0.32 * cosd(3 * mh + 6) - 0.20 * cosd(4 * mh - 63))  # fmt: skip
    sL = 1 + 0.015 * (mL - 50) ** 2 / m.sqrt(20 + (mL - 50) ** 2)
    sC, sH = 1 + 0.045 * mC, 1 + 0.015 * mC * t
    theta = 30 * m.exp(-(((mh - 275) / 25) ** 2))
    rotation = -2 * m.sqrt(mC**7 / (mC**7 + 25.0**7)) * sind(2 * theta)
    return m.sqrt((dL / sL) ** 2 + (dC / sC) ** 2 + (dH / sH) ** 2 + rotation * (dC / sC) * (dH / sH))


def difference(rounded: Any) -> eg.Fn:
    return eg.fn([RGB, RGB], eg.Real)(
        lambda one, two: distance(lab_of(one, rounded), lab_of(two, rounded), rounded)
    )


# ---------------------------------------------------------------- values

SHARMA = [  # from the paper's table 1
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
    ((50.0, -0.001, 2.49), (50.0, 0.0011, -2.49), 4.7461),
    ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("one", "two", "expected"), SHARMA)
def test_the_formula_has_the_published_values(one: Any, two: Any, expected: float, engines: Engines) -> None:
    f = eg.fn([Lab, Lab], eg.Real)(lambda one, two: distance(one, two, as_it_is))
    assert engines(f, Lab(*one), Lab(*two)) == pytest.approx(expected, abs=5e-5)
    assert engines(f, Lab(*two), Lab(*one)) == pytest.approx(expected, abs=5e-5)


def test_red_and_green_differ_by_the_published_value(engines: Engines) -> None:
    assert engines(difference(single), RED, GREEN) == pytest.approx(86.60823557376344, rel=4e-16)
    assert engines(difference(as_it_is), RED, GREEN) == pytest.approx(86.60823557376344, rel=3e-8)


def test_the_same_code_runs_as_ordinary_python() -> None:
    plain = distance(lab_of(RED, single), lab_of(GREEN, single), single)
    assert plain == difference(single)(RED, GREEN)


# ---------------------------------------------------------------- the gradient


def test_the_gradient_equals_zygotes(engines: Engines) -> None:
    """Zygote's published gradient was computed in single precision."""
    one, two = engines(eg.grad(difference(single), (0, 1)), RED, GREEN)
    assert one == pytest.approx((0.4590887719632896, -9.598786801605689, 14.181383399012862), rel=1e-5)
    assert two == pytest.approx((-1.7697549557037275, 28.88472330558805, -0.044793892637761346), rel=1e-5)


COLOURS = [
    (RGB(0.9, 0.1, 0.2), RGB(0.1, 0.8, 0.3)),
    (RGB(0.2, 0.3, 0.9), RGB(0.7, 0.1, 0.8)),
    (RGB(0.02, 0.5, 0.03), RGB(0.6, 0.6, 0.1)),
    (RGB(0.3, 0.2, 0.95), RGB(0.95, 0.1, 0.3)),
]


@pytest.mark.parametrize(("one", "two"), COLOURS)
def test_the_gradient_is_the_limit_of_differences(one: RGB, two: RGB, engines: Engines) -> None:
    f = difference(as_it_is)
    found = engines(eg.grad(f, (0, 1)), one, two)
    h = 1e-6
    for k, colours in enumerate((one, two)):
        for part, x in zip(RGB._fields, colours, strict=True):
            sides = [colours._replace(**{part: x + step}) for step in (h, -h)]
            up, down = (f(side, two) if k == 0 else f(one, side) for side in sides)
            assert getattr(found[k], part) == pytest.approx((up - down) / (2 * h), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("one", "two"), COLOURS)
def test_derivatives_of_both_orders_and_modes_agree_with_differences(one: RGB, two: RGB) -> None:
    eg.check_grads(difference(as_it_is), (one, two), order=2, rtol=1e-4)


def test_a_step_along_the_negative_gradient_makes_colours_more_similar() -> None:
    kernel = eg.compile(eg.value_and_grad(difference(as_it_is)))
    before, slope = kernel(*COLOURS[0])
    moved = RGB(*(x - 1e-3 * dx for x, dx in zip(COLOURS[0][0], slope, strict=True)))
    assert kernel(moved, COLOURS[0][1])[0] < before
