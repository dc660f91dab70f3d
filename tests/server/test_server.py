"""Tests of the development server: files, hosts, headers and refusals."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tools.bootstrap import SetupError
from tools.missing import missing_page
from tools.pages import TEXTS, read_words
from tools.served_files import POLICY, Content, Library, accepts
from tools.server import Server, cache_policy, host_is_allowed, matches, open_server, start

SECRET = "never served"
LONG_TEXT = "export const answer = 42;\n" * 100

FILES = {
    "index.html": "<!doctype html><title>front</title>",
    "js/main.mjs": "export {};",
    "js/main.js": LONG_TEXT,
    "css/page.css": "body { margin: 0 }",
    "build/manifest.json": "{}",
    "build/python-0123456789ab.zip": "zip",
    "build/eglantine-0.1.0-py3-none-any.whl": "wheel",
    "build/x.wasm": "\0asm",
    "icons/icon.svg": "<svg/>",
    "app.webmanifest": "{}",
    "fonts/font.woff2": "font",
    "odd name~1.txt": "spaces are fine",
    ".hidden": SECRET,
    "build/.inputs.json": SECRET,
    ".git/config": SECRET,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    root = folder / "static"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (folder / "secret.txt").write_text(SECRET, encoding="utf-8")
    (folder / "static-sibling").mkdir()
    (folder / "static-sibling" / "secret.txt").write_text(SECRET, encoding="utf-8")
    if hasattr(os, "symlink"):
        (root / "link.txt").symlink_to(folder / "secret.txt")
        (root / "folder").symlink_to(folder, target_is_directory=True)
        (root / "loop.txt").symlink_to(root / "loop.txt")
        (root / "inside.js").symlink_to(root / "js" / "main.js")
    return root


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[Server]:
    running = start(site)
    yield running
    running.close()


class Answer:
    """An answer of the server, with its whole body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


def ask(server: Server, target: str, *, method: str = "GET", **headers: str) -> Answer:
    """Send a request with exactly this target. Most client libraries would normalise it."""
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=PATIENCE_S)
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    sent = {"Host": f"127.0.0.1:{server.server_address[1]}"}
    sent.update({name.replace("_", "-"): value for name, value in headers.items()})
    for name, value in sent.items():
        connection.putheader(name, value)
    connection.endheaders()
    try:
        return Answer(connection.getresponse())
    finally:
        connection.close()


def say(server: Server, request: bytes) -> bytes:
    """Send raw bytes. Return all bytes that the server sends until it closes the connection."""
    with socket.create_connection(server.server_address[:2], timeout=PATIENCE_S) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65536):
            received += part
    return received


def test_the_root_is_the_front_page(server: Server) -> None:
    answer = ask(server, "/")
    assert (answer.status, answer.text) == (200, FILES["index.html"])
    assert ask(server, "/?x=1").text == ask(server, "/index.html?../../secret").text == answer.text


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/js/main.mjs", "text/javascript; charset=utf-8"),
        ("/js/main.js", "text/javascript; charset=utf-8"),
        ("/css/page.css", "text/css; charset=utf-8"),
        ("/build/manifest.json", "application/json"),
        ("/build/x.wasm", "application/wasm"),
        ("/build/python-0123456789ab.zip", "application/zip"),
        ("/build/eglantine-0.1.0-py3-none-any.whl", "application/zip"),
        ("/fonts/font.woff2", "font/woff2"),
        ("/icons/icon.svg", "image/svg+xml"),
        ("/app.webmanifest", "application/manifest+json"),
    ],
)
def test_a_file_has_its_mime_type(server: Server, name: str, mime: str) -> None:
    answer = ask(server, name)
    assert (answer.status, answer.headers["Content-Type"]) == (200, mime)


SECURITY = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@pytest.mark.parametrize("target", ["/", "/js/main.js", "/build/x.wasm", "/missing", "/../secret.txt"])
def test_every_answer_carries_the_security_headers(server: Server, target: str) -> None:
    answer = ask(server, target)
    assert {name: answer.headers[name] for name in SECURITY} == SECURITY


def test_the_policy_allows_our_wasm_and_workers_and_no_inline_script() -> None:
    directives = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert directives["worker-src"] == directives["connect-src"] == directives["style-src"] == "'self'"
    assert directives["frame-ancestors"] == directives["base-uri"] == directives["form-action"] == "'none'"
    assert directives["require-trusted-types-for"] == "'script'"
    assert directives["trusted-types"] == "eglantine"
    assert "unsafe-inline" not in POLICY
    assert "'unsafe-eval'" not in POLICY


