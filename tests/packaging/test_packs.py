"""A pack joins the scripts of a page into a few files. Pages never use outdated packs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.building import built
from tools import packs
from tools.modules import PACKS, SCRIPTS, STATIC, imports_of, own_scripts
from tools.packs import STARTERS, make_packs, packed, read_record

PAGES = sorted(path.parent.name for path in SCRIPTS.glob("pages/*/main.js"))
MOST_FILES = 20
"""The largest number of packed and shared scripts that a page may load at its start."""
MOST_SHARE = 0.4
"""The largest allowed number of files of a pack, divided by the number of the page's modules. This limit does
not apply to pages with fewer than FEW modules."""
FEW = 20
ADDRESS = re.compile(r"""(?:\bfrom|\bimport\s*\(?)\s*"(\.[^"]+)\"""")


@pytest.fixture(scope="module", autouse=True)
def built_site() -> None:
    built()


def script_of(page: str) -> str:
    return f"js/pages/{page}/main.js"


@pytest.mark.parametrize("page", PAGES)
def test_a_pack_has_every_module_of_its_page_in_few_files(page: str) -> None:
    files, modules = packed(script_of(page)), imports_of(script_of(page))
    assert files is not None
    assert len(files) <= MOST_FILES
    assert len(files) <= MOST_SHARE * len(modules) or len(modules) < FEW
    joined = read_record()[script_of(page)].modules
    assert set(modules) <= {*joined, *files}
    assert not joined.keys() & {*files}


@pytest.mark.parametrize("page", PAGES)
def test_every_address_in_a_pack_leads_to_a_file(page: str) -> None:
    scripts = sorted((PACKS / page).iterdir())
    named = [(path, found) for path in scripts for found in ADDRESS.findall(path.read_text(encoding="utf-8"))]
    assert [found for path, found in named if not (path.parent / found).exists()] == []
    assert len(named) >= 1


def test_the_modules_that_start_python_are_in_no_pack() -> None:
    """A page must not load `engine/workers.js` twice, so the module must not be copied into a pack."""
    single = {name for starter in STARTERS.values() for name in imports_of(starter)}
    assert "js/engine/workers.js" in single
    for pack in read_record().values():
        assert not single & pack.modules.keys()
    assert [path for path in PACKS.rglob("*.js") if "createPolicy" in path.read_text(encoding="utf-8")] == []


def test_a_page_uses_no_pack_after_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = "js/widgets/theme.js"
    digest_of = packs.digest_of
    assert packed(script_of("quadratic")) is not None
    monkeypatch.setattr(packs, "digest_of", lambda name: "" if name == edited else digest_of(name))
    assert packed(script_of("quadratic")) is None


def test_a_page_uses_no_pack_whose_files_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packs, "RECORD", tmp_path / "none.json")
    assert packed(script_of("quadratic")) is None
    monkeypatch.undo()
    monkeypatch.setattr(packs, "STATIC", tmp_path)
    monkeypatch.setattr(packs, "digest_of", dict(read_record()[script_of("quadratic")].modules).__getitem__)
    assert packed(script_of("quadratic")) is None


def test_packing_again_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    again = SCRIPTS / ".packed-again"
    monkeypatch.setattr(packs, "PACKS", again)
    monkeypatch.setattr(packs, "RECORD", tmp_path / "again.json")
    try:
        make_packs()
        first, second = (
            {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.js")}
            for folder in (PACKS, again)
        )
    finally:
        packs.shutil.rmtree(again, ignore_errors=True)
    assert first == second
    assert len(first) > len(PAGES)


def test_packs_are_not_among_our_own_scripts() -> None:
    assert not [path for path in own_scripts() if PACKS in path.parents]
    assert SCRIPTS / "worker.js" in own_scripts()
    assert STATIC / script_of("quadratic") in own_scripts()
