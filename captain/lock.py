"""One instance per data folder: a lock that lives exactly as long as the processes that use the folder."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

_PATIENCE_LIVE = 1.0  # seconds for an instance that is just stopping
_PATIENCE_DEAD = 10.0  # seconds for the server of a killed instance to notice and exit


class FolderInUse(Exception):
    """Another process holds the data folder; the text says which and what to do."""


class FolderLock:
    """An flock on `folder/lock`; a child that inherits `fd` holds it too, so an orphan is seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "lock"
        self.fd = -1

    def acquire(self) -> None:
        """Take the lock; waits a little for a holder that is about to exit; raises FolderInUse."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        began = time.monotonic()
        while not _try(fd):
            owner, store = self._holders()
            alive = _alive(owner)
            if time.monotonic() - began > (_PATIENCE_LIVE if alive else _PATIENCE_DEAD):
                os.close(fd)
                raise FolderInUse(self._message(owner, store, alive))
            time.sleep(0.05)
        self.fd = fd
        self.note(0)

    def note(self, store: int) -> None:
        """Write down who holds the lock: this process and the store that it started (0: none yet)."""
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, f"{os.getpid()} {store}\n".encode(), 0)

    def release(self) -> None:
        """Let go; the folder is free when no child holds the lock either."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _holders(self) -> tuple[int, int]:
        words = self.path.read_text().split()
        return (int(words[0]), int(words[1])) if len(words) == 2 else (0, 0)  # as `note` writes it

    def _message(self, owner: int, store: int, alive: bool) -> str:
        if alive:
            return (
                f"The data folder {self.folder} is in use by another instance (process {owner}). "
                "Stop that one, or give this one a folder of its own: DATA=..."
            )
        return (
            f"The data folder {self.folder} is still held by the store of an instance that was killed"
            f" (process {store or 'unknown'}). End that process, then start again."
        )


def _try(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _alive(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
