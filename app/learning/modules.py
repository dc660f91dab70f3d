"""Compile the modules of the page Learn: one for each kind of network, and two that generate random data."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Any

import eglantine as eg

from .data import POINTS, SETS, WAVES, drawn, waves
from .network import ACTIVATIONS, CELLS, PIECES, REACH, SHOWN, Network
from .sequence import CONTINUED, HEARD, LENGTH, Sequence
from .text import KINDS, LINE, LONGEST, SHORTEST, Text, letters_of
from .training import OPTIMISERS, learning

MOST_LAYERS, MOST_UNITS = 5, 12
MOST_MEMORY_UNITS = 16
"""The largest number of units of an LSTM."""


@dataclass(frozen=True)
class Task:
    """A task that a network can learn.

    inputs: the number of the network's inputs. It is 0 for sequences.
    classes: the number of classes. It is 0 for sequences.
    most: the largest number of training examples.
    tests: the largest number of test examples.
    """

    inputs: int
    classes: int
    most: int
    tests: int


TASKS = {
    "plane": Task(2, 2, POINTS, POINTS // 2),
    "digits": Task(64, 10, 1400, 397),
    "sine": Task(0, 0, WAVES // 2, WAVES // 2),
    "text": Task(0, 0, 1, 1),
}
DEFAULT = {"task": "plane", "hidden": [6, 4], "activation": "tanh", "optimiser": "adam"}
"""The description of the network that the page shows first."""


RECURRENT: dict[str, type[Sequence | Text]] = {"sine": Sequence, "text": Text}
"""For each task with sequences, the class of its model. These models have a memory."""


def model_of(spec: dict[str, Any]) -> Network | Sequence | Text:
    """Make the model that a page asks for.

    spec: {"task", "hidden", "activation", "optimiser"}. "hidden" lists the number of units of each hidden
        layer.

    Raises:
        ValueError: a name or a number is out of range.
    """
    names = {"task": TASKS, "activation": ACTIVATIONS, "optimiser": OPTIMISERS}
    for name, known in names.items():
        if spec[name] not in known:
            msg = f"The {name} must be one of {', '.join(known)}, but it is {spec[name]!r}. Choose another."
            raise ValueError(msg)
    hidden, task = tuple(int(units) for units in spec["hidden"]), TASKS[spec["task"]]
    if spec["task"] in RECURRENT:
        if len(hidden) != 1 or not 1 <= hidden[0] <= MOST_MEMORY_UNITS:
            msg = f"An LSTM has one layer of 1 to {MOST_MEMORY_UNITS} units, but the layers are {hidden}."
            raise ValueError(msg)
        return RECURRENT[spec["task"]](hidden[0])
    if len(hidden) > MOST_LAYERS or not all(1 <= units <= MOST_UNITS for units in hidden):
        msg = (
            f"A network has at most {MOST_LAYERS} hidden layers of 1 to {MOST_UNITS} units, but the layers "
            f"are {hidden}. Choose fewer."
        )
        raise ValueError(msg)
    return Network(task.inputs, hidden, task.classes, spec["activation"])


def compile_network(spec: dict[str, Any]) -> dict[str, Any]:
    """Compile a network for the page. Return {"wasm", "abi", "cost": {"ms", "bytes"}}.

    Raises:
        ValueError: the spec is out of range.
    """
    model, task = model_of(spec), TASKS[spec["task"]]
    start = time.perf_counter()
    artifact = eg.compile_artifact(learning(model, task.most, task.tests, spec["optimiser"]))
    cost = {"ms": 1000 * (time.perf_counter() - start), "bytes": len(artifact.wasm)}
    return {"wasm": artifact.wasm, "abi": artifact.abi, "cost": cost}


def answering(spec: dict[str, Any], weights: Many[float]) -> eg.Fn:
    """Turn a trained network into a function. The weights become constants of the function.

    A network of layers maps x to the probabilities of the classes. A network for sequences maps HEARD values
    to the next value. If the spec has a "line" of text, the function maps a first letter to the letters that
    the network writes. A letter is given as its index in `letters_of(line)`.

    Raises:
        ValueError: a number in the spec is out of range, or the number of weights is wrong.
    """
    model = model_of(spec)
    numbers = [float(weight) for weight in weights]
    if len(numbers) != model.size or not all(map(math.isfinite, numbers)):
        msg = f"This network has {model.size} finite weights, but {len(numbers)} numbers were given."
        raise ValueError(msg)
    if isinstance(model, Text):
        length = len(line_of(spec))
        return eg.fn([eg.Fin(KINDS)])(lambda first: model.answer(eg.asarray(numbers), first, length))
    if isinstance(model, Sequence):
        return eg.fn([eg.Vec(HEARD, eg.Real)], eg.Real)(lambda x: model.answer(eg.asarray(numbers), x))
    return eg.fn([eg.Vec(model.inputs, eg.Real)])(lambda x: model.chances(eg.asarray(numbers), x))


def line_of(spec: dict[str, Any]) -> str:
    """Return the line of text that an LSTM has learned.

    Raises:
        ValueError: the line is too short or too long, or has too many different letters.
    """
    line = str(spec["line"])
    letters_of(line)
    return line


def compile_data() -> dict[str, Any]:
    """Compile the modules that generate training data: {"points", "waves": {"wasm", "abi"}}."""
    artifacts = {"points": eg.compile_artifact(drawn()), "waves": eg.compile_artifact(waves(LENGTH))}
    return {name: {"wasm": artifact.wasm, "abi": artifact.abi} for name, artifact in artifacts.items()}


def beginning() -> dict[str, Any]:
    """Return the page's constants. The build stores them, so the page has them before Python starts."""
    return {
        "sets": SETS,
        "drawn": POINTS,
        "drawnWaves": WAVES,
        "length": LENGTH,
        "heard": HEARD,
        "continued": CONTINUED,
        "line": LINE,
        "shortest": SHORTEST,
        "longest": LONGEST,
        "kinds": KINDS,
        "cells": CELLS,
        "reach": REACH,
        "shown": SHOWN,
        "pieces": PIECES,
        "tasks": {name: vars(task) for name, task in TASKS.items()},
        "activations": tuple(ACTIVATIONS),
        "optimisers": tuple(OPTIMISERS),
        "mostLayers": MOST_LAYERS,
        "mostUnits": MOST_UNITS,
        "mostMemoryUnits": MOST_MEMORY_UNITS,
        "first": DEFAULT,
    }
