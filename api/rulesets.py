"""What can be played here."""

from typing import Any

from flask import Response, current_app

from api.answers import answer, fixed
from api.resource import FOR_GOOD, Resource
from api.rulebook import Chapter, sent_schema, whole
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


@rulesets.operation(
    "GET", "", answer=RulesetPage, yields={"key": "/items/0/key", "ruleset": "/items/0/key"}, doc=FOR_GOOD
)
def list_rulesets() -> Response:
    """List the rulesets.

    The keys are what `POST /v1/games` takes as `ruleset`.
    """
    return fixed(answer({"items": [brief(c) for c in state().rulebook], "next": None}, headers=FOR_ALL))


@rulesets.operation("GET", "/<string:key>", answer=RulesetDetail, fails=("unknown_ruleset",), doc=FOR_GOOD)
def get_ruleset(key: str) -> Response:
    """Get a ruleset: seats, options with defaults, and the schemas of options, moves, events and the table.

    Each schema is JSON Schema 2020-12 and whole in itself: of a move as it is sent, of an event as it is served, of the
    table as it stands in a view.
    `rules` is the address of a page with the rules, for people.
    """
    chapter = state().rulebook.chapter(key)
    parts = current_app.extensions["openapi"]["components"]["schemas"]
    moves = {move.type: whole(sent_schema(move), parts) for move in chapter.rules.info.moves}
    events = {**state().rulebook.shared, **chapter.events}
    detail = {
        **brief(chapter),
        "rules": f"/rules/{key}",
        "options": whole(chapter.options_schema, parts),
        "moves": moves,
        "events": {kind: whole(schema, parts) for kind, schema in events.items()},
        "table": whole(parts[f"{key}.Table"], parts),
    }
    return fixed(answer(detail, headers=FOR_ALL))
