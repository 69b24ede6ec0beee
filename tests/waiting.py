"""Waiting without sleeping blindly: look again until it is so, or fail after a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def until(look: Callable[[], Found], seconds: float = 20.0) -> Found:
    """Return the first true value of `look`; fails if there is none in time."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"not so after {seconds} s: {look}"
        time.sleep(0.01)
    return found


def gone(pid: int) -> bool:
    """Say whether a process has ended; one that nobody has waited for yet counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
