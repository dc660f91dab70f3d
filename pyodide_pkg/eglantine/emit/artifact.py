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

    wasm: the bytes of the module.
    abi: the contract between the module and its caller, as data for JSON. It has the addresses of parameters
        and results, the imports, and the meaning of traps. Other artifacts' contracts may share parts of it.
    functions: the number of Wasm functions that the module defines.
    function_names: the names of all functions for listings. Imported functions come first.
    trap_sources: for each trap, the source of the row that can cause the trap, or None.
    hosts: for each import of the module, in order, a Python function. It takes and returns leaf values.
    text: the contract as JSON text, or "" if the text is not written yet.
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
