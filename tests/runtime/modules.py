"""Make modules and their ABIs from code in WebAssembly's text format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import wasmtime

from eglantine.leaves import leaves
from eglantine.runtime.kernel import Kernel
from eglantine.types import Type, as_type

BYTES = {"f64": 8, "i32": 4}


@dataclass(frozen=True)
class Handmade:
    """An artifact that was written by hand."""

    wasm: bytes
    abi: dict[str, Any]
    wat: str
    trap_sources: Sequence[Any] = ()


def abi_type(of: Type) -> Any:
    """A type as the ABI writes it."""
    match type(of).__name__:
        case "RealType":
            return "real"
        case "BoolType":
            return "bool"
        case "UnitType":
            return "unit"
        case "FinType":
            return {"fin": of.n}
        case "VecType":
            return {"vec": of.n, "of": abi_type(of.of)}
        case "TupleType":
            return {"tuple": [abi_type(item) for item in of.items]}
    return {"struct": {name: abi_type(inner) for name, inner in of.fields}}


def artifact(params: Sequence[Any], result: Any, body: str, **more: Any) -> Handmade:
    """Make a module with an entry function. `body` is the function's code in the text format.

    The parameters are at the start of the memory, and the results follow. Each leaf is aligned to its size.

    more: optional parts of the module. `imports`, `traps` and `trap_sources` describe it, and `declarations`
        is code before the entry function.
    """
    end = 0

    def place(of: Any) -> dict[str, Any]:
        nonlocal end
        found = []
        for leaf in leaves(as_type(of)):
            dtype = "f64" if leaf.dtype == "f64" else "i32"
            at = -(-end // BYTES[dtype]) * BYTES[dtype]
            end = at + BYTES[dtype] * leaf.size
            found.append({"dtype": dtype, "dims": list(leaf.dims), "at": at})
        return {"type": abi_type(as_type(of)), "leaves": found}

    given = [{"name": f"x{k}", **place(of)} for k, of in enumerate(params)]
    returned = place(result)
    imports = more.get("imports", [])
    wat = f"""(module {" ".join(_import(entry) for entry in imports)}
      (memory (export "memory") 1) (global $trap (export "trap") (mut i32) (i32.const 0))
      {more.get("declarations", "")}
      (func (export "main") {body}))"""
    abi = {
        "abi": 1, "name": "f", "export": "main", "memory": {"bytes": end, "export": "memory", "pages": 1},
        "imports": imports, "traps": more.get("traps", []), "params": given, "result": returned,
    }  # fmt: skip
    return Handmade(bytes(wasmtime.wat2wasm(wat)), abi, wat, more.get("trap_sources", ()))


def _import(entry: dict[str, Any]) -> str:
    params, results = " ".join(entry["params"]), " ".join(entry["results"])
    signature = f"(func ${entry['name']} (param {params}) (result {results}))"
    return f'(import "{entry["module"]}" "{entry["name"]}" {signature})'


def host(name: str, params: Sequence[str], results: Sequence[str]) -> dict[str, Any]:
    """An import of the ABI."""
    return {"module": "host", "name": name, "label": name, "params": list(params), "results": list(results)}


def kernel(params: Sequence[Any], result: Any, body: str, hosts: Sequence[Any] = (), **more: Any) -> Kernel:
    """Make a kernel. `hosts` are its host functions, and the other arguments are those of `artifact`."""
    types = [as_type(of) for of in params]
    return Kernel(artifact(params, result, body, **more), types, as_type(result), hosts)


COPY = "(memory.copy (i32.const {to}) (i32.const 0) (i32.const {to}))"


def identity(of: Any) -> Kernel:
    """Make a kernel that returns its argument. `of` is the argument's type."""
    made = artifact([of], of, "")
    to = made.abi["result"]["leaves"][0]["at"] if made.abi["result"]["leaves"] else 0
    return kernel([of], of, COPY.format(to=to))
