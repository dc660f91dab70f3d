"""Tests of the development server: methods, caches, compression, connections and error pages."""

from __future__ import annotations

import gzip
import hashlib
import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.server.asking import LONG_TEXT, SECRET, SECURITY, ask, say
from tools.bootstrap import SetupError
from tools.missing import missing_page
from tools.pages import TEXTS, read_words
from tools.served_files import Content, Library, accepts
from tools.server import Server, cache_policy, matches, open_server, start


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "get"]
)
def test_methods_other_than_get_and_head_are_not_allowed(server: Server, method: str) -> None:
    answer = ask(server, "/", method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("target", ["/", "/js/main.js", "/missing"])
def test_head_has_the_headers_of_get_and_no_body(server: Server, target: str) -> None:
    get, head = ask(server, target), ask(server, target, method="HEAD")
    assert head.body == b""
    assert head.status == get.status
    names = ("Content-Length", "Content-Type", "ETag", "Cache-Control")
    assert [head.headers[name] for name in names] == [get.headers[name] for name in names]


def test_an_unchanged_file_is_not_sent_again(server: Server) -> None:
    tag = ask(server, "/js/main.js").headers["ETag"]
    again = ask(server, "/js/main.js", If_None_Match=tag)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    assert ask(server, "/js/main.js", If_None_Match=f'"other", W/{tag}').status == 304
    assert ask(server, "/js/main.js", If_None_Match='"other"').status == 200


def test_a_changed_file_has_another_etag_at_once(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("one", encoding="utf-8")
    server = start(tmp_path)
    try:
        first = ask(server, "/")
        page.write_text("two!", encoding="utf-8")
        second = ask(server, "/", If_None_Match=first.headers["ETag"])
        assert (second.status, second.text) == (200, "two!")
        page.unlink()
        assert ask(server, "/").status == 404
    finally:
        server.close()


def test_an_etag_matches_as_the_rfc_says() -> None:
    assert matches('"a"', '"a"')
    assert matches('W/"a"', '"a"')
    assert matches('"b" , "a"', '"a"')
    assert matches("*", '"a"')
    assert not matches("", '"a"')
    assert not matches('"ab"', '"a"')


def test_text_and_wasm_are_gzipped_for_clients_that_accept_it(server: Server) -> None:
    plain = ask(server, "/js/main.js")
    packed = ask(server, "/js/main.js", Accept_Encoding="gzip, br")
    assert plain.headers["Content-Encoding"] is None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body).decode() == plain.text == LONG_TEXT
    assert int(packed.headers["Content-Length"]) == len(packed.body) < len(plain.body)
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


def test_a_compressed_file_is_not_compressed_again(server: Server) -> None:
    answer = ask(server, "/build/python-0123456789ab.zip", Accept_Encoding="gzip")
    assert (answer.headers["Content-Encoding"], answer.text) == (None, "zip")


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("br, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("identity", False),
        ("xgzip", False),
    ],
)
def test_accept_encoding_is_read_as_the_rfc_says(header: str, accepted: bool) -> None:
    assert accepts(header, "gzip") is accepted


def test_only_names_with_a_content_hash_are_immutable(server: Server) -> None:
    hashed = ask(server, "/build/python-0123456789ab.zip").headers["Cache-Control"]
    assert hashed == "public, max-age=31536000, immutable"
    for target in ("/", "/js/main.js", "/build/manifest.json", "/build/eglantine-0.1.0-py3-none-any.whl"):
        assert ask(server, target).headers["Cache-Control"] == "no-cache"
    outside = Path("vendor/python-0123456789ab.zip")
    assert cache_policy(outside, "/", Content(b"", None, "0123456789ab")) == "no-cache"
    assert ask(server, "/missing").headers["Cache-Control"] == "no-store"


def test_an_address_with_the_hash_of_the_content_is_immutable(server: Server) -> None:
    digest = hashlib.sha256(ask(server, "/js/main.js").body).hexdigest()
    for query, is_immutable in ((digest[:12], True), (digest[:11], False), ("0" * 12, False), ("", False)):
        policy = ask(server, f"/js/main.js?{query}").headers["Cache-Control"]
        assert (policy == "public, max-age=31536000, immutable") is is_immutable


