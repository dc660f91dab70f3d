"""Forged files for a visitor's caches, and a script that puts them there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

PATIENCE_MS = 60_000

# ---------------------------------------------------------------- caches of an exported site

POISON = """async ([path, key, poison]) => {
  const [body, type] = poison;
  const response = () => new Response(body, { headers: { "Content-Type": type } });
  const page = new URL(path, location.href).href;
  for (const name of ["eglantine-1", "eglantine.python", "another"]) {
    const cache = await caches.open(name);
    for (const address of [page, new URL(key, location.href).href]) await cache.put(address, response());
  }
}"""
"""Put a forged answer into every cache, under the file's address and under the content's address."""
PAGE = ("<!doctype html><title>taken</title><main data-python=ready>taken", "text/html")
SCRIPT = ("document.title = 'taken'; export {};", "text/javascript")
WORKER = ("postMessage({ kind: 'failed', reason: 'taken' });", "text/javascript")
STYLE = ("body { display: none }", "text/css")
MANIFEST = (json.dumps({"version": 1, "lock": "{}"}), "application/json")
BYTES = ("taken", "application/wasm")
