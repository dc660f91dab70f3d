"""A page that opens a share link either shows a valid document or explains what is wrong with the link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.building import built
from tests.seeds import NIGHTLY, first_seed
from tools.node import find_node

HOSTILE = Path(__file__).with_name("hostile.mjs")
SCRIPTS = HOSTILE.parents[2] / "static" / "js"
FRAGMENTS = 200_000 if NIGHTLY else 2_000
SEED = str(first_seed(1))
PAGES = (
    "quadratic", "billiards", "robot", "regression", "fit", "diagrams", "bril", "learn", "sparse", "tape",
    "playground",
)  # fmt: skip
FEWEST_OPENED = 0.02
"""The fraction of random fragments that must at least be valid. Otherwise, the test would see almost only
refusals."""


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Let each page's link reader open FRAGMENTS random links. Return the results for each page."""
    built()
    done = find_node().run([HOSTILE, SEED, str(FRAGMENTS)])
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_links_of_every_page_are_tested() -> None:
    readers = SCRIPTS.rglob("*link.js")
    tried = HOSTILE.read_text(encoding="utf-8")
    assert [path.name for path in readers if path.relative_to(SCRIPTS).as_posix() not in tried] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_hostile_link_gives_a_valid_document_or_an_error(report: dict[str, Any], page: str) -> None:
    """A page's link reader throws no errors, is fast and changes no prototypes.

    If a page writes a new link for the document that it read, this link opens the same document.
    """
    found = report[page]
    assert found["failures"] == []
    assert found["read"] == FRAGMENTS
    assert found["opened"] > FEWEST_OPENED * FRAGMENTS


@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_its_links_and_refuses_wrong_ones(report: dict[str, Any], page: str) -> None:
    assert report[page]["own"] == []  # refused links that the page itself has written
    assert report[page]["sparse"] == []  # refused links that lack one field, or have only one
    assert {"broken", "version", "long"} < report[page]["refused"].keys()
