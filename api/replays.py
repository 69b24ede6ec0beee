"""Games as they were: a view at any version, and the log itself."""

from typing import Any

from flask import Response

from api import access, auth, views
from api.answers import answer, conditional, of_log, unchanged
from api.problems import Problem
from api.requests import LogQuery, ReplayQuery
from api.resource import CONDITIONAL, Resource
from api.schemas import ViewSchema
from api.state import state, store
from domain.observers import Observer
from eventstore.cache import Entry
from eventstore.export import served
from eventstore.replay import OutOfRange
from eventstore.stored import cursor

replays = Resource("replays", __name__, url_prefix="/v1/games/<string:game>", description="Games as they were.")

LOG_TYPE = "application/x-ndjson"


@replays.operation(
    "GET",
    "/replay",
    answer=ViewSchema,
    access="optional",
    scope="read",
    query=ReplayQuery,
    fails=("unknown_game", "game_not_over", "seat_out_of_range", "at_out_of_range", "resync"),
    doc=CONDITIONAL,
)
def get_replay(query: dict[str, Any], game: str) -> Response:
    """View a game as it was at a version, byte for byte as that observer saw it live.

    Views exist at batch ends only: `at` is rounded down to one.
    """
    entry, observer = _seen(game, query["observer"])
    try:
        stored = store().replays.at(game, observer, _version(entry, query.get("at")))
    except OutOfRange as out:
        raise Problem("at_out_of_range", min=out.first, max=out.last) from None
    rematch = store().rematches.known(stored.game)
    tag = views.tag(stored, observer, rematch)
    same = unchanged(tag)
    if same is not None:
        return same
    accounts = store().players.accounts(views.people([stored.game]))
    return answer(views.view(stored, observer, accounts, rematch), headers=conditional(tag))


def _seen(game: str, wanted: str) -> tuple[Entry, Observer]:
    """The game as of now, and whose eyes are wanted, if the caller may have them."""
    player = auth.caller()
    access.readable(game, player)
    entry = store().repository.entry(game)
    return entry, access.as_whom(entry.game, player, wanted)


def _version(entry: Entry, at: str | None) -> int:
    if at is None:
        return entry.game.version
    version, _, head = at.partition("-")
    if head and not (int(version) < len(entry.hashes) and entry.hashes[int(version)].startswith(head)):
        raise Problem("resync", cursor=cursor(entry.game.version, entry.head))
    return int(version)


@replays.operation(
    "GET",
    "/log",
    answer="LogLine",
    media=LOG_TYPE,
    access="optional",
    scope="read",
    query=LogQuery,
    fails=("unknown_game", "game_not_over", "seat_out_of_range"),
    doc=CONDITIONAL,
)
def get_log(query: dict[str, Any], game: str) -> Response:
    """Read the whole log as lines of JSON: a header, every record as it is stored, a trailer.

    A record is hashed as its bytes stand in the line, so take them from the text. A log without its trailer was cut
    short. The log of a finished public game never changes.
    """
    entry, observer = _seen(game, query["observer"])
    tag, headers = of_log(entry, f"{observer.tag}.log")
    same = unchanged(tag, headers)
    if same is not None:
        return same
    lines = served(store().log, entry.game, entry.head, observer, state().signer())
    return Response(lines, mimetype=LOG_TYPE, headers=headers)
