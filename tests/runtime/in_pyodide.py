"""Test kernels inside Pyodide. `test_pyodide_host.py` builds their modules and runs this program."""

# ruff: noqa: E402, PT017 - imports need the path that is set here, and there is no pytest

import json
import math
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, "/package")

from pyodide.code import run_js
from pyodide.ffi import to_js

import eglantine as eg
from eglantine.errors import CompileError, LimitError, ShapeError
from eglantine.runtime.kernel import Kernel, kernel_async
from eglantine.types import Bool, Real, Unit, Vec, as_type

PAIR = {"x": Real, "v": Vec(2, Vec(2, Real)), "p": Bool, "u": Unit}


def artifact(name):
    """Return the artifact with a given name. `test_pyodide_host.py` has built it."""
    wasm, abi = run_js("(name) => globalThis.modules[name]")(name).to_py()
    return SimpleNamespace(wasm=bytes.fromhex(wasm), abi=json.loads(abi), wat="", trap_sources=())


def kernel(name, params, result, hosts=()):
    """Make a kernel from the artifact with a given name."""
    return Kernel(artifact(name), [as_type(of) for of in params], as_type(result), hosts)


def expect(error, text, call, *args):
    """Check that call(*args) raises an `error` with a message that contains `text`. Return the error."""
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
expect(ShapeError, "An index is out of range", checked, 1.0)
assert checked(-1.0) is None
expect(LimitError, "nest deeper", kernel("recursing", [Real], Unit), 1.0)
expect(
    ShapeError, "The divisor of an index must not be 0, but it is 0", kernel("dividing", [Real], Unit), 1.0
)
expect(CompileError, "access beyond the memory", kernel("straying", [Real], Unit), 1.0)

mine = KeyError("mine")


