"""What can be played."""

import jsonschema_rs

from domain.registry import REGISTRY
from tests.api.client import Client, problem


def test_the_list_has_every_ruleset(anybody: Client):
    page = anybody.get("/v1/rulesets").json
    assert [item["key"] for item in page["items"]] == [rules.info.key for rules in REGISTRY]
    assert page["next"] is None


def test_a_ruleset_tells_seats_options_moves_and_events(anybody: Client):
    for rules in REGISTRY:
        told = anybody.get(f"/v1/rulesets/{rules.info.key}").json
        assert (told["seats"]["min"], told["seats"]["max"]) == rules.info.seats
        assert set(told["moves"]) == {move.type for move in rules.info.moves}
        assert {event.type for event in rules.info.events} < set(told["events"])
        assert "game_created" in told["events"]
        assert told["bots"] == sorted(rules.info.bots)
        jsonschema_rs.validator_for(told["options"]).validate(told["defaults"])


def test_an_unknown_ruleset_is_404_and_says_which_are_known(anybody: Client):
    for _ in range(2):
        wrong = problem(anybody.get("/v1/rulesets/chess"), 404, "unknown_ruleset")
        assert "bluff_king" in wrong["rulesets"]
