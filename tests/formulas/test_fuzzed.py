"""Two parsers agree on random texts, and no text causes a crash. Nightly runs test a million texts."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

from app.service import Service
from eglantine.errors import LimitError
from tests.seeds import NIGHTLY, first_seed

from .fuzzing import NAMES, fuzzed
from .grammar import is_judged, judged
from .pieces import MAX_CHARACTERS, MAX_DEPTH, MAX_TERMS
from .reading import explains, read, watched
from .test_escapes import ALL, warm_up

TEXTS = int(os.environ.get("EGLANTINE_FORMULAS", "0")) or (1_000_000 if NIGHTLY else 2_000)
CHUNK = 4_000
SEED = first_seed(3_000_000)
COMPILED_ONE_IN = 100
"""The number of texts among which one is also compiled by the page's service. Compiling takes thirty times as
long as reading."""


def is_beyond_a_limit(text: str) -> bool:
    _, depth, terms, is_huge = judged(text, NAMES)
    return is_huge or len(text) > MAX_CHARACTERS or terms > MAX_TERMS or depth > MAX_DEPTH


def check(text: str) -> bool:
    """Check that the compiler's parser and the second parser agree on a text. Return True for a formula."""
    found = read(text, NAMES)
    if not is_judged(text):
        return isinstance(found, str) or not explains(found, text)
    if isinstance(found, LimitError):
        assert is_beyond_a_limit(text), text
    elif isinstance(found, str):
        assert judged(text, NAMES).formula == found, text
        assert not is_beyond_a_limit(text) or judged(text, NAMES).is_huge, text
        return True
    else:
        assert judged(text, NAMES).formula is None, text
    assert explains(found, text), text
    return False


def compiles(service: Service, text: str, is_formula: bool) -> None:
    reply, module = service.ask("formula", [text, list(NAMES)])
    service.afterwards()
    answer = json.loads(reply)
    if is_formula:
        assert answer["ok"] or answer["error"]["kind"] == "MissingDerivativeError", text
        assert answer["ok"] or "polygamma" in text
    else:
        assert not answer["ok"], text
    assert (module[:4] == b"\0asm") is answer["ok"], text


@pytest.mark.parametrize("chunk", range(-(-TEXTS // CHUNK)))
def test_fuzzed_texts_are_formulas_or_errors_with_columns(chunk: int, record_property: Any) -> None:
    rng = random.Random(SEED + chunk)  # noqa: S311  a seed that can be repeated, not a secret
    service = Service(lambda note: None)
    warm_up(service)
    texts = [fuzzed(rng, ALL) for _ in range(min(CHUNK, TEXTS - CHUNK * chunk))]
    with watched() as doors:
        formulas = [check(text) for text in texts]
        for text, is_formula in [*zip(texts, formulas, strict=True)][::COMPILED_ONE_IN]:
            compiles(service, text, is_formula)
    assert doors == []
    assert 0.2 < sum(formulas) / len(texts) < 0.8  # enough of both kinds
    record_property("formulas", f"{len(texts)} texts, {sum(formulas)} formulas")
