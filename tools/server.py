"""The development server, which serves the files of a folder with security headers.

`start(root, port=0)` runs a server in a thread, for tests. `serve.py` uses `open_server`.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import socket
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from tools.bootstrap import SetupError
from tools.embed import EMBED
from tools.files import BUILD, HASH_DIGITS
from tools.missing import MISSING, policy_in
from tools.served_files import HASHED_NAME, MIME_TYPES, POLICY, UNKNOWN_TYPE, Content, Library

SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

FOR_ALL = frozenset({EMBED, "eglantine-plot.js"})
"""Files that pages of other origins may use."""

LOCAL_HOSTS = frozenset({"127.0.0.1", "[::1]", "localhost"})
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 – compared with, not bound to
HOST_HEADER = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?")

PAGE = re.compile(r"(/|\.html|/[^/.?]+)(\?|$)")
"""The pattern of the end of a request's target, if the request asks for a page."""

ONE_YEAR = 31_536_000
FOR_EVER = f"public, max-age={ONE_YEAR}, immutable"
IDLE_SECONDS = 30
"""The time in seconds after which a connection without a request is closed."""


def host_is_allowed(header: str | None, bound: str) -> bool:
    """True if a Host header names this machine.

    Requests with other names are refused, because they may be attacks by DNS rebinding. In such an attack,
    the attacker's domain points to this machine, so that the attacker's page can read our answers. The attack
    does not work with a numeric address. So numeric addresses are allowed if the server listens on all
    addresses.
    """
    match = HOST_HEADER.fullmatch(header or "")
    if match is None:
        return False
    host = match[1].lower()
    if host in LOCAL_HOSTS or host in {bound.lower(), f"[{bound.lower()}]"}:
        return True
    return bound in EVERY_ADDRESS and is_address(host.strip("[]"))


def is_address(text: str) -> bool:
    """True if a host is written as an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of a connection. It sends files for GET and HEAD, and refuses other methods."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True
    server: Server

    def version_string(self) -> str:
        """Return the Server header. It contains no version, because a version could help attackers."""
        return "eglantine"

    def do_GET(self) -> None:
        """Send the requested file, or a sentence with the reason for refusing the request."""
        self._answer()

    def do_HEAD(self) -> None:
        """Answer as GET does, without the body."""
        self._answer()

    def __getattr__(self, name: str) -> object:
        """Return the method that refuses a request, for HTTP methods other than GET and HEAD."""
        if name.startswith("do_"):
            return self._refuse_method
        raise AttributeError(name)

    def _answer(self) -> None:
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or not host_is_allowed(hosts[0], self.server.bound):
            self._say(HTTPStatus.FORBIDDEN, "This server answers only to the names of its own machine.")
            return
        if PAGE.search(self.path):
            self.server.refresh()
            self.server.library.refresh()
        path = self.server.library.find(self.path)
        try:
            content = None if path is None else self.server.library.read(path)
        except OSError:
            content = None
        if path is None or content is None:
            self._miss()
        else:
            self._send_file(path, content)

    def _miss(self) -> None:
        """Answer that the file does not exist. If the client accepts HTML, send the page 404.html."""
        library = self.server.library
        page = library.find(f"/{MISSING}") if "text/html" in self.headers.get("Accept", "") else None
        if page is None:
            self._say(HTTPStatus.NOT_FOUND, "There is no such file.")
            return
        body = library.read(page).plain
        headers = {
            "Content-Type": MIME_TYPES[".html"],
            "Content-Length": str(len(body)),
            "Content-Security-Policy": f"{policy_in(body.decode())}; frame-ancestors 'none'",
            "Cache-Control": "no-store",
        }
        self._send(HTTPStatus.NOT_FOUND, headers, body)

    def _send_file(self, path: Path, content: Content) -> None:
        body, coding = content.coded(self.headers.get("Accept-Encoding", ""))
        tag = f'"{content.digest[:32]}{coding and f"-{coding}"}"'
        unchanged = matches(self.headers.get("If-None-Match", ""), tag)
        headers = {
            "ETag": tag,
            "Cache-Control": FOR_EVER
            if self.server.library.is_named(path, self.path, content)
            else cache_policy(path, self.path, content),
            "Content-Security-Policy": content.policy,
            "Vary": "Accept-Encoding",
        }
        if unchanged:
            self._send(HTTPStatus.NOT_MODIFIED, headers, b"")
            return
        if path.name in FOR_ALL:
            headers |= {"Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*"}
        headers["Content-Type"] = MIME_TYPES.get(path.suffix, UNKNOWN_TYPE)
        headers["Content-Length"] = str(len(body))
        if coding:
            headers["Content-Encoding"] = coding
        self._send(HTTPStatus.OK, headers, body)

    def _refuse_method(self) -> None:
        self._say(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered.", Allow="GET, HEAD")

    def _say(self, status: HTTPStatus, sentence: str, **headers: str) -> None:
        """Send a sentence and close the connection, without reading the rest of the request."""
        self.close_connection = True
        body = f"{status.value} {status.phrase}. {sentence}\n".encode()
        plain = {
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        self._send(status, {**plain, "Cache-Control": "no-store", **headers}, body)

    def _send(self, status: HTTPStatus, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**SECURITY_HEADERS, **headers}.items():
            self.send_header(name, value)
        if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # otherwise, the unread body would look like a request
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Answer an invalid request with plain text. (The base class would send HTML.)"""
        status = HTTPStatus(code)
        body = f"{status.value} {status.phrase}.\n".encode()
        self.close_connection = True
        self.send_response(status)
        for name, value in SECURITY_HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing. The browser's network panel shows all requests."""


