"""Turn a program into rows with structured loops and branches, if the jumps of each function allow it.

We walk the dominator tree of a function's blocks. If only one jump leads to a block, the jump ends an arm of
a branch, and we write the block into this arm. If several jumps lead to a block, we write it after the branch
of its dominator. Each path through this branch then sets the number of the block that runs next. A natural
loop becomes a while loop. Its exits also set the number of the next block. Functions are copied into callers.

Source: Ramsey, "Beyond Relooper: recursive translation of unstructured control flow to structured control
flow" (2022). Unlike the paper, we have no jumps out of several nested blocks.

The code uses Python generators instead of recursive functions, so that deeply nested programs do not exceed
Python's recursion limit. A generator yields another generator and receives its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eglantine.ir.builder import Builder, unify
from eglantine.ir.program import Cond, Loop
from eglantine.ir.row_types import DYNAMIC, I32, RowType

from .counters import rounds_of
from .flow import BasicBlock, uses
from .flows import (
    LAST,
    LASTING,
    RESULT,
    RETURNS,
    Env,
    Flow,
    NotStructuredError,
    Part,
    Text,
    Value,
    effects_of_instruction,
    finished,
    is_cheap,
    is_empty,
)  # fmt: skip
from .instructions import InstructionLowering
from .mistakes import BrilError
from .syntax import Instruction

MOST_LOOPS = 10
"""The greatest nesting of loops in a structured program. Each level doubles the time of passes over loops."""

LONGEST_TEST = 12
"""The most instructions of a loop's header that is written as the loop's test."""


class Lowering(InstructionLowering):
    """Writes the rows of a program into a builder."""

    def entry(self, name: str, arguments: Sequence[int], wanted: str) -> int:
        """Write a function and all functions that it calls. Return the row of the value `wanted`.

        arguments: the argument rows. wanted: LAST (the float printed last) or RESULT (the function's result).
        """
        env: Env = {LAST: Value(self.b, self.b.const(0.0))}
        for part in sorted(self.effects[name] - {LAST}):
            env[part] = Value(self.b, self.heap.initial(self.b, part))
        env = finished(self.call(name, [Value(self.b, row) for row in arguments], env))
        if wanted not in env:
            raise BrilError(
                f"@{name} never returns a value, but its call needs one.", self.functions[name].place
            )
        return self.row(env[wanted])

    # ------------------------------------------------------------ functions

    def call(self, name: str, arguments: Sequence[Value], env: Env) -> Part:
        """Write a function. Return its result, the new heap and the new last printed float."""
        if name in self.active:
            raise NotStructuredError(f"@{name} is recursive")
        text = self.texts.get(name)
        if text is None:
            text = self.texts[name] = Text.of(self.functions[name])
        if not text.graph.reducible:
            raise NotStructuredError(f"@{name} jumps into a loop")
        self.active.append(name)
        inner = {key: value for key, value in env.items() if key[0] == "$" and key != RESULT}
        inner |= {p.name: value for p, value in zip(text.function.parameters, arguments, strict=True)}
        flow: Flow = yield self.region(text, 0, inner, -1)
        self.active.pop()
        return {key: value for key, value in flow.env.items() if key[0] == "$"}

    def region(self, text: Text, k: int, env: Env, inside: int) -> Part:
        """Write block k and the blocks that it dominates. `inside` is their loop's header, or -1."""
        graph = text.graph
        if k in graph.loops and k != inside:
            flow: Flow = yield self.loop(text, k, env)
            members = graph.loops[k]
            waiting = [n for m in members for n in graph.children[m] if n not in members]
            waiting.sort(key=graph.order.__getitem__)
        else:
            flow = yield self.block(text, k, env, inside)
            waiting = graph.children[k]
        within = graph.loops.get(inside)
        for n in waiting:
            if n in flow.exits and (within is None or n in within):
                flow = yield self.follow(text, n, flow, inside)
        return flow

    def follow(self, text: Text, k: int, flow: Flow, inside: int) -> Part:
        """Write block k, and the blocks that it dominates, after a flow that may lead to block k."""
        if len(flow.exits) == 1:
            return (yield self.region(text, k, flow.env, inside))
        assert flow.next is not None
        b = self.b
        goes = b.bi("ieq", self.row(flow.next), b.int_const(k))
        others = Flow(flow.env, flow.exits - {k}, flow.next)
        if len(others.exits) == 1:
            others = others._replace(next=None)
        return (yield self.branch(text, goes, (k, flow.env), others, inside))

    def branch(
        self, text: Text, p: int, then: tuple[int, Env] | Flow, orelse: tuple[int, Env] | Flow, inside: int
    ) -> Part:
        """Write a branch. The code for each arm may be finished (a flow) or still unwritten (a region)."""
        b = self.b
        if p < 0:
            arm = then if b.value(p) else orelse
            return arm if isinstance(arm, Flow) else (yield self.region(text, arm[0], arm[1], inside))
        builders, flows = [], []
        for arm in (then, orelse):
            self.b = Builder(b, conditional=True)
            builders.append(self.b)
            flows.append(arm if isinstance(arm, Flow) else (yield self.region(text, *arm, inside)))
        self.b = b
        return self.merged(text, p, builders, flows)

    def merged(self, text: Text, p: int, builders: Sequence[Builder], flows: Sequence[Flow]) -> Flow:
        """Combine the flows at the ends of a branch's two arms into one flow."""
        b, (one, other) = self.b, flows
        exits = one.exits | other.exits
        live = text.live_at(exits)
        keys = [
            key for key in dict.fromkeys([*one.env, *other.env])
            if one.env.get(key) != other.env.get(key) and (key in live or key[0] in LASTING)
        ]  # fmt: skip
        env = {key: value for key, value in one.env.items() if other.env.get(key) == value}
        results = []
        for builder, flow in zip(builders, flows, strict=True):
            self.b = builder
            rows = [self.read(text, flow.env, key) for key in keys]
            if len(exits) > 1:
                rows.append(self.next_row(flow))
            results.append(rows)
        self.b = b
        if all(is_empty(builder) for builder in builders):
            chosen = [
                b.select(p, self.outer(builders[0], x), self.outer(builders[1], y))
                for x, y in zip(*results, strict=True)
            ]
        else:
            shared = unify(builders)
            blocks = [builder.finish(rows) for builder, rows in zip(builders, results, strict=True)]
            chosen = b.cond(Cond(*blocks), [p, *shared])
        env |= {key: Value(b, row) for key, row in zip(keys, chosen, strict=False)}
        return Flow(env, exits, Value(b, chosen[-1]) if len(exits) > 1 else None)

    def outer(self, builder: Builder, row: int) -> int:
        """Translate a row of an empty arm (a parameter or a constant) into a row of the current builder."""
        if row > 0:
            return builder.captured[builder.params.index(row)]
        return self.b.constant(builder.consts[~row], builder.const_types[~row])

    def next_row(self, flow: Flow) -> int:
        """Return the row that says which block runs next after a flow."""
        if flow.next is not None:
            return self.row(flow.next)
        (k,) = flow.exits
        return self.b.int_const(k)

    # ------------------------------------------------------------ blocks

    def block(self, text: Text, k: int, env: Env, inside: int) -> Part:
        """Write block k, and the regions that only block k jumps to."""
        block = text.blocks[k]
        env = dict(env)
        for item in block.instructions:
            if item.op == "call":
                yield self.called(text, env, item)
            else:
                self.instruction(text, env, item)
        end = block.end
        if end.op == "ret":
            if end.args:
                env[RESULT] = Value(self.b, self.read(text, env, end.args[0]))
            return Flow(env, frozenset({RETURNS}))
        arms = [self.arm(text, k, target, env, inside) for target in block.after]
        if end.op == "jmp":
            arm = arms[0]
            return arm if isinstance(arm, Flow) else (yield self.region(text, *arm, inside))
        p = self.read(text, env, end.args[0])
        return (yield self.branch(text, p, arms[0], arms[1], inside))

    def arm(self, text: Text, k: int, target: int, env: Env, inside: int) -> Flow | tuple[int, Env]:
        """Return the arm for a jump to `target`: a region if no other jump leads there, else an exit."""
        graph = text.graph
        within = graph.loops.get(inside)
        own = graph.above[target] == k and graph.forward[target] == 1 and target != k
        if own and (within is None or target in within):
            return target, env
        return Flow(env, frozenset({target}))

    def called(self, text: Text, env: Env, item: Instruction) -> Part:
        """Write a call."""
        values = [Value(self.b, self.read(text, env, name)) for name in item.args]
        after: Env = yield self.call(item.funcs[0], values, env)
        result = after.pop(RESULT, None)
        before = env.get(RESULT)
        env |= after
        if before is not None:
            env[RESULT] = before
        if item.dest is not None:
            if result is None:
                raise BrilError(
                    f"@{item.funcs[0]} never returns a value, but its call needs one.", item.place
                )
            env[item.dest] = result

    # ------------------------------------------------------------ loops

    def loop(self, text: Text, k: int, env: Env) -> Part:
        """Write the loop with the header k."""
        if self.loops == MOST_LOOPS:
            raise NotStructuredError("its loops nest too deep")
        self.loops += 1
        flow: Flow = yield self.entered_loop(text, k, env)
        self.loops -= 1
        return flow

    def entered_loop(self, text: Text, k: int, env: Env) -> Part:
        """Write a loop. The caller has checked that loops do not nest too deep."""
        members = text.graph.loops[k]
        outs = frozenset(
            target for m in members for target in text.blocks[m].after if target not in members
        ) | frozenset({RETURNS} if any(text.blocks[m].end.op == "ret" for m in members) else ())
        if not outs:
            raise BrilError(
                f"This loop of @{text.function.name} never ends, so the program has no value. Let it end.",
                text.blocks[k].end.place,
            )
        changing = self.changing(text, members)
        tested = self.test_of(text, k, members, outs)
        if tested is not None:
            return (yield self.tested_loop(text, k, env, changing, tested))
        return (yield self.flagged_loop(text, k, env, changing, outs))

    def changing(self, text: Text, members: Iterable[int]) -> set[str]:
        """Find the names of the values that change in these blocks."""
        names: set[str] = set()
        for m in members:
            block = text.blocks[m]
            for item in block.instructions:
                if item.dest is not None:
                    names.add(item.dest)
                if item.op == "set" and item.args[0] in text.types:
                    names.add(f"={item.args[0]}")
                if item.op == "call":
                    names |= self.effects[item.funcs[0]]
                else:
                    names |= effects_of_instruction(item, text.types)
            if block.end.op == "ret" and block.end.args:
                names.add(RESULT)
        return names

    def test_of(
        self, text: Text, k: int, members: frozenset[int], outs: frozenset[int]
    ) -> tuple[int, int, bool] | None:
        """Check that only the header can end the loop, and that the header does only cheap arithmetic.

        If so, return the next block inside the loop, the block after the loop, and whether a true condition
        continues the loop. Otherwise return None.
        """
        block = text.blocks[k]
        if block.end.op != "br" or len(block.instructions) > LONGEST_TEST:
            return None
        inner = [target for target in block.after if target in members]
        if len(inner) != 1 or len(outs) != 1 or not is_cheap(block):
            return None
        (out,) = outs
        others = [m for m in members if m != k and any(t not in members for t in text.blocks[m].after)]
        if others or inner[0] == k or out not in block.after:
            return None
        return inner[0], out, block.after[0] == inner[0]

    def tested_loop(
        self, text: Text, k: int, env: Env, changing: set[str], tested: tuple[int, int, bool]
    ) -> Part:
        """Write a loop with the header's code as its test. The body and the code after the loop repeat it."""
        target, out, holds = tested
        b, block = self.b, text.blocks[k]
        keys = [key for key in self.order(env, changing) if key in text.live[k] or key[0] in LASTING]
        types = [self.type_of(text, key) for key in keys]
        inits = [self.read(text, env, key) for key in keys]
        test, test_env = self.body(env, keys, types)
        needed = self.header(text, block, test_env, {block.end.args[0]})
        p = self.read(text, needed, block.end.args[0])
        test_row = p if holds else self.b.un("not", p)
        self.b = b
        if test_row < 0:
            return self.decided_loop(text, k, env, test.value(test_row), out)
        body, body_env = self.body(env, keys, types)
        inner_env = self.header(text, block, body_env, text.live[target])
        arm = self.arm(text, k, target, inner_env, k)
        flow: Flow = arm if isinstance(arm, Flow) else (yield self.region(text, *arm, k))
        within = text.graph.loops[k]
        for n in text.graph.children[k]:
            if n in flow.exits and n in within:
                flow = yield self.follow(text, n, flow, k)
        assert flow.exits == {k}, "the header is the only exit"
        after = self.finish_loop(text, b, keys, inits, flow, body, test, test_row, [])
        env = {**{key: value for key, value in env.items() if key not in changing}, **after}
        return Flow(self.header(text, block, env, text.live[out]), frozenset({out}))

    def decided_loop(self, text: Text, k: int, env: Env, starts: bool, out: int) -> Flow:
        """Write a loop with a constant test. If the loop never ends, raise an error."""
        if starts:
            raise BrilError(
                f"This loop of @{text.function.name} never ends, so the program has no value. Let it end.",
                text.blocks[k].end.place,
            )
        return Flow(self.header(text, text.blocks[k], dict(env), text.live[out]), frozenset({out}))

    def header(self, text: Text, block: BasicBlock, env: Env, wanted: Iterable[str]) -> Env:
        """Write the instructions of a block that compute the names `wanted`. Return the new environment."""
        names = set(wanted)
        needed = []
        for item in reversed(block.instructions):
            if item.dest in names:
                names.discard(item.dest)
                names.update(uses(item))
                needed.append(item)
        env = dict(env)
        for item in reversed(needed):
            self.instruction(text, env, item)
        return env

    def order(self, env: Env, changing: set[str]) -> list[str]:
        """Sort the names in `changing`: first those that have a value before the loop, then the others."""
        first = [key for key in env if key in changing]
        return first + sorted(key for key in changing if key not in env and (key == RESULT or key[0] != "$"))

    def body(self, env: Env, keys: Sequence[str], types: Sequence[RowType]) -> tuple[Builder, Env]:
        """Begin the body or the test of a loop. Its builder becomes the current one."""
        self.b = Builder(self.b)
        self.b.param(I32(0, DYNAMIC - 1))
        return self.b, {
            **env,
            **{key: Value(self.b, self.b.param(of)) for key, of in zip(keys, types, strict=True)},
        }

    def flagged_loop(self, text: Text, k: int, env: Env, changing: set[str], outs: frozenset[int]) -> Part:
        """Write a loop with several exits or a costly test. The loop carries the number of the next block."""
        b = self.b
        live = text.live[k] | text.live_at(outs)
        keys = [key for key in self.order(env, changing) if key in live or key[0] in LASTING]
        types = [self.type_of(text, key) for key in keys]
        inits = [self.read(text, env, key) for key in keys]
        body, body_env = self.body(env, keys, types)
        body.param(I32(RETURNS, len(text.blocks)))
        flow: Flow = yield self.region(text, k, body_env, k)
        if k not in flow.exits:
            raise NotStructuredError("a loop does not repeat")
        next_row = self.next_row(flow)
        self.b = b
        test, _ = self.body(env, keys, types)
        test_row = test.bi("ieq", test.param(I32(RETURNS, len(text.blocks))), test.int_const(k))
        self.b = b
        after = self.finish_loop(
            text, b, keys, [*inits, b.int_const(k)], flow, body, test, test_row, [next_row]
        )
        last = after.pop(_NEXT)
        env = {**{key: value for key, value in env.items() if key not in changing}, **after}
        exits = flow.exits - {k}
        return Flow(env, exits, last if len(exits) > 1 else None)

    def finish_loop(
        self, text: Text, b: Builder, keys: Sequence[str], inits: Sequence[int], flow: Flow, body: Builder,
        test: Builder, test_row: int, more: Sequence[int],
    ) -> Env:  # fmt: skip
        """Write the row of a loop. Return the values of the carry after the loop."""
        self.b = body
        results = [*(self.read(text, flow.env, key) for key in keys), *more]
        self.b = b
        rounds = rounds_of(b, inits, body, results, test, test_row) if self.counted else None
        captured = unify([body, test] if rounds is None else [body], 1 + len(inits))
        if rounds is None:
            loop = Loop(body.finish(results), None, DYNAMIC, False, len(inits), test.finish([test_row]))
        else:
            body.types[body.params[0]] = I32(0, max(rounds - 1, 0))
            loop = Loop(body.finish(results), rounds, rounds, False, len(inits))
        rows = b.loop(loop, [*inits, *captured])
        return {key: Value(b, row) for key, row in zip([*keys, _NEXT], rows[: len(inits)], strict=False)}


_NEXT = "$next"
