"""Kernels: live compiled functions that take and return ordinary Python values."""

from __future__ import annotations

import struct
from _thread import get_ident
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from eglantine.emit.batch import driver
from eglantine.emit.layout import ABI_VERSION, aligned, array_of, bytes_of
from eglantine.errors import CompileError, TypeMismatchError
from eglantine.leaves import builds_objects
from eglantine.plain.marshal import builder, flatten, has_array, unflatten
from eglantine.types import Real, Type
from eglantine.words.spelling import listed

from .arguments import arguments_of
from .engines import default_host
from .gates import Gate
from .hosts import Abi, HostFunction, Instance, Trapped
from .leaves import _kept
from .places import Taken, arranged
from .stops import error_of

MOST_FUEL: Final = (1 << 63) - 1

_FLOATS: Final = {float}


class Artifact(Protocol):
    """The result of compiling: the module's bytes, its ABI, its text, and the sources of its traps."""

    @property
    def wasm(self) -> bytes:
        """The module's bytes."""

    @property
    def abi(self) -> Abi:
        """The module's contract."""

    @property
    def wat(self) -> str:
        """The module's text."""

    @property
    def trap_sources(self) -> Sequence[Any]:
        """For each trap of the ABI, the source of the row that traps. Empty if the sources are unknown."""


async def kernel_async(
    artifact: Artifact,
    params: Sequence[Type],
    result: Type,
    hosts: Sequence[HostFunction] = (),
    *,
    fuel: int | None = None,
    lender: Kernel | None = None,
) -> Kernel:
    """Instantiate a kernel without blocking the page."""
    beside = lender._instance if lender else None
    instance = await default_host().instantiate_async(artifact.wasm, artifact.abi, hosts, beside)
    return Kernel(artifact, params, result, hosts, instance=instance, fuel=fuel, lender=lender)


