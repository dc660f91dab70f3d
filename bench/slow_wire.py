"""Simulate a slow network: delay each request to a server, and limit the total bandwidth of the answers.

Chromium can slow down the requests of a page, but not those of its workers. On our pages, workers fetch most
of the bytes.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

PIECE = 4096
"""The largest number of bytes that are passed on at a time."""


@dataclass(frozen=True)
class Wire:
    """The properties of a network."""

    latency_s: float
    bytes_per_s: float


SLOW_4G = Wire(latency_s=0.150, bytes_per_s=1.6e6 / 8)
"""Lighthouse's "slow 4G"."""


class Bucket:
    """Limits the total bandwidth of all connections."""

    def __init__(self, bytes_per_s: float) -> None:
        self._rate = bytes_per_s
        self._free_at = 0.0
        self._lock = threading.Lock()

    def pass_through(self, count: int) -> None:
        """Wait until a wire of this bandwidth would have sent all earlier bytes and `count` more."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic()) + count / self._rate
            wait = self._free_at - time.monotonic()
        time.sleep(max(0.0, wait))


@contextmanager
def slowed(port: int, wire: Wire) -> Iterator[int]:
    """Open a new port, and forward its requests to `port` with the wire's delay and bandwidth."""
    bucket = Bucket(wire.bytes_per_s)
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        threading.Thread(target=accept, args=(listener, port, wire, bucket), daemon=True).start()
        yield int(listener.getsockname()[1])


def accept(listener: socket.socket, port: int, wire: Wire, bucket: Bucket) -> None:
    """Accept connections until the listener is closed."""
    with suppress(OSError):
        while True:
            near, _ = listener.accept()
            far = socket.create_connection(("127.0.0.1", port))
            threading.Thread(target=ask, args=(near, far, wire), daemon=True).start()
            threading.Thread(target=answer, args=(far, near, bucket), daemon=True).start()


def ask(near: socket.socket, far: socket.socket, wire: Wire) -> None:
    """Hand requests over, each with a delay."""
    with suppress(OSError):
        while piece := near.recv(PIECE):
            time.sleep(wire.latency_s)
            far.sendall(piece)
    with suppress(OSError):
        far.shutdown(socket.SHUT_WR)


def answer(far: socket.socket, near: socket.socket, bucket: Bucket) -> None:
    """Pass the server's answers to the browser, as fast as the bandwidth allows. Then end the connection."""
    with near, far:
        with suppress(OSError):
            while piece := far.recv(PIECE):
                bucket.pass_through(len(piece))
                near.sendall(piece)
        with suppress(OSError):
            # `close` alone does not end the connection while the thread of `ask` waits in `recv`
            near.shutdown(socket.SHUT_RDWR)