def test_only_a_page_with_a_sandboxed_frame_allows_its_script_and_worker(tmp_path: Path) -> None:
    # SHA-256 of "1", in base64.
    digest = "a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s="
    (tmp_path / "plain.html").write_text("<!doctype html><title>plain</title>")
    held = '<meta name="sandbox" content="&lt;!doctype html&gt;&lt;script&gt;1&lt;/script&gt;">'
    (tmp_path / "sandboxed.html").write_text(f"<!doctype html>{held}")
    server = start(tmp_path)
    try:
        assert ask(server, "/plain.html").headers["Content-Security-Policy"] == POLICY
        directives = dict(
            part.split(" ", 1)
            for part in ask(server, "/sandboxed.html").headers["Content-Security-Policy"].split("; ")
        )
    finally:
        server.close()
    plain = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert directives == plain | {
        "script-src": f"'self' 'wasm-unsafe-eval' 'sha256-{digest}'",
        "worker-src": "'self' blob:",
    }


def test_only_what_is_made_for_other_sites_may_be_framed_or_loaded_by_them(tmp_path: Path) -> None:
    for name in ("embed.html", "other.html", "eglantine-plot.js", "other.js"):
        (tmp_path / name).write_text("<!doctype html>")
    server = start(tmp_path)
    try:
        heads = {path.name: ask(server, f"/{path.name}").headers for path in tmp_path.iterdir()}
    finally:
        server.close()
    framed = {name for name, head in heads.items() if "frame-ancestors *" in head["Content-Security-Policy"]}
    assert framed == {"embed.html"}
    shared = {name for name, head in heads.items() if head["Cross-Origin-Resource-Policy"] == "cross-origin"}
    assert shared == {"embed.html", "eglantine-plot.js"}


TRAVERSALS = [
    "/../secret.txt",
    "/../../etc/passwd",
    "/./../secret.txt",
    "/js/../../secret.txt",
    "/js/../index.html",
    "/./index.html",
    "//secret.txt",
    "///etc/passwd",
    "/js//main.js",
    "/%2e%2e/secret.txt",
    "/%2E%2E/secret.txt",
    "/.%2e/secret.txt",
    "/%2e./secret.txt",
    "/..%2fsecret.txt",
    "/..%2Fsecret.txt",
    "/%2e%2e%2fsecret.txt",
    "/%252e%252e/secret.txt",
    "/%252e%252e%252fsecret.txt",
    "/..%252fsecret.txt",
    "/%25252e%25252e/secret.txt",
    "/..\\secret.txt",
    "/js\\main.js",
    "/..%5csecret.txt",
    "/%5c..%5csecret.txt",
    "/..%255csecret.txt",
    "/%c0%ae%c0%ae/secret.txt",
    "/%c0%ae%c0%ae%c0%afsecret.txt",
    "/%e0%80%ae%e0%80%ae/secret.txt",
    "/%uff0e%uff0e/secret.txt",
    "/\uff0e\uff0e/secret.txt".encode().decode("latin-1"),
    "/index.html%00",
    "/index.html%00.js",
    "/%00/secret.txt",
    "/index.html%0a",
    "/index.html%0d%0aX-Injected:%201",
    "/index.html%09",
    "/index.html%7f",
    "/C:/Windows/win.ini",
    "/c%3a/Windows/win.ini",
    "/C:secret.txt",
    "/index.html::$DATA",
    "/index.html%3a%3a$DATA",
    "/index.html.",
    "/index.html%20",
    "/index.html/",
    "/index.html/.",
    "/js",
    "/js/",
    "/js/.",
    "/build/",
    "/.hidden",
    "/%2ehidden",
    "/.git/config",
    "/build/.inputs.json",
    "/link.txt",
    "/folder/secret.txt",
    "/folder/static-sibling/secret.txt",
    "/loop.txt",
    "/../static-sibling/secret.txt",
    "/..;/secret.txt",
    "/~root/.bashrc",
    "/$HOME/.bashrc",
    "/%3f/../secret.txt",
    "/;/secret.txt",
    "/CON",
    "/nul.txt",
    "/file:///etc/passwd",
    "/" + "../" * 40 + "etc/passwd",
    "/" + "a/" * 400 + "b",
    "/" + "a" * 5000,
    "/%",
    "/%zz",
    "/%ff%fe",
]


