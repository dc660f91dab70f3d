"""The naive differentiator of chapter 2 gives the published counts of terms, and the right values."""

from __future__ import annotations

import math
import runpy
from itertools import pairwise
from typing import TYPE_CHECKING

from docs.book import chapter_2 as chapter
from docs.book.symbolic import SMALL, chain, derivative, orders, squared, text, value

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_counts_of_terms_equal_the_published_counts() -> None:
    assert orders(SMALL, 3) == [7, 11, 19, 35]
    assert [orders(chain(k), 0)[0] for k in range(1, 11)] == [3, 5, 7, 9, 11, 13, 15, 17, 19, 21]
    assert chapter.counts(chain, 1, 10) == [7, 15, 25, 37, 51, 67, 85, 105, 127, 151]
    assert chapter.counts(chain, 2, 10) == [15, 43, 89, 157, 251, 375, 533, 729, 967, 1251]
    assert chapter.counts(squared, 1, 8) == [7, 23, 63, 159, 383, 895, 2047, 4607]


def test_the_rows_of_compiled_derivatives_grow_linearly() -> None:
    rows = [chapter.rows(k, squared) for k in range(2, 9)]
    assert {later - before for before, later in pairwise(rows)} == {3}
    chains = [chapter.rows(k, chain) for k in range(1, 11)]
    assert all(later - before in {2, 3} for before, later in pairwise(chains))


def test_the_symbolic_derivative_has_the_right_value() -> None:
    assert text(derivative(SMALL)) == "((1 · x) + (x · 1)) + (1 + 1)"
    assert math.isclose(value(derivative(squared(3)), 1.1), 8 * 1.1**7, rel_tol=1e-14)


def test_the_program_of_the_chapter_prints_three_equal_slopes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "program.py").write_text(chapter.TRY, encoding="utf-8")
    runpy.run_path(str(tmp_path / "program.py"))
    slopes = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert len(slopes) == 3
    assert all(math.isclose(slope, math.sin(2) + 2 * math.cos(2), rel_tol=1e-8) for slope in slopes)
