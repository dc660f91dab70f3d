"""Tests of the file that collects the benchmarks' results, and of the page and picture made from it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bench import picture, report
from bench.__main__ import parse, show
from bench.measure import OURS, Row, Series
from bench.report import Group

PEER = "Peer"
ROWS = (
    Row(
        "work",
        "µs",
        {OURS: Series((2.0, 3.0, 4.0)), PEER: Series((6.0,))},
        target=3.5,
        aim=1.0,
        missing={"B": "away"},
    ),
    Row("  module", "B", {OURS: Series((100.0,))}, target=50.0),
)
GROUP = Group("a machine", "2026-01-02", ROWS)


def test_the_results_of_groups_that_did_not_run_again_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    report.write(path, {"robot": GROUP})
    report.write(path, {"pairs": GROUP})
    assert report.read(path) == {"pairs": GROUP, "robot": GROUP}


def test_the_page_lists_targets_reached_and_the_command_to_measure() -> None:
    text = report.page({"pairs": GROUP}, "found.json", "found.svg")
    assert "| work | 3, 2 µs | Peer: 6 µs | 0.5 | ≤ 3.5 µs ✓ | 1 µs | `python3 -m bench pairs` |" in text
    assert "| work: module | 100, 100 B | – | – | ≤ 50 B ✗ | – | `python3 -m bench pairs` |" in text
    assert "2026-01-02, a machine." in text
    assert "B missing: away" in text


@pytest.mark.parametrize(("target", "mark"), [(3.0, "✓"), (2.5, "(✓)"), (1.9, "✗"), (None, "")])
def test_a_target_may_be_reached_by_the_median_or_by_the_minimum(target: float | None, mark: str) -> None:
    assert Row("work", "µs", {OURS: Series((2.0, 3.0, 4.0))}, target=target).mark == mark


def test_a_group_of_very_many_rows_shows_only_informative_rows() -> None:
    many = tuple(Row(f"row {k}", "ms", {OURS: Series((1.0,))}) for k in range(report.MANY))
    group = Group("a machine", "2026-01-02", (*many, *ROWS))
    assert report.shown(group) == list(ROWS)
    assert f"{report.MANY} more rows" in report.page({"diagrams": group}, "found.json", "found.svg")


def test_the_picture_marks_each_contestant_of_timed_rows_with_peers() -> None:
    root = ET.fromstring(picture.svg({"pairs": GROUP}))  # noqa: S314 (it is ours)
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["Medians of all contestants", "ours", "Peer", "Peer: 6 µs", "ours: 3 µs"]


def test_marks_are_placed_by_the_logarithm_of_their_time() -> None:
    ends = [picture.place(seconds, -6, -2) for seconds in (1e-6, 1e-4, 1e-2)]
    assert ends == pytest.approx(
        [picture.LEFT_PX, (picture.LEFT_PX + ends[2]) / 2, picture.WIDTH_PX - picture.RIGHT_PX]
    )


@pytest.mark.parametrize(("power", "words"), [(-9, "1 ns"), (-5, "10 µs"), (-3, "1 ms"), (1, "10 s")])
def test_the_axis_of_times_has_units(power: int, words: str) -> None:
    assert picture.in_words(power) == words


def test_a_file_of_results_is_shown_without_measuring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, page, svg = tmp_path / "found.json", tmp_path / "page.md", tmp_path / "found.svg"
    report.write(source, {"pairs": GROUP})
    options = parse(["--from", str(source), "--markdown", str(page), "--svg", str(svg)])
    assert show(options, source) == 0
    assert "work" in capsys.readouterr().out
    assert "(found.svg)" in page.read_text(encoding="utf-8")
    assert svg.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(("load", "is_busy"), [("load 1.5", False), ("load 7.0", True)])
def test_the_page_marks_results_of_a_busy_machine(load: str, is_busy: bool) -> None:
    group = Group(f"x86_64, 2 cores, {load}, CPython", "2026-01-02", ROWS)
    assert (report.BUSY in report.page({"pairs": group}, "found.json", "found.svg")) == is_busy
