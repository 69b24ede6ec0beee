"""Children that end with their parent, also when the parent is killed with SIGKILL.

This file is a module and, run by its path, the launcher of such a child: it asks the kernel for a signal at
the parent's death and then becomes the program. It imports nothing of ours, so it starts in milliseconds.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

if __name__ != "__main__":
    import subprocess
    from typing import IO

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int, signum: int) -> None:
    """Have the kernel send us `signum` when the thread that started us ends; exit if it has ended.

    Linux only. Elsewhere an orphan outlives a killed parent, and the lock on the data folder shows it.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signum), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def launch(
    command: Sequence[str],
    *,
    at_parents_death: int = signal.SIGKILL,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    output: IO[bytes] | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own; call it from a thread that lives as long as the child should.

    A launcher and not `preexec_fn`: Python code between fork and exec may deadlock in a parent with threads.
    Its own session: a Ctrl-C at the terminal reaches only the parent, which stops its children in order.
    """
    launcher = [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(int(at_parents_death))]
    return subprocess.Popen(
        [*launcher, *command],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=pass_fds,
        start_new_session=True,
    )


def _become(arguments: Sequence[str]) -> None:
    parent, signum, *command = arguments
    die_with_parent(int(parent), int(signum))
    try:
        os.execvp(command[0], command)  # noqa: S606  # an argument list, as everywhere
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    _become(sys.argv[1:])
