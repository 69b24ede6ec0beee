"""A program that the supervisor keeps running."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence

from captain.child import launch


class Program:
    """One child process, and the command that starts it again."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        grace: float = 10.0,
        pass_fds: Sequence[int] = (),
    ) -> None:
        self.name = name
        self.grace = grace
        self._command = tuple(command)
        self._env = env
        self._pass_fds = tuple(pass_fds)
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        """Start it; does not wait."""
        self._process = launch(self._command, env=self._env, pass_fds=self._pass_fds)

    def poll(self) -> int | None:
        """Return the exit code if it ended, None while it runs or before it was started."""
        return self._process.poll() if self._process else None

    def settled(self) -> bool:
        """Say whether what needs it may start: as soon as it runs."""
        return self._process is not None and self._process.poll() is None

    def terminate(self) -> None:
        """Ask it to end what it does and exit."""
        if self._process:
            self._process.terminate()

    def kill(self) -> None:
        """End it at once, with the processes that it started."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    def last_words(self) -> str:
        """Return nothing: it shares our terminal, what it said is already there."""
        return ""
