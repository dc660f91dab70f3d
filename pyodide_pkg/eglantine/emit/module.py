"""Turn a function of rows into a WebAssembly module and the contract that tells hosts how to call it.

Emission counts uses (`usage`), lays out memory (`layout`), writes each function from its end (`entry`,
`scope`, `structure`), and assembles the module (`eglantine.wasm`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from eglantine.errors import CompileError, LimitError
from eglantine.ir.primitives import STRAIGHT
from eglantine.ir.program import Function, Memo
from eglantine.ir.row_types import Acc, Array
from eglantine.ir.traps import OUT_OF_FUEL
from eglantine.wasm import encoding as wasm

from . import entry as emit_entry
from .artifact import Artifact
from .body import Body
from .contract import HOST_MODULE, check_arity, host_function, imported_types, value_types
from .entry import EntryScope
from .growing import POOL_GLOBALS, grow_function
from .lanes import STRUCTURE
from .layout import (
    ABI_VERSION,
    KERNEL_MODULE,
    MEMORY_LIMIT,
    RESERVED_BYTES,
    Arena,
    Place,
    aligned,
    place_leaves,
    place_params,
    type_as_json,
)
from .linkage import Linkage
from .results import write_fuel
from .scope import Scope
from .usage import INSTRUCTIONS, Program
from .watched import write_watched
from .witness import Part, Record, Witness, tell

NOTHING_LENT: Final[Mapping[str, list[dict[str, Any]]]] = {}


def emit(
    entry: Function,
    library: Callable[[str], Function],
    *,
    name: str = "main",
    fuel: bool = False,
    limit: int = MEMORY_LIMIT,
    base: int = 0,
    lent: Mapping[str, list[dict[str, Any]]] = NOTHING_LENT,
    witness: Witness | None = None,
) -> Artifact:
    """Return the compiled form of `entry`, an optimised function.

    library: takes the name of a primitive that is not an instruction, and returns its function.
    name: the function's name in the contract.
    fuel: if true, count fuel. Each round of a loop, and each call of a function outside the library, takes
        one unit from the exported global `fuel`. The host sets this global before it calls the entry.
    limit: the maximum size of the module's memory, in bytes.
    base: the first address that the module may use. If it is not 0, the module imports the memory of another
        kernel.
    lent: for each parameter that shares memory with the other kernel, that kernel's leaves. The keys are
        the names of the parameters.
    witness: a function that is called for each instruction that belongs to a row. It changes nothing in the
        module.

    Raises: CompileError for a host function that has arrays but takes no addresses. LimitError for a module
        that engines would refuse.
    """
    if entry.block is None or entry.hidden:
        raise CompileError(
            f"{entry.name} is a host function or captures values of another function, but only a "
            "traced function without captures can be compiled. Write an eg.fn that calls it."
        )
    block, key = entry.block, None
    program = Program(entry, library, False)
    scalar = block.operations <= STRAIGHT and Array not in map(type, block.param_types)
    is_long = len(block.rows) > emit_entry.CUT_ROWS
    if scalar and not (fuel or base or lent or is_long or witness is not None):
        key = (name, entry.param_names, entry.params, entry.result, limit, library, *program.called)
        earlier = _kept.pop(key, None)  # remove it, so that no other thread uses it while `again` changes it
        if earlier is not None:
            artifact = earlier.again(program)
            _kept[key] = earlier
            return artifact
    program.reach()
    emission = Emission(program, name, fuel, limit, base, lent, witness)
    artifact = emission.artifact()
    if key is not None:
        _kept[key] = emission
        for oldest in list(_kept)[:-MOST_KEPT]:
            _kept.pop(oldest, None)
    return artifact


Signature = tuple[bytes, bytes]
"""The value types of a function's parameters and of its results."""

_BODY: Final[Memo[tuple[Signature, bytes]]] = Memo("body")

MOST_KEPT: Final = 64
"""The largest number of modules that we keep so that later modules can reuse them.

We keep a module if it has only straight-line code. A later module with the same signature and callees differs
only in the entry's body. We also keep at most MOST_KEPT bodies of each library function, because its body
depends on the addresses of tables and callees.
"""

