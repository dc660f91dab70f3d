"""The parts of exported files that are the same for every function."""

from __future__ import annotations

from typing import Final

HELPERS: Final = {
    "refuse": """const refuse = (found, name, expected) => {
  throw new TypeError(`${name} must be ${expected}, but it is ${String(found)}.`);
};""",
    "real": 'const real = (x, name) => (typeof x === "number" ? x : refuse(x, name, "a number"));',
    "bool": 'const bool = (x, name) => (typeof x === "boolean" ? x : refuse(x, name, "a boolean"));',
    "fin": """const fin = (x, name, n) =>
  Number.isInteger(x) && x >= 0 && x < n ? x : refuse(x, name, `a whole number from 0 to ${n - 1}`);""",
    "count": """const count = (values, n, name) =>
  values?.length === n || refuse(
    values?.length >= 0 ? `one of ${values.length}` : typeof values, name, `a list of ${n} elements`);""",
    "vec": """/** Copies n values to view[start …]: a typed array at once, and not at all if it lies there. */
function vec(view, start, values, n, name, check, bound) {
  count(values, n, name);
  if (n < 64 || check !== real || !ArrayBuffer.isView(values)) {
    for (let k = 0; k < n; k++) view[start + k] = check(values[k], name, bound);
    return;
  }
  const isThere = values.buffer === view.buffer && values.byteOffset === start * 8;
  if (!isThere || !(values instanceof Float64Array)) view.set(values, start);
}""",
}
BYTES_FROM: Final = """
/** The module's bytes at a URL; other sources (bytes, a WebAssembly.Module) as they are. */
async function bytesFrom(source) {
  const url = source.href ?? source;
  if (typeof url !== "string") return source;
  if (url.startsWith("file:") && globalThis.process?.versions?.node) {
    const files = "node:fs/promises"; // not a literal below: bundlers would look for it
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return readFile(new URL(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`There is no module at ${url} (status ${answer.status}).`);
  return answer.arrayBuffer();
}
"""
STOPPED: Final = """    } catch (error) {
      const [name, message] = TRAPS[trap.value - 1] ?? [];
      trap.value = 0;
      throw name ? Object.assign(new Error(message, { cause: error }), { name }) : error;
"""
PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>{title}</title>
<pre id="result"></pre>
<script type="module">
  import load from {script};
  const show = (value) => (document.getElementById("result").textContent = value);
  const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);
  const start = async () => show(JSON.stringify((await load({given}))({arguments}), plain, 1));
  start().catch(show);
</script>
"""
