"""`enp.linalg`: linear algebra with custom derivative rules. A singular matrix gives no finite values."""

from .eigen import eigh, eigvalsh
from .factors import lstsq, pinv, qr, svd
from .norms import matrix_power, norm
from .systems import det, inv, slogdet, solve
from .triangles import cholesky

__all__ = [
    "cholesky", "det", "eigh", "eigvalsh", "inv", "lstsq", "matrix_power", "norm", "pinv", "qr", "slogdet",
    "solve", "svd",
]  # fmt: skip
