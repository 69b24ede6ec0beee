"""What can be played here."""

from typing import Any

from flask import Response

from api.answers import answer
from api.resource import Resource
from api.rulebook import Chapter, json_schema
from api.schemas import RulesetDetail, RulesetPage
from api.state import state

rulesets = Resource("rulesets", __name__, url_prefix="/v1/rulesets", description="The games that can be played here.")

FOR_ALL = {"Cache-Control": "public, max-age=60", "Vary": "Accept"}


def brief(chapter: Chapter) -> dict[str, Any]:
    """What a list tells of a ruleset."""
    info = chapter.rules.info
    return {
        "key": info.key,
        "title": info.title,
        "rules_version": info.rules_version,
        "seats": {"min": info.seats[0], "max": info.seats[1]},
        "bots": sorted(info.bots),
        "defaults": chapter.defaults,
    }


@rulesets.operation("GET", "", answer=RulesetPage, yields={"key": "/items/0/key"})
def list_rulesets() -> Response:
    """List the rulesets.

    The keys are what `POST /v1/games` takes as `ruleset`.
    """
    return answer({"items": [brief(c) for c in state().rulebook], "next": None}, headers=FOR_ALL)


@rulesets.operation("GET", "/<string:key>", answer=RulesetDetail, fails=("unknown_ruleset",))
def get_ruleset(key: str) -> Response:
    """Get a ruleset: seats, options with defaults, and the schemas of options, moves and events.

    `rules` is the address of a page with the rules, for people.
    """
    chapter = state().rulebook.chapter(key)
    moves = {move.type: json_schema(move) for move in chapter.rules.info.moves}
    detail = {
        **brief(chapter),
        "rules": f"/rules/{key}",
        "options": chapter.options_schema,
        "moves": moves,
        "events": {**state().rulebook.shared, **chapter.events},
    }
    return answer(detail, headers=FOR_ALL)
