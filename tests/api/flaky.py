"""A network that loses things: passes bytes to a server, and hangs up in the middle of some of the answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self
from urllib.parse import urlsplit


class Flaky:
    """A proxy on a port of its own. `lose(n)` says of the n-th answer, or piece of a stream, whether it gets lost."""

    def __init__(self, address: str, lose: Callable[[int], bool]) -> None:
        self._far = (urlsplit(address).hostname, urlsplit(address).port)
        self._lose = lose
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.answers = 0
        self.lost = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(self._far) as far:
            there = threading.Thread(target=self._there, args=(near, far), daemon=True)
            there.start()
            while piece := far.recv(1 << 16):
                with self._lock:
                    self.answers += 1
                    lost = self._lose(self.answers)
                    self.lost += lost
                if lost:
                    near.sendall(piece[: len(piece) // 2])
                    break
                near.sendall(piece)
            for end in (near, far):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            there.join()

    def _there(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while piece := near.recv(1 << 16):
                far.sendall(piece)
            far.shutdown(socket.SHUT_WR)
