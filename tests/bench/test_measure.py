"""The benchmarks' statistics and tables are right, and every group of benchmarks can be imported."""

from __future__ import annotations

import math
from importlib import import_module

import pytest

from bench import contest, specs
from bench.__main__ import group_names, parse
from bench.contest import Competition, Contestant, compete
from bench.measure import OURS, Row, Series, contestants, row_from_json, row_to_json, times_the_value
from bench.table import ABSENT, markdown, number, terminal, verdicts


def row(**changes: object) -> Row:
    fields = {
        "series": {OURS: Series((1.0, 3.0, 2.0)), "A": Series((8.0,)), "B": Series((4.0, 4.0))},
        "target": 2.5,
    }
    return Row("work", "ms", **{**fields, **changes})


def test_a_series_has_a_median_a_minimum_and_a_spread() -> None:
    series = Series((5.0, 1.0, 2.0, 3.0, 4.0))
    assert (series.median, series.minimum, series.quartiles) == (3.0, 1.0, (2.0, 4.0))


def test_one_sample_has_no_spread() -> None:
    assert Series((7.0,)).quartiles == (7.0, 7.0)


def test_the_ratio_divides_our_median_by_the_best_peers_median() -> None:
    assert (row().best_peer, row().ratio, row().reached) == ("B", 0.5, True)
    assert row(target=1.9).reached is False


def test_our_result_on_another_host_does_not_count_as_a_peer() -> None:
    lone = row(series={OURS: Series((1.0,)), f"{OURS} (CPython)": Series((0.5,))})
    assert (lone.best_peer, lone.ratio) == (None, None)


def test_a_check_fails_if_a_result_is_wrong_or_ours_is_missing() -> None:
    assert not row(missing={"A": "not installed"}).failed
    assert row(wrong="number 0 differs").failed
    assert row(missing={OURS: "no module"}).failed


def test_the_table_names_missing_peers_and_wrong_results() -> None:
    rows = [row(missing={"C": "not installed"}), row(series={}, wrong="number 0 differs")]
    for text in (terminal(rows), markdown(rows)):
        assert "C missing: not installed" in text
        assert "WRONG: work: number 0 differs" in text


def test_the_table_shows_median_spread_minimum_ratio_and_target() -> None:
    line = markdown([row()]).splitlines()[2]
    assert line == "| work | 2 ms (1.5–2.5), 1 | 8 ms | 4 ms (4–4), 4 | 0.5 × B | ≤ 2.5 ms ✓ |"


def test_the_text_of_a_check_lists_equal_and_wrong_results() -> None:
    rows = [row(compared=(OURS, "A")), row(compared=(OURS,)), row(wrong="number 0 differs")]
    assert verdicts(rows).splitlines() == ["work: equal: ours, A", "WRONG: work: number 0 differs"]


def test_empty_columns_are_omitted() -> None:
    text = markdown([row(series={OURS: Series((1.0,))}, target=None)])
    assert text.splitlines()[0] == "| median (quartiles), minimum | ours |"


def test_our_columns_come_first_and_missing_contestants_are_marked() -> None:
    rows = [Row("a", "ms", {"A": Series((1.0,))}), Row("b", "ms", {OURS: Series((1.0,))})]
    assert contestants(rows) == [OURS, "A"]
    assert ABSENT in terminal(rows)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.01234, "0.0123"),
        (0.000012, "0.000012"),
        (105.71, "106"),
        (176072.0, "176,072"),
        (0.0, "0"),
        (2.0, "2"),
    ],
)
def test_numbers_are_written_short_and_without_exponents(value: float, text: str) -> None:
    assert number(value) == text


def test_rows_are_read_and_written_as_json() -> None:
    found = row_from_json(
        {"title": "t", "unit": "B", "samples": {OURS: [3.0], "A": []}, "wrong": "", "missing": {}}
    )
    report = row_to_json(found)
    assert list(report["contestants"]) == [OURS]
    assert report["contestants"][OURS]["samples"] == [3.0]


def test_every_group_is_a_module_with_rows() -> None:
    pytest.importorskip("playwright")
    assert {"adbench", "billiards", "chain", "compile", "first", "pairs", "robot"} <= set(group_names())
    for name in group_names():
        assert callable(import_module(f"bench.groups.{name}").rows)


def test_an_unknown_group_is_an_error_that_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["fist"])
    assert "no group fist" in capsys.readouterr().err


def test_a_straight_line_program_uses_every_value_and_only_earlier_ones() -> None:
    program = specs.straight_line(50)
    assert program == specs.straight_line(50)
    for k, (kind, a, b) in enumerate(program):
        assert kind in specs.KINDS
        assert a == k
        assert k <= b < k + specs.WINDOW


def test_each_formula_of_the_bench_has_a_number_that_varies() -> None:
    assert all("K" in text for text in specs.FORMULAS.values())


def turns(a: list[float], b: list[float]) -> tuple[Competition, list[str]]:
    """Run a competition between two contestants. One returns `a`, and the other returns `b`.

    Return the outcome, and the order of the contestants' timed calls.
    """
    called: list[str] = []
    contestants = {
        name: Contestant(lambda found=found: found, lambda name=name: called.append(name))
        for name, found in (("a", a), ("b", b))
    }
    return compete(contestants, check=False, tolerance=1e-8), called


def test_contestants_are_timed_in_turns_after_their_results_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "SMALLEST_SAMPLE_MS", 0.0)
    found, called = turns([1.0, 2.0], [1.0, 2.0 + 1e-9])
    assert (found.compared, found.wrong) == (("a", "b"), "")
    assert called[:8] == [*"ab", *"ab", *"ba", *"ab"]
    assert {len(series.samples) for series in found.series.values()} == {contest.ROUNDS}


@pytest.mark.parametrize("other", [[1.0, 2.1], [1.0, math.nan], [1.0]])
def test_nothing_is_timed_if_a_result_is_wrong(other: list[float]) -> None:
    found, called = turns([1.0, 2.0], other)
    assert found.wrong
    assert (called, dict(found.series), found.compared) == ([], {}, ())


def test_rows_of_another_host_have_a_separate_table() -> None:
    rows = [row(), row(series={"C": Series((1.0,))}, host="elsewhere")]
    heads = [line for line in markdown(rows).splitlines() if line.startswith("| median")]
    assert ["ours" in head for head in heads] == [True, False]
    assert ["| C |" in head for head in heads] == [False, True]


def test_a_derivatives_minimum_time_is_divided_by_the_values_minimum() -> None:
    assert times_the_value(Series((6.0, 9.0)), Series((100.0, 2.0))).samples == (3.0,)


def test_an_integer_from_the_browser_is_kept_exactly() -> None:
    found = row_from_json({"title": "module", "unit": "B", "samples": {OURS: [1_184_287]}})
    assert row_to_json(found)["contestants"][OURS]["samples"] == [1_184_287.0]
