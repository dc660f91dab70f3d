"""Send requests to the development server. `FILES` are the files that it serves."""

from __future__ import annotations

import http.client
import socket

from tests.patience import PATIENCE_S
from tools.served_files import POLICY
from tools.server import Server

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


class Answer:
    """The status, the headers and the body of a response."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


def ask(server: Server, target: str, *, method: str = "GET", **headers: str) -> Answer:
    """Send a request with exactly the given target. (Most libraries would change `/a/../b` to `/b`.)"""
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


SECURITY = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
