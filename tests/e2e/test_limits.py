"""The limits as they come: whoever plays never meets them, and whoever hammers does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread

import httpx
import pytest

from tests.e2e.client import Client
from tests.e2e.instance import Instance, running
from tests.e2e.playing import play


@pytest.fixture(scope="module")
def limiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    folder: Path = tmp_path_factory.mktemp("limiting")
    with running(folder, RATE_LIMITS="on") as instance:
        yield instance


@pytest.mark.slow
def test_a_game_played_as_fast_as_it_goes_meets_no_limit(limiting: Instance) -> None:
    """Four programs without a thought between two moves, vote windows and all: quicker than any people."""
    refused: list[httpx.Response] = []

    def note(_: Client, answer: httpx.Response) -> None:
        if answer.status_code == 429:
            refused.append(answer)

    players = [limiting.client(name) for name in ("Ann", "Bob", "Cid", "Dan")]
    game = players[0].create(seats=4, auto_start=True, options={"max_turns": 20})
    for player in players:
        player.heard = note
    for player in players[1:]:
        player.sit(game)
    threads = [Thread(target=play, args=(player, game, Random(n))) for n, player in enumerate(players)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    view = players[0].view(game)
    for player in players:
        player.close()
    assert view["status"] == "finished"
    assert not refused


def test_whoever_hammers_is_told_when_to_come_again(limiting: Instance) -> None:
    with limiting.client("Eve") as eve:
        game = eve.create()
        path, body = f"/games/{game}/moves", {"type": "pass", "decision": "1"}
        for _ in range(500):  # two processes count by themselves
            answer = eve.send("POST", path, body)
            if answer.status_code == 429:
                break
        assert answer.json()["policy"] == "moves"
        assert 1 <= int(answer.headers["Retry-After"]) <= 20
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert eve.view(game)["status"] == "lobby", "reading is another matter"
