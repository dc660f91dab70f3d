"""Put a figure into an iframe. In marimo notebooks, a figure's script runs only in an iframe."""

from __future__ import annotations

import html
from typing import Final

HEIGHT: Final = 620
"""The height of the frame in pixels, until the script in the frame sets the height of the figure."""
FRAMED: Final = """<!doctype html><meta charset="utf-8"><style>body{{margin:0;display:flow-root}}</style>
<body>{body}<script>
const frame = window.frameElement;
if (frame) {{
  const {{ color, colorScheme }} = getComputedStyle(frame);
  document.documentElement.style.colorScheme = colorScheme;
  document.body.style.color = color;
  const fit = () => (frame.style.height = `${{document.body.scrollHeight + 4}}px`);
  new ResizeObserver(fit).observe(document.body);
}}
</script></body>"""
"""The HTML text of the page in the frame. `{body}` stands for the figure.

The script in it gives the page the colours of the page around it, and the frame the height of the figure."""


def framed(fragment: str, title: str) -> str:
    """A frame with a figure in it."""
    page = html.escape(FRAMED.format(body=fragment), quote=True)
    style = f"width:100%;height:{HEIGHT}px;border:0"
    return f'<iframe srcdoc="{page}" title="{html.escape(title, quote=True)}" style="{style}"></iframe>'
