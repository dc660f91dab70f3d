"""`enp.linalg`: linear algebra with derivative rules. For a singular matrix, results are not finite."""

from .eigen import eigh, eigvalsh
from .factors import lstsq, pinv, qr, svd
from .norms import matrix_power, norm
from .systems import det, inv, slogdet, solve
from .triangles import cholesky

__all__ = [
    "cholesky", "det", "eigh", "eigvalsh", "inv", "lstsq", "matrix_power", "norm", "pinv", "qr", "slogdet",
    "solve", "svd",
]  # fmt: skip