class Kernel:
    """A compiled function: `kernel(*args)` takes and returns ordinary Python values.

    Several threads may call a kernel. Calls that use the same memory wait for each other. A host function of
    a running kernel must not call this kernel or a kernel that shares its memory.

    wasm: the module's bytes.
    abi: a description of the module. Programs in other languages need it to call the module.
    function: the IR that was compiled. The compiler sets this and the following attributes.
    defaults: the default values of parameters, by name.
    print_stages: a function that returns the text of the program after each pass.
    points_loop: a function that takes the first free address. It makes a module that computes many points at
        once, and returns the module and its ABI. It returns None if it cannot make such a module.
    """

    def __init__(
        self,
        artifact: Artifact,
        params: Sequence[Type],
        result: Type,
        hosts: Sequence[HostFunction] = (),
        *,
        instance: Instance | None = None,
        fuel: int | None = None,
        lender: Kernel | None = None,
        interruptible: bool = False,
    ) -> None:
        abi = artifact.abi
        if abi["abi"] != ABI_VERSION:
            raise CompileError(
                f"This module has the ABI {abi['abi']}, but this version needs {ABI_VERSION}. Compile "
                "it again."
            )
        self.function: Any = None
        self.defaults: Mapping[str, Any] = {}
        self.print_stages: Callable[[], dict[str, str]] = dict
        self.points_loop: Callable[[int], tuple[bytes, Abi] | None] | None = None
        self._artifact = artifact
        self._params = tuple(params)
        self._result = result
        self._names = [param["name"] for param in abi["params"]]
        self._wheres = [f"argument {name}" for name in self._names]
        if instance is None:
            host = default_host(interruptible)
            instance = host.instantiate(artifact.wasm, abi, hosts) if lender is None else lender._run_alone(
                host.instantiate, artifact.wasm, abi, hosts, lender._instance
            )  # fmt: skip
        self._instance: Instance = instance
        self._enter = instance.call
        self._gate: Gate = instance.gate
        self._taken: Taken = lender._taken if lender else Taken(0)
        self._taken.take(abi)
        self._batch: Any = None
        self._driver: tuple[bytes, Abi] | None = None
        self._fuel: int | None = None
        if fuel is not None:
            self.fuel = fuel
        self._scalars, self._arrays = arranged(place for param in abi["params"] for place in param["leaves"])
        places = abi["result"]["leaves"]
        self._results = len(places)
        self._result_scalars, self._result_arrays = arranged(places)
        self._builds = builds_objects(result)
        self._build = builder(result)
        self._put_reals = self._quick_write()
        self._get_real = self._quick_read()

    @property
    def wasm(self) -> bytes:
        """The module's bytes."""
        return self._artifact.wasm

    @property
    def abi(self) -> Abi:
        """The versioned contract: the places of arguments and results in memory, and the module's imports."""
        return self._artifact.abi

    @property
    def wat(self) -> str:
        """The module as text."""
        return self._artifact.wat

    @property
    def stages(self) -> dict[str, str]:
        """Map the name of each pass, in order, to the IR printed after it. Empty if the IR is not known."""
        return self.print_stages()

    @property
    def memory_bytes(self) -> int:
        """The bytes of memory that the module uses. Without a kernel, read `compile_artifact(f).abi`."""
        memory = self.abi["memory"]
        return int(memory["bytes"] - memory.get("base", 0))

    @property
    def fuel(self) -> int | None:
        """The units of fuel that each call gets, or None if fuel is not counted.

        Each round of a loop and each call of a function takes one unit.
        Raises: TypeMismatchError if you set it for a kernel that was compiled without `fuel`, or to a value
            that is not a whole number.
        """
        return self._fuel

    @fuel.setter
    def fuel(self, units: int) -> None:
        if "fuel" not in self.abi:
            raise TypeMismatchError("This kernel was compiled without fuel. Compile it with fuel=.")
        if type(units) is not int or not 0 <= units <= MOST_FUEL:
            raise TypeMismatchError(
                f"The fuel must be a whole number from 0 to {MOST_FUEL}, but it is {units!r}. Write "
                "fuel=10_000."
            )
        self._fuel = units

    @property
    def js(self) -> Any:
        """In a browser, the JavaScript function that calls the module without running Python.

        Its method `batch(…columns)` takes arrays and returns an array. Its method `view(name)` returns a
        typed array that shares the kernel's memory. This array has the elements of the Vec parameter `name`,
        or of the result if `name` is "return". A view is valid until the memory grows, and a batch may grow
        the memory. If fuel is counted, the function also has a property `fuel`.
        """
        js = self._instance.js(lambda: self._run_alone(self._loop))
        if self._fuel is not None:
            js.fuel = self._fuel
        return js

    def __repr__(self) -> str:
        return f"<kernel {self.abi['name']}, {len(self.wasm)} bytes>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function and return its value. Arguments may be given by name.

        If an argument is `...`, the kernel uses the value that its memory has for this parameter. The value
        is from the last call, or from another kernel that shares the memory.

        Raises: TypeMismatchError, ShapeError, FuelError, and any exception of a host function.
        """
        if named:
            args = self._by_position(args, named, self.defaults)
        put: Callable[..., None] | None = self._put_reals
        values: Sequence[Any]
        if put is None or len(args) != len(self._params) or set(map(type, args)) != _FLOATS:
            args = self._by_position(args, {}, self.defaults)
            # reading the arguments may run user code, so we lock the memory only afterwards
            put, values = self._write, self._leaves(args)
            numpy = any(map(has_array, args))
        else:
            values, numpy = args, False
        gate, me = self._gate, get_ident()
        while True:
            free = gate.free
            try:
                del free[0]
                break
            except IndexError:
                gate.wait(me, self.abi["name"])
        gate.owner = me  # no signal handler can run between `del free[0]` and the `try`
        try:
            put(*values)
            if self._fuel is not None:
                self._instance.refuel(self._fuel)
            self._enter()
            if self._get_real is not None:
                return self._get_real()
            if not (numpy or self._builds):
                return self._build(iter(self._read(copies=False)))
            found = self._read(copies=True)
        except Trapped as trapped:
            raise error_of(trapped.stop, self._instance, self._artifact) from None
        finally:
            gate.owner = 0
            free.append(None)
            if gate.waiting:
                gate.wake()
        return unflatten(self._result, found, numpy)

    def _by_position(
        self, args: Sequence[Any], named: Mapping[str, Any], defaults: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        return arguments_of(self.abi["name"], self._names, args, named, defaults)

    def batch(self, *columns: Any, out: str = "list", **named: Any) -> Any:
        """Call the function at N points and return a list of its values.

        If a column is a NumPy array and the function returns a scalar or a Vec of scalars, the result is a
        NumPy array.

        columns: for each parameter, a sequence of its N values, or one number that all points share. For a
            struct parameter, this may also be a struct of columns and numbers. For a tuple parameter, it may
            be a tuple of arrays and numbers. Columns may be given by name. If a column is a buffer of doubles
            (`array`, NumPy), its elements are not checked one by one.
        out: if "columns", return one struct of arrays. For example, a result (Real, (Real, Real)) gives
            (array, (array, array)). If a column is a NumPy array, so are these arrays. Otherwise Reals come
            as `array("d")`, indices as `array("i")`, Bools as a list, and Vecs as an `eg.Array` with one more
            dimension.

        The engine gets the points in chunks of at most 2,048. The columns of a chunk take at most about a
        megabyte of the kernel's memory. The values have the same bits as those of N separate calls, and each
        point has its own `fuel` units.

        Raises: the error of the first point at which a call would fail. ShapeError if columns differ in
            length.
        """
        from .batch import Shared, check_form  # imported on first use

        check_form(out)
        if named or (self.defaults and len(columns) < len(self._params)):
            shared = {name: Shared(value) for name, value in self.defaults.items()}
            columns = self._by_position(columns, named, shared)
        if self._batch is None:
            self._run_alone(self._make_batch)
        assert self._batch is not None
        return self._batch(columns, self._run, self._run_alone, out)

    def _run_alone(self, action: Callable[..., Any], *args: Any) -> Any:
        """Run action(*args) while no other thread uses the memory."""
        return self._gate.run(self.abi["name"], action, *args)

    def _make_batch(self) -> None:
        from .batch import Batch

        if self._batch is None:
            wasm, abi = self._loop()
            loop = default_host().instantiate(wasm, abi, (), self._instance)
            self._batch = Batch(abi, self._params, self._result, loop)

    def _loop(self) -> tuple[bytes, Abi]:
        """Return the module that loops over points, and its ABI. Reserve memory for its columns."""
        if self._driver is None:
            made = self.points_loop and self.points_loop(self.memory_end)
            made = made or driver(self.abi, self.memory_end)
            self._take(made[1])
            self._driver = made
        return self._driver

    def reserve(self, abi: Abi) -> bool:
        """Reserve the part of this kernel's memory that the ABI of another module describes.

        Return False if the addresses are already in use.
        """
        return bool(self._run_alone(self._reserve, abi))

    def _reserve(self, abi: Abi) -> bool:
        if abi["memory"]["base"] < self.memory_end:
            return False
        self._take(abi)
        return True

    def _take(self, abi: Abi) -> None:
        if self._taken.grows:
            self._instance.grow(aligned(abi["memory"]["bytes"]))
        self._taken.take(abi)

    def _run(self, instance: Instance) -> None:
        if self._fuel is not None:
            self._instance.refuel(self._fuel)
        try:
            instance.call()
        except Trapped as trapped:
            raise error_of(trapped.stop, self._instance, self._artifact) from None

    def lend(self, name: str) -> tuple[Kernel, Type, list[dict[str, Any]]]:
        """Return this kernel, the type of its parameter `name`, and the ABI's entries for its leaves.

        If the name is "return", the type and the leaves are those of the result.
        Raises: TypeMismatchError if the kernel has no parameter of that name.
        """
        if name == "return":
            return self, self._result, self.abi["result"]["leaves"]
        for param, of in zip(self.abi["params"], self._params, strict=True):
            if param["name"] == name:
                return self, of, param["leaves"]
        names = listed([*(param["name"] for param in self.abi["params"]), "return"])
        raise TypeMismatchError(
            f"{self!r} has no parameter or result {name!r}. Write one of these names: {names}."
        )

    @property
    def memory_end(self) -> int:
        """The address of the first free byte. If another kernel shares this memory, its part begins there."""
        return max(self._taken.end, self._instance.size() if self._taken.grows else 0)

    def shares_with(self, other: Kernel) -> bool:
        """True if the two kernels have the same memory."""
        return self._taken is other._taken

    # ---- memory

    def _quick_write(self) -> Callable[..., None] | None:
        """Return a function that writes all arguments in one copy.

        If an argument is not a Real, or the arguments are not adjacent in memory, return None.
        """
        if self._arrays or len(self._scalars) != 1 or any(of != Real for of in self._params):
            return None
        write, at, pack = self._instance.write, self._scalars[0].at, self._scalars[0].packed.pack
        return lambda *args: write(at, pack(*args))

    def _quick_read(self) -> Callable[[], float] | None:
        """If the result is one Real, return a function that reads it from memory. Otherwise return None."""
        if self._result != Real:
            return None
        read, at, unpack = self._instance.read, self._result_scalars[0].at, struct.Struct("<d").unpack
        return lambda: unpack(read(at, 8))[0]

    def _leaves(self, args: tuple[Any, ...]) -> list[Any]:
        """Return the leaf values of the arguments."""
        found: list[Any] = []
        for value, of, where in zip(args, self._params, self._wheres, strict=True):
            found += _kept(of) if value is ... else flatten(value, of, where, buffers=True)
        return found

    def _write(self, *values: Any) -> None:
        for run in self._scalars:
            numbers = [values[k] for k in run.positions]
            if ... in numbers:
                old = run.packed.unpack(self._instance.read(run.at, run.packed.size))
                numbers = [was if x is ... else x for was, x in zip(old, numbers, strict=True)]
            self._instance.write(run.at, run.packed.pack(*numbers))
        for leaf in self._arrays:
            if leaf.size and values[leaf.position] is not ...:
                self._instance.write(leaf.at, bytes_of(values[leaf.position], leaf.dtype, leaf.dims))

    def _read(self, copies: bool) -> list[Any]:
        """Return the leaf values of the result. If `copies` is false, the next call may overwrite them."""
        values: list[Any] = [None] * self._results
        for run in self._result_scalars:
            numbers = run.packed.unpack(self._instance.read(run.at, run.packed.size))
            for position, number in zip(run.positions, numbers, strict=True):
                values[position] = number
        for leaf in self._result_arrays:
            data = self._instance.read(leaf.at, leaf.size)
            values[leaf.position] = array_of(bytearray(data) if copies else data, leaf.dtype, leaf.dims)
        return values