def matches(header: str, tag: str) -> bool:
    """True if an If-None-Match header contains `tag`, W/`tag` or `*` (RFC 9110, section 13.1.2)."""
    names = {name.strip().removeprefix("W/") for name in header.split(",")}
    return tag in names or "*" in names


def cache_policy(path: Path, target: str, content: Content) -> str:
    """Return the Cache-Control header. If the address contains a hash, allow caching for ever."""
    query = target.partition("?")[2]
    is_named = path.parent.name == BUILD.name and HASHED_NAME.fullmatch(path.name)
    if is_named or (len(query) == HASH_DIGITS and content.digest.startswith(query)):
        return FOR_EVER
    return "no-cache"


class Server(ThreadingHTTPServer):
    """A server of one folder. `close` ends it."""

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = os.name != "nt"  # on Windows, True would allow two servers on one port
    library: Library
    bound: str
    refresh: Callable[[], None]
    _families: ClassVar = {True: socket.AF_INET6, False: socket.AF_INET}

    def __init__(self, root: Path, host: str, port: int, refresh: Callable[[], None]) -> None:
        self.library = Library(root)
        self.refresh = refresh
        self.bound = host
        self.address_family = self._families[":" in host]
        super().__init__((host, port), Handler)

    @property
    def url(self) -> str:
        """Return the address that a browser on this machine must open."""
        shown = "127.0.0.1" if self.bound in EVERY_ADDRESS else self.bound
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.server_address[1]}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors. They occur when a client closes the connection during an answer."""

    def close(self) -> None:
        """Stop serving and free the port."""
        self.shutdown()
        self.server_close()


def start(root: Path, *, host: str = "127.0.0.1", port: int = 0) -> Server:
    """Serve a folder in a background thread. If the port is 0, the system chooses a free port.

    Raises:
        SetupError: the port is taken, or the address is not this machine's.
    """
    server = open_server(root, host, port)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


def open_server(root: Path, host: str, port: int, refresh: Callable[[], None] = lambda: None) -> Server:
    """Open a server that listens on a port. To answer requests, call its method `serve_forever`.

    refresh: a function that updates the pages. The server calls it before it sends a page.

    Raises:
        SetupError: the port is taken, or the address is not this machine's.
    """
    try:
        return Server(root, host, port, refresh)
    except OverflowError as error:
        raise SetupError(f"Port {port} does not exist. Choose one from 1 to 65535 with --port.") from error
    except OSError as error:
        if error.errno in {errno.EADDRINUSE, errno.EACCES}:
            reason = (
                "is taken by another program"
                if error.errno == errno.EADDRINUSE
                else "is not open to this user"
            )
            raise SetupError(f"Port {port} {reason}. Choose another, such as --port {port + 80}.") from error
        raise SetupError(
            f"Cannot listen on {host} ({error.strerror}). Leave --host out, or give this machine's address."
        ) from error
