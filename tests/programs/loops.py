"""Draw random loops. Their bodies are lists of random statements."""

from __future__ import annotations

from typing import Any

from tests.programs.operands import Drawn, Operands, Seen
from tests.programs.plans import BOOL, REAL, Kind, is_reals, vec_of

CHAIN_LENGTHS = (4, 1, 2, 3, 0)
"""The lengths of the arrays in a chain. Some are even and some are odd, because two rounds of a loop may run
at a time."""

PRODUCT_SIZES = (1, 3, 4, 5)
"""The numbers of rows and columns that a matrix in a product may have. If there are 4 or more, several sums
are computed at once."""


class Loops(Operands):
    """A generator of loops."""

    def _vec(self, seen: Seen) -> Drawn:
        n = self.c.one((1, 2, 3, 5))
        body, kinds = self.inner([*seen, ("I", n)])
        return ("vec", n, body, self.real(kinds)), vec_of(n)

    def _rows(self, seen: Seen) -> Drawn:
        """A Vec with elements of any kind."""
        n = self.c.one((1, 2, 3))
        body, kinds = self.inner([*seen, ("I", n)])
        kind = self.c.one(kinds)
        return ("vec", n, body, self.of(kinds, kind)), vec_of(n, kind)

    def _sum(self, seen: Seen) -> Drawn:
        n = self.c.one((2, 1, 0, 4, 7))
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I" and 1 < kind[1] < 10]
        count: Any = self.c.one(indices) if indices and self.c.flag() else None
        bound = n if count is None else seen[count][1] - 1
        body, kinds = self.inner([*seen, ("I", max(bound, 1))])
        kind = self.c.one([kind for kind in kinds if is_reals(kind)])
        return ("sum", n if count is None else None, count, body, self.of(kinds, kind)), kind

    def carry(self, seen: Seen) -> tuple[tuple[int, ...], list[Kind]]:
        """Choose the initial values of a loop's carry. Return their positions and kinds."""
        places = tuple(self.of(seen, self.c.one(seen)) for _ in range(self.c.between(1, 3)))
        return places, [seen[k] for k in places]

    def _fori(self, seen: Seen) -> Drawn:
        lo = self.c.one((0, 1, 2))
        indices = [k for k, kind in enumerate(seen) if kind[0] == "I" and kind[1] < 8]
        hi: Any = lo + self.c.one((2, 1, 0, 4))
        bound = hi
        if indices and self.c.below(3) == 2:
            k = self.c.one(indices)
            lo, hi, bound = 0, ("index", k), seen[k][1] - 1
        inits, carry = self.carry(seen)
        body, kinds = self.inner([*seen, ("I", max(bound, 1 if isinstance(hi, tuple) else lo + 1)), *carry])
        after = tuple(self.of(kinds, kind) for kind in carry)
        k = self.c.below(len(inits))
        return ("fori", lo, hi, inits, body, after, k), carry[k]

    def _while(self, seen: Seen) -> Drawn:
        """Draw a while loop with at most five rounds. A random condition may end it earlier."""
        rounds = self.c.one((2, 1, 0, 5))
        inits, carry = self.carry(seen)
        test, tested = self.inner([*seen, *carry, BOOL], 2)
        body, kinds = self.inner([*seen, *carry])
        after = tuple(self.of(kinds, kind) for kind in carry)
        k = self.c.below(len(inits))
        return ("while", rounds, inits, test, self.of(tested, BOOL), body, after, k), carry[k]

    def _scan(self, seen: Seen) -> Drawn:
        return self.scan(seen, self.any(seen, "V"))

    def _scan_n(self, seen: Seen) -> Drawn:
        return self.scan(seen, None)

    def scan(self, seen: Seen, xs: int | None) -> Drawn:
        """Draw a scan over the Vec at position `xs`. If `xs` is None, draw the number of steps."""
        n = seen[xs][1] if xs is not None else self.c.one((3, 1, 4, 7))
        inits, carry = self.carry(seen)
        body, kinds = self.inner([*seen, *carry, *([seen[xs][2]] if xs is not None else [])])
        after = tuple(self.of(kinds, kind) for kind in carry)
        y = self.c.below(len(kinds))
        checkpoint = self.c.one((None, None, "sqrt", 1, 2, 3))
        which = self.c.below(len(carry) + 1)
        kind = carry[which] if which < len(carry) else vec_of(n, kinds[y])
        return ("scan", xs, n, inits, body, after, y, checkpoint, which), kind

    def _chain(self, seen: Seen) -> Drawn:
        """Draw several loops with equal trip counts. Each loop reads the arrays of all earlier loops.

        A loop makes a new array, or changes each element of the previous array.
        """
        n = self.c.one(CHAIN_LENGTHS)
        links: list[Any] = []
        for k in range(self.c.between(2, 4)):
            how = self.c.one(("each", "set", "add")) if k else "each"
            reads = tuple(self.c.one(("same", "same", "same", "reversed", "next")) for _ in range(k))
            body, kinds = self.inner([*seen, ("I", max(n, 1)), *[REAL] * k], 3)
            links.append((how, reads, body, self.real(kinds)))
        return ("chain", n, tuple(links)), vec_of(n) if n else REAL

    def _product(self, seen: Seen) -> Drawn:
        """Draw a product of two matrices. Each matrix is computed from one Real."""
        n, k, m = (self.c.one(PRODUCT_SIZES) for _ in range(3))
        return ("product", n, k, m, self.real(seen), self.real(seen)), vec_of(n, vec_of(m))

    def _layers(self, seen: Seen) -> Drawn:
        """Draw a sum over the first of an array's three axes. The array is computed from two Reals."""
        n, k, m = (self.c.one(PRODUCT_SIZES) for _ in range(3))
        return ("layers", n, k, m, self.real(seen), self.real(seen)), vec_of(k, vec_of(m))
