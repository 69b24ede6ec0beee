"""The JSON Schemas that a ruleset tells: whole in themselves, valid, and right about all moves and events of games."""

import random

import jsonschema_rs
import pytest

from domain.events import layout
from domain.registry import REGISTRY
from tests.api.client import Client, filled
from tests.api.test_any_ruleset import MOST_MOVES, MOST_TURNS

KEYS = [rules.info.key for rules in REGISTRY]


def validator(schema: dict):
    """Of a schema as it is told, with nothing beside it."""
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(schema)
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


@pytest.mark.parametrize("key", KEYS)
def test_every_schema_is_valid_and_complete(anybody: Client, key: str):
    told = anybody.get(f"/v1/rulesets/{key}").json
    info = REGISTRY.newest(key).info
    assert set(told["options"]["properties"]) == set(info.options.__struct_fields__)
    assert set(told["moves"]) == {move.type for move in info.moves}
    assert {event.type for event in REGISTRY.events(key)} == set(told["events"])
    assert set(told["table"]["properties"]) == set(info.table.__struct_fields__)
    for schema in (told["options"], told["table"], *told["moves"].values(), *told["events"].values()):
        validator(schema)
    for move in info.moves:
        own = {"type", "decision", *move.__struct_fields__}
        assert set(told["moves"][move.type]["properties"]) == own, move.type
    for event in REGISTRY.events(key):
        names, told_of = layout(event), told["events"][event.type]["allOf"][-1]["properties"]
        assert tuple(told_of["data"]["properties"]) == names.public
        assert tuple(told_of["seals"]["properties"]) == tuple(told_of["opened"]["properties"]) == names.sealed


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_every_move_and_event_of_played_games_is_one_of_them(anybody: Client, key: str):
    told = anybody.get(f"/v1/rulesets/{key}").json
    moves = {kind: validator(schema) for kind, schema in told["moves"].items()}
    events = {kind: validator(schema) for kind, schema in told["events"].items()}
    rng, info, seen = random.Random(11), REGISTRY.newest(key).info, set()
    guard = {"max_turns": MOST_TURNS} if "max_turns" in info.options.__struct_fields__ else {}
    seated = [anybody.join(f"Player {seat}") for seat in range(info.seats[0])]
    made = seated[0].post("/v1/games", {"ruleset": key, "seats": len(seated), "options": guard, "auto_start": True})
    game = made.json["game"]
    for client in seated[1:]:
        client.post(f"/v1/games/{game}/seats", {})
    validator(told["options"]).validate(anybody.view(game)["options"])
    for _ in range(MOST_MOVES):
        asked = anybody.view(game)["asked"]
        if not asked:
            break
        client = seated[rng.choice(asked)["seat"]]
        legal = client.get(f"/v1/games/{game}/moves").json
        questions = [legal["decision"], *legal["offers"]] if rng.random() < 0.8 else [legal["decision"]]
        form = rng.choice([form for question in questions for form in question["moves"]])
        move = filled(form, rng)
        played = client.post(f"/v1/games/{game}/moves", move)
        assert played.status_code == 201, played.text
        moves[move["type"]].validate(move)
        assert not moves[move["type"]].is_valid({**move, "no such field": 1})
        assert not moves[move["type"]].is_valid({name: move[name] for name in move if name != "decision"})
        seen.add(move["type"])
    assert anybody.view(game)["status"] == "finished"
    assert seen
    for reader in (anybody, seated[0]):
        for wanted in ("me", "all"):
            after = "0"
            while True:
                page = reader.get(f"/v1/games/{game}/events?as={wanted}&after={after}").json
                for event in page["items"]:
                    events[event["type"]].validate(event)
                after = page["cursor"]
                if page["next"] is None:
                    break
