"""The exported site contains security policies, compressed copies, and all files that its pages need."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.building import built
from tools import export, sitemap
from tools.bootstrap import SetupError
from tools.engine import STOCK
from tools.missing import MISSING
from tools.node import find_node
from tools.served_files import POLICY

EARLIER = "earlier.html"
"""The name of a page that is in the earlier export but not in the new one."""
ADDRESSES = re.compile(r'(?<=href=")[^"]*|(?<=src=")[^"]*')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the site into a folder that contains an earlier export."""
    built()
    folder = tmp_path_factory.mktemp("export") / "site"
    folder.mkdir()
    (folder / export.MARK).write_text("an earlier export")
    (folder / EARLIER).write_text("an earlier page")
    return export.export(folder)


def table(site: Path, name: str) -> dict[str, str]:
    """One of the two tables in `sw.js`."""
    match = re.search(
        rf"^const {name} = (\{{.*?\}});$", (site / "sw.js").read_text(), re.MULTILINE | re.DOTALL
    )
    assert match is not None
    found: dict[str, str] = json.loads(match[1])
    return found


def test_each_page_has_the_servers_policy_as_far_as_html_allows(site: Path) -> None:
    expected = POLICY.replace("; frame-ancestors 'none'", "")
    pages = [page for page in site.rglob("*.html") if page.name != MISSING]
    scripts = " ".join(frame_script(site, frame) for frame in ("sandbox", "pictures"))
    sandboxed = expected.replace("'wasm-unsafe-eval'", f"'wasm-unsafe-eval' {scripts}")
    sandboxed = sandboxed.replace("worker-src 'self'", "worker-src 'self' blob:")
    assert {"index.html", "quadratic.html", "playground.html"} <= {page.name for page in pages}
    for page in pages:
        text = page.read_text()
        policy = sandboxed if '<meta name="sandbox"' in text else expected
        assert f'http-equiv="Content-Security-Policy" content="{policy}"' in text
        assert text.index("Content-Security-Policy") < text.index("<script")


def frame_script(site: Path, frame: str) -> str:
    """Return the hash of a sandboxed frame's script in the form that a security policy contains."""
    held = re.search(rf'<meta name="{frame}" content="([^"]*)">', (site / "playground.html").read_text())
    assert held is not None
    script = html.unescape(held[1]).split("<script>")[1].split("</script>")[0]
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    ("frame", "directive", "source"), [("sandbox", "worker-src", "blob:"), ("pictures", "img-src", "data:")]
)
def test_the_policy_of_a_sandboxed_frame_allows_only_what_it_needs(
    site: Path, frame: str, directive: str, source: str
) -> None:
    held = re.search(rf'<meta name="{frame}" content="([^"]*)">', (site / "playground.html").read_text())
    assert held is not None
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html.unescape(held[1]))
    assert policy is not None
    assert dict(part.split(" ", 1) for part in policy[1].split("; ")) == {
        "default-src": "'none'",
        "script-src": f"{frame_script(site, frame)} 'wasm-unsafe-eval'",
        directive: source,
    }


def test_no_document_of_a_sandboxed_frame_has_an_address(site: Path) -> None:
    assert list((site / "build").rglob("*.html")) == []
    assert not any(name.startswith("build/") and name.endswith(".html") for name in table(site, "FILES"))


def test_other_sites_may_frame_only_the_embedded_page(site: Path) -> None:
    policies = table(site, "POLICIES")
    framed = {name for name, policy in policies.items() if "frame-ancestors *" in policy}
    assert framed == {"embed.html", "embed/index.html"}
    assert policies[""].endswith("frame-ancestors 'none'")


def test_the_pages_of_a_site_with_an_address_contain_the_address(site: Path) -> None:
    assert '<link rel="canonical" href="tape.html">' in (site / "tape.html").read_text()
    page = export.at("https://example.org/eg", (site / "tape.html").read_text())
    assert '<link rel="canonical" href="https://example.org/eg/tape.html">' in page
    assert '<meta property="og:url" content="https://example.org/eg/tape.html">' in page
    assert '<meta property="og:image" content="https://example.org/eg/icons/card.png">' in page


