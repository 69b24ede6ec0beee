"""Committed client seeds at a real server: what an auditor recomputes from the log is what was dealt."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from typing import Any

import pytest

from domain.bluff_king import BLUFF_KING
from domain.entropy import provable
from domain.ruleset import Moment, Table
from tests.e2e.client import WAIT, Client, Json
from tests.e2e.conftest import Join
from tests.waiting import until


def canonical(value: Any) -> bytes:
    """Canonical JSON of lists of texts, by the documentation and nothing of ours."""
    return json.dumps(value, separators=(",", ":")).encode()


def commitment(game: str, seed: str) -> str:
    return hashlib.sha256(canonical([game, "client_seed", seed])).hexdigest()


def reveal(client: Client, game: str, seed: str) -> Json:
    """As a client does: wait until the seed is asked for, then give it."""
    view = client.until_asked(game)
    assert (view["decision"]["kind"], view["decision"]["moves"]) == ("reveal_seed", [])
    return client.put(f"/games/{game}/seats/me", {"client_seed": seed})


@pytest.mark.slow
@pytest.mark.parametrize("withheld", [False, True])
def test_a_game_is_dealt_from_the_seeds_that_were_committed_to_and_revealed(join: Join, withheld: bool) -> None:
    ann, bob = join("Ann"), join("Bob")
    seeds = [secrets.token_hex(32), secrets.token_hex(32)]
    game = ann.create(seeds="committed", auto_start=True, clock={"vote_ms": 2000})
    ann.put(f"/games/{game}/seats/me", {"seed_commitment": commitment(game, seeds[0])})
    bob.sit(game, seed_commitment=commitment(game, seeds[1]))
    accepted = reveal(ann, game, seeds[0])
    assert accepted["events"][0]["type"] == "client_seed_revealed"
    if not withheld:
        reveal(bob, game, seeds[1])

    def begun() -> bool:
        view = ann.view(game)
        if view["status"] == "lobby":
            ann.get(f"/games/{game}/events", params={"after": view["cursor"]}, headers=WAIT)
        return view["status"] == "playing"

    until(begun, 30)
    assert [seat["seed"] for seat in ann.view(game)["seats"]] == ["revealed", "committed" if withheld else "revealed"]
    ann.delete(f"/games/{game}/seats/me")
    assert_dealt_from(game, ann.log(game, observer="all"), "clock" if withheld else "rules")


def assert_dealt_from(game: str, log: list[Json], begun_by: str) -> None:
    """Take the seeds from the log, hold them against what was committed to, and deal again."""
    committed = {
        event["seat"]: event["data"]["commitment"] for event in log if event["type"] == "client_seed_committed"
    }
    revealed = {event["seat"]: event["data"]["client_seed"] for event in log if event["type"] == "client_seed_revealed"}
    assert all(commitment(game, seed) == committed[seat] for seat, seed in revealed.items())
    opened = next(event["v"] for event in log if event["type"] == "reveal_opened")
    assert all(event["v"] < opened for event in log if event["type"] == "client_seed_committed")
    (start,) = [event for event in log if event["type"] == "game_started"]
    assert (start["by"], len(revealed)) == (begun_by, 1 if begun_by == "clock" else 2)
    server_seed = log[0]["opened"]["server_seed"]["value"]
    message = canonical([game, [revealed.get(0), revealed.get(1)]])
    draws = provable(hmac.new(bytes.fromhex(server_seed), message, hashlib.sha256).digest())
    table = Table(2, BLUFF_KING.info.options(**log[0]["data"]["options"]))
    hands = {
        event.seat: event.cards.value
        for event in BLUFF_KING.setup(table, Moment(start["v"] + 1, draws))
        if event.type == "hand_dealt"
    }
    recorded = {event["seat"]: event["opened"]["cards"]["value"] for event in log if event["type"] == "hand_dealt"}
    assert {seat: list(cards) for seat, cards in hands.items()} == recorded
