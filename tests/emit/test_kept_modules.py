"""If an edit changes only an entry function without loops, the rest of the module is reused."""

from __future__ import annotations

import json

import pytest

import eglantine as eg
from eglantine.emit import module as emit
from eglantine.emit.artifact import Artifact
from eglantine.formulas import to_fn

TEXTS = [
    "x^y + 1.5", "x^y + 2.5", "y^x * 3", "x y", "x + 1", "3", "y", "sin(x) + log(y)", "log(x) sin(y)",
    "max(x, y)", "floor(x) + |y|", "exp(x) / (1 + exp(y))", "+".join(f"{k} x^{k} y" for k in range(2, 60)),
]  # fmt: skip


def made(text: str, names: tuple[str, ...] = ("x", "y")) -> Artifact:
    return eg.compile_artifact(eg.value_and_grad(to_fn(text, names), tuple(range(len(names)))))


def test_a_module_made_from_cached_parts_equals_a_newly_made_module(monkeypatch: pytest.MonkeyPatch) -> None:
    anew = []
    for text in TEXTS:
        monkeypatch.setattr(emit, "_kept", {})
        anew.append(made(text))
    monkeypatch.setattr(emit, "_kept", {})
    for _ in range(2):
        assert [made(text) for text in TEXTS] == anew
    assert len(emit._kept) < len(TEXTS)  # some of these texts have the same signature and callees


def test_renaming_parameters_changes_the_contract_and_not_the_code() -> None:
    first, second = made("a b", ("a", "b")), made("x y")
    assert first.wasm == second.wasm
    assert [param["name"] for param in first.abi["params"]] == ["a", "b"]
    assert [param["name"] for param in second.abi["params"]] == ["x", "y"]


def test_the_json_text_of_a_contract_equals_the_contract() -> None:
    for text in ("x y z", "x y z", "x y z + 1"):
        artifact = made(text, ("x", "y", "z"))
        assert json.loads(artifact.json) == artifact.abi


def test_changing_a_modules_contract_leaves_other_contracts_unchanged() -> None:
    made("x y + 1").abi["name"] = "another"
    assert made("x y + 2").abi["name"] == made("x y + 3").abi["name"] != "another"


def test_the_oldest_cached_module_is_dropped_when_the_cache_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit, "_kept", {})
    monkeypatch.setattr(emit, "MOST_KEPT", 2)
    for names in (("a",), ("b",), ("c",)):
        made(f"2 {names[0]}", names)
    assert [key[1] for key in emit._kept] == [("b",), ("c",)]