def test_one_connection_serves_many_requests(server: Server) -> None:
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=PATIENCE_S)
    for _ in range(3):
        connection.request("GET", "/js/main.js")
        assert connection.getresponse().read().decode() == LONG_TEXT
    connection.close()


def test_a_request_body_is_not_read_as_the_next_request(server: Server) -> None:
    hidden = b"GET /js/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for framing in (f"Content-Length: {len(hidden)}", "Transfer-Encoding: chunked"):
        request = f"GET / HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n".encode() + hidden
        assert say(server, request).count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "request_line", [b"\x16\x03\x01\x02", b"GET", b"GET / HTTP/9.9", b"GET / FTP/1.0", b"A" * 70000]
)
def test_after_a_malformed_request_the_server_goes_on(server: Server, request_line: bytes) -> None:
    try:
        answer = say(server, request_line + b"\r\n\r\n")
    except ConnectionError:  # the server may close the connection before the request is complete
        answer = b""
    assert b"200 OK" not in answer
    assert SECRET.encode() not in answer
    assert ask(server, "/").status == 200


def test_the_server_header_names_no_version(server: Server) -> None:
    assert ask(server, "/").headers["Server"] == "eglantine"


def test_a_taken_port_is_an_error_that_names_the_option(server: Server, site: Path) -> None:
    port = server.server_address[1]
    with pytest.raises(SetupError, match=rf"Port {port} is taken by another program\. .*--port") as caught:
        open_server(site, "127.0.0.1", port)
    assert "\n" not in str(caught.value)


def test_an_impossible_port_or_address_is_an_error_with_a_message(site: Path) -> None:
    with pytest.raises(SetupError, match=r"Port 99999 does not exist. Choose one from 1 to 65535"):
        open_server(site, "127.0.0.1", 99999)
    with pytest.raises(SetupError, match=r"Cannot listen on 203.0.113.1 .*--host"):
        open_server(site, "203.0.113.1", 0)


def test_this_machine_can_open_the_printed_url(server: Server) -> None:
    assert server.url == f"http://127.0.0.1:{server.server_address[1]}/"


def test_an_empty_folder_has_no_front_page(tmp_path: Path) -> None:
    assert Library(tmp_path).find("/") is None


# ---------------------------------------------------------------- addresses without .html, and missing pages

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture
def with_pages(tmp_path: Path) -> Iterator[Server]:
    """Serve three pages: an ordinary page, a page with the name of a folder, and a "not found" page."""
    (tmp_path / "quadratic.html").write_text("<title>quadratic</title>", encoding="utf-8")
    (tmp_path / "js").mkdir()
    (tmp_path / "js.html").write_text("never: a folder has the name", encoding="utf-8")
    (tmp_path / "404.html").write_text(missing_page(read_words(TEXTS), ["tape"], home="/"), encoding="utf-8")
    running = start(tmp_path)
    yield running
    running.close()


def test_a_page_is_found_without_its_suffix(with_pages: Server) -> None:
    for target in ("/quadratic", "/quadratic?x=1", "/quadratic.html"):
        answer = ask(with_pages, target)
        assert (answer.status, answer.text) == (200, "<title>quadratic</title>")
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    for target in ("/quadratic/", "/js", "/quadrati", "/.quadratic"):
        assert ask(with_pages, target).status == 404


def test_for_a_missing_page_a_browser_gets_a_page_with_a_link_back(
    with_pages: Server,
) -> None:
    answer = ask(with_pages, "/a/b/quadratik", Accept=BROWSER)
    assert (answer.status, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-store"
    assert '<a href="/">' in answer.text
    assert '<a href="/tape.html">' in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'; style-src 'sha256-" in policy
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy
    others = SECURITY.keys() - {"Content-Security-Policy"}
    assert {name: answer.headers[name] for name in others} == {name: SECURITY[name] for name in others}


def test_for_a_missing_file_a_script_gets_a_short_text(with_pages: Server) -> None:
    answer = ask(with_pages, "/build/x.json", Accept="*/*")
    assert (answer.status, answer.text) == (404, "404 Not Found. There is no such file.\n")


def test_head_of_a_missing_page_has_no_body(with_pages: Server) -> None:
    get, head = (ask(with_pages, "/x", method=method, Accept=BROWSER) for method in ("GET", "HEAD"))
    assert (head.status, head.body) == (404, b"")
    assert head.headers["Content-Length"] == str(len(get.body))
