"""The client in the documents, run as it stands there, over a network that loses things."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from werkzeug.serving import make_server

from api import games
from domain.observers import EVERYTHING
from eventstore.keys import game_keys
from eventstore.stored import lines_of
from tests.api.client import Client, filled
from tests.api.flaky import Flaky

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "clients.md").read_text("utf-8")
(SOURCE,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
GAME = {"ruleset": "bluff_king", "auto_start": True, "options": {"max_turns": 12}}


@pytest.fixture(scope="module")
def documented() -> Any:
    """The class `Client` of the document."""
    made: dict[str, Any] = {}
    exec(compile(SOURCE, "clients.md", "exec"), made)
    return made["Client"]


def test_it_is_short():
    code = [line for line in SOURCE.splitlines() if line.strip()]
    assert len(code) <= 66, len(code)


def play(documented: Any, address: str, clients: list[Client], game: str) -> list[list[tuple[str, int]]]:
    """Both players play a game to its end; what each was told, as (event, version)."""
    told: list[list[tuple[str, int]]] = [[] for _ in clients]
    answered: list[list[str]] = [[] for _ in clients]
    failures = []

    def one(number: int, client: Client) -> None:
        try:
            player = documented(f"{address}/v1", client.token)
            follow = player.follow

            def heard(game: str) -> Iterator[Any]:
                for event, data in follow(game):
                    version = data["event"]["v"] if event == "event" else data.get("view", {}).get("version", 0)
                    told[number].append((event, version))
                    yield event, data

            def choose(decision: dict[str, Any]) -> dict[str, Any]:
                answered[number].append(decision["id"])
                return filled({**decision["moves"][-1], "decision": decision["id"]})

            player.follow = heard
            with player.http:
                player.play(game, choose)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=one, args=pair) for pair in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not failures
    for mine in answered:
        assert len(mine) == len(set(mine)), "a decision was answered twice"
    return told


def check_told(told: list[tuple[str, int]], last: int) -> None:
    """A snapshot, then every event after it once, in order, to the end of the game."""
    begun = told[0][1]
    assert told[0][0] == "snapshot"
    assert [version for event, version in told if event == "event"] == list(range(begun + 1, last + 1))
    assert told[-1][0] == "game_over"
    assert not [event for event, _ in told if event == "resync"]


@pytest.mark.parametrize("every", [3, 7])
def test_it_plays_a_game_over_a_network_that_loses_things(documented, ann, bob, web, version, opened, every: int):
    game = ann.post("/v1/games", GAME).json["game"]
    rng = Random(every)  # no fixed rhythm: a stream's third piece might be the lost one each time
    with Flaky(web.address, lambda n: rng.random() < 1 / every) as network:
        player = documented(f"{network.address}/v1", bob.token)
        with player.http:
            assert player.send("POST", f"/games/{game}/seats", {}).status_code == 201
        told = play(documented, network.address, [ann, bob], game)
        assert network.lost > 10
    for one in told:
        check_told(one, version(game))
    lines = lines_of(opened.log.read(game), EVERYTHING)
    assert lines[-1].record["type"] == "game_ended"
    assert not [line for line in lines if line.record["by"] == "clock"]


@pytest.fixture
def same_game(app, ann: Client, bob: Client, opened, monkeypatch):
    """Play the same game (same id, same seed) to its end, over a network that loses its `lose`-th answer."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    ids = iter([])
    monkeypatch.setattr(games, "ULID", lambda: next(ids))
    monkeypatch.setattr(games, "secrets", SimpleNamespace(token_hex=lambda n: "5e" * n))

    def run(documented: Any, lose: int) -> tuple[list[Any], int]:
        nonlocal ids
        ids = iter(["01JZZZZZZZZZZZZZZZZZZZSAME"] * 9)
        game = ann.post("/v1/games", GAME).json["game"]
        try:
            with Flaky(f"http://127.0.0.1:{server.server_port}", lambda n: n == lose) as network:
                player = documented(f"{network.address}/v1", bob.token)
                with player.http:
                    player.send("POST", f"/games/{game}/seats", {})
                for one in play(documented, network.address, [ann, bob], game):
                    check_told(one, opened.repository.version(game))
            lines = lines_of(opened.log.read(game), EVERYTHING)
            keys = ("v", "left", "type", "seat", "by", "data")
            values = [{name: opened["value"] for name, opened in line.open.items()} for line in lines]
            return [[*(line.record[key] for key in keys), value] for line, value in zip(lines, values, strict=True)], (
                network.answers
            )
        finally:
            keys = game_keys(game)
            opened.writer.delete(keys.stream, keys.meta, keys.commands)

    yield run
    server.shutdown()
    serving.join()
    server.server_close()


def test_whichever_answer_is_lost_the_log_is_that_of_an_undisturbed_game(documented, same_game):
    undisturbed, answers = same_game(documented, 0)
    assert answers > 30
    for lose in (1, 2, 3, answers // 3, answers // 2):
        assert same_game(documented, lose)[0] == undisturbed, f"lost answer {lose}"


@pytest.mark.long
def test_whichever_answer_is_lost_of_all(documented, same_game):
    undisturbed, answers = same_game(documented, 0)
    for lose in range(1, answers + 1):
        assert same_game(documented, lose)[0] == undisturbed, f"lost answer {lose}"
