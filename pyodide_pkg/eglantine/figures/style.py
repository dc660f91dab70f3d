"""The style sheet of figures.

Each rule applies only to figures. It does not change the style of other elements on a page.
"""

import re
from typing import Final

SOURCE: Final = """
.eg-figure { --rose: light-dark(#c33358, #f0718f); --leaf: light-dark(#2f7d46, #7fc98f); --blue:
  light-dark(#2a6aa8, #6fb1e6); max-width: 40rem; margin: 1rem 0; font: 0.9375rem system-ui, sans-serif; }
.eg-figure svg { display: block; width: 100%; height: auto; }
svg.eg-figure { font: 13px system-ui, sans-serif; }
.eg-figure text:where(:not([font-size])) { fill: currentColor; font: 13px system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
.eg-figure .tick { fill-opacity: 0.72; }
.eg-figure .grid { stroke: currentColor; stroke-opacity: 0.13; }
.eg-figure .frame { fill: none; stroke: currentColor; stroke-opacity: 0.3; }
.eg-figure path:where(:not([fill])) { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.eg-figure .curve, .eg-figure line.ink { stroke-width: 2.2; }
.eg-figure .ink { stroke: currentColor; }
.eg-figure text.key { stroke: none; }
.eg-figure .c0 { stroke: light-dark(#0072b2, #56b4e9); stroke-width: 2.2; }
.eg-figure .c1 { stroke: light-dark(#b35400, #e69f00); stroke-width: 2.2; }
.eg-figure .c2 { stroke: light-dark(#007a5a, #3fc79a); stroke-width: 2.2; }
.eg-figure .c3 { stroke: light-dark(#8a4f7d, #cc79a7); stroke-width: 2.2; }
.eg-figure .c4 { stroke: light-dark(#6b6200, #f0e442); stroke-width: 2.2; }
.eg-figure .c5 { stroke: light-dark(#5a5a5a, #bdbdbd); stroke-width: 2.2; }
.eg-figure .dots { stroke-width: 7; }
.eg-figure .run { stroke-width: 1.6; }
.eg-figure .tangent, .eg-figure .arrows { stroke: var(--leaf); stroke-width: 1.6; }
.eg-figure .quadratic { stroke: var(--rose); stroke-width: 1.6; stroke-dasharray: 5 4; }
.eg-figure .descent { stroke: var(--rose); stroke-width: 2.2; }
.eg-figure path.area { fill: var(--blue); fill-opacity: 0.18; }
.eg-figure line.area { stroke: var(--blue); stroke-opacity: 0.5; stroke-width: 8; }
.eg-figure .level { stroke: var(--blue); stroke-width: 1.3; }
.eg-figure .patch { fill: var(--rose); fill-opacity: 0.5; stroke: var(--rose); stroke-width: 0.5; }
.eg-figure .held { fill: var(--rose); stroke: var(--rose); stroke-opacity: 0.25; stroke-width: 12;
  cursor: grab; touch-action: none; outline: none; }
.eg-figure .held:hover, .eg-figure .held:focus { stroke-opacity: 0.5; }
.eg-figure .held:focus-visible { stroke: currentColor; stroke-opacity: 1; stroke-width: 2; }
.eg-figure :is(.cell, .patch) { stroke-linejoin: round; }
.eg-figure .cell { stroke: currentColor; stroke-opacity: 0.25; stroke-width: 0.5; }
.eg-figure .plot .s0 { fill: light-dark(#f1f4f8, #16283a); }
.eg-figure .plot .s1 { fill: light-dark(#dce6f0, #1b344d); }
.eg-figure .plot .s2 { fill: light-dark(#c3d6e8, #214261); }
.eg-figure .plot .s3 { fill: light-dark(#a6c3de, #285276); }
.eg-figure .plot .s4 { fill: light-dark(#86adcf, #33658f); }
.eg-figure .plot .s5 { fill: light-dark(#6595c0, #4a80ad); }
.eg-figure .plot .s6 { fill: light-dark(#477dae, #6c9fca); }
.eg-figure .plot .s7 { fill: light-dark(#2f6597, #9cc4e4); }
.eg-figure line.s1 { stroke: light-dark(#dce6f0, #1b344d); stroke-width: 10; }
.eg-figure line.s6, .eg-figure line.s7 { stroke: light-dark(#2f6597, #9cc4e4); stroke-width: 10; }
.eg-figure .told { margin: 0.25rem 0 0.5rem; min-height: 1.4em; font-variant-numeric: tabular-nums; }
.eg-figure .slider, .eg-figure .controls > label { display: flex; flex-wrap: wrap; align-items:
  center; gap: 0.5rem; min-height: 2.75rem; }
.eg-figure .slider label { display: flex; flex: 1; align-items: center; gap: 0.5rem; min-width: 9rem; }
.eg-figure input[type="range"] { flex: 1; min-width: 4rem; accent-color: var(--rose); }
.eg-figure input[type="number"] { width: 6rem; }
.eg-figure input[type="file"] { min-width: 0; max-width: 100%; }
.eg-figure button, .eg-figure input[type="number"], .eg-figure select { min-height: 2rem; font: inherit; }
.eg-figure details button { margin: 0.25rem 0.25rem 0 0; }
@media (max-width: 480px) { .eg-figure text:where(:not([font-size])) { font-size: 16px; } }
@media print { .eg-figure .controls, .eg-figure details { display: none; } }
""".strip()
STYLE: Final = re.sub(r"\s*([{};:,])\s*", r"\1", SOURCE)
"""The style without unneeded spaces."""
