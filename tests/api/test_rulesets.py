"""What can be played."""

import re

import jsonschema_rs
import pytest

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


@pytest.mark.parametrize("key", [rules.info.key for rules in REGISTRY])
def test_every_ruleset_links_to_its_rules_for_people(anybody: Client, key: str):
    page = anybody.get(anybody.get(f"/v1/rulesets/{key}").json["rules"])
    assert page.status_code == 200
    assert page.content_type == "text/markdown; charset=utf-8"
    assert page.text.startswith("# ")
    assert f"`{key}`" in page.text
    named = set(re.findall(r"`(\w+)", page.text))
    info = REGISTRY.newest(key).info
    assert {move.type for move in info.moves} <= named
    assert {event.type for event in info.events} <= named
    assert set(info.options.__struct_fields__) <= named


def test_there_are_no_rules_of_what_cannot_be_played(anybody: Client):
    for key in ("chess", "..%2Foperations", "README"):
        assert anybody.get(f"/rules/{key}").status_code == 404
