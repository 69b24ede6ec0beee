"""What holds for every ruleset, over HTTP: its document, its forms, its secrets. No game is named here."""

import random

import pytest
from openapi_spec_validator import validate

from api.application import make
from tests.api import all_rulesets
from tests.api.all_rulesets import ALL, KEYS, begun
from tests.api.client import Client, filled, problem

MOST_MOVES = 1500
MOST_TURNS = 60


app = all_rulesets.app


def players(anybody: Client, key: str) -> tuple[str, list[Client]]:
    """A running game of a ruleset at its smallest table."""
    # Random players may circulate for very long; where the game has a guard, it is set.
    guard = {"max_turns": MOST_TURNS} if "max_turns" in ALL.newest(key).info.options.__struct_fields__ else {}
    return begun(anybody, key, **guard)


def test_the_document_of_all_rulesets_is_valid():
    validate(make(None, ALL).extensions["openapi"])


@pytest.mark.parametrize("key", KEYS)
def test_a_game_is_played_to_its_end_by_forms_alone(anybody: Client, key: str):
    """Random moves out of the forms, offers too: each is accepted, and every answer is as the document says."""
    rng = random.Random(7)
    game, seated = players(anybody, key)
    path = f"/v1/games/{game}/moves"
    for _ in range(MOST_MOVES):
        asked = anybody.view(game)["asked"]
        if not asked:
            break
        client = seated[rng.choice(asked)["seat"]]
        legal = client.get(path).json
        questions = [legal["decision"], *legal["offers"]] if rng.random() < 0.8 else [legal["decision"]]
        form = rng.choice([form for question in questions for form in question["moves"]])
        played = client.post(path, filled(form, rng))
        assert played.status_code == 201, played.text
    view = anybody.view(game)
    assert view["status"] == "finished"
    assert {rank["seat"] for rank in view["result"]["ranking"]} == set(range(len(seated)))
    opened = anybody.get(f"/v1/games/{game}/events?as=all").json["items"]
    assert all(set(event["opened"]) == set(event["seals"]) for event in opened)


@pytest.mark.parametrize("key", KEYS)
def test_a_move_to_a_decision_that_is_not_open_is_refused_with_what_is(anybody: Client, key: str):
    game, seated = players(anybody, key)
    client = seated[anybody.view(game)["asked"][0]["seat"]]
    decision = client.view(game)["decision"]
    move = {**filled(decision["moves"][0], random.Random(1)), "decision": "999"}
    for _ in range(2):
        wrong = problem(client.post(f"/v1/games/{game}/moves", move), 409, "decision_closed")
        assert decision["id"] in wrong["open"]


@pytest.mark.parametrize("key", KEYS)
def test_a_ruleset_tells_its_schemas(anybody: Client, key: str):
    told = anybody.get(f"/v1/rulesets/{key}").json
    info = ALL.newest(key).info
    assert set(told["moves"]) == {move.type for move in info.moves}
    assert {event.type for event in info.events} <= set(told["events"])


@pytest.mark.parametrize("key", KEYS)
def test_nobody_elses_secret_is_sent(anybody: Client, key: str):
    """What a seat may not open is not in the bytes of its view and events, by its salt: salts repeat nowhere."""
    game, seated = players(anybody, key)
    salts = [
        {
            secret["salt"]
            for event in client.get(f"/v1/games/{game}/events").json["items"]
            for secret in event["opened"].values()
        }
        for client in seated
    ]
    events = seated[0].get(f"/v1/games/{game}/events").json["items"]
    # A game may have no secret of one seat (tiles that nobody has turned are nobody's): then none is opened to any.
    assert all(salts) == any(seal["to"] for event in events for seal in event["seals"].values())
    for mine, client in zip(salts, seated, strict=True):
        others = set().union(*salts) - mine
        sent = client.get(f"/v1/games/{game}").text + client.get(f"/v1/games/{game}/events").text
        assert not [salt for salt in others if salt in sent]
