"""Pages refer to scripts and styles by a hash of their contents, so browsers may cache them forever."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tools.editions import Editions
from tools.server import FOR_EVER, Server, start

PAGE = (
    '<!doctype html><link rel="stylesheet" href="css/a.css"><script src="js/a.js"></script><a href="js.html">'
)
NAMED = re.compile(r'(?:css|js)-([0-9a-f]{12})/a\.(?:css|js)"')
NOT_THERE = "not there"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site with two scripts and a style."""
    for name, text in {
        "index.html": PAGE,
        "css/a.css": "a { top: 0 }",
        "js/a.js": "export {};",
        "js/b/b.js": "0;",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("never served", encoding="utf-8")
    return tmp_path


@pytest.fixture
def server(root: Path) -> Iterator[Server]:
    running = start(root)
    yield running
    running.close()


def get(server: Server, path: str) -> tuple[str, str]:
    """Request a path from the server. Return the answer's body and its Cache-Control header."""
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=PATIENCE_S)
    connection.request("GET", f"/{path}")  # urllib would normalise the path
    answer = connection.getresponse()
    found = answer.read().decode(), answer.headers["Cache-Control"]
    connection.close()
    return found if answer.status == 200 else (NOT_THERE, found[1])


def edition(server: Server) -> str:
    """Find the hash in the addresses of a page's script and style sheet."""
    page, policy = get(server, "")
    assert policy == "no-cache"
    assert '<a href="js.html">' in page
    style, script = NAMED.findall(page)
    assert style == script
    return str(script)


def test_a_file_that_a_page_names_is_served_and_cached_for_ever(server: Server) -> None:
    name = edition(server)
    assert get(server, f"js-{name}/a.js") == ("export {};", FOR_EVER)
    assert get(server, f"js-{name}/b/b.js") == ("0;", FOR_EVER)
    assert get(server, f"css-{name}/a.css") == ("a { top: 0 }", FOR_EVER)
    assert get(server, "js/a.js") == ("export {};", "no-cache")


def test_a_change_in_one_script_changes_the_addresses_of_all_scripts(server: Server, root: Path) -> None:
    first = edition(server)
    assert edition(server) == first
    (root / "js" / "b" / "b.js").write_text("1; // another", encoding="utf-8")
    second = edition(server)
    assert second != first
    assert get(server, f"js-{second}/b/b.js") == ("1; // another", FOR_EVER)


def test_a_file_that_has_changed_is_served_without_caching(server: Server, root: Path) -> None:
    name = edition(server)
    assert get(server, f"css-{'0' * 12}/a.css") == ("a { top: 0 }", "no-cache")
    (root / "js" / "a.js").write_text("export const now = 1;", encoding="utf-8")
    assert get(server, f"js-{name}/a.js") == ("export const now = 1;", "no-cache")
    assert get(server, f"js-{name}/b/b.js") == ("0;", FOR_EVER)


@pytest.mark.parametrize(
    "path",
    ["js-{}/../secret.txt", "js-{}/%2e%2e/secret.txt", "js-{}", "js-{}/", "other-{}/a.js", "js-{}0/a.js"],
)
def test_an_address_with_a_hash_cannot_leave_its_folder(server: Server, path: str) -> None:
    assert get(server, path.format(edition(server)))[0] == NOT_THERE


def test_a_folder_whose_name_looks_like_a_hash_is_served(server: Server, root: Path) -> None:
    kept = root / "js-0123456789ab"
    kept.mkdir()
    (kept / "a.js").write_text("old;", encoding="utf-8")
    assert get(server, "js-0123456789ab/a.js")[0] == "old;"


def test_the_hash_depends_only_on_names_and_contents(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("copy")
    for path in (path for path in sorted(root.rglob("*")) if path.is_file()):
        (copy / path.relative_to(root)).parent.mkdir(parents=True, exist_ok=True)
        (copy / path.relative_to(root)).write_bytes(path.read_bytes())
    assert Editions(copy).newest() == Editions(root).newest()
    (copy / "js" / "a.js").rename(copy / "js" / "c.js")
    assert Editions(copy).newest().name != Editions(root).newest().name
