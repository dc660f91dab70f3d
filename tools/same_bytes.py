"""Check whether two versions of this repository compile the same WebAssembly modules and ABIs.

In the first version, run `python -m tools.same_bytes write FILE`. It writes a hash of each module to FILE.
In the second version, run `python -m tools.same_bytes compare FILE`. It names each module that differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PROGRAMS = 2000
MOST_NAMED = 20
"""The largest number of differences that are printed by name."""


def digest(wasm: bytes, abi: Any) -> str:
    """A hash of a module and its ABI."""
    return hashlib.sha256(wasm + json.dumps(abi, sort_keys=True).encode()).hexdigest()


def presets() -> Iterator[tuple[str, str]]:
    """Yield (name, hash) for each file that tools/presets.py writes."""
    from tools.presets import main

    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder))
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                yield f"preset {path.name}", hashlib.sha256(path.read_bytes()).hexdigest()


def references() -> Iterator[tuple[str, str]]:
    """Yield (name, hash) for the modules and the results of the simulations in tests/app/references.py."""
    import eglantine as eg
    from tests.app.references import computed

    digests: list[str] = []

    def run(f: Any) -> Callable[..., Any]:
        artifact = eg.compile_artifact(f)
        digests.append(digest(artifact.wasm, artifact.abi))
        return eg.compile(f)

    values = computed(run)
    yield from ((f"reference module {number}", text) for number, text in enumerate(digests))
    for name, texts in values.items():
        yield f"reference {name}", hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def diagrams() -> Iterator[tuple[str, str]]:
    """Yield (name, hash) for the modules that compute energies and gradients of diagrams."""
    from bench.diagrams.registry import folder
    from eglantine.diagrams.compiling import compile_stages
    from eglantine.diagrams.graphs import read

    place = folder()
    if place is None:
        return
    for path in sorted(place.glob("graphs/*.gz")):
        graph = read(path)
        program = compile_stages(graph, graph.stages)
        for number, part in enumerate(program.parts):
            yield f"diagram {path.stem} {number}", digest(part.artifact.wasm, part.artifact.abi)


def programs() -> Iterator[tuple[str, str]]:
    """Yield (name, hash) for the modules of random programs, of their jvps and of their vjps."""
    import eglantine as eg
    from tests.laws.comparing import jvp_of, vjp_of
    from tests.programs import Recorded, function_of, plan

    for seed in range(PROGRAMS):
        f = function_of(plan(Recorded(seed)))
        for name, transformed in (("", f), (" jvp", jvp_of(f)), (" vjp", vjp_of(f))):
            try:
                artifact = eg.compile_artifact(transformed)
            except eg.EglantineError as error:
                yield f"program {seed}{name}", type(error).__name__
                continue
            yield f"program {seed}{name}", digest(artifact.wasm, artifact.abi)


def main() -> int:
    """Write or compare the digests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    digests = {name: text for part in (presets, references, diagrams, programs) for name, text in part()}
    if options.action == "write":
        options.file.write_text(json.dumps(digests, indent=0, sort_keys=True), encoding="utf-8")
        print(f"{len(digests)} digests")
        return 0
    before = json.loads(options.file.read_text(encoding="utf-8"))
    different = sorted(name for name in before | digests if before.get(name) != digests.get(name))
    for name in different[:MOST_NAMED]:
        print(f"differs: {name}")
    print(f"{len(before | digests) - len(different)} the same, {len(different)} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
