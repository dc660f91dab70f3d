"""Compiled bytes do not depend on Python's hash seed, which determines the order of sets."""

from __future__ import annotations

import os
import subprocess
import sys

from tools.bootstrap import ROOT

PROGRAMS = 60
DIGEST = f"""
import hashlib, json
import eglantine as eg
from tests.laws.comparing import jvp_of, vjp_of
from tests.programs import Recorded, function_of, plan

digest = hashlib.sha256()
for seed in range({PROGRAMS}):
    f = function_of(plan(Recorded(seed)))
    for transformed in (f, jvp_of(f), vjp_of(f)):
        try:
            made = eg.compile_artifact(transformed)
        except eg.EglantineError as error:
            digest.update(str(error).encode())
            continue
        digest.update(made.wasm)
        digest.update(json.dumps(made.abi).encode())
print(digest.hexdigest())
"""


def digest(hash_seed: str) -> str:
    """Compile modules in a new process with a given hash seed. Return a hash of the modules' bytes."""
    path = os.pathsep.join([str(ROOT / "pyodide_pkg"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", DIGEST], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_bytes_of_a_program_do_not_depend_on_pythons_hash_seed() -> None:
    assert digest("1") == digest("2")
