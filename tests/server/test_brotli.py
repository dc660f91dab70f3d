"""The server sends the build's Brotli copies to clients that accept Brotli."""

from __future__ import annotations

import gzip
import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.building import built
from tests.patience import PATIENCE_S
from tools.files import BUILD
from tools.node import find_node
from tools.server import Server, start

COPIES = {
    "build/engine-0123456789ab.wasm": b"\0asm plain",
    "build/engine-0123456789ab.wasm.br": b"of brotli",
    "build/other-0123456789ab.wasm": b"\0asm other",
    "build/manifest.json": b"{}",
    "build/manifest.json.br": b"of something before",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    for name, content in COPIES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    running = start(tmp_path)
    yield running
    running.close()


def ask(server: Server, name: str, accepted: str, tag: str = "") -> tuple[int, bytes, dict[str, str]]:
    """Send a request with Accept-Encoding and If-None-Match headers. Return status, body and headers."""
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=PATIENCE_S)
    connection.request("GET", f"/{name}", headers={"Accept-Encoding": accepted, "If-None-Match": tag})
    answer = connection.getresponse()
    found = answer.status, answer.read(), dict(answer.getheaders())
    connection.close()
    return found


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "br;q=0.5", "*"])
def test_a_client_that_accepts_brotli_gets_the_compressed_copy(server: Server, accepted: str) -> None:
    _, body, headers = ask(server, "build/engine-0123456789ab.wasm", accepted)
    assert (body, headers["Content-Encoding"], headers["Vary"]) == (b"of brotli", "br", "Accept-Encoding")
    assert headers["Content-Type"] == "application/wasm"
    assert ask(server, "build/engine-0123456789ab.wasm", accepted, headers["ETag"])[0] == 304
    assert ask(server, "build/engine-0123456789ab.wasm", "identity", headers["ETag"])[0] == 200


@pytest.mark.parametrize(
    ("name", "accepted"),
    [
        ("build/engine-0123456789ab.wasm", "gzip;q=0, br;q=0"),
        ("build/engine-0123456789ab.wasm", ""),
        ("build/other-0123456789ab.wasm", "br"),
        ("build/manifest.json", "br"),
    ],
    ids=["refused", "nothing accepted", "no copy", "a name that does not say what is in it"],
)
def test_a_client_that_does_not_accept_brotli_gets_the_file(server: Server, name: str, accepted: str) -> None:
    _, body, headers = ask(server, name, accepted)
    assert body == COPIES[name]
    assert "Content-Encoding" not in headers


def test_brotli_copies_are_a_tenth_smaller_than_gzip_with_equal_content(tmp_path: Path) -> None:
    manifest = built()
    unpack = tmp_path / "unpack.mjs"
    unpack.write_text(
        'import { readFileSync, writeFileSync } from "node:fs";\n'
        'import { brotliDecompressSync } from "node:zlib";\n'
        "for (const [copy, target] of JSON.parse(process.argv[2]))\n"
        "  writeFileSync(target, brotliDecompressSync(readFileSync(copy)));\n"
    )
    names = [manifest[key] for key in ("engine", "engineScript", "snapshot")]
    jobs = [(f"{BUILD / name}.br", str(tmp_path / name)) for name in names]
    done = find_node().run([unpack, json.dumps(jobs)])
    assert done.returncode == 0, done.stderr
    for name in names:
        content = (BUILD / name).read_bytes()
        zipped = content if name.endswith(".bin") else gzip.compress(content, 9)
        assert (tmp_path / name).read_bytes() == (gzip.decompress(content) if zipped is content else content)
        assert Path(f"{BUILD / name}.br").stat().st_size < 0.9 * len(zipped)