def host(x):
    """Return x + 0.5, but raise an error for negative numbers."""
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
expect(CompileError, "The browser rejected this module", lambda: Kernel(broken, [Real, Real], Real))

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
  fails(() => identity({ ...pair, v: [[1, 2]] }), "A list here must have 2 elements, but it has 1.");
  fails(() => identity({ x: 1, v: pair.v }), "The field p is missing");
  fails(() => trapping(1), "An index is out of range");
  same(trapping(-1), undefined);
}"""
)
check(product.js, kernel("identity", [PAIR], PAIR).js, checked.js)
assert product.js is product.js

# ---- When a memory grows, JavaScript's typed arrays on the memory become invalid.


def rounds(x, n):
    """Compute 1 + x + x² + … + xⁿ in n steps. A step replaces y by y·x + 1."""
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

# ---- many points at once

power = eg.compile(eg.fn([Real, Real], Real)(lambda x, y: x**y))
xs, ys = [0.5 + k / 512 for k in range(2500)], [3.0 - k / 512 for k in range(2500)]
assert power.batch(xs, ys) == [power(x, y) for x, y in zip(xs, ys, strict=True)]
assert power.batch([], []) == []
expect(ShapeError, "must have 2 values like column", power.batch, [1.0, 2.0], [1.0])
rows = eg.compile(eg.fn([Vec(40, Real), {"i": eg.Fin(40)}])(lambda v, s: (v[s["i"]], v * 2.0)))
vectors = [[float(i + k) for i in range(40)] for k in range(3000)]
structs = [{"i": k % 40} for k in range(3000)]
assert rows.batch(vectors, structs) == [rows(v, s) for v, s in zip(vectors, structs, strict=True)]
large = eg.compile(eg.fn([Vec(50_000, Real)])(lambda v: v[1] * 2.0))  # its columns need more memory
before = large([1.0] * 50_000)
assert large.batch([[1.0, 3.0] * 25_000] * 5) == [6.0] * 5
assert large([1.0] * 50_000) == before == 2.0
run_js(
    """(rows) => {
  const v = new Float64Array(40);
  for (const i of [40, -1, 0.5, NaN, "a"]) {
    let found;
    try {
      found = rows(v, { i });
    } catch (error) {
      if (error.message.includes("a whole number below 40")) continue;
      throw error;
    }
    throw new Error(`${i} gave ${found}`);
  }
}"""
)(rows.js)
run_js(
    """(power, rows, large) => {
  const same = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(JSON.stringify(a)); };
  const xs = Float64Array.from({ length: 2500 }, (_, k) => 0.5 + k / 512);
  const ys = Array.from(xs, (x) => 2.5 - x);
  const found = power.batch(xs, ys);
  if (!(found instanceof Float64Array)) throw new Error("expected a typed array");
  same([...found], Array.from(xs, (x, k) => power(x, ys[k])));
  same([...power.batch([], [])], []);
  const vectors = Array.from({ length: 1100 }, (_, k) => Float64Array.from({ length: 40 }, (_, i) => i + k));
  const structs = vectors.map((_, k) => ({ i: k % 40 }));
  same(rows.batch(vectors, structs), vectors.map((v, k) => rows(v, structs[k])));
  const ones = new Float64Array(50000).fill(1);
  same([large(ones), ...large.batch(Array(30).fill(ones)), large(ones)], Array(32).fill(2));
  try { power.batch(xs, [1]); } catch (error) {
    if (error.message === "The call needs 2 columns of one length, but it gives columns of 2500, 1.") return;
  }
  throw new Error("expected a RangeError");
}"""
)(power.js, rows.js, eg.compile(eg.fn([Vec(50_000, Real)])(lambda v: v[1] * 2.0)).js)

# ---- memory that is shared

double = eg.compile(eg.fn([Vec(3, Real)])(lambda v: v * 2.0))
total = eg.compile(eg.fn([Vec(3, Real), Real])(lambda w, x: eg.sum(w) * x), memory={"w": (double, "return")})
assert total.abi["memory"]["base"] >= double.abi["memory"]["bytes"]
assert double([1.0, 2.0, 3.0]) == [2.0, 4.0, 6.0]
assert total(..., 0.5) == 6.0
run_js(
    """(double, total) => {
  double([5, 6, 7]);
  const view = double.view("return");
  if (String([...view]) !== "10,12,14") throw new Error(String([...view]));
  if (total(view, 1) !== 36) throw new Error("a view where the parameter lies");
  view[0] = 0;
  if (total(double.view("return"), 1) !== 26) throw new Error("the same memory");
  if (total([1, 1, 1], 2) !== 6) throw new Error("an array of its own");
}"""
)(double.js, total.js)
beside = await eg.compile_async(  # noqa: F704, PLE1142
    eg.fn([Vec(3, Real)])(lambda v: v * 3.0), memory=double
)
assert double([1.0, 2.0, 3.0]) == [2.0, 4.0, 6.0]
assert beside.batch([[1.0, 2.0, 3.0]] * 2000) == [[3.0, 6.0, 9.0]] * 2000
assert double([1.0, 2.0, 3.0]) == [2.0, 4.0, 6.0]

# ---- fuel

looping = eg.compile(
    eg.fn([eg.Fin(1000)])(lambda n: eg.fori_loop(0, n, lambda i, x: x + eg.real(i), 0.0)), fuel=10
)
assert looping(10) == 45.0
expect(eg.FuelError, "used up its fuel", looping, 11)
assert looping.batch([10, 9, 10]) == [45.0, 36.0, 45.0]
expect(eg.FuelError, "used up its fuel", looping.batch, [11])
looping.fuel = 11
assert looping(11) == 55.0
run_js(
    """(looping) => {
  const runs = (n) => { try { return looping(n); } catch (error) { return error.message.includes("fuel"); } };
  const found = [runs(11), runs(12), runs(11), looping.fuel];
  looping.fuel = 20;
  found.push(runs(12), ...looping.batch([12, 12]));
  if (String(found) !== "55,true,55,11,66,66,66") throw new Error(String(found));
}"""
)(looping.js)

# ---- A call fails if the kernel, or a kernel that shares its memory, is already running.

inner = SimpleNamespace(call=None)


def call_inner(x):
    """Call the function in `inner`."""
    if inner.call is not None:
        inner.call(x)
    return x


adding = eg.opaque(call_inner, [Real], Real)
outer = eg.compile(eg.fn([Vec(3, Real)])(lambda v: eg.vec(3, lambda i: v[i] + adding(v[0]))))
shared = eg.compile(eg.fn([Vec(3, Real)])(lambda v: eg.vec(3, lambda i: v[i] * 2.0)), memory=outer)
ONES, RESULT = [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]
assert outer(ONES) == RESULT
assert outer.batch([ONES]) == [RESULT]
calls = run_js(
    """(outer, shared) => ({
  outer: () => outer([1, 1, 1]).join(), shared: () => shared([1, 1, 1]).join(),
  batch: () => outer.batch([[1, 1, 1]])[0].join(),
})"""
)
WITHIN = "within a call of it, or of a kernel that shares its memory"
within_python = [lambda _: outer(ONES), lambda _: outer.batch([ONES]), lambda _: shared(ONES)]


def all_ways():
    """Check that a call of `outer` inside its own call raises an error, and that later calls are right."""
    for inner.call in within_python:
        for way in (outer, lambda v: outer.batch([v])[0]):
            expect(eg.EglantineError, WITHIN, way, ONES)
    inner.call = None
    assert outer(ONES) == shared(ONES) == RESULT


all_ways()
scripts = calls(outer.js, shared.js)
within_scripts = [lambda _, f=f: f() for f in (scripts.outer, scripts.shared, scripts.batch)]
for inner.call in within_scripts:
    for way in (outer, lambda v: outer.batch([v])[0]):
        expect(Exception, WITHIN, way, ONES)
all_ways()
for inner.call in (*within_python, *within_scripts):
    for script in (scripts.outer, scripts.batch):
        expect(Exception, WITHIN, script)
inner.call = None
assert scripts.outer() == scripts.shared() == scripts.batch() == "2,2,2"
assert outer(ONES) == shared(ONES) == RESULT
caught = []


def catch(_):
    """Call `outer` inside a call of `outer`, and append the error to `caught`."""
    try:
        outer([7.0, 7.0, 7.0])
    except eg.EglantineError as error:
        caught.append(error)


inner.call = catch
assert outer(ONES) == RESULT
assert scripts.outer() == "2,2,2"
assert len(caught) == 6
inner.call = None

print("passed")
