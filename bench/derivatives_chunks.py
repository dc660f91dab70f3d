"""Groups of directions of forward mode, beside one direction at a time, in wasmtime and in Node's V8."""

from __future__ import annotations

import json
import math
import subprocess
from array import array
from base64 import b64encode
from collections.abc import Iterator

import eglantine as eg
from bench.derivatives_sparse import HOST, rosenbrock, timed
from bench.measure import OURS, Row, Series
from tools.node import find_node

ALONE = f"{OURS} (one direction)"
V8 = "Node, V8"
CHAIN, SHORT_CHAIN = 10_000, 300
TOGETHER = 10
WORTH = 2.5
"""Ten directions at once should take at most the time of one at a time, divided by this."""

TIMING = """
const [modules, n, rounds] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const samples = modules.map(() => []);
const mains = modules.map(([bytes, offset]) => {
  const {exports} = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(bytes, "base64")));
  const x = new Float64Array(exports.memory.buffer, offset, n);
  for (let k = 0; k < n; k++) x[k] = Math.sin(k);
  return exports.main;
});
for (let round = 0; round <= rounds; round++)
  mains.forEach((main, k) => {
    const began = performance.now();
    main();
    if (round) samples[k].push((performance.now() - began) / 1000);
  });
console.log(JSON.stringify(samples));
"""
"""Calls the modules in turn. The first calls are not timed. The seconds of the others are the samples."""


def rows(*, check: bool) -> Iterator[Row]:
    """All rows of this part. With `check`, only compare the results."""
    n = SHORT_CHAIN if check else CHAIN
    title = f"gradient of Rosenbrock's function by forward mode, n = {n:,}"
    x = array("d", map(math.sin, range(n)))
    functions = [eg.jacfwd(rosenbrock(n), chunk=chunk) for chunk in (TOGETHER, 1)]
    ten, one = map(eg.compile, functions)
    if ten(x) != one(x):
        yield Row(title, "s", wrong="The bits depend on the chunk.", host=HOST)
        return
    alone = timed(lambda: one(x), 1.0, check=check)
    yield _row(title, HOST, timed(lambda: ten(x), 1.0, check=check), alone)
    if not check:
        yield _row(title, V8, *in_v8(functions, n))


def _row(title: str, host: str, together: Series, alone: Series) -> Row:
    note = (
        f"Ten directions at once are worth {alone.minimum / together.minimum:.2f} × one at a time (minima)."
    )
    series = {OURS: together, ALONE: alone}
    return Row(title, "s", series, target=alone.median / WORTH, compared=(OURS, ALONE), note=note, host=host)


def in_v8(functions: list[eg.Fn], n: int, rounds: int = 7) -> list[Series]:
    """The times of each function in Node's V8, called in turn."""
    modules = []
    for f in functions:
        artifact = eg.compile_artifact(f)
        offset = artifact.abi["params"][0]["leaves"][0]["at"]
        modules.append([b64encode(artifact.wasm).decode(), offset])
    text = json.dumps([modules, n, rounds])
    ran = subprocess.run(
        [find_node().node, "-e", TIMING], input=text, capture_output=True, text=True, check=True
    )
    return [Series(tuple(samples)) for samples in json.loads(ran.stdout)]
