"""An application that plays every ruleset and the tests' own, for what must hold of any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from api import app_for
from captain.store import EmbeddedStore
from domain.registry import RULESETS, Registry
from eventstore.store import Store
from tests import keys
from tests.api.client import Client
from tests.probe import PROBE

ALL = Registry((*RULESETS, PROBE))
KEYS = [rules.info.key for rules in ALL]


@pytest.fixture(scope="module")
def app(store: EmbeddedStore) -> Iterator[Flask]:
    opened = Store(store.url, registry=ALL, allow_unsafe=True)
    opened.follow()
    yield app_for(opened, keys.KEYS)
    opened.close()


def begun(anybody: Client, key: str, **options: Any) -> tuple[str, list[Client]]:
    """A running game of a ruleset at its smallest table, and its players by seat."""
    fewest = ALL.newest(key).info.seats[0]
    seated = [anybody.join(f"Player {seat}") for seat in range(fewest)]
    made = seated[0].post("/v1/games", {"ruleset": key, "seats": fewest, "options": options, "auto_start": True})
    game: str = made.json["game"]
    for client in seated[1:]:
        assert client.post(f"/v1/games/{game}/seats", {}).status_code == 201
    return game, seated
