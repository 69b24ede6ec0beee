"""What all suites share: hypothesis profiles and one real store per test process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from captain.store import EmbeddedStore
from tests import recording

# No deadline: a busy machine is not a bug. In CI the examples are the same each time; `deep` is for a night.
settings.register_profile("local", deadline=None, max_examples=50)
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True, print_blob=True)
settings.register_profile("deep", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))


# Who runs us may ignore signals (nohup does), and every process that a test starts would inherit that.
for ignored in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, signal.default_int_handler if ignored == signal.SIGINT else signal.SIG_DFL)


if recording.FILE:
    recording.listen_to_rules()

    def pytest_sessionfinish(exitstatus: int) -> None:
        """Write the examples, if no test failed."""
        if exitstatus == 0:
            recording.recorder.write(Path(recording.FILE))


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """A real server for the whole session, which keeps nothing; its address is `store.url`."""
    with EmbeddedStore(tmp_path_factory.mktemp("store"), durable=False) as server:
        yield server
