"""One running system for the session, and private ones for the tests that kill."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.client import Client
from tests.e2e.instance import Instance, running

Join = Callable[..., Client]


@pytest.fixture(scope="session")
def captain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """A system that nobody harms; it must stop cleanly, and have had nothing to complain about."""
    with running(tmp_path_factory.mktemp("captain")) as instance:
        yield instance
        assert instance.stop() == 0
        assert "Traceback" not in instance.said()


@pytest.fixture
def private(tmp_path: Path) -> Iterator[Instance]:
    """A system of the test's own, to be killed."""
    with running(tmp_path) as instance:
        yield instance


@pytest.fixture
def join(captain: Instance) -> Iterator[Join]:
    """`join("Ann")`: a new player of the shared system; `join()`: somebody without an account."""
    with ExitStack() as stack:
        yield lambda name=None: stack.enter_context(captain.client(name))
