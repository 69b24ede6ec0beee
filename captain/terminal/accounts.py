"""Who one is at which server: tokens, in a file that only its owner can read."""

from __future__ import annotations

import contextlib
import fcntl
import getpass
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from captain.terminal.http import Refused, Server

_FILE = "accounts.json"


class Accounts:
    """The accounts of this user: server -> name -> token, the last used name last."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(click.get_app_dir("captain"))

    def sign_in(self, server: Server, name: str | None, *, register: bool = True) -> str | None:
        """Give `server` the token of `name`, or of whoever was used last; the name.

        A player who is not known yet is registered, or without `register` stays nobody: None.
        """
        known = self._read().get(server.address, {})
        chosen = name or (list(known)[-1] if known else None)
        server.token = known.get(chosen) if chosen else None
        if server.token and not _is_known(server):
            server.token = None  # a server whose data are new
        if server.token is None:
            if not register:
                return None
            chosen = chosen or getpass.getuser()
            server.token = server.do("POST", "/players", {"name": chosen})["token"]
        if chosen:
            self._keep(server.address, chosen, server.token or "")
        return chosen

    def _read(self) -> dict[str, dict[str, str]]:
        with contextlib.suppress(FileNotFoundError, ValueError):
            found: Any = json.loads((self.folder / _FILE).read_text())
            if isinstance(found, dict):
                return found
        return {}

    def _keep(self, address: str, name: str, token: str) -> None:
        with self._alone():
            all_known = self._read()
            known = all_known.setdefault(address, {})
            known.pop(name, None)
            known[name] = token
            fresh = self.folder / f".{_FILE}.{os.getpid()}"
            fresh.unlink(missing_ok=True)
            # 0600 from its first moment on: a token in it is as good as a password.
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump(all_known, file, indent=1)
            fresh.replace(self.folder / _FILE)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Two terminals may sign in at once, and neither may lose the other's account."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _is_known(server: Server) -> bool:
    try:
        server.get("/me")
    except Refused as refused:
        if refused.code == "token_invalid":
            return False
        raise
    return True
