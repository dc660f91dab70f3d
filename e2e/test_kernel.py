"""A value of any type passes through a kernel of the page unchanged."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

wasmtime = pytest.importorskip("wasmtime")

RESULT_AT = 512
COPY = f"""(module (memory (export "memory") 1)
  (func (export "main") (memory.copy (i32.const {RESULT_AT}) (i32.const 0) (i32.const {RESULT_AT}))))"""
TRAP = """(module (memory (export "memory") 1) (func (export "main") unreachable))"""
CALL = """async ([module, abi, value]) => {
  const { instantiate } = await import(new URL("js/engine/kernel.js", document.baseURI).href);
  const bytes = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
  try {
    const kernel = instantiate(bytes, abi);
    return { value: kernel.call(value), isFast: kernel.evaluate !== null };
  } catch (error) {
    return { error: error.name };
  }
}"""


def copying_abi(type_: Any, leaves: list[tuple[str, list[int], int]]) -> dict[str, Any]:
    """Return the ABI of a function that returns its argument unchanged.

    leaves: the dtype, dims and offset of each array that the argument consists of.
    """

    def value(start: int) -> dict[str, Any]:
        listed = [{"dtype": dtype, "dims": dims, "at": start + at} for dtype, dims, at in leaves]
        return {"name": "value", "type": type_, "leaves": listed}

    return {
        "abi": 1,
        "name": "copy",
        "export": "main",
        "memory": {"bytes": 2 * RESULT_AT, "export": "memory"},
        "imports": [],
        "params": [value(0)],
        "result": value(RESULT_AT),
    }


def call(page: Page, url: str, text: str, abi: dict[str, Any], value: Any) -> dict[str, Any]:
    """Load a module with the page's own code, and call it with a value. Return the result."""
    page.goto(url)
    module = base64.b64encode(wasmtime.wat2wasm(text)).decode()
    answer: dict[str, Any] = page.evaluate(CALL, [module, abi, value])
    return answer


def test_a_struct_of_vecs_of_structs_comes_back_as_it_was(tab: Page, server_url: str) -> None:
    shape = {"struct": {"at": "real", "on": "bool"}}
    type_ = {
        "struct": {
            "a": "real",
            "shapes": {"vec": 2, "of": shape},
            "t": {"tuple": [{"fin": 5}, "unit", {"vec": 2, "of": {"vec": 3, "of": "real"}}]},
            "none": {"vec": 0, "of": "real"},
        }
    }
    leaves = [
        ("f64", [], 0),
        ("f64", [2], 8),
        ("i32", [2], 24),
        ("i32", [], 32),
        ("f64", [2, 3], 40),
        ("f64", [0], 88),
    ]
    value = {
        "a": -0.5,
        "shapes": [{"at": 1.5, "on": True}, {"at": 2.5, "on": False}],
        "t": [4, None, [[1, 2, 3], [4, 5, 6]]],
        "none": [],
    }
    assert call(tab, server_url, COPY, copying_abi(type_, leaves), value) == {
        "value": value,
        "isFast": False,
    }


def test_a_function_of_reals_has_the_fast_path(tab: Page, server_url: str) -> None:
    answer = call(tab, server_url, COPY, copying_abi("real", [("f64", [], 0)]), 2.5)
    assert answer == {"value": 2.5, "isFast": True}


def test_a_vec_of_another_length_is_refused(tab: Page, server_url: str) -> None:
    abi = copying_abi({"vec": 3, "of": "real"}, [("f64", [3], 0)])
    assert call(tab, server_url, COPY, abi, [1, 2]) == {"error": "RangeError"}


def test_a_trap_is_a_runtime_error(tab: Page, server_url: str) -> None:
    answer = call(tab, server_url, TRAP, copying_abi("real", [("f64", [], 0)]), 1)
    assert answer == {"error": "RuntimeError"}


def test_another_abi_version_is_refused(tab: Page, server_url: str) -> None:
    abi = {**copying_abi("real", [("f64", [], 0)]), "abi": 2}
    assert call(tab, server_url, COPY, abi, 1) == {"error": "Error"}
