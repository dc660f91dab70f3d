"""Write a page's texts in full-width letters, as a pseudo-language for tests.

If a page still shows an English word in normal letters, the word is missing from the file of texts.
"""

from __future__ import annotations

import re
from pathlib import Path

EXPORTED = re.compile(r"^export const (\w+)", re.MULTILINE)
EXPORTED_TOO = re.compile(r"^export \* from \"([^\"]+)\";", re.MULTILINE)
ENGLISH = re.compile(r"[A-Za-z]{2,}")
"""The pattern of an English word. A single letter does not match, because it is mathematics."""

MODULE = """import * as english from "{address}";

const wide = (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
const strange = (value) => {{
  if (typeof value === "string") return value.replaceAll(/[A-Za-z]/g, wide);
  if (typeof value === "function") return (...given) => strange(value(...given));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strange(inner)]));
}};
export const LANGUAGE = "en-x-pseudo";
"""


def pseudo_language(english: Path, address: str) -> str:
    """Return the source of a JavaScript module that exports the English module's texts in full-width letters.

    address: the relative address from which the new module imports the English module.
    """
    names = dict.fromkeys(name for name in exported(english) if name != "LANGUAGE")
    exports = "".join(f"export const {name} = strange(english.{name});\n" for name in names)
    return MODULE.format(address=address) + exports


def exported(module: Path) -> list[str]:
    """List the names that a JavaScript module exports, including re-exported names."""
    text = module.read_text(encoding="utf-8")
    others = [exported(module.parent / address) for address in EXPORTED_TOO.findall(text)]
    return sum(others, EXPORTED.findall(text))
