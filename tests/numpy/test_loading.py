"""Programs that use no array functions do not import the module of array functions."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import eglantine as eg

def loaded():
    return any(name.startswith("eglantine.numpy") for name in sys.modules)

f = eg.fn([eg.Vec(9, eg.Real)])(lambda v: eg.sum(v[1:] * 2.0 + v[0]))
eg.compile(eg.grad(f))([1.0] * 9)
before = loaded()
eg.fn([eg.Vec(2, eg.Vec(2, eg.Real))])(lambda m: m.T @ m[0])
print(before, loaded())
"""


def test_array_functions_load_only_in_programs_that_use_them() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
