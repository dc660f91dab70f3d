"""Seeds for random tests. Usual runs always use the same seeds, and each nightly run uses new seeds.

`python3 -m tests --nightly` starts a nightly run. If it fails, its report shows the seed. To repeat the
failure, set the environment variable `EGLANTINE_SEED` to this seed.
"""

from __future__ import annotations

import datetime as dt
import os

NIGHTLY = bool(os.environ.get("EGLANTINE_NIGHTLY"))
"""True if this is a nightly run, which is long."""
VARIABLE = "EGLANTINE_SEED"
"""The environment variable that holds the first seed of every random generator."""
NIGHTLY_TIMES = 20
"""The factor by which a nightly run draws more examples than a usual run."""
SEEDS_A_DAY_BITS = 20
"""The binary logarithm of the number of seeds of one night. This is about a million seeds, so two nights
share none."""


def seed_of_today() -> int:
    """The first seed of tonight's run."""
    return dt.datetime.now(tz=dt.UTC).date().toordinal() << SEEDS_A_DAY_BITS


def chosen_seed() -> int | None:
    """Return the seed in `EGLANTINE_SEED`. If it is not set, a usual run returns None.

    A nightly run sets the variable to today's seed, so that processes after midnight use this seed, too.
    """
    if NIGHTLY:
        os.environ.setdefault(VARIABLE, str(seed_of_today()))
    named = os.environ.get(VARIABLE)
    return int(named) if named else None


def first_seed(usual: int) -> int:
    """Return the first seed of a random generator: `chosen_seed()` or, if this is None, `usual`."""
    chosen = chosen_seed()
    return usual if chosen is None else chosen


def examples(usual: int) -> int:
    """Return the number of examples to draw: `usual`, or `usual` · 20 in a nightly run."""
    return usual * NIGHTLY_TIMES if NIGHTLY else usual


def how_to_repeat() -> str:
    """Return a text with the environment variables that repeat this run's seeds."""
    chosen = chosen_seed()
    if chosen is None:
        return "the usual seeds, the same in every run"
    nightly = "EGLANTINE_NIGHTLY=1 " if NIGHTLY else ""
    return f"{nightly}{VARIABLE}={chosen}"
