"""None of a thousand known attacks on expression evaluators makes the formula reader run other code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.service import LONGEST_MESSAGE, Service
from eglantine.errors import FormulaError, LimitError

from .grammar import judged
from .reading import explains, read, watched

NAMES = ("x", "y")
CORPUS = json.loads(
    Path(__file__).parent.with_name("data").joinpath("formula_escapes.json").read_text("utf-8")
)
REFUSED = [(group, text) for group, texts in CORPUS["refused"].items() for text in texts]
TOO_LARGE = [text for texts in CORPUS["too_large"].values() for text in texts]
ACCEPTED = [tuple(pair) for pair in CORPUS["accepted"]]
ALL = [text for _, text in REFUSED] + TOO_LARGE + [text for text, _ in ACCEPTED]


def warm_up(service: Service) -> None:
    """Import all modules now, because the test fails if Python imports a module later."""
    "x".encode("utf-16-le")
    for text in ("x", "foo", "z = {x > 0: gamma(x)} + sum(k=1..2, k) # \\sin x", "\\sin x", "$", "Sin(x)"):
        service.ask("formula", [text, list(NAMES)])
        service.afterwards()


def shown(text: str) -> str:
    return ascii(text[:40])


def test_the_corpus_has_more_than_500_different_texts() -> None:
    assert len(REFUSED) + len(TOO_LARGE) >= 500
    assert len(set(ALL)) == len(ALL)


@pytest.mark.parametrize(("group", "text"), REFUSED, ids=[shown(text) for _, text in REFUSED])
def test_an_attack_raises_an_error_with_a_message(group: str, text: str) -> None:
    found = read(text, NAMES)
    assert isinstance(found, FormulaError), f"{group}: read as {found}"
    assert explains(found, text)
    assert judged(text, NAMES).formula is None


@pytest.mark.parametrize("text", TOO_LARGE, ids=shown)
def test_a_text_that_is_too_large_raises_a_limit_error(text: str) -> None:
    found = read(text, NAMES)
    assert isinstance(found, LimitError)
    assert explains(found, text)


@pytest.mark.parametrize(("text", "formula"), ACCEPTED, ids=[shown(text) for text, _ in ACCEPTED])
def test_an_odd_looking_formula_is_read_as_the_grammar_says(text: str, formula: str) -> None:
    assert read(text, NAMES) == formula
    assert judged(text, NAMES).formula == formula


def test_the_page_runs_no_code_and_opens_nothing_for_any_attack() -> None:
    """Python reports compiled code, imports, files, processes and sockets as audit events. None may occur."""
    notes: list[str] = []
    service = Service(notes.append)
    warm_up(service)
    notes.clear()
    accepted = 0
    for text in ALL:
        with watched() as doors:
            reply, module = service.ask("formula", [text, list(NAMES)])
            service.afterwards()
        assert doors == [], text
        answer = json.loads(reply)
        accepted += answer["ok"]
        if answer["ok"]:
            assert module[:4] == b"\0asm"
        else:
            error = answer["error"]
            assert error.keys() - {"free"} == {"message", "column", "end_column", "suggestion", "kind"}
            assert error["kind"] in {"FormulaError", "LimitError"}
            assert 0 < len(error["message"]) <= LONGEST_MESSAGE
    assert accepted == len(ACCEPTED) == len(notes)


def test_the_audit_reports_code_that_runs_and_modules_that_are_imported() -> None:
    with watched() as doors:
        eval("1 + 1")  # noqa: S307  this must be recorded
        with pytest.raises(ImportError):
            __import__("no_such_module_anywhere")
    assert {"compile", "exec", "import"} <= set(doors)
