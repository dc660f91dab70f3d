"""A Node process that runs modules in V8 for the tests."""

from __future__ import annotations

import atexit
import json
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from eglantine.emit.artifact import Artifact
from tests.emit.running import count, leaves, packed, scalar_kinds, unpacked
from tools.bootstrap import SetupError
from tools.node import TO_SERVE, find_node

SERVER = Path(__file__).with_name("node_server.mjs")
LENGTHS = struct.Struct("<II")
BYTES = {"f64": 8, "i32": 4}


@dataclass(frozen=True)
class Call:
    """The outcome of one call.

    result: the leaves of the result, or None if the call stopped before its end.
    trap: the position of the call's trap in the ABI's list of traps, counted from 1. It is 0 without a trap.
    effects: the calls of host functions that return nothing, as (position in the list of imports, arguments).
    """

    result: list[Any] | None
    trap: int
    effects: list[tuple[int, list[float]]]


class InvalidModule(Exception):  # noqa: N818
    """V8 rejects the module as invalid."""


class Node:
    """A Node process."""

    def __init__(self, path: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path, str(SERVER)], stdin=pipe, stdout=pipe)
        atexit.register(self.process.kill)

    def run(self, artifact: Artifact, arguments: Sequence[Sequence[Any]]) -> list[Call]:
        """Make one instance of a module. Call it with each list of arguments, and return the outcomes.

        Raises: InvalidModule if V8 rejects the module.
        """
        places = leaves(artifact.abi["params"])
        inputs = [
            b"".join(packed(place["dtype"], leaf) for place, leaf in zip(places, given, strict=True))
            for given in arguments
        ]
        result = artifact.abi["result"]
        head = {
            "entry": artifact.abi["export"],
            "sizes": [len(artifact.wasm), *map(len, inputs)],
            "writes": list(map(_extent, places)),
            "reads": list(map(_extent, result["leaves"])),
            "imports": [
                [entry["module"], entry["name"], entry["label"], len(entry["results"])]
                for entry in artifact.abi["imports"]
            ],
        }
        self._send(json.dumps(head).encode(), [artifact.wasm, *inputs])
        answer, data = self._receive()
        if "invalid" in answer:
            raise InvalidModule(answer["invalid"])
        found, at = [], 0
        kinds = scalar_kinds(result["type"])
        for call in answer["calls"]:
            values: list[Any] | None = None
            if call["stop"] is None:
                values = []
                for place, kind in zip(result["leaves"], kinds, strict=True):
                    size = _extent(place)[1]
                    values.append(unpacked(place, kind, data[at : at + size]))
                    at += size
            effects = [(k, [_number(x) for x in args]) for k, args in call["hosts"]]
            found.append(Call(values, call["trap"], effects))
        return found

    def _send(self, head: bytes, chunks: Sequence[bytes]) -> None:
        assert self.process.stdin is not None
        lengths = LENGTHS.pack(len(head), sum(map(len, chunks)))
        self.process.stdin.write(b"".join([lengths, head, *chunks]))
        self.process.stdin.flush()

    def _receive(self) -> tuple[dict[str, Any], bytes]:
        lengths = self._read(LENGTHS.size)
        head, size = LENGTHS.unpack(lengths)
        return json.loads(self._read(head)), self._read(size)

    def _read(self, size: int) -> bytes:
        assert self.process.stdout is not None
        data = self.process.stdout.read(size)
        assert len(data) == size, "Node ended before it answered"
        return data


def _extent(place: dict[str, Any]) -> list[int]:
    return [place["at"], count(place) * BYTES[place["dtype"]]]


def _number(bits: str) -> float:
    return float(struct.unpack(">d", int(bits, 16).to_bytes(8, "big"))[0])


@cache
def node() -> Node | None:
    """The Node process of this test run, or None if Node is not installed."""
    try:
        return Node(find_node(TO_SERVE).node)
    except SetupError:
        return None
