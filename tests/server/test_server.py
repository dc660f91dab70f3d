"""Tests of the development server: files, hosts, headers and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.asking import FILES, LONG_TEXT, SECRET, SECURITY, ask, say
from tools.served_files import POLICY
from tools.server import Server, host_is_allowed, start


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


def test_other_sites_may_load_only_files_that_are_made_for_them(tmp_path: Path) -> None:
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
def test_nothing_is_served_from_outside_the_folder(server: Server, target: str) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    answer = say(server, request.encode("latin-1"))
    status = answer.split(b" ", 2)[1]
    assert status == b"404", answer[:200]
    assert SECRET.encode() not in answer
    assert b"X-Injected" not in answer


@pytest.mark.parametrize(
    "target", ["http://evil.example/", "http://localhost/index.html", "index.html", "*", "\\"]
)
def test_a_target_that_is_not_a_path_is_not_found(server: Server, target: str) -> None:
    assert ask(server, target).status == 404


def test_a_link_inside_the_folder_is_followed(server: Server) -> None:
    assert ask(server, "/inside.js").text == LONG_TEXT


def test_a_name_with_spaces_and_a_tilde_is_served(server: Server) -> None:
    assert ask(server, "/odd%20name~1.txt").text == FILES["odd name~1.txt"]


def test_the_answer_for_a_missing_file_is_a_short_text(server: Server) -> None:
    answer = ask(server, "/missing.html")
    assert (answer.status, answer.headers["Content-Type"]) == (404, "text/plain; charset=utf-8")
    assert answer.text == "404 Not Found. There is no such file.\n"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:80"]
)
def test_requests_to_the_names_of_this_machine_are_answered(server: Server, host: str) -> None:
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


def test_requests_with_no_host_or_two_hosts_are_forbidden(server: Server) -> None:
    assert b" 403 " in say(server, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").split(b"\r\n")[0]
    two = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert b" 403 " in say(server, two).split(b"\r\n")[0]


def test_requests_to_the_servers_address_are_allowed() -> None:
    assert host_is_allowed("192.168.0.7:8000", "192.168.0.7")
    assert host_is_allowed("[fe80::1]:8000", "fe80::1")
    assert not host_is_allowed("192.168.0.8:8000", "192.168.0.7")


def test_a_server_on_all_addresses_allows_numeric_hosts_but_no_names() -> None:
    assert host_is_allowed("192.168.0.7:8000", "0.0.0.0")
    assert host_is_allowed("[fe80::1]", "::")
    assert not host_is_allowed("evil.example", "0.0.0.0")
