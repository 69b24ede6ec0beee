"""Fixtures: an empty store for each test, and what works on it."""

from collections.abc import Iterator

import pytest

from captain.store import EmbeddedStore
from tests.workers.world import World


@pytest.fixture
def world(store: EmbeddedStore) -> Iterator[World]:
    world = World(store.url)
    yield world
    world.close()
