"""Every way in which a request can fail: one table of codes, and the problem documents made from it (RFC 9457)."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

import orjson
from flask import Response

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1
CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Code(NamedTuple):
    """What a code means: HTTP status, a short title, and what the sender should do."""

    status: int
    title: str
    advice: str


CODES: Mapping[str, Code] = {
    # --- the request cannot be read
    "bad_request": Code(400, "Bad request", "Send well-formed HTTP/1.1."),
    "malformed_json": Code(
        400, "The body is not JSON", "Send one JSON value (RFC 8259); `detail` says where it breaks."
    ),
    "not_utf8": Code(400, "The body is not UTF-8", "Encode JSON as UTF-8, without a byte order mark."),
    "duplicate_key": Code(400, "A JSON object names a key twice", "Name each key once; `key` is the one."),
    "too_nested": Code(400, "The JSON is nested too deeply", "Nest at most `max` levels."),
    "bad_number": Code(
        400, "A number cannot be exact", "Send whole numbers within 53 bits; NaN and Infinity are not JSON."
    ),
    "bad_string": Code(400, "A string is not Unicode text", "Send no lone surrogates (\\ud800 to \\udfff)."),
    "bad_idempotency_key": Code(
        400, "The Idempotency-Key cannot be used", "Send 1 to 255 visible ASCII characters, new for each intention."
    ),
    "uri_too_long": Code(414, "The address is too long", "Send a shorter path and query."),
    "headers_too_large": Code(431, "The headers are too large", "Send fewer and shorter headers."),
    "expectation_failed": Code(417, "That expectation cannot be met", "Send `Expect: 100-continue`, or none."),
    "transfer_coding_unknown": Code(501, "That transfer coding is not known", "Send `chunked`, or Content-Length."),
    "body_too_large": Code(413, "The body is too large", "Send at most `max` bytes."),
    "unsupported_media_type": Code(415, "The body is not said to be JSON", "Send `Content-Type: application/json`."),
    "range_not_satisfiable": Code(416, "There is no such range", "Ask for the whole, without `Range`."),
    "validation_failed": Code(
        422, "The request has the wrong shape or values", "Mend what `errors` lists: each has a JSON pointer."
    ),
    # --- who is asking
    "token_missing": Code(401, "A token is needed", "Send `Authorization: Bearer ct_...`; POST /v1/players gives one."),
    "token_invalid": Code(
        401, "The token is not known", "Check that it is sent whole; it may have expired or been revoked: take another."
    ),
    "scope_missing": Code(
        403,
        "The token is not for this",
        "Send one with the scope `scope`: POST /v1/me/tokens gives others.",
    ),
    "ticket_invalid": Code(
        401, "The ticket is not good", "A ticket opens one stream of its game, once, for 30 s: take another."
    ),
    "not_host": Code(403, "Only the host may do this", "Ask the host of the game."),
    "not_seated": Code(403, "You have no seat in this game", "Sit down first, while the game is in the lobby."),
    # --- what is asked for
    "not_found": Code(404, "There is nothing at this address", "See /docs for all addresses."),
    "unknown_game": Code(
        404,
        "There is no such game for you",
        "Check the id; a private game shows itself to its seats and to whom they invite.",
    ),
    "unknown_player": Code(404, "There is no such player", "Check the id: views tell those of all who sit at a table."),
    "unknown_invite": Code(
        404,
        "There is no such invitation",
        "It was withdrawn, has expired or was used up, or the code is not whole: ask for another.",
    ),
    "unknown_challenge": Code(
        404, "The event of that version resolved no challenge", "GET …/challenges lists all challenges of the game."
    ),
    "not_a_challenge": Code(
        404, "That event resolved no challenge", "GET …/challenges lists all challenges of the game."
    ),
    "unknown_dispute": Code(404, "There is no such dispute for you", "GET …/disputes of the game lists them."),
    "unknown_token": Code(404, "You have no such token", "GET /v1/me/tokens lists yours, by id."),
    "unknown_ruleset": Code(404, "There is no such ruleset", "GET /v1/rulesets lists them."),
    "method_not_allowed": Code(405, "This address does not answer that method", "Use one of those in `Allow`."),
    # --- not now
    "illegal_move": Code(409, "The move is not legal now", "Play a move that is in one of the forms of the decision."),
    "card_not_held": Code(409, "You do not hold that card", "Name cards of your hand, each as often as you hold it."),
    "not_asked": Code(409, "You are asked nothing now", "Wait until `asked` in the view names your seat."),
    "decision_closed": Code(
        409, "That decision is closed", "It was answered, or its time ran out; `open` lists what you may answer."
    ),
    "too_late": Code(409, "The time for that decision ran out", "Read the view again; the clock plays for you."),
    "game_over": Code(409, "The game is over", "Create another game."),
    "game_faulted": Code(409, "The game is frozen by a fault of the server", "It can be read, and not be played on."),
    "seat_taken": Code(409, "That seat is taken", "Take one of `free`, or name no seat."),
    "game_full": Code(409, "Every seat is taken", "Join another game."),
    "already_seated": Code(409, "You sit at this table already", "Your seat is `seat`."),
    "already_started": Code(409, "The game has started", "This can be done in the lobby only."),
    "reveal_open": Code(
        409,
        "The seats are closed",
        "The game begins when the seats in `asked` have revealed their seeds, or their time is up.",
    ),
    "seeds_open": Code(409, "This game takes no commitments", "Send `client_seed` itself, before the start."),
    "seeds_committed": Code(
        409,
        "This game takes commitments",
        "Send `seed_commitment` in the lobby, and `client_seed` when you are asked to reveal it.",
    ),
    "seed_mismatch": Code(
        409,
        "That is not the seed that you committed to",
        "Send the one whose digest is `commitment`, in time.",
    ),
    "already_created": Code(409, "The game exists already", "Read it instead."),
    "seats_free": Code(409, "Not every seat is taken", "Fill the seats in `free` with players or bots, then start."),
    "game_not_over": Code(409, "The game is not over", "Everything is opened when the game is over."),
    "seat_away": Code(
        409, "A bot plays for you", 'Take the seat back first: PUT seats/me with {"controller":"player"}.'
    ),
    "not_away": Code(409, "Nobody plays for you", "A seat can be taken back from a bot that plays for you, in a game."),
    "too_many_invites": Code(409, "The game has too many invitations", "Withdraw one of the `max` that are good."),
    "too_many_tokens": Code(409, "You have too many tokens", "Revoke one of the `max` that you have."),
    "not_due": Code(409, "The time has not run out", "Wait for the deadline."),
    "not_a_bot": Code(409, "A player answers for that seat", "Only a bot's answer can be replaced."),
    "resync": Code(409, "That cursor is not in this game's history", "Read the view again and go on from its cursor."),
    "dispute_closed": Code(409, "The dispute has been answered for good", "Read its report."),
    "already_disputed": Code(
        409,
        "Your seat disputes that already",
        "Read the report on `dispute`: each seat may dispute a thing once.",
    ),
    "stale": Code(
        412, "The game has moved on", "Look at the game again (`cursor` says where it is), and send the new `ETag`."
    ),
    "refused": Code(409, "The rules refuse this", "See the rules of the game and the facts in this problem."),
    "rate_limited": Code(
        429,
        "That was too often",
        "Wait for `Retry-After` and send the same request again; at most `limit` in `window_s` seconds.",
    ),
    # --- wrong values
    "unknown_bot": Code(422, "There is no such bot level", "Choose one of `levels`."),
    "options_out_of_range": Code(
        422, "The options are not those of the ruleset", "`errors` says which; GET /v1/rulesets/{key} lists all."
    ),
    "seats_out_of_range": Code(422, "The ruleset is not played by so many", "Choose from `min` to `max` seats."),
    "at_out_of_range": Code(422, "The game was not there then", "Choose from `min` to `max`."),
    "seat_out_of_range": Code(422, "There is no such seat at this table", "Choose from `min` to `max`."),
    "key_reused": Code(
        422,
        "The Idempotency-Key was used for something else",
        "Take a new key for each intention; repeat the same body.",
    ),
    # --- the server
    "internal_error": Code(
        500, "The server made a mistake", "Try again; nothing was half done. It has been logged under `request`."
    ),
    "store_unavailable": Code(
        503, "The store cannot be reached", "Send the same request with the same Idempotency-Key after `Retry-After`."
    ),
    "not_ready": Code(503, "The server is not ready", "Try again after `Retry-After` seconds."),
}

_BY_STATUS = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large",
              414: "uri_too_long", 415: "unsupported_media_type", 416: "range_not_satisfiable",
              417: "expectation_failed",
              429: "rate_limited", 431: "headers_too_large", 500: "internal_error", 503: "not_ready"}  # fmt: skip


class ProblemResponse(Response):
    """The answer of a problem, which knows its code."""

    code = ""


class Problem(Exception):
    """A request failed: a code of the table (or of a ruleset) and the facts that say what would be right."""

    def __init__(self, code: str, /, *, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts
        self.headers = dict(headers or {})


def about(code: str) -> Code:
    """The entry of a code; one that a ruleset made up is a conflict named by its own words."""
    known = CODES.get(code)
    if known is not None:
        return known
    refused = CODES["refused"]
    return Code(refused.status, code.replace("_", " ").capitalize(), refused.advice)


def code_of_status(status: int) -> str:
    """The code of an HTTP error that the framework raised by itself."""
    return _BY_STATUS.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")


def document(code: str, facts: Mapping[str, Any], status: int | None = None) -> dict[str, Any]:
    """The problem document of `code`; facts are members, and none can hide a standard one."""
    entry = about(code)
    return {
        **facts,
        "type": f"/problems/{code}",
        "title": entry.title,
        "status": status or entry.status,
        "code": code,
        "detail": facts.get("detail") or entry.advice,
    }


def response(
    code: str, facts: Mapping[str, Any], headers: Mapping[str, str] | None = None, status: int | None = None
) -> ProblemResponse:
    """The HTTP answer of a problem."""
    body = document(code, facts, status)
    answer = ProblemResponse(orjson.dumps(body, default=str), body["status"], mimetype=MEDIA_TYPE)
    answer.code = code
    answer.headers["Cache-Control"] = "no-store"
    if body["status"] == HTTPStatus.UNAUTHORIZED:
        error = ', error="invalid_token"' if code == "token_invalid" else ""
        answer.headers["WWW-Authenticate"] = f'Bearer realm="captains-table"{error}'
    if code == "scope_missing":
        told = f'error="insufficient_scope", scope="{facts.get("scope", "")}"'
        answer.headers["WWW-Authenticate"] = f'Bearer realm="captains-table", {told}'
    if body["status"] in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    answer.headers.update(headers or {})
    return answer


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a path of keys and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def invalid(messages: Any, code: str = "validation_failed", at: tuple[str | int, ...] = ()) -> Problem:
    """The problem of a body that a schema refused, from marshmallow's messages; `at` is where the schema stands."""
    return Problem(code, errors=[{"pointer": p, "detail": d} for p, d in _leaves(messages, at)])


def invalid_query(messages: Any) -> Problem:
    """The problem of a query string that a schema refused."""
    errors = [{"parameter": p.removeprefix("/"), "detail": d} for p, d in _leaves(messages, ())]
    return Problem("validation_failed", errors=errors)


def _leaves(messages: Any, path: tuple[str | int, ...]) -> Iterable[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            yield from _leaves(below, path if key == "_schema" else (*path, key))
    elif isinstance(messages, (list, tuple)):
        for message in messages:
            yield from _leaves(message, path)
    else:
        yield pointer(path), str(messages)
