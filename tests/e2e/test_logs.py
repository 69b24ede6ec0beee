"""What web, workers and sweeper log while games of every ruleset are played: enough, and never what is secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import httpx
import pytest

from domain.registry import REGISTRY
from tests.e2e.instance import Instance, running
from tests.e2e.logscan import Scan, secrets_of
from tests.e2e.test_games import SHORT, Party

Json = dict[str, Any]
NAMES = ("Wilhelmine von Blau", "Xaver Unbekannt", "Zenobia Quirk")


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(tmp_path_factory.mktemp("talkative"), LOG_LEVEL="debug", LOG_FORMAT="json") as instance:
        yield instance


@pytest.fixture(scope="module")
def played(talkative: Instance) -> tuple[Scan, list[str]]:
    """One game of each ruleset, everybody misbehaving a little: what must not be told, and the games."""
    secrets: list[str] = [*NAMES]
    cards: set[str] = set()
    games = []
    with ExitStack() as stack:
        named = iter(NAMES)

        def join(name: str | None = None) -> Any:
            return stack.enter_context(talkative.client(name and next(named, name)))

        for rules in REGISTRY:
            key = rules.info.key
            party = Party(join, key, SHORT.get(key, [{}])[0], Random(key))
            misbehave(talkative, party)
            party.play()
            log = party.log()
            assert log[-1]["type"] == "game_ended"
            secrets += [*secrets_of(log), *(client.token for client in party.everybody if client.token)]
            cards |= set(rules.info.vocabulary)
            games.append(party.game)
    assert len(secrets) > 100
    return Scan(cards, secrets), games


def misbehave(instance: Instance, party: Party) -> None:
    """Requests that carry secrets to where logs might pick them up."""
    ann = party.players[0]
    ticket = ann.post(f"/games/{party.game}/stream-tickets")["ticket"]
    for path in (f"/{ann.token}", f"/games/{ann.token}", f"/games/{party.game}?as={ticket}"):
        assert ann.send("GET", path).status_code in (404, 422)
    ann.send("GET", f"/games?ruleset={ann.token}")
    ann.send("POST", "/games", {"ruleset": ann.token, "secret": ann.token})
    assert ann.send("GET", "/me", headers={"Authorization": f"Bearer {ann.token}x"}).status_code == 401
    with httpx.stream("GET", f"{instance.address}/v1/games/{party.game}/stream?ticket={ticket}") as stream:
        next(stream.iter_lines())
    with httpx.Client(base_url=instance.address) as raw:
        raw.get("/healthz", headers={"X-Request-Id": "mine-1"})


@pytest.mark.slow
def test_nothing_secret_is_logged_while_games_of_every_ruleset_are_played(talkative: Instance, played) -> None:
    scan, _ = played
    assert scan.findings(talkative.said()) == []


@pytest.mark.slow
def test_every_process_tells_of_what_it_did(talkative: Instance, played) -> None:
    _, games = played
    told = talkative.records()
    jobs = [line for line in told if line["event"] == "job"]
    for game in games:
        moves = [line for line in told if line.get("route") == "/v1/games/{game}/moves" and line.get("game") == game]
        assert any((line["method"], line["status"]) == ("POST", 201) and line["player"] for line in moves), game
        bots = [line for line in jobs if line["game"] == game and line["kind"] == "bot"]
        assert bots, game
        assert all(line["process"] == "worker" and line["outcome"] == "done" and line["attempt"] >= 1 for line in bots)
    refused = [line["code"] for line in told if line["event"] == "request" and line["status"] >= 400]
    assert {"not_found", "unknown_game", "validation_failed", "token_invalid"} <= set(refused)
    assert any(line.get("request") == "mine-1" for line in told)
    assert any(line.get("route") == "/v1/games/{game}/stream" for line in told)


@pytest.mark.slow
def test_the_figures_of_web_workers_and_sweeper_stand_on_one_page(talkative: Instance, played) -> None:
    text = httpx.get(f"{talkative.address}/metrics").text
    thoughts = [line for line in text.splitlines() if line.startswith("captain_bot_seconds_count{")]
    for key in (rules.info.key for rules in REGISTRY):
        assert f'captain_moves_total{{by="bot",ruleset="{key}"}}' in text, "counted by workers"
        assert f'captain_moves_total{{by="player",ruleset="{key}"}}' in text, "counted by web processes"
        assert any(f'ruleset="{key}"' in line for line in thoughts)
    assert 'captain_job_seconds_count{kind="bot",outcome="done"}' in text
    assert 'captain_queued_jobs{queue="turns"}' in text, "told by the sweeper"
    assert 'captain_append_seconds_count{reply="appended"}' in text


@pytest.mark.slow
def test_a_leak_that_is_planted_is_found(played) -> None:
    """The scan is worth something: each kind of secret, in each place where it might slip in."""
    scan, games = played
    good = {"time": "2026-01-01T00:00:00.000Z", "level": "info", "process": "web", "pid": 7, "event": "request",
            "logger": "api.traffic", "game": games[0], "status": 200}  # fmt: skip
    assert scan.findings(json.dumps(good)) == []
    cards = [min(rules.info.vocabulary) for rules in REGISTRY]
    secret = max(scan._secrets, key=len)
    for leak in (
        *({"event": f"played {card}"} for card in cards),
        *({"places": [f"x.py:1 {card}"]} for card in cards),
        {"card": cards[0]}, {"seat": cards[0]}, {"route": f"/v1/games/{secret}"}, {"event": NAMES[0]},
        {"player": NAMES[0]}, {"error": f"ValueError {secret}"}, {"query": "x"}, {"game": "ct_token"},
    ):  # fmt: skip
        assert scan.findings(json.dumps(good | leak)), leak
    assert scan.findings("Traceback (most recent call last):")
