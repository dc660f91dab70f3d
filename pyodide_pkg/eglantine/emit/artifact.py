"""The result of compiling: the bytes of a module, and the contract that tells a host how to call it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from eglantine.wasm.text import disassemble


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled function.

    wasm: the module.
    abi: the contract as data for JSON. It has the addresses of parameters and results, the imports, and the
        meaning of traps. Contracts of other artifacts may share parts of it.
    functions: the number of Wasm functions that the module defines.
    function_names: the names of all functions for listings. Imported functions come first.
    trap_sources: for each trap, the source of the row that can cause it, or None.
    hosts: a Python function for each import of the module, in order. It takes and returns leaf values.
    text: the contract as JSON text, if it was written already.
    """

    wasm: bytes
    abi: dict[str, Any]
    functions: int
    function_names: tuple[str, ...] = ()
    trap_sources: tuple[Any, ...] = ()
    hosts: tuple[Callable[..., Any], ...] = ()
    text: str = field(default="", compare=False)

    @property
    def json(self) -> str:
        """The contract as JSON."""
        return self.text or json.dumps(self.abi)

    @property
    def wat(self) -> str:
        """The module as WebAssembly text."""
        return disassemble(self.wasm, self.function_names)
