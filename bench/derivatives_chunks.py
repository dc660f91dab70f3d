"""Time forward mode in wasmtime and V8, with several directions in one pass and with one direction."""

from __future__ import annotations

import json
import math
import subprocess
from array import array
from base64 import b64encode
from collections.abc import Iterator

import eglantine as eg
from bench.adbench.peers import CASADI
from bench.derivatives_peers import HOST, PROCESSOR_TIME, Peer, casadi_gradient_in_groups, contest, kernel
from bench.derivatives_sparse import rosenbrock, rosenbrock_of_casadi
from bench.measure import OURS, Row, Series
from tools.node import find_node

ALONE = f"{OURS} (one direction)"
V8 = "Node, V8"
CHAIN, SHORT_CHAIN = 10_000, 300
TOGETHER = 10
WORTH = 2.5
"""The smallest speedup that we aim for if we compute ten directions at once instead of one at a time."""
PUBLISHED = (0.775139, 0.282529)
"""The seconds that ForwardDiff.jl takes for the gradient of Rosenbrock's function: first with chunks of one
direction, then with chunks of ten. The source is the section "Configuring Chunk Size" of ForwardDiff's
documentation, which does not name the machine."""

TIMING = """
const [modules, n, rounds] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const samples = modules.map(() => []);
const mains = modules.map(([bytes, offset]) => {
  const {exports} = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(bytes, "base64")));
  const x = new Float64Array(exports.memory.buffer, offset, n);
  for (let k = 0; k < n; k++) x[k] = Math.sin(k);
  return exports.main;
});
const turn = (keep) => mains.forEach((main, k) => {
  const began = process.cpuUsage();
  main();
  const { user, system } = process.cpuUsage(began);
  if (keep) samples[k].push((user + system) / 1e6);
});
turn(false);
setTimeout(() => {
  turn(false);
  for (let round = 0; round < rounds; round++) turn(true);
  console.log(JSON.stringify(samples));
}, 1000);
"""
"""A script for Node that calls the modules in turns. V8 optimises a module after its first call, so the first
two turns are not timed, and there is a pause between them. The samples are the processor times of the other
turns, in seconds."""


def rows(*, check: bool) -> Iterator[Row]:
    """Yield the results of this module as rows of a table. With `check`, compare results but time nothing."""
    n = SHORT_CHAIN if check else CHAIN
    title = f"gradient of Rosenbrock's function by forward mode, n = {n:,}"
    x = array("d", map(math.sin, range(n)))
    functions = [eg.jacfwd(rosenbrock(n), chunk=chunk) for chunk in (TOGETHER, 1)]
    ten, one = map(eg.compile, functions)
    if ten(x) != one(x):
        yield Row(title, "s", wrong="The bits depend on the chunk.", host=HOST)
        return
    ours = {OURS: kernel(ten, x, iter), ALONE: kernel(one, x, iter)}
    peer = Peer(CASADI, lambda: casadi_gradient_in_groups(rosenbrock_of_casadi, x, TOGETHER))
    row = contest(title, "s", ours, [peer], check=check)
    if check or row.wrong:
        yield row
        return
    yield _row(title, HOST, row.series, row)
    yield _row(title, V8, dict(zip((OURS, ALONE), in_v8(functions, n), strict=True)), row)


def _row(title: str, host: str, series: dict[str, Series], compared: Row) -> Row:
    ours, alone = series[OURS], series[ALONE]
    published = PUBLISHED[0] / PUBLISHED[1]
    note = (
        f"Ten directions at once are worth {alone.minimum / ours.minimum:.2f} × one at a time (minima). In "
        f"ForwardDiff's documentation they are worth {published:.2f} × ({PUBLISHED[0]:.3f} s and "
        f"{PUBLISHED[1]:.3f} s). {PROCESSOR_TIME}"
    )
    missing = {name: reason for name, reason in compared.missing.items() if host == HOST}
    return Row(
        title, "s", series, target=alone.minimum / WORTH, missing=missing, note=note,
        compared=compared.compared, host=host,
    )  # fmt: skip


def in_v8(functions: list[eg.Fn], n: int, rounds: int = 11) -> list[Series]:
    """Time functions in Node's V8. Call them in turns, so that other work affects all functions equally."""
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
