"""Emit functions that are built from rows, and run them in wasmtime and Node on lists of leaves."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import eglantine as eg
from eglantine.emit.artifact import Artifact
from eglantine.emit.module import emit
from eglantine.interpreter.machine import run as run_rows
from eglantine.ir.builder import Builder
from eglantine.ir.program import Function
from eglantine.ir.row_types import Array
from eglantine.mathlib.library import library
from eglantine.optimise.pipeline import ready_library
from eglantine.runtime.hosts import Trapped
from eglantine.runtime.native import WasmtimeHost
from eglantine.types import Bool, Fin, Real, TupleType, Vec

HARNESS = Path(__file__).with_name("node_harness.mjs")
FORMAT = {"f64": "d", "i32": "i"}
TRAPPED = ["trapped"]


def function(b: Builder, results: Sequence[int], name: str = "f") -> Function:
    """The function whose block `b` has built."""
    block = b.finish(results)
    types = tuple(map(user_type, block.param_types))
    return Function(
        name,
        types,
        TupleType(tuple(map(user_type, block.result_types))),
        block,
        leaf_params=block.param_types,
        leaf_results=block.result_types,
    )


def user_type(of: Any) -> Any:
    """Convert the type of a row to a type of the language that has one leaf."""
    if isinstance(of, Array):
        found = user_type(of.leaf)
        for n in reversed(of.dims):
            found = Vec(n, found)
        return found
    if of.dtype == "acc":
        # Only a called function has accumulators as parameters. No test reads their types.
        return Real
    return {"f64": Real, "i1": Bool}.get(of.dtype) or Fin(max(of.hi, 0) + 1)


def compiled(f: Function, **options: Any) -> Artifact:
    """Emit a function without optimising it, and return the artifact."""
    return emit(f, ready_library, **options)


def agree(f: Function, *arguments: Any, **options: Any) -> list[Any]:
    """Return the leaves from the interpreter. Check that wasmtime gives the same bits in two runs."""
    try:
        expected = run_rows(f, arguments, library)
    except eg.ShapeError:
        expected = TRAPPED
    artifact = compiled(f, **options)
    for _ in range(2):
        found = run(artifact, arguments)
        assert bits(found) == bits(expected), f"WebAssembly gives {found}, the interpreter {expected}"
    return expected


def agree_on_each(f: Function, cases: Sequence[Sequence[Any]]) -> None:
    """Run all cases twice in one instance of wasmtime. Check that the leaves equal the interpreter's."""
    expected = [run_rows(f, arguments, library) for arguments in cases]
    found = run_each(compiled(f), [*cases, *cases])
    for arguments, ours, theirs in zip([*cases, *cases], found, [*expected, *expected], strict=True):
        assert bits(ours) == bits(theirs), f"{arguments}: WebAssembly gives {ours}, the interpreter {theirs}"


def run(artifact: Artifact, arguments: Sequence[Any], times: int = 2) -> list[Any]:
    """Call one instance in wasmtime repeatedly, without clearing its memory. Return the last result."""
    return run_each(artifact, [arguments] * times)[-1]


def run_each(artifact: Artifact, cases: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Call one instance in wasmtime for each case. Return the leaves of each result."""
    instance = WasmtimeHost().instantiate(artifact.wasm, artifact.abi, artifact.hosts)
    result = artifact.abi["result"]
    kinds, places = scalar_kinds(result["type"]), leaves(artifact.abi["params"])
    found = []
    for arguments in cases:
        for place, value in zip(places, arguments, strict=True):
            instance.write(place["at"], packed(place["dtype"], value))
        try:
            instance.call()
        except Trapped:
            found.append(TRAPPED)
            continue
        found.append([
            unpacked(place, kind, bytes(instance.read(place["at"], count(place) * 8)))
            for place, kind in zip(result["leaves"], kinds, strict=True)
        ])  # fmt: skip
    return found


def run_in_node(artifacts: Sequence[Artifact], arguments: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Call each artifact in Node with its own arguments. Return the leaves of each result."""
    node = shutil.which("node")
    assert node is not None
    jobs = [
        {
            "wasm": artifact.wasm.hex(),
            "entry": artifact.abi["export"],
            "writes": [
                {"at": place["at"], "hex": packed(place["dtype"], value).hex()}
                for place, value in zip(leaves(artifact.abi["params"]), given, strict=True)
            ],
            "reads": [
                {"at": place["at"], "bytes": count(place) * 8} for place in artifact.abi["result"]["leaves"]
            ],
        }
        for artifact, given in zip(artifacts, arguments, strict=True)
    ]
    done = subprocess.run(
        [node, str(HARNESS)], input=json.dumps(jobs), capture_output=True, text=True, check=True
    )
    found = []
    for artifact, read in zip(artifacts, json.loads(done.stdout), strict=True):
        result = artifact.abi["result"]
        if read is None:
            found.append(TRAPPED)
            continue
        kinds = scalar_kinds(result["type"])
        places = zip(result["leaves"], kinds, read, strict=True)
        found.append([unpacked(place, kind, bytes.fromhex(data)) for place, kind, data in places])
    return found


def leaves(params: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [place for param in params for place in param["leaves"]]


def scalar_kinds(of: Any) -> list[str]:
    """List the scalar types of the leaves of `of`, which is a type as an ABI describes it."""
    if isinstance(of, str):
        return [] if of == "unit" else [of]
    if "fin" in of:
        return ["fin"]
    if "vec" in of:
        return scalar_kinds(of["of"])
    inner = of["tuple"] if "tuple" in of else of["struct"].values()
    return [kind for item in inner for kind in scalar_kinds(item)]


def count(place: dict[str, Any]) -> int:
    n = 1
    for dim in place["dims"]:
        n *= dim
    return n


def packed(dtype: str, value: Any) -> bytes:
    flat = flattened(value)
    return struct.pack(f"<{len(flat)}{FORMAT[dtype]}", *flat)


def flattened(value: Any) -> list[Any]:
    return [x for item in value for x in flattened(item)] if isinstance(value, list) else [value]


def unpacked(place: dict[str, Any], kind: str, data: bytes) -> Any:
    size = struct.calcsize(FORMAT[place["dtype"]])
    scalars = iter(struct.unpack(f"<{count(place)}{FORMAT[place['dtype']]}", data[: count(place) * size]))
    convert = bool if kind == "bool" else lambda x: x

    def nested(dims: Sequence[int]) -> Any:
        return [nested(dims[1:]) for _ in range(dims[0])] if dims else convert(next(islice(scalars, 1)))

    return nested(place["dims"])


def bits(value: Any) -> Any:
    """Make a key for comparing values bit by bit. All NaNs have equal keys."""
    if isinstance(value, list | tuple):
        return [bits(item) for item in value]
    if isinstance(value, float):
        return "nan" if value != value else struct.pack("<d", value)
    return value
