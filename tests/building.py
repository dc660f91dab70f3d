"""The site's files, built once in each process of the tests."""

from __future__ import annotations

from functools import cache

from tools.build import build
from tools.vendor import vendor


@cache
def built() -> dict[str, str]:
    """Bring `static/vendor/` and `static/build/` up to date. Return the manifest of the build.

    A build takes a second even if no file has changed, because it computes the hashes of all sources.
    """
    vendor()
    return {key: str(value) for key, value in build().items()}
