"""From a request to a command and its receipt: command ids, whose eyes the receipt is for, hidden games."""

from hashlib import sha256

from flask import Response, request
from ulid import ULID

from api import access, auth, views
from api.answers import answer
from api.problems import Problem
from api.state import state, store
from domain import canonical
from domain.commands import Command
from domain.errors import Refused
from eventstore import repository
from eventstore.commands import Command as CommandId
from eventstore.replies import Dup
from eventstore.stored import Receipt

_LONGEST_KEY = 255


def command_id(caller: str = "") -> str:
    """The id of the present request as a command: the same for each repeat with one Idempotency-Key.

    A key belongs to the player, unless `caller` names something narrower.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return str(ULID())
    if not 1 <= len(key) <= _LONGEST_KEY or not all("!" <= c <= "~" for c in key):
        raise Problem("bad_idempotency_key", max=_LONGEST_KEY)
    scope = canonical.dumps([caller or auth.player().id, request.method, request.path, key])
    return sha256(scope).hexdigest()


def fingerprint() -> str:
    """What the present request asks for: a repeat of its key with another body is a mistake."""
    return sha256(request.get_data(cache=True)).hexdigest()


def identity() -> CommandId:
    """The present request as a command of a log."""
    return CommandId.of_request(auth.player().id, command_id(), request.get_data(cache=True))


def looked_at() -> frozenset[str]:
    """The cursors that the present request was made from (`If-Match`); none if any will do.

    A tag is a cursor with an observer behind it, and the cursor alone says what was looked at. Proxies weaken tags, so
    weak ones count: a client could do nothing about that.
    """
    if "If-Match" not in request.headers or request.if_match.star_tag:
        return frozenset()
    # What the parser makes of an empty tag is None; like any other that is no cursor, it matches nothing.
    tags = request.if_match.as_set(include_weak=True)
    return frozenset(tag.partition(".")[0] for tag in tags if tag) or frozenset(("",))


def run(game: str, command: Command) -> Receipt:
    """Do what a command asks, once."""
    return store().repository.execute(game, command, key=command_id(), fingerprint=fingerprint(), at=looked_at())


def made(game: str) -> bool:
    """Whether the present request is the repeat of one that succeeded."""
    found = store().log.made(game, repository.command_of(command_id(), fingerprint()))
    return isinstance(found, Dup)


def run_own(game: str, command: Command) -> Receipt:
    """Do what only a seat or the host can ask; to a stranger a private game is unknown.

    The command id is looked up before anything is judged, so that a repeat of a success gets its receipt again even
    from a player who has left the table by it.
    """
    try:
        return run(access.known(game), command)
    except Refused:
        access.readable(game, auth.caller())
        raise


def receipt(made: Receipt, status: int) -> Response:
    """The receipt as today's caller may see it."""
    observer = access.eyes(made.stored.game, auth.caller())
    headers = {"Idempotency-Replayed": "true"} if made.replayed else {}
    if made.first == 1:
        headers["Location"] = f"/v1/games/{made.game}"
    return answer(views.receipt(made, observer, state().signer()), status, headers)
