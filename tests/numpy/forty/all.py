"""All programs of this folder."""

from __future__ import annotations

from . import learning, linear, physics, signals, statistics

PROGRAMS = {
    **statistics.PROGRAMS, **learning.PROGRAMS, **physics.PROGRAMS, **linear.PROGRAMS, **signals.PROGRAMS,
}  # fmt: skip
"""Title → program."""
