"""Readers of Server-Sent Events that others wrote follow a game to its end, over a break."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from httpx_sse import connect_sse

from tests.api.client import Client
from tests.api.clients.tools import NODE

SHORT = {"ruleset": "bluff_king", "auto_start": True, "options": {"max_turns": 4}}


@pytest.fixture
def short_game(ann: Client, bob: Client) -> str:
    """A game of four claims, running."""
    game = ann.post("/v1/games", SHORT).json["game"]
    assert bob.post(f"/v1/games/{game}/seats", {}).status_code == 201
    return game


def play(ann: Client, bob: Client, game: str) -> None:
    """Play to the end, always the last form."""
    while asked := ann.view(game)["asked"]:
        (ann, bob)[asked[0]["seat"]].act(game)


def check(told: list[tuple[str, int]], first: int, last: int) -> None:
    """Every event once and in order, from the snapshot to the end."""
    assert [v for kind, v in told if kind == "event"] == list(range(first + 1, last + 1))
    assert told[-1][0] == "game_over"


def test_httpx_sse_follows_a_game_over_a_break(ann: Client, bob: Client, web: Any, short_game: str, version):
    game, told, last, opened = short_game, [], "", 0
    first = version(game)
    with httpx.Client(base_url=web.address, headers={"Authorization": f"Bearer {ann.token}"}, timeout=30) as client:
        while not told or told[-1][0] != "game_over":
            opened += 1
            headers = {"Last-Event-ID": last} if last else {}
            with connect_sse(client, "GET", f"/v1/games/{game}/stream", headers=headers) as source:
                for event in source.iter_sse():
                    data = event.json()
                    last = event.id or last
                    told.append((event.event, data.get("event", {}).get("v", 0)))
                    if event.event == "snapshot" and opened == 1:
                        play(ann, bob, game)
                    if opened == 1 and event.event == "event":
                        break
    assert opened == 2
    check(told, first, version(game))


@pytest.mark.long
def test_an_event_source_follows_a_game_over_a_break(
    ann: Client, bob: Client, web: Any, short_game: str, npm: Path, version: Callable[[str], int]
):
    """As a browser does: with tickets instead of a token."""
    first = version(short_game)
    command = [str(NODE / "bin" / "node"), "listener.mjs", web.address, short_game, str(ann.token)]
    with subprocess.Popen(command, cwd=npm, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "listening\n"
        play(ann, bob, short_game)
        said = process.communicate(timeout=60)[0]
    found = json.loads(said)
    assert found["streams"] >= 2
    told = [(one["kind"], one["v"]) for one in found["told"]]
    # It may have begun to listen when the first events were there already: the snapshot says from where.
    begun = next(v for kind, v in told if kind == "snapshot")
    assert begun >= first
    check(told, begun, version(short_game))
