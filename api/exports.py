"""Finished games in bulk, for whoever wants to study them."""

from typing import Any

from flask import Response

from api.answers import PRIVATE
from api.problems import invalid_query
from api.replays import LOG_TYPE
from api.requests import ExportQuery
from api.resource import Resource
from api.state import state, store
from eventstore.cursors import BadCursor
from eventstore.results import Ended

exports = Resource("exports", __name__, url_prefix="/v1/exports", description="Finished games in bulk.")


@exports.operation("GET", "/games", answer="ExportLine", media=LOG_TYPE, query=ExportQuery, fails=("unknown_ruleset",))
def export_games(query: dict[str, Any]) -> Response:
    """Export finished public games in the order in which they ended, each as its whole log with everything open.

    Lines of JSON: of each game a header, every record and a trailer, as `GET …/log?as=all` serves them, one game after
    the other; at last one line with `games`, how many they were. Without that line the answer was cut short: ask
    again. `next` is where to go on (`after`), null if there are no more by now; `cursor` is where to go on later. No
    game is left out and none comes twice, whatever ends meanwhile. A game appears some seconds after its end.
    """
    ruleset = query.get("ruleset", "")
    if ruleset:
        state().rulebook.chapter(ruleset)
    try:
        after = Ended.of_cursor(query["after"]) if "after" in query else None
    except BadCursor:
        raise invalid_query({"after": ["Not a cursor that an export gave."]}) from None
    page = store().bulk.page(ruleset, after, query["limit"])
    return Response(store().bulk.logs(page, state().signer()), mimetype=LOG_TYPE, headers=PRIVATE)
