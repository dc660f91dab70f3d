"""An LSTM that learns a line of text: it sees a letter and guesses the next letter.

The network gets each letter as a number. The line's different letters are numbered 0, 1, 2, … in the order of
their first use. So a line may contain letters of any alphabet. The matrix W has a column for each letter, and
W·x is simply the column of the current letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import eglantine as eg
from eglantine import numpy as enp

from .memory import Memory

m = eg.math

LINE = "the briar climbs the wall, the rose follows the sun."
"""The line that the page shows first. The network is given the first letter and has to write all others."""
SHORTEST, LONGEST = 2, 72
"""The least and the most letters of a line."""
KINDS = 40
"""The largest number of different letters in a line."""


def letters_of(line: str) -> str:
    """Return the different letters of a line, in the order in which they appear.

    Raises:
        ValueError: the line is too short or too long, or has too many different letters.
    """
    letters = "".join(dict.fromkeys(line))
    if not SHORTEST <= len(line) <= LONGEST or len(letters) > KINDS:
        msg = (
            f"A line has {SHORTEST} to {LONGEST} letters, at most {KINDS} of them different, but this line "
            f"has {len(line)}, of which {len(letters)} are different. Write another line."
        )
        raise ValueError(msg)
    return letters


def example_of(line: str) -> dict[str, Any]:
    """Convert a line to numbers for the network, which guesses every letter except the first.

    Raises:
        ValueError: the line is too short or too long, or has too many different letters.
    """
    letters = letters_of(line)
    codes = [letters.index(letter) for letter in line]
    return {"x": codes + [0] * (LONGEST - len(line)), "guesses": len(line) - 1}


@dataclass(frozen=True)
class Text(Memory):
    """An LSTM whose inputs and results are letters."""

    inputs: ClassVar[int] = KINDS
    results: ClassVar[int] = KINDS

    @property
    def spread(self) -> float:
        """The largest weight at the start."""
        return 0.25

    @property
    def example(self) -> dict[str, Any]:
        """The types of an example's parts."""
        return {"x": eg.Vec(LONGEST, eg.Fin(KINDS)), "guesses": eg.Fin(LONGEST)}

    def step(self, weights: Any, state: Any, letter: Any) -> Any:
        """The outputs and cells after a letter."""
        return self.hear(weights, state, lambda at: weights[at + letter])

    def scores(self, weights: Any, h: Any) -> Any:
        """Compute a score for each letter. Softmax turns the scores into probabilities of the next letter."""
        return eg.vec(KINDS, lambda letter: self.result(weights, h, letter))

    def judge(self, weights: Any, example: Any) -> tuple[Any, Any]:
        """Return the mean cross entropy of the guesses, and the fraction of right guesses."""
        x, guesses = example["x"], example["guesses"]

        def one(t: Any, carry: Any) -> Any:
            state, losses, right = carry
            state = self.step(weights, state, x[t])
            scores, wanted = self.scores(weights, state[0]), x[t + 1]
            loss = enp.logsumexp(scores) - scores[wanted]
            return state, losses + loss, right + eg.real(enp.argmax(scores) == wanted)

        _, losses, right = eg.fori_loop(0, guesses, one, (self.empty, 0.0, 0.0))
        count = m.maximum(eg.real(guesses), 1.0)
        return losses / count, right / count

    def loss(self, weights: Any, example: Any) -> Any:
        """The mean cross entropy of the guesses."""
        x, guesses = example["x"], example["guesses"]

        def one(t: Any, carry: Any) -> Any:
            state, losses = carry
            state = self.step(weights, state, x[t])
            scores = self.scores(weights, state[0])
            return state, losses + enp.logsumexp(scores) - scores[x[t + 1]]

        losses = eg.fori_loop(0, guesses, one, (self.empty, 0.0))[1]
        return losses / m.maximum(eg.real(guesses), 1.0)

    def answer(self, weights: Any, first: Any, length: int) -> Any:
        """Let the network write letters after a given first letter. Return all letters."""
        seen = self._writing(weights, first, length)
        return eg.vec(length, lambda t: seen[t]["letter"])

    def pictures(self, weights: Any, tests: Any) -> dict[str, Any]:
        """Let the network write a line. "written" is the line's letters, "neurons" is the units' outputs."""
        seen = self._writing(weights, tests["x"][0][0], LONGEST)
        return {
            "written": eg.vec(LONGEST, lambda t: seen[t]["letter"]),
            "neurons": eg.vec(LONGEST, lambda t: seen[t]["h"]),
        }

    def _writing(self, weights: Any, first: Any, length: int) -> Any:
        def one(carry: Any, _: Any) -> Any:
            state, letter = carry
            state = self.step(weights, state, letter)
            following = enp.argmax(self.scores(weights, state[0]))
            return (state, following), {"letter": letter, "h": state[0]}

        return eg.scan(one, (self.empty, first), length=length)[1]
