"""Forged files for a visitor's caches, and a script that puts them into the caches."""

from __future__ import annotations

import json

PATIENCE_MS = 60_000

# ---------------------------------------------------------------- caches of an exported site

POISON = """async ([files, poison]) => {
  const [body, type] = poison;
  const response = () => new Response(body, { headers: { "Content-Type": type } });
  const addresses = files.flat().map((path) => new URL(path, location.href).href);
  for (const name of ["eglantine-1", "eglantine.python", "another"]) {
    const cache = await caches.open(name);
    await Promise.all(addresses.map((address) => cache.put(address, response())));
  }
}"""
"""A script that puts a forged answer into every cache, in place of each given file.

The answer is stored under the file's address, and under the address that belongs to the file's content.
"""
PAGE = ("<!doctype html><title>taken</title><main data-python=ready>taken", "text/html")
SCRIPT = ("document.title = 'taken'; export {};", "text/javascript")
WORKER = ("postMessage({ kind: 'failed', reason: 'taken' });", "text/javascript")
STYLE = ("body { display: none }", "text/css")
MANIFEST = (json.dumps({"version": 1, "lock": "{}"}), "application/json")
BYTES = ("taken", "application/wasm")
