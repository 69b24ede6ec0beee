"""Where the processes of one machine leave their figures, so that any web process can tell all of them (`/metrics`).

prometheus-client does that with memory-mapped files, a few for each process, in a folder that the environment names
before the library is imported.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"


def prepare(data: Path) -> Path:
    """Make the folder for all that we start, empty; call it when nobody else can be using the data folder."""
    folder = data / "metrics"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ[VARIABLE] = str(folder)
    return folder


@contextmanager
def own_folder() -> Iterator[None]:
    """Have a folder for a web server that nobody gave one: its processes are several, too."""
    if os.environ.get(VARIABLE):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="captain-metrics-") as folder:
        os.environ[VARIABLE] = folder
        yield


class Restarts:
    """Counts what the supervisor starts again."""

    def __init__(self) -> None:
        # Imported here, when the environment names the folder.
        from prometheus_client import Counter

        self._counter = Counter("captain_restarts", "Processes that ended and were started again.", ("process",))

    def __call__(self, name: str) -> None:
        """Count one; `name` is that of the service."""
        self._counter.labels(name).inc()
