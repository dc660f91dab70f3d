"""Write the element `<eglantine-plot>` as one script. It contains the drawing code and the colours, too."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tools.bootstrap import ROOT
from tools.modules import STATIC, imports_of
from tools.node import find_node
from tools.vendor import bundle

ELEMENT = "js/plot/plot-element.js"
TOKENS = STATIC / "css" / "tokens.css"
NOTICE = "/*! eglantine-plot, a part of Eglantine (MIT licence). */"
ENTRY = re.compile(r"\.entry-\w+/")
"""The pattern of the folder in which `bundle` writes an entry. The folder's name is random."""
HOST = (
    (r":root\[data-theme=\"(\w+)\"\]", r':host([theme="\1"])'),
    (r":root:not\(\[data-theme=\"(\w+)\"\]\)", r':host(:not([theme="\1"]))'),
    (r":root\[data-theme\]", ":host([theme])"),
    (r"(:root)+", ":host"),
)
"""Pairs of two texts: the pattern of a selector in the pages' table of colours, and the selector that
replaces it in the element. The element's attribute `theme` chooses its theme. Without the attribute, the
system's theme is used."""
UNUSED = re.compile(
    r"--(?:code|field|font-formula|lit|muscle|paper-raised|radius|selected|size-[fls]|space|wrong)[\w-]*:[^;]*;"
)
"""The pattern of the pages' CSS variables (tokens) that the element does not use."""

STYLE = re.compile(r"`\s*:host.*?`", flags=re.DOTALL)
"""The pattern of the element's own style sheet in the script. esbuild leaves this style sheet as it was
written."""


def plot_sources() -> list[Path]:
    """All files from which the script is made."""
    return [ROOT / "tools" / "plot.py", TOKENS, *(STATIC / name for name in imports_of(ELEMENT))]


def make_plot(target: Path) -> None:
    """Write the script as one minified module.

    Raises:
        SetupError: esbuild failed.
    """
    tokens = TOKENS.read_text(encoding="utf-8")
    for pattern, replacement in HOST:
        tokens = re.sub(pattern, replacement, tokens)
    tokens = squeezed(UNUSED.sub("", tokens))
    element = json.dumps(str(STATIC / ELEMENT))
    entry = f"import {{ definePlot }} from {element};\ndefinePlot({json.dumps(tokens)});\n"
    bundle(find_node(), entry, target)
    script = STYLE.sub(lambda style: squeezed(style.group()), target.read_text(encoding="utf-8"), count=1)
    script = ENTRY.sub("", script)  # remove the last comment, which contains a path of this machine
    target.write_text(f"{NOTICE}\n{script}", encoding="utf-8", newline="\n")


def squeezed(style: str) -> str:
    """Return a style sheet without comments and unnecessary spaces."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return re.sub(r"([{};,:]) ", r"\1", re.sub(r"\s+", " ", style))
