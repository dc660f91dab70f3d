"""Two formula readers, written in JavaScript (for the pages) and in Python, return equal nodes and errors.

The test compares both readers on 1,000 fuzzed texts, and on a million at night. At least half of the texts
are formulas.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from app.service import describe
from eglantine.errors import FormulaError, LimitError
from eglantine.formulas.parser import parse
from eglantine.formulas.table import table
from tests.seeds import NIGHTLY, first_seed
from tools.node import find_node

from .fuzzing import MAKERS, NAMES, fuzzed
from .test_escapes import ALL

SCRIPT = Path(__file__).with_name("reading.mjs")
TEXTS = int(os.environ.get("EGLANTINE_FORMULAS", "0")) or (1_000_000 if NIGHTLY else 1_000)
Request: TypeAlias = tuple[str, bool, bool]
"""A text, whether it may have free letters, and whether it may be an equation."""
CHUNK = 10_000
SEED = first_seed(7_000_000)
LETTERS_ONE_IN = 3
"""The average number of texts among which one may have free letters."""
EQUATIONS_ONE_IN = 4
LINES_ONE_IN = 4
"""The number of texts among which one gets an additional line."""
LINES = ("a = ", "g(t) = ", "b = ", "z = ", "r = ", "", "x + ")
POLAR = "\n# polar"


def read_by_pages(requests: Sequence[Request]) -> list[Any]:
    """Read texts with the JavaScript reader in Node, and return its answers."""
    lines = [
        json.dumps(table()),
        *(json.dumps([text, NAMES, letters, equations]) for text, letters, equations in requests),
    ]
    command = [find_node().node, str(SCRIPT)]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def read_by_python(text: str, letters: bool, equations: bool) -> dict[str, Any] | list[dict[str, Any]]:
    """Read a text with Python. Return the nodes or the errors in the format of the JavaScript reader."""
    free: list[str] | None = [] if letters else None
    try:
        nodes = parse(text, NAMES, free, equations).nodes
    except (FormulaError, LimitError) as error:
        told = describe(error, text)
        return [
            {"message": one["message"], "start": one["column"], "end": one["end_column"], "kind": one["kind"]}
            for one in (told, *told.get("others", ()))
        ]
    return {
        "nodes": [
            [kind, name, float(number), kind == "number" and type(number) is int, [*operands], start, end]
            for kind, name, number, operands, start, end in nodes
        ],
        "free": free,
    }


def is_same(pages: Any, python: Any) -> bool:
    if isinstance(pages, dict) and isinstance(python, dict) and "nodes" in pages:
        nodes = [[*node[:2], float(node[2]), *node[3:]] for node in pages["nodes"]]
        return repr(nodes) == repr(python["nodes"]) and bool(pages["free"] == python["free"])
    if isinstance(pages, list) and isinstance(python, list) and len(pages) == len(python):
        return all(
            one["message"].startswith(other["message"])
            and all(one[key] == other[key] for key in ("start", "end", "kind"))
            for one, other in zip(python, pages, strict=True)
        )
    return False


def drawn(rng: random.Random, count: int) -> Iterator[Request]:
    """Yield `count` texts. Formulas alternate with random texts."""
    for k in range(count):
        letters = rng.randrange(LETTERS_ONE_IN) == 0
        equations = rng.randrange(EQUATIONS_ONE_IN) == 0
        text = fuzzed(rng, ALL) if k % 2 else MAKERS[0](rng, ALL)
        while k % 2 == 0 and "nodes" not in read_by_python(text, letters, equations):
            text = MAKERS[0](rng, ALL)
        if k % LINES_ONE_IN == 1:
            text = f"{text}\n{rng.choice(LINES)}{fuzzed(rng, ALL)}{rng.choice(['', POLAR])}"
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        # Omit texts with unassigned characters, which depend on the version of Unicode. Also omit texts with
        # the two halves of a character, which JavaScript always joins.
        if joined == text and not any(unicodedata.category(character) == "Cn" for character in text):
            yield text, letters, equations


@pytest.mark.parametrize("chunk", range(-(-TEXTS // CHUNK)))
def test_the_pages_reader_agrees_with_python_on_fuzzed_texts(chunk: int, record_property: Any) -> None:
    rng = random.Random(SEED + chunk)  # noqa: S311  a seed that can be repeated, not a secret
    requests = [*drawn(rng, min(CHUNK, TEXTS - CHUNK * chunk))]
    formulas = 0
    for request, pages in zip(requests, read_by_pages(requests), strict=True):
        python = read_by_python(*request)
        assert is_same(pages, python), (request, pages, python)
        formulas += "nodes" in python
    assert formulas >= len(requests) / 2
    record_property("formulas", f"{len(requests)} texts, {formulas} formulas")


def test_the_pages_reader_agrees_with_python_on_attacks_and_pasted_texts() -> None:
    """The readers have two options, free letters and equations. So there are four combinations.

    A normal run tests each attack with two combinations, and a nightly run with all four.
    """
    ways = [(letters, equations) for letters in (False, True) for equations in (False, True)]
    by_turns = (ways[::3], ways[1:3])  # the ways with none or both of the options, and those with one
    requests = [
        *((text, *way) for k, text in enumerate(ALL) for way in (ways if NIGHTLY else by_turns[k % 2])),
        *((text, *way) for pasted in PASTED for text in (pasted, f"{pasted}{POLAR}") for way in ways),
    ]
    for request, pages in zip(requests, read_by_pages(requests), strict=True):
        assert is_same(pages, read_by_python(*request)), request


PASTED = (
    r"\frac{x}{2}+\sqrt[3]{y}", r"\frac12 x", r"\sum_{k=1}^{3} k x + y", r"\left|x\right|^{2}",
    r"\binom{5}{x}",
    r"\log_{2}\left(x\right)", r"\operatorname{sech}(x) \cdot \pi", r"x_{1}+1",
    r"\frac{x}{2", r"\foo x", r"\frac", r"\prod_{i=1}^n x", r"\lfloor x \rfloor \bmod 2", r"x^{2}+y^{",
    r"\sin^{2} x - \sum_{k=0}^{2} -k x", "g(t) = t^2 + 1\nz = g(x) + g(y)", "a = 2; b = a + 1; a x + b",
    "a = b; b = a; a", "f(x, y) = x y", "f(t) = t", "y = x^2 + y", "x = 2", "x^2 + y^2 = 1", "z =",
    "a = 1; a = 2; x", "x\ny", "np.sin(x) + math.pi # why", "d/dx x^2", "dy / dx", "g(s, s) = s; g(x)",
    "g(1) = 2; x", "pi = 3; x", "h(k) = sum(k=1..3, k); h(x)", "a₁ = 3; a₁ x", "k = 2\nsum(k=1..3, k x) + k",
    "z = x\nw = 2 y\n\n", "sin(t) = t; x", "θ = 1; theta x", "😀", "x😀 = y", "x y 😀 + 1", "polygamma(5, x)",
    "polygamma(101, x)", "acot(x)", "b asec x", "x^2 + y^2 = sen(y)",
    "g(t) = t +\nh(t) = sen(t)\nz = g(x) + h(2, y", "u = (x\n{u: 1, 0}", "r = 1 + cos θ",
    "(x > 0 || y < 0) ? 1 : 2", "||x| - |y||", "x > 1||y", "r^2 sin(2θ)", "xy = 1", "sin(x) = y", "z = r = 2",
    "1,5 + x", "sin^-1 x", "{x}", "{x > 0, 1}", "if(x)", "plot(x)",
)  # fmt: skip
