"""Seeds of the tests' random choices: the same in every usual run, and new seeds in each nightly run.

`python3 -m tests --nightly` draws from the day's seeds. `EGLANTINE_SEED` chooses another first seed for every
generator at once, so a nightly failure is repeated with the seed that its report shows.
"""

from __future__ import annotations

import datetime as dt
import os

NIGHTLY = bool(os.environ.get("EGLANTINE_NIGHTLY"))
"""True if this is a nightly run, which is long."""
VARIABLE = "EGLANTINE_SEED"
"""Environment variable with the first seed of every generator."""
NIGHTLY_TIMES = 20
"""A nightly run draws this many times as many examples."""
SEEDS_A_DAY_BITS = 20
"""Each night has room for a million seeds, so two nights share none."""


def seed_of_today() -> int:
    """The first seed of tonight's run."""
    return dt.datetime.now(tz=dt.UTC).date().toordinal() << SEEDS_A_DAY_BITS


def chosen_seed() -> int | None:
    """The seed that the environment names, or else today's seed in a nightly run, and None in a usual run.

    A nightly run writes its seed into the environment. So processes that it starts after midnight use the
    same seed.
    """
    if NIGHTLY:
        os.environ.setdefault(VARIABLE, str(seed_of_today()))
    named = os.environ.get(VARIABLE)
    return int(named) if named else None


def first_seed(usual: int) -> int:
    """The first seed of a random generator. In usual runs it is `usual`."""
    chosen = chosen_seed()
    return usual if chosen is None else chosen


def examples(usual: int) -> int:
    """The number of examples to draw in this run if a usual run draws `usual`."""
    return usual * NIGHTLY_TIMES if NIGHTLY else usual


def how_to_repeat() -> str:
    """Say with which environment variables a run draws the same programs, texts and numbers again."""
    chosen = chosen_seed()
    if chosen is None:
        return "the usual seeds, the same in every run"
    nightly = "EGLANTINE_NIGHTLY=1 " if NIGHTLY else ""
    return f"{nightly}{VARIABLE}={chosen}"
