"""The exported site holds what pages ask for, its policies, its table of hashes and its compressed copies."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from tools import export, vendor
from tools.bootstrap import SetupError
from tools.build import build
from tools.engine import STOCK
from tools.node import find_node
from tools.server import POLICY


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    vendor.vendor()
    build()
    return export.export(tmp_path_factory.mktemp("export") / "site")


def table(site: Path, name: str) -> dict[str, str]:
    """One of the two tables in `sw.js`."""
    match = re.search(
        rf"^const {name} = (\{{.*?\}});$", (site / "sw.js").read_text(), re.MULTILINE | re.DOTALL
    )
    assert match is not None
    found: dict[str, str] = json.loads(match[1])
    return found


def test_each_page_has_the_servers_policy_but_for_what_only_a_header_can_say(site: Path) -> None:
    expected = POLICY.replace("; frame-ancestors 'none'", "")
    pages = list(site.glob("*.html"))
    assert {"index.html", "quadratic.html", "playground.html"} <= {page.name for page in pages}
    for page in pages:
        text = page.read_text()
        assert f'http-equiv="Content-Security-Policy" content="{expected}"' in text
        assert text.index("Content-Security-Policy") < text.index("<script")


def test_no_address_in_a_page_is_absolute(site: Path) -> None:
    for page in site.glob("*.html"):
        for address in re.findall(r'(?:href|src)="([^"]*)"', page.read_text()):
            assert not re.match(r"/|[a-z]+:", address), (page.name, address)


def test_the_service_worker_has_the_hash_of_every_file_it_keeps(site: Path) -> None:
    files = table(site, "FILES")
    for name, digest in files.items():
        content = (site / name).read_bytes()
        kept = gzip.decompress(content) if name.endswith(".bin") else content
        assert hashlib.sha256(kept).hexdigest() == digest, name
    manifest = json.loads((site / "build" / "manifest.json").read_text())
    for key in ("python", "stdlib", "snapshot", "engine", "engineScript", "presets", "robot"):
        assert f"build/{manifest[key]}" in files
    assert {"index.html", "js/worker.js", "vendor/pyodide/pyodide.mjs"} <= files.keys()
    assert {Path(name).suffix for name in files} - {".bin", ".py"} <= table(site, "TYPES").keys()


def test_what_no_page_asks_for_is_not_there(site: Path) -> None:
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert not {f"vendor/pyodide/{name}" for name in ("python_stdlib.zip", *STOCK)} & names
    assert not [name for name in names if name.startswith("pages/") or name.endswith((".d.ts", ".d.mts"))]
    assert [name for name in names if Path(name).name.startswith(".")] == [export.MARK]


def test_compressed_copies_are_smaller_and_the_same(site: Path) -> None:
    copies = list(site.rglob("*.gz"))
    assert [copy.name for copy in copies if copy.name.startswith("engine-") and ".wasm" in copy.name]
    for copy in copies:
        plain = copy.with_suffix("").read_bytes()
        assert gzip.decompress(copy.read_bytes()) == plain
        assert copy.stat().st_size < len(plain)
        assert 0 < copy.with_suffix(".br").stat().st_size < len(plain)


def test_the_snapshot_is_gzipped_for_any_host_and_smaller_for_one_that_sends_brotli(site: Path) -> None:
    [snapshot] = site.glob("build/snapshot-*.bin")
    brotli = snapshot.with_name(snapshot.name + ".br")
    assert brotli.stat().st_size < 0.9 * snapshot.stat().st_size
    read = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))"
    done = subprocess.run([find_node().node, "-e", read, str(brotli)], capture_output=True, check=True)
    assert done.stdout == gzip.decompress(snapshot.read_bytes())
    assert not snapshot.with_name(snapshot.name + ".gz").exists()


def test_an_export_takes_the_place_of_an_export_and_of_nothing_else(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    with pytest.raises(SetupError, match="holds files that were not exported: name a new or an empty folder"):
        export.export(mine)
    assert (mine / "letter.txt").read_text() == "dear"
    (mine / "letter.txt").rename(mine / export.MARK)
    export.export(mine)
    assert (mine / "index.html").exists()