@pytest.mark.parametrize("target", TRAVERSALS)
def test_nothing_outside_the_folder_or_by_another_name_is_served(server: Server, target: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = say(server, request.encode("latin-1"))
    status = answer.split(b" ", 2)[1]
    assert status == b"404", answer[:200]
    assert SECRET.encode() not in answer
    assert b"X-Injected" not in answer


@pytest.mark.parametrize(
    "target", ["http://evil.example/", "http://localhost/index.html", "index.html", "*", "\\"]
)
def test_a_target_that_is_no_path_is_not_found(server: Server, target: str) -> None:
    assert ask(server, target).status == 404


def test_a_link_inside_the_folder_is_followed(server: Server) -> None:
    assert ask(server, "/inside.js").text == LONG_TEXT


def test_a_name_with_spaces_and_a_tilde_is_served(server: Server) -> None:
    assert ask(server, "/odd%20name~1.txt").text == FILES["odd name~1.txt"]


def test_a_missing_file_is_a_short_text(server: Server) -> None:
    answer = ask(server, "/missing.html")
    assert (answer.status, answer.headers["Content-Type"]) == (404, "text/plain; charset=utf-8")
    assert answer.text == "404 Not Found. There is no such file.\n"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:80"]
)
def test_the_machines_own_names_are_answered(server: Server, host: str) -> None:
    assert ask(server, "/", Host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example#localhost",
        "localhost@evil.example",
        "evil.example:80@localhost",
        "user@localhost",
        "localhost.",
        "localhost:",
        "localhost:port",
        "localhost:80:80",
        "localhost/",
        "localhost evil.example",
        "localhost,evil.example",
        "127.0.0.2",
        "127.1",
        "0.0.0.0",
        "2130706433",
        "0x7f000001",
        "192.168.0.1",
        "[::]",
        "[::ffff:127.0.0.1]",
        "::1",
        "[::1",
        "*",
    ],
)
def test_a_foreign_host_is_forbidden(server: Server, host: str) -> None:
    answer = ask(server, "/", Host=host)
    assert answer.status == 403
    assert FILES["index.html"] not in answer.text


def test_no_host_and_two_hosts_are_forbidden(server: Server) -> None:
    assert b" 403 " in say(server, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").split(b"\r\n")[0]
    two = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert b" 403 " in say(server, two).split(b"\r\n")[0]


def test_the_address_that_was_asked_for_is_allowed_too() -> None:
    assert host_is_allowed("192.168.0.7:8000", "192.168.0.7")
    assert host_is_allowed("[fe80::1]:8000", "fe80::1")
    assert not host_is_allowed("192.168.0.8:8000", "192.168.0.7")


def test_listening_everywhere_allows_numeric_addresses_but_no_names() -> None:
    assert host_is_allowed("192.168.0.7:8000", "0.0.0.0")
    assert host_is_allowed("[fe80::1]", "::")
    assert not host_is_allowed("evil.example", "0.0.0.0")


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "get"]
)
def test_other_methods_are_not_allowed(server: Server, method: str) -> None:
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


def test_a_changed_file_has_another_tag_at_once(tmp_path: Path) -> None:
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


def test_a_tag_matches_as_the_rfc_says() -> None:
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


def test_a_compressed_file_is_sent_as_it_is(server: Server) -> None:
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


def test_an_address_whose_query_is_the_contents_hash_is_immutable(server: Server) -> None:
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


def test_a_body_is_never_taken_for_the_next_request(server: Server) -> None:
    hidden = b"GET /js/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for framing in (f"Content-Length: {len(hidden)}", "Transfer-Encoding: chunked"):
        request = f"GET / HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n".encode() + hidden
        assert say(server, request).count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    "request_line", [b"\x16\x03\x01\x02", b"GET", b"GET / HTTP/9.9", b"GET / FTP/1.0", b"A" * 70000]
)
def test_a_malformed_request_leaks_nothing_and_the_server_goes_on(
    server: Server, request_line: bytes
) -> None:
    try:
        answer = say(server, request_line + b"\r\n\r\n")
    except ConnectionError:  # the server may close before the client has sent everything
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


def test_an_impossible_port_or_address_is_an_error_with_a_sentence(site: Path) -> None:
    with pytest.raises(SetupError, match=r"Port 99999 does not exist. Choose one from 1 to 65535"):
        open_server(site, "127.0.0.1", 99999)
    with pytest.raises(SetupError, match=r"Cannot listen on 203.0.113.1 .*--host"):
        open_server(site, "203.0.113.1", 0)


def test_the_url_is_one_that_this_machine_can_open(server: Server) -> None:
    assert server.url == f"http://127.0.0.1:{server.server_address[1]}/"


def test_an_empty_folder_has_no_front_page(tmp_path: Path) -> None:
    assert Library(tmp_path).find("/") is None


# ---------------------------------------------------------------- addresses without a suffix or a page

BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture
def with_pages(tmp_path: Path) -> Iterator[Server]:
    """A site with a page, a folder with the same name as another page, and a page for missing addresses."""
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


def test_a_browser_asking_for_a_missing_page_gets_one_with_a_way_back(
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


def test_a_missing_file_that_a_script_asks_for_is_a_short_text(with_pages: Server) -> None:
    answer = ask(with_pages, "/build/x.json", Accept="*/*")
    assert (answer.status, answer.text) == (404, "404 Not Found. There is no such file.\n")


def test_head_of_a_missing_page_has_no_body(with_pages: Server) -> None:
    get, head = (ask(with_pages, "/x", method=method, Accept=BROWSER) for method in ("GET", "HEAD"))
    assert (head.status, head.body) == (404, b"")
    assert head.headers["Content-Length"] == str(len(get.body))
