"""The second kernel of a figure.

It computes the numbers in the figure's sentence, and the points of its paths.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from eglantine.errors import TypeMismatchError
from eglantine.functions.fn import Fn
from eglantine.trace.sums import vec
from eglantine.types import Real
from eglantine.words.spelling import listed

from .controls import Point, leaf_types, leaf_values
from .models import Model, Part, arguments, leaves_of, part_of
from .signatures import traced

LOOKS: Final = ("line", "dots", "both", "grey")
GAP: Final = re.compile(r"\{([^{}]*)\}")
"""A pattern for a placeholder in a sentence: `{}` for a number, or `{no|yes}` for a word.

A number chooses the word: 0 the first word, 1 the second word."""


class Aside(NamedTuple):
    """The sentence and the paths (lines or dots) that a figure shows in addition to its functions.

    kernel: a function that takes the axes and the leaves of the controls. It returns the sentence's numbers,
        and then the xs and the ys of each path.
    sentence: the texts before, between and after the numbers.
    words: for each number, a list of words from which the number selects one. If the list is empty, the
        sentence shows the number itself.
    paths: for each path, its label and its look. An example of a look is "dots".
    """

    kernel: Fn
    sentence: list[str]
    words: list[list[str]]
    paths: list[tuple[str, str]]


def aside_of(shown: Model, says: Any, paths: Any, named: Mapping[str, Any]) -> Aside | None:
    """Check a figure's sentence and its paths, and trace their kernel. Return None if it has neither."""
    if says is None and not paths:
        return None
    text, numbers = _sentence(says)
    pieces = GAP.split(text)
    words = [piece.split("|") if piece else [] for piece in pieces[1::2]]
    parts = [] if numbers is None else [part_of(numbers, named)]
    looks = []
    for label, path in (paths or {}).items():
        of, look = path if isinstance(path, tuple) else (path, "line")
        if look not in LOOKS:
            raise TypeMismatchError(f"The path {label} looks like {look!r}. Choose from {listed(LOOKS)}.")
        parts.append(part_of(of, named))
        looks.append((label, look))
    kernel = _kernel(shown, parts, len(words) if numbers is not None else -1, [look for _, look in looks])
    return Aside(kernel, pieces[0::2], words, looks)


def names_in(says: Any, paths: Any, named: Mapping[str, Any]) -> list[str]:
    """List the parameters of the functions in a figure's sentence and paths."""
    functions = [path[0] if isinstance(path, tuple) else path for path in (paths or {}).values()]
    functions += [_sentence(says)[1]] if says is not None else []
    return [name for of in functions for name in part_of(of, named).names]


def _sentence(says: Any) -> tuple[str, Any]:
    """Return the text of a sentence, and the function that computes its numbers."""
    if says is None:
        return "", None
    if isinstance(says, tuple) and len(says) == len(("text", "function")) and isinstance(says[0], str):
        return says
    raise TypeMismatchError(
        "The argument `says` must be a pair (text, function), where the function returns the numbers in the "
        f'text, but it is {says!r}. Write says=("the slope is {{}}", slope).'
    )


def _kernel(shown: Model, parts: Sequence[Part], numbers: int, looks: Sequence[str]) -> Fn:
    """Trace the kernel that computes the sentence's numbers and the points of the paths.

    parts: the function for the sentence, if there is a sentence, and then the function for each path.
    numbers: how many numbers the sentence has. It is -1 if there is no sentence.
    looks: the look of each path.
    """
    axes = [name for name, _, _ in shown.axes]
    names = [*axes, *(leaf for name, control in shown.controls.items() for leaf in leaves_of(name, control))]
    known = [*axes, *shown.controls]
    for part in parts:
        if unknown := [name for name in part.names if name not in known]:
            raise TypeMismatchError(
                f"{part.label} has the parameter {unknown[0]}, but the figure has only {listed(known)}. Add "
                "a control for this parameter, or remove the parameter."
            )

    def aside(*reals: Any) -> Any:
        values = dict(zip(names, reals, strict=True))
        for name, control in shown.controls.items():
            if isinstance(control, Point):
                values[name] = (values[f"{name}_x"], values[f"{name}_y"])
        results = [part.call(*arguments(part, values)) for part in parts]
        said: tuple[Any, ...] = ()
        if numbers >= 0:
            first = results.pop(0)
            said = tuple(first) if isinstance(first, list | tuple) else (first,)
            if len(said) != numbers:
                raise TypeMismatchError(
                    f"The sentence has {numbers} places for numbers, but {parts[0].label} gives {len(said)}. "
                    "Write {} for each number."
                )
        return tuple(one * 1.0 for one in said), tuple(map(_columns, results, looks))

    return traced(names, aside, "aside", [*[Real] * len(axes), *leaf_types(shown.controls)])


def _columns(path: Any, look: str) -> tuple[Any, ...]:
    """Return the xs and the ys of a path as two Vecs. For a grey path, return its greys as a third Vec."""
    if look == "grey":
        xs, ys, greys = path
        return xs, ys, greys
    if isinstance(path, tuple | list):
        xs, ys = path
        return xs, ys
    return vec(len(path), lambda i: path[i][0] * 1.0), vec(len(path), lambda i: path[i][1] * 1.0)


def places_of(abi: Mapping[str, Any]) -> list[int]:
    """Return the position in memory of each number that a kernel takes, in units of eight bytes."""
    leaves = [leaf for param in abi["params"] for leaf in param["leaves"]]
    return [leaf["at"] // 8 + k for leaf in leaves for k in range(math.prod(leaf["dims"]))]


def described(aside: Aside, abi: Mapping[str, Any]) -> dict[str, Any]:
    """Describe an aside as data for the page. Positions in memory are in units of eight bytes."""
    leaves = iter(abi["result"]["leaves"])
    return {
        "inputs": places_of(abi),
        "outputs": [leaf["at"] // 8 for leaf in islice(leaves, len(aside.words))],
        "sentence": aside.sentence,
        "words": aside.words,
        "paths": [_placed(*path, leaves) for path in aside.paths],
    }


def _placed(label: str, look: str, leaves: Iterator[Mapping[str, Any]]) -> dict[str, Any]:
    """Describe a path as data for the page. The path takes its leaves from `leaves`."""
    xs, ys = next(leaves), next(leaves)
    path = {"label": label, "look": look, "xs": xs["at"] // 8, "ys": ys["at"] // 8, "n": xs["dims"][0]}
    return {**path, "greys": next(leaves)["at"] // 8} if look == "grey" else path


def evaluator(run: Callable[..., Any], shown: Model) -> Callable[[Mapping[str, Any]], Any]:
    """Make a function that runs the second kernel for a state of the figure."""

    def at(state: Mapping[str, Any]) -> Any:
        place = state["place"] or [0.0] * len(shown.axes)
        return run(*place, *leaf_values(shown.controls, state["values"]))

    return at
