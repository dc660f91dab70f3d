"""In Firefox, every page opens without an error. On two pages we also drag, edit, or run a program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.node import TO_CHECK, find_node
from tools.pages import read_pages

DRIVER = Path(__file__).with_name("bidi.mjs")
DOCUMENTS = ("book", "derivatives-1", "docs", "reference-derivatives")
LONGEST_S = 600
REFUSED = "require-trusted-types-for"
"""Words of the message that Firefox logs if a page uses a sink that the policy refuses.

The playground causes this message once, but it works.
"""


def firefox() -> str | None:
    """Return the path of Firefox, from the variable `EGLANTINE_FIREFOX` or from the search path."""
    named = os.environ.get("EGLANTINE_FIREFOX")
    return named or shutil.which("firefox") or shutil.which("firefox-esr")


@pytest.mark.nightly
@pytest.mark.own_limits
def test_every_page_opens_in_firefox_without_an_error(server_url: str, tmp_path: Path) -> None:
    found = firefox()
    if found is None:
        pytest.skip("There is no Firefox on PATH. Install one, or name it in EGLANTINE_FIREFOX.")
    names = [*(page.name for page in read_pages()), *DOCUMENTS]
    done = subprocess.run(
        [
            find_node(TO_CHECK).node, "--experimental-websocket", DRIVER, found, tmp_path, server_url,
            ",".join(names),
        ],
        check=False, capture_output=True, text=True, timeout=LONGEST_S,
    )  # fmt: skip
    seen = {one["name"]: one for one in map(json.loads, done.stdout.splitlines())}
    assert list(seen) == names, done.stderr
    refused = [error for error in seen["playground"]["errors"] if REFUSED in error]
    assert len(refused) <= 1
    seen["playground"]["errors"] = [one for one in seen["playground"]["errors"] if one not in refused]
    assert {name: one["errors"] for name, one in seen.items() if one["errors"]} == {}
    assert seen["quadratic"]["seen"] == "dragged and edited"
    assert seen["playground"]["seen"] == "run"
