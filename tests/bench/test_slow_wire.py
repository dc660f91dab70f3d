"""The simulated slow network delivers every byte. Its connections share the stated speed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bench.slow_wire import Wire, slowed

ANSWER = bytes(range(256)) * 400
WIRE = Wire(latency_s=0.1, bytes_per_s=500_000)


@pytest.fixture
def port() -> Iterator[int]:
    """Run a server that answers every request with the same bytes. Yield its port."""

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(100)
                connection.sendall(ANSWER)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield int(listener.getsockname()[1])


def fetched(port: int) -> bytes:
    """The bytes of the server's answer."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"please")
        found = b""
        while piece := connection.recv(65_536):
            found += piece
        return found


def test_two_answers_share_the_speed_and_arrive_complete(port: int) -> None:
    with slowed(port, WIRE) as slow, ThreadPoolExecutor() as pool:
        start = time.monotonic()
        answers = list(pool.map(fetched, [slow, slow]))
        took = time.monotonic() - start
    assert answers == [ANSWER, ANSWER]
    assert took >= WIRE.latency_s + 2 * len(ANSWER) / WIRE.bytes_per_s
