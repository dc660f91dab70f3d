"""The encoder's bytes equal known bytes, and the bytes that wasmtime makes from the same text."""

from __future__ import annotations

import json
from typing import Any

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

import eglantine as eg
from eglantine.emit.artifact import Artifact
from eglantine.emit.module import emit
from eglantine.ir.builder import Builder
from eglantine.ir.row_types import F64
from eglantine.mathlib.functions import FUNCTIONS
from eglantine.mathlib.library import library
from eglantine.optimise.pipeline import optimise, ready_library
from eglantine.wasm import encoding as wasm
from eglantine.wasm.text import disassemble
from tests.emit.running import compiled, function


@pytest.mark.parametrize(
    ("n", "digits"),
    [(0, "00"), (127, "7f"), (128, "8001"), (624485, "e58e26"), (0xFFFFFFFF, "ffffffff0f")],
)
def test_unsigned_numbers_are_encoded_as_leb128(n: int, digits: str) -> None:
    assert wasm.uleb(n).hex() == digits


@pytest.mark.parametrize(
    ("n", "digits"),
    [(0, "00"), (63, "3f"), (64, "c000"), (-1, "7f"), (-64, "40"), (-65, "bf7f"), (-123456, "c0bb78")],
)
def test_signed_numbers_are_encoded_as_leb128(n: int, digits: str) -> None:
    assert wasm.sleb(n).hex() == digits


def test_constants_have_the_right_bytes() -> None:
    assert wasm.f64_const(-0.0).hex() == "440000000000000080"
    assert wasm.f64_const(float("nan")) == wasm.f64_const(-float("nan"))
    assert wasm.i32_const(64).hex() == "41c000"


def test_neighbouring_locals_of_one_type_are_declared_together() -> None:
    f64, i32 = wasm.VALUE_TYPE["f64"], wasm.VALUE_TYPE["i32"]
    assert wasm.body([f64, f64, i32, f64], b"\x0b").hex() == "03027c017f017c0b"


# ---------------------------------------------------------------- text


def without_names(module: bytes) -> bytes:
    """A module without its custom sections."""
    kept, at = module[:8], 8
    while at < len(module):
        size = shift = 0
        end = at + 1
        while True:
            byte = module[end]
            size |= (byte & 0x7F) << shift
            shift += 7
            end += 1
            if byte < 0x80:
                break
        if module[at]:
            kept += module[at : end + size]
        at = end + size
    return kept


def assembles_again(artifact: Artifact) -> None:
    assert without_names(wasmtime.wat2wasm(artifact.wat)) == without_names(artifact.wasm)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "remainder_huge"])
def test_text_of_the_library_assembles_to_the_same_bytes(name: str) -> None:
    assembles_again(emit(optimise(library(name)), ready_library))


def test_names_in_the_text_contain_only_allowed_characters() -> None:
    inner = function(_squared(), [1], "a b(c)")
    b = Builder()
    x = b.call(inner, [b.param(F64)])
    f = function(b, b.call(function(_squared(), [1], "a-b c"), x), "λ")
    artifact = compiled(f)
    assembles_again(artifact)
    assert "call $a_b_c_" in artifact.wat
    assert "(func $a_b_c (type" in artifact.wat


def _squared() -> Builder:
    b = Builder()
    b.param(F64)
    return b


def test_the_text_of_loops_branches_arrays_and_imports_assembles() -> None:
    log = eg.opaque(lambda x: x, [eg.Real], eg.Real)

    def program(v: Any, n: Any) -> Any:
        total = eg.sum(3, lambda i: eg.cond(v[i] > 0.0, lambda: log(v[i]), lambda: v[i] * v[n]))
        return eg.fori_loop(0, 4, lambda i, w: eg.vec(3, lambda k: w[k] * total + eg.real(i)), v), total

    artifact = eg.compile_artifact(eg.fn([eg.Vec(3, eg.Real), eg.Fin(3)])(program))
    assembles_again(artifact)
    json.dumps(artifact.abi)


@given(st.binary(max_size=40), st.lists(st.sampled_from('abλ (;$"\\'), max_size=5))
def test_a_text_with_any_names_can_be_assembled(data: bytes, letters: list[str]) -> None:
    b = Builder()
    i = b.param(F64)
    artifact = compiled(function(b, [i], "".join(letters) + data.decode("latin-1")))
    assembles_again(artifact)
    assert disassemble(artifact.wasm) == disassemble(artifact.wasm, ())
