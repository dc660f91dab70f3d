"""The examples in docstrings run and give the results that they show. help() shows these examples."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import pydoc

import pytest

import eglantine as eg

WITH_EXAMPLES = sorted(
    module.name
    for module in pkgutil.walk_packages(eg.__path__, "eglantine.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_give_the_printed_results(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    "thing", ["Real", "Vec", "Fin", "grad", "value_and_grad", "jvp", "vjp", "fn", "index", "hessian"]
)
def test_help_shows_an_example(thing: str) -> None:
    assert ">>> " in pydoc.render_doc(getattr(eg, thing))


def test_dir_lists_the_public_names() -> None:
    assert dir(eg) == sorted(eg.__all__)
    assert all(hasattr(eg, name) for name in dir(eg))