_kept: dict[Any, Emission] = {}


@dataclass(slots=True)
class Emission:
    """A module that is being written.

    starts: for each function, the address where its frame begins. The frames of all its callers end before.
    end: the highest address where a frame ends so far.
    layout: the result of `_lay_out`: addresses of parameters and results, the linkage, and the first frame.
    labels: the names of all functions.
    text: the contract as JSON text. It is empty until it is needed.
    around: two pieces of the module: the bytes before the bodies, and the bytes after the bodies.
    parts: for each finished body, the instructions that belong to a row. Only a witness needs these lists.
    """

    program: Program
    name: str
    fuel: bool
    limit: int
    base: int
    lent: Mapping[str, list[dict[str, Any]]]
    witness: Witness | None = None
    module: wasm.Module = field(default_factory=wasm.Module)
    abi: dict[str, Any] = field(default_factory=dict)
    starts: dict[Function, int] = field(default_factory=dict)
    end: int = 0
    layout: Any = None
    labels: tuple[str, ...] = ()
    text: str = ""
    around: tuple[bytes, bytes] = (b"", b"")
    parts: dict[int, Part] = field(default_factory=dict)

    def again(self, program: Program) -> Artifact:
        """Write the module again with a new entry that has the signature and callees of the old entry."""
        self.layout[2].program = program
        parts, _ = self._write_entry(program.entry)
        bodies = [*parts, *self.module.bodies[1:]]
        encoded = wasm.assembled(self.around[0], bodies, self.around[1])
        self.text = self.text or json.dumps(self.abi)
        return Artifact(encoded, self.abi.copy(), len(bodies), self.labels, text=self.text)

    def _write_entry(self, entry: Function) -> tuple[list[bytes], int]:
        """Write the entry. Return its bodies, and the address where its frame ends."""
        params, results, linkage, end = self.layout
        arena = Arena(end)
        scope = EntryScope(linkage, STRUCTURE, Body([], arena, self._record()), entry)
        scope.take_params(params)
        return scope.write(results), arena.end

    def _record(self) -> Record | None:
        """Return a record for a new body, or None if there is no witness."""
        return None if self.witness is None else Record(self.parts, write_watched)

    def artifact(self) -> Artifact:
        """Write all functions, callers first, and assemble them."""
        entry, *others = self.program.functions
        self.layout = self._lay_out(entry)
        linkage = self.layout[2]
        imports = self._import_hosts()
        parts, end = self._write_entry(entry)
        self._end_frame(entry, end)
        bodies = [self._write_function(linkage, function) for function in others]
        labels = [*imports, entry.name, *(function.name for function in others)]
        if linkage.grow:
            params_of, results_of, grow = grow_function(1 + self.fuel, self.limit)
            self.module.functions.append(self.module.type_index(params_of, results_of))
            bodies.append(grow)
            labels.append("grow")
        self._define_entry(parts, len(imports) + 1 + len(bodies))
        self.module.bodies[1:1] = bodies
        if len(parts) > 1:
            labels += [f"{entry.name} part {k + 1}" for k in range(len(parts))]
        self._finish(linkage)
        sources = tuple(source for _, source in linkage.traps)
        hosts = tuple(map(host_function, self.program.hosts))
        self.labels, self.around = tuple(labels), self.module.around()
        before, after = self.around
        encoded = wasm.assembled(before, self.module.bodies, after)
        if self.witness is not None:
            tell(self.witness, len(encoded) - len(after), self.module.bodies, self.parts)
        return Artifact(encoded, self.abi.copy(), len(self.module.bodies), self.labels, sources, hosts)

    # ---------------------------------------------------------------- layout

    def _lay_out(self, entry: Function) -> tuple[list[int], list[int], Linkage, int]:
        """Choose where parameters, results, tables and frames are in memory.

        Returns the addresses of the entry's parameters and results, the linkage, and the address of the first
        frame.
        """
        names = entry.param_names or tuple(f"p{k}" for k in range(len(entry.params)))
        start = self.base or RESERVED_BYTES
        params, address = place_params(zip(names, entry.params, strict=True), start, self.lent)
        results, address = place_leaves(entry.result, address)
        self.abi = {"abi": ABI_VERSION, "name": self.name, "export": "main", "params": params}
        self.abi["result"] = {"type": type_as_json(entry.result), "leaves": results}
        tables: dict[tuple[str, tuple[Any, ...]], int] = {}
        at: dict[bytes, int] = {}
        for key, data in self.program.tables.items():
            if data and data not in at:
                at[data] = address
                address = aligned(address + len(data))
            tables[key] = at.get(data, address)
        if at:
            self.module.data = [(min(at.values()), b"".join(data + bytes(-len(data) % 8) for data in at))]
        program = self.program
        first = len(program.hosts)
        functions = {function: first + k for k, function in enumerate(program.functions)}
        codes = INSTRUCTIONS | {"select": wasm.SELECT}
        for name, function in program.library_functions.items():
            codes[name] = wasm.call(functions[function])
        hosts = {host: k for k, host in enumerate(program.hosts)}
        linkage = Linkage(program, codes, functions, hosts, tables, address)
        linkage.globals = 1 + self.fuel
        if self.fuel:
            linkage.fuel = linkage.trap(OUT_OF_FUEL, error="FuelError")
        if program.grows:
            linkage.take_globals(POOL_GLOBALS)
            linkage.limit, linkage.grow = self.limit, wasm.call(first + len(program.functions))
        param_places = [leaf["at"] for param in params for leaf in param["leaves"]]
        return param_places, [leaf["at"] for leaf in results], linkage, aligned(address + program.zeros)

    # ---------------------------------------------------------------- functions

    def _end_frame(self, function: Function, end: int) -> None:
        """Record the end of a function's frame. The frames of its callees begin there or later."""
        self.end = max(self.end, end)
        for callee in self.program.callees[function]:
            self.starts[callee] = max(self.starts.get(callee, 0), end)

    def _write_function(self, linkage: Linkage, function: Function) -> bytes:
        """Write a function that is not the entry. Its frame comes after the frames of all its callers."""
        assert function.block is not None
        start = self.starts[function]
        key = self._surroundings(linkage, function)
        earlier = _BODY.get(function, key)
        if earlier is not None:
            self.module.functions.append(self.module.type_index(*earlier[0]))
            self._end_frame(function, start)
            return earlier[1]
        signature = _signature(function)
        self.module.functions.append(self.module.type_index(*signature))
        arena, traps = Arena(start), len(linkage.traps)
        record = None if function in self.program.shared else self._record()
        body = Body([bytes((of,)) for of in signature[0]], arena, record)
        encoded = self._write_body(linkage, function, body)
        self._end_frame(function, arena.end)
        needs_nothing = arena.end == start and len(linkage.traps) == traps
        if key is not None and needs_nothing and len(function.memo) < MOST_KEPT:
            _BODY.keep(function, key, (signature, encoded))
        return encoded

    def _surroundings(self, linkage: Linkage, function: Function) -> Any:
        """Return the cache key for the body of a shared function. The body's bytes depend only on this key.

        Return None if the function is not shared, or if its body counts fuel.
        """
        if self.fuel or function not in self.program.shared:
            return None
        alone = self.program.alone(function)
        indices = tuple(linkage.functions[callee] for callee in alone.functions[1:])
        tables = tuple(linkage.tables[table] for table in alone.tables)
        return indices, tables, alone.zeros and linkage.zeros

    def _write_body(self, linkage: Linkage, function: Function, body: Body) -> bytes:
        block = function.block
        assert block is not None
        scope = Scope(linkage, STRUCTURE, body, block)
        for k, (row, of) in enumerate(zip(block.params, block.param_types, strict=True)):
            if isinstance(of, Array | Acc):
                scope.places[row] = Place(0, k)
            else:
                scope.bind(row, k)
        for row, of in zip(reversed(block.results), reversed(block.result_types), strict=True):
            if not isinstance(of, Array):
                scope.value(row)
        target = len(body.params)
        for row, of in zip(reversed(block.results), reversed(block.result_types), strict=True):
            if isinstance(of, Array):
                target -= 1
                scope.copy_into(Place(0, target), row)
        scope.write_rows()
        if function not in self.program.shared:
            write_fuel(scope)
        return body.finish(function.name)

    def _define_entry(self, parts: list[bytes], first_part: int) -> None:
        """Define the exported function. If the entry was cut into parts, this function calls the parts."""
        module = self.module
        plain = module.type_index(b"", b"")
        module.functions.insert(0, plain)
        if len(parts) == 1:
            module.bodies.insert(0, parts[0])
            return
        calls = [wasm.call(first_part + k) for k in range(len(parts))]
        module.bodies = [wasm.body([], b"".join(calls) + wasm.END), *parts]
        module.functions += [plain] * len(parts)

    # ---------------------------------------------------------------- contract

    def _import_hosts(self) -> list[str]:
        """Import the opaque functions and prints. Return their labels."""
        self.abi["imports"] = []
        labels = []
        for k, host in enumerate(self.program.hosts):
            label, takes, gives, types = imported_types(host)
            labels.append(label)
            described = {
                "module": HOST_MODULE,
                "name": f"h{k}",
                "label": label,
                "params": takes,
                "results": gives,
                **types,
            }
            self.abi["imports"].append(described)
            check_arity(label, takes, gives)
            index = self.module.type_index(value_types(takes), value_types(gives))
            self.module.imports.append((HOST_MODULE, f"h{k}", index))
        return labels

    def _finish(self, linkage: Linkage) -> None:
        """Define memory, globals and exports, and describe them in the contract."""
        end = self.end
        if end > self.limit:
            raise LimitError(
                f"{self.name} needs {end:,} bytes of arrays, but it may use at most {self.limit:,}. "
                "Use fewer or smaller arrays, or raise the limit with memory=."
            )
        module = self.module
        pages = module.pages = max(1, -(-end // wasm.PAGE_BYTES))
        module.globals = [("i32", 0)]
        module.exports = [("main", 0, len(module.imports)), ("memory", 2, 0), ("trap", 3, 0)]
        self.abi["memory"] = {"bytes": end, "export": "memory", "pages": pages}
        if self.base:
            module.shared.append((KERNEL_MODULE, "memory", wasm.lent_memory(pages)))
            module.pages = 0
            self.abi["memory"] |= {"base": self.base, "import": {"module": KERNEL_MODULE, "name": "memory"}}
        self.abi["traps"] = [{"message": message} for message, _ in linkage.traps]
        for trap, error in linkage.errors.items():
            self.abi["traps"][trap - 1]["error"] = error
        if linkage.fuel:
            module.globals.append(("i64", 0))
            module.exports.append(("fuel", 3, 1))
            self.abi["fuel"] = {"export": "fuel", "trap": linkage.fuel}
        if linkage.grow:
            most = self.abi["memory"]["max_pages"] = max(pages, self.limit // wasm.PAGE_BYTES)
            module.max_pages = most
            free = (0, 0) if self.base else (aligned(end), pages * wasm.PAGE_BYTES)
            module.globals += [("i32", address) for address in free]
            module.globals += [("i32", 0)] * (linkage.globals - len(module.globals))


def _signature(function: Function) -> Signature:
    """Return the value types of a function's parameters, and of its scalar results.

    The last parameters are the addresses where the function stores its array results.
    """
    assert function.block is not None
    results = function.block.result_types
    addresses = [wasm.VALUE_TYPE["i32"] for of in results if isinstance(of, Array)]
    params = [*map(_passed_as, function.block.param_types), *addresses]
    returned = [_passed_as(of) for of in results if not isinstance(of, Array)]
    check_arity(function.name, params, returned)
    return b"".join(params), b"".join(returned)


def _passed_as(of: Any) -> bytes:
    """Return the value type of a parameter or result. Arrays and accumulators are passed by address."""
    return wasm.VALUE_TYPE["i32" if isinstance(of, Array | Acc) else of.dtype]
