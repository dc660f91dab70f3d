"""Signals, curves and images."""

from __future__ import annotations

import math
from typing import Any

from .program import Drawn, program


def fft_filter(np: Any, signal: Any, cutoff: Any) -> Any:
    """Damp the high frequencies of a signal. Also return the power at each frequency."""
    spectrum = np.fft.rfft(signal)
    frequencies = np.fft.rfftfreq(len(signal))
    smooth = spectrum / (1.0 + (frequencies / cutoff) ** 4)
    return np.fft.irfft(smooth, len(signal)), np.abs(spectrum) ** 2


def savitzky_golay(np: Any, signal: Any) -> Any:
    """Fit a parabola to each group of five neighbours in a signal. Return the values and the slopes."""
    design = np.vander(np.arange(-2.0, 3.0), 3, increasing=True)
    weights = np.linalg.pinv(design)
    padded = np.pad(signal, 2, mode="edge")
    return np.convolve(padded, weights[0, ::-1], mode="valid"), np.correlate(padded, weights[1], "valid")


def bilinear_interpolation(np: Any, image: Any, x: Any, y: Any) -> Any:
    """Interpolate an image bilinearly at points between its pixels."""
    rows, columns = image.shape
    u, v = np.clip(x, 0.0, rows - 1.0), np.clip(y, 0.0, columns - 1.0)
    across = np.maximum(0.0, 1.0 - np.abs(u[:, None] - np.arange(rows)))
    down = np.maximum(0.0, 1.0 - np.abs(v[:, None] - np.arange(columns)))
    return np.einsum("pi,ij,pj->p", across, image, down)


def cubic_spline(np: Any, knots: Any, values: Any, at: Any) -> Any:
    """Evaluate a natural cubic spline through given points."""
    x = np.sort(knots)
    h = np.diff(x)
    slopes = np.diff(values) / h
    system = np.diag(2 * (h[:-1] + h[1:])) + np.diag(h[1:-1], 1) + np.diag(h[1:-1], -1)
    bends = np.concatenate([np.zeros(1), np.linalg.solve(system, 6 * np.diff(slopes)), np.zeros(1)])
    k = np.searchsorted(x[1:-1], at)
    left, right, width = at - x[k], x[k + 1] - at, h[k]
    cubic = (bends[k] * right**3 + bends[k + 1] * left**3) / (6 * width)
    line = (values[k] / width - bends[k] * width / 6) * right
    return cubic + line + (values[k + 1] / width - bends[k + 1] * width / 6) * left


def bezier_length(np: Any, points: Any) -> Any:
    """Approximate a Bézier curve by a polygon. Return its length and some of its points."""
    n = points.shape[0] - 1
    t = np.linspace(0.0, 1.0, 21)[:, None]
    i = np.arange(n + 1)
    binomials = np.array([float(math.comb(n, k)) for k in range(n + 1)])
    curve = (binomials * t**i * (1 - t) ** (n - i)) @ points
    gaps = np.sqrt(np.sum(np.diff(curve, axis=0) ** 2, axis=1))
    return gaps.sum(), np.cumsum(gaps)[::5], curve[::4]


def autocorrelation(np: Any, signal: Any) -> Any:
    """Compute the autocorrelation and the moving average of a series."""
    centred = signal - np.mean(signal)
    full = np.correlate(centred, centred, mode="full")[len(signal) - 1 :]
    total = np.cumsum(np.hstack([np.zeros(1), signal]))
    return full / full[0], (total[3:] - total[:-3]) / 3.0


def polynomial_fit(np: Any, x: Any, y: Any) -> Any:
    """Fit a cubic to points. Return its coefficients, its slopes, and linear interpolations of the points."""
    design = np.vander(x, 4)
    c = np.linalg.lstsq(design, y, rcond=None)[0]
    slope = c[:-1] * np.array([3.0, 2.0, 1.0])
    middle = 0.5 * (x[1:] + x[:-1])
    return c, np.polyval(slope, middle), np.interp(middle[1:3], np.sort(x), np.flip(y))


def image_statistics(np: Any, image: Any) -> Any:
    """Return the image's deviation from 2 × 2 block means, its Sobel filter and its centre of brightness."""
    n, m = image.shape
    blocks = image.reshape(n // 2, 2, m // 2, 2).swapaxes(1, 2)
    means = blocks.mean(axis=(-1, -2))
    smooth, edge = np.array([1.0, 2.0, 1.0]), np.array([1.0, 0.0, -1.0])
    sobel = sum(smooth[i] * edge[j] * image[i : n - 2 + i, j : m - 2 + j] for i in range(3) for j in range(3))
    rows, columns = np.meshgrid(np.arange(n), np.arange(m), indexing="ij")
    mass = np.sum(image**2)
    centre = np.array([np.sum(rows * image**2), np.sum(columns * image**2)]) / mass
    return np.repeat(np.repeat(means, 2, axis=0), 2, axis=1) - image, np.hypot(sobel, 0.1), centre


PROGRAMS = {
    "FFT filter": program(fft_filter, Drawn((8,)), Drawn((), 0.1, 0.3)),
    "Savitzky–Golay": program(savitzky_golay, Drawn((8,))),
    "bilinear interpolation": program(
        bilinear_interpolation, Drawn((4, 5)), Drawn((6,), -0.5, 3.5), Drawn((6,), -0.5, 4.5)
    ),
    "cubic spline": program(cubic_spline, Drawn((5,), 0.0, 4.0), Drawn((5,)), Drawn((4,), 0.5, 3.5)),
    "Bézier length": program(bezier_length, Drawn((4, 2))),
    "autocorrelation": program(autocorrelation, Drawn((8,))),
    "polynomial fit": program(polynomial_fit, Drawn((6,)), Drawn((6,))),
    "image statistics": program(image_statistics, Drawn((4, 6))),
}
"""Title → program."""
