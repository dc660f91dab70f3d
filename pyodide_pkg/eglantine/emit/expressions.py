"""Write rows from the last to the first. Emission spends most of its time in this module.

The function `write_expressions` is long because it handles most rows without a call. Calls are slow in
Pyodide: a call of `len` takes the time of ten steps without calls. The module `watched` does the same
in short functions. Tests check that both write the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from eglantine.ir.primitives import ARITY
from eglantine.ir.row_types import ZERO, Row
from eglantine.wasm import encoding as wasm

from .addresses import Addresses
from .locals import CONSTANT

TREE_STEPS: Final = range(400)
"""The steps for writing one expression. Each step writes a row, so an expression has at most 400 rows.

The limit keeps Wasm's operand stack small, and lets an entry's functions end early enough (see `entry`)."""


class Expressions(Addresses):
    """Writes the rows of a block into a body. For less common rows it calls methods of `Scope`."""

    def border(self, bound: int) -> None:
        """End a function here, and begin another. Only the entry's scope can do this."""
        raise NotImplementedError

    def write_root(self, row: int, key: Row) -> None:
        """Write a root that needs several instructions. A root is a row with its own place in the code."""
        raise NotImplementedError

    def write_in_place(self, row: int, key: Row, stack: list[int]) -> None:
        """Write a row inside an expression. Put its operands on `stack`. The caller writes them."""
        raise NotImplementedError

    def write_expressions(self, waiting: Sequence[int], all_roots: bool) -> None:  # noqa: C901, PLR0912, PLR0915
        """Write the rows `waiting` and their operands, last to first. If `all_roots`, write all roots too."""
        rows, uses, once, push = self.rows, self.uses, self.once, self.push
        local, slots, body, codes = self.local, self.slots, self.body, self.linkage.codes
        if body.record is not None:
            body.record.write(self, waiting, all_roots)
            return
        roots, pointers, seen, since = self.roots, self.usage.pointers, self.seen, self.since
        out, gets, sets, tees, pool_of = body.out, body.gets, body.sets, body.tees, body.pool_of
        limit, reals = self.limit, body.pools[wasm.VALUE_TYPE["f64"]]
        stack: Any = ()  # a linked list: (the row to write next, the rest)
        for row in waiting:
            stack = row, stack
        chunk: Any = out[-1]
        while True:
            if stack:
                row, stack = stack
            elif not all_roots or not roots:
                return
            else:
                row = roots.pop()
                if len(out) > limit:
                    self.border(row + 1)
                    chunk = out[-1]
                key = rows[row]
                op = key[0]
                if op not in codes or row in pointers:
                    self.write_root(row, key)
                    chunk = out[-1]
                    continue
                k = local[row]
                if row in slots:
                    out.append(slots[row])
                    if k >= 0:
                        out.append(tees[k])
                        pool_of[k].append(k)
                    stack = ZERO, stack
                elif k < 0:
                    continue
                else:
                    if chunk is not gets[k]:
                        out.append(sets[k])
                    elif uses[row] == 1:
                        out.pop()
                    else:
                        out[-1] = tees[k]
                    pool_of[k].append(k)
                out.append(codes[op])
                n = ARITY[op]
                if n == 2:
                    _, left, row = key
                    stack = left, stack
                elif n == 1:
                    row = key[1]
                else:
                    row, stack = key[1], (key[3], (key[2], stack))
            for _ in TREE_STEPS:
                chunk = push[row]
                if chunk is None:
                    key = once[row]
                    if key:
                        op, left, row = key
                        out.append(codes[op])
                        stack = left, stack
                        continue
                    if key is None:
                        key = rows[row] if row >= 0 else CONSTANT
                        op = key[0]
                        more: Any = []
                        if uses[row] != 1:
                            out.append(self.see(row))
                        elif op not in codes:
                            self.write_in_place(row, key, more)
                        else:
                            out.append(codes[op])
                            more = key[1:] if ARITY[op] < 3 else (key[2], key[3], key[1])
                        for row in more:
                            stack = row, stack
                        chunk = out[-1]
                    else:
                        k = local[row]
                        if k >= 0:
                            chunk = push[row] = gets[k]
                        else:
                            k = local[row] = reals.pop() if reals else body.take("f64")
                            chunk = gets[k]
                            seen.append(row)
                            since[row] = len(out)
                        out.append(chunk)
                else:
                    out.append(chunk)
                if not stack:
                    break
                row, stack = stack
            else:
                while True:
                    is_first = once[row] is not None and local[row] < 0
                    chunk = push[row] or self.see(row)
                    out.append(chunk)
                    if is_first:
                        push[row] = None
                    if not stack:
                        break
                    row, stack = stack