def test_a_site_with_an_address_lists_its_pages_for_search_engines(site: Path) -> None:
    pages = [page for page in site.glob("*.html") if page.name != MISSING]
    text = sitemap.sitemap(export.at("https://example.org/eg", page.read_text()) for page in pages)
    found = re.findall(r"<loc>([^<]*)</loc>", text)
    assert {
        "https://example.org/eg/",
        "https://example.org/eg/quadratic.html",
        "https://example.org/eg/book.html",
    } <= set(found)
    listed = [page for page in pages if "canonical" in page.read_text()]
    assert len(found) == len(set(found)) == len(listed)
    assert "Sitemap: https://example.org/eg/sitemap.xml\n" in sitemap.robots("https://example.org/eg/")
    assert not (site / sitemap.SITEMAP).exists()  # a sitemap needs a public address
    for page in listed:
        assert re.search(r'<meta name="description" content="[^"]{20,}">', page.read_text()), page.name


def test_no_address_in_a_page_is_absolute(site: Path) -> None:
    for page in site.rglob("*.html"):
        for address in re.findall(r'(?:href|src)="([^"]*)"', page.read_text()):
            assert not re.match(r"/|[a-z]+:", address), (page.name, address)


def test_the_service_worker_has_the_hash_of_every_cached_file(site: Path) -> None:
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


def test_the_service_worker_gives_every_file_the_servers_policy(site: Path) -> None:
    policies = table(site, "POLICIES")
    assert policies[""] == POLICY
    for name, policy in policies.items():
        assert ("frame-ancestors 'none'" in policy) == (name not in {"embed.html", "embed/index.html"})
        assert "'unsafe-eval'" not in policy
        assert name == "" or name in table(site, "FILES")


def test_the_copy_of_a_page_in_a_folder_links_to_the_same_files(site: Path) -> None:
    pages = [page for page in site.glob("*.html") if page.name not in {"index.html", MISSING}]
    assert len(pages) >= 6
    for page in pages:
        copy = site / page.stem / "index.html"
        plain, moved = (ADDRESSES.findall(path.read_text()) for path in (page, copy))
        assert len(plain) == len(moved) > 5
        for before, after in zip(plain, moved, strict=True):
            if before.startswith("#"):
                assert after == before
            else:
                assert (copy.parent / after).resolve() == (page.parent / before).resolve()
        assert ADDRESSES.sub("", copy.read_text()) == ADDRESSES.sub("", page.read_text())
        assert f"{page.stem}/index.html" in table(site, "FILES")


def test_the_page_for_missing_addresses_loads_no_file(site: Path) -> None:
    text = (site / MISSING).read_text()
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in text
    assert not re.findall(r"<(?:script|link|img)\b|url\(|@import|\bsrc=", text)
    assert 'href="./"' in text
    assert 'href="../"' in text
    assert MISSING not in table(site, "FILES")


def test_files_that_no_page_requests_are_not_exported(site: Path) -> None:
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert not {f"vendor/pyodide/{name}" for name in ("python_stdlib.zip", *STOCK)} & names
    assert not [name for name in names if name.startswith("pages/") or name.endswith((".d.ts", ".d.mts"))]
    assert [name for name in names if Path(name).name.startswith(".")] == [export.MARK]


def test_compressed_copies_are_smaller_and_have_the_same_content(site: Path) -> None:
    copies = list(site.rglob("*.gz"))
    assert [copy.name for copy in copies if copy.name.startswith("engine-") and ".wasm" in copy.name]
    for copy in copies:
        plain = copy.with_suffix("").read_bytes()
        assert gzip.decompress(copy.read_bytes()) == plain
        assert copy.stat().st_size < len(plain)
        assert 0 < copy.with_suffix(".br").stat().st_size < len(plain)


def test_the_snapshot_is_gzipped_and_its_brotli_copy_is_a_tenth_smaller(site: Path) -> None:
    [snapshot] = site.glob("build/snapshot-*.bin")
    brotli = snapshot.with_name(snapshot.name + ".br")
    assert brotli.stat().st_size < 0.9 * snapshot.stat().st_size
    read = "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))"
    done = subprocess.run([find_node().node, "-e", read, str(brotli)], capture_output=True, check=True)
    assert done.stdout == gzip.decompress(snapshot.read_bytes())
    assert not snapshot.with_name(snapshot.name + ".gz").exists()


def test_an_export_replaces_only_an_earlier_export(site: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    with pytest.raises(SetupError, match=r"has files that no export wrote. Name a new or an empty folder"):
        export.export(mine)
    assert (mine / "letter.txt").read_text() == "dear"
    assert (site / "index.html").exists()
    assert not (site / EARLIER).exists()
