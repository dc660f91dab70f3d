"""Functions that catch an error and return the source text of its span."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import eglantine as eg

m = eg.math


class Point(NamedTuple):
    x: eg.Real
    y: eg.Real


def caught(mistake: Callable[[], Any]) -> eg.EglantineError:
    with pytest.raises(eg.EglantineError) as info:
        mistake()
    return info.value


def text_at(span: eg.Span | None) -> str:
    """Return the source text of a span. The span must be in the caller's file."""
    assert span is not None, "the error has no span"
    source = sys._getframe(1).f_code.co_filename
    assert span.source == source
    lines = Path(source).read_text(encoding="utf-8").splitlines()[span.line - 1 : span.end_line]
    assert lines
    lines[-1] = lines[-1].encode()[: span.end_column].decode()
    lines[0] = lines[0].encode()[span.column :].decode()
    return "\n".join(lines)


def lines_of(function: Callable[..., Any]) -> range:
    lines, first = inspect.getsourcelines(function)
    return range(first, first + len(lines))
