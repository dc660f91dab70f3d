"""What the test of the Pyodide host runs inside Pyodide; the modules come in a file that the test wrote."""

# ruff: noqa: E402, PT017 - the package is found by a path set here, and there is no pytest

import json
import math
import sys
import time
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, "/package")

from pyodide.code import run_js
from pyodide.ffi import to_js

import eglantine as eg
from eglantine.errors import CompileError, LimitError, ShapeError
from eglantine.runtime import Kernel, kernel_async
from eglantine.types import Bool, Real, Unit, Vec, as_type

PAIR = {"x": Real, "v": Vec(2, Vec(2, Real)), "p": Bool, "u": Unit}


def artifact(name):
    """A module that the test made."""
    wasm, abi = run_js("(name) => globalThis.modules[name]")(name).to_py()
    return SimpleNamespace(wasm=bytes.fromhex(wasm), abi=json.loads(abi), wat="", trap_sources=())


def kernel(name, params, result, hosts=()):
    """It, live."""
    return Kernel(artifact(name), [as_type(of) for of in params], as_type(result), hosts)


def expect(error, text, call, *args):
    """Check that a call raises."""
    try:
        call(*args)
    except error as raised:
        assert text in str(raised), raised
        return raised
    raise AssertionError(f"{error} expected")


product = kernel("product", [Real, Real], Real)
assert product(3.0, 4.0) == 12.0
assert product(3, 4) == 12.0
assert math.isnan(product(math.nan, 1.0))

pair = {"x": 1.5, "v": [[1.0, 2.0], [3.0, 4.0]], "p": True, "u": None}
assert kernel("identity", [PAIR], PAIR)(pair) == pair

checked = kernel("trapping", [Real], Unit)
expect(ShapeError, "Found an index out of range", checked, 1.0)
assert checked(-1.0) is None
expect(LimitError, "nest deeper", kernel("recursing", [Real], Unit), 1.0)
expect(ShapeError, "Found 0 as the divisor", kernel("dividing", [Real], Unit), 1.0)
expect(CompileError, "access beyond the memory", kernel("straying", [Real], Unit), 1.0)

mine = KeyError("mine")


def host(x):
    """Raise for a negative number."""
    if x < 0:
        raise mine
    return x + 0.5


calling = kernel("calling", [Real], Real, [host])
assert calling(1.0) == 1.5
assert expect(KeyError, "mine", calling, -1.0) is mine
assert calling(2.0) == 2.5

several = kernel("several", [Real], (Real, Bool), [lambda x: [2 * x, True], lambda: None])
assert several(1.5) == (3.0, True)

broken = artifact("product")
broken.wasm = broken.wasm[:-1]
expect(
    CompileError, "Found a module that the browser does not take", lambda: Kernel(broken, [Real, Real], Real)
)

later = await kernel_async(artifact("product"), [Real, Real], Real)  # noqa: F704, PLE1142
assert later(3.0, 4.0) == 12.0

# ---- JavaScript's own calls

check = run_js(
    """(product, identity, trapping) => {
  const same = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(JSON.stringify(a)); };
  same(product(3, 4), 12);
  const pair = { x: 1.5, v: [[1, 2], [3, 4]], p: true };
  same(identity(pair), pair);
  same(identity({ ...pair, v: [new Float64Array([1, 2]), [3, 4]] }), pair);
  const fails = (call, text) => {
    try { call(); } catch (error) { if (error.message.includes(text)) return; throw error; }
    throw new Error(`expected: ${text}`);
  };
  fails(() => identity({ ...pair, v: [[1, 2]] }), "Expected 2 elements, found 1.");
  fails(() => identity({ x: 1, v: pair.v }), "Expected a field p");
  fails(() => trapping(1), "Found an index out of range");
  same(trapping(-1), undefined);
}"""
)
check(product.js, kernel("identity", [PAIR], PAIR).js, checked.js)
assert product.js is product.js

# ---- memory that grows: what was looked at before has to be looked at anew


def rounds(x, n):
    """y becomes y·x + 1, n times: the derivative by x of the sum of powers of x up to n."""
    return eg.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1.0, c[1] * x + 1.0), (0.0, 1.0))[1]


growing = eg.compile(eg.grad(eg.fn([Real, Real], Real)(rounds)))
assert growing(0.5, 3.0) == 1.0 + 2 * 0.5 + 3 * 0.25
size = growing._instance.size()
assert growing(0.5, 100_000.0) == 4.0
assert growing._instance.size() > size + 800_000
assert growing(0.5, 3.0) == 2.75
for vector in (False, True):
    parameter = Vec(2, Real) if vector else Real
    g = eg.fn([parameter, Real], Real)(lambda x, n, vector=vector: rounds(x[1] if vector else x, n))
    run_js(
        """(f, at) => {
  for (const [n, expected] of [[3, 2.75], [100000, 4], [3, 2.75], [200000, 4]]) {
    const found = f(at, n);
    const value = Array.isArray(found) ? found[1] : found;
    if (value !== expected) throw new Error(`found ${value}, expected ${expected}`);
  }
}"""
    )(eg.compile(eg.grad(g)).js, to_js([0.25, 0.5]) if vector else 0.5)

# ---- how long a call takes

for name, call in {"kernel": lambda: product(3.0, 4.0), "entry": product._instance._main}.items():
    best = math.inf
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(1000):
            call()
        best = min(best, time.perf_counter() - start)
    print(f"{name} call: {best * 1e3:.2f} µs")
nanoseconds = run_js(
    """(f) => {
  let best = Infinity;
  for (let k = 0; k < 20; k++) {
    const start = performance.now();
    for (let i = 0; i < 100000; i++) f(i, 2);
    best = Math.min(best, performance.now() - start);
  }
  return best * 10;
}"""
)(product.js)
print(f"js call: {nanoseconds:.0f} ns")
print("passed")
