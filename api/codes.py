"""Every way in which a request can fail: the table that problem documents, their pages and the spec follow from."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Code(NamedTuple):
    """What a code means: HTTP status, a short title, what the sender should do, and the facts that may come with it.

    A fact is `integer`, `string`, `boolean` or `object`; `[]` after it is a list of such, `?` or null.
    """

    status: int
    title: str
    advice: str
    facts: Mapping[str, str] = {}


_MOST = {"max": "integer"}
_BETWEEN = {"min": "integer", "max": "integer"}
_ERRORS = {"errors": "object[]"}
_ASKED = {"asked": "integer[]"}
_FREE = {"free": "integer[]"}
_CURSOR = {"cursor": "string"}
_GAME = {"game": "string"}

ANYWHERE = frozenset({
    "bad_request", "not_found", "method_not_allowed", "uri_too_long", "headers_too_large", "expectation_failed",
    "transfer_coding_unknown", "range_not_satisfiable",
})  # fmt: skip
"""What any address may answer, also one that is no operation."""

INSIDE = frozenset({
    "refused", "already_created", "not_due", "not_a_bot", "too_late", "not_a_challenge", "dispute_closed",
})  # fmt: skip
"""How commands of the server's own workers are refused: no request is answered so, or only by a ruleset to come."""

CODES: Mapping[str, Code] = {
    # --- the request cannot be read
    "bad_request": Code(400, "Bad request", "Send well-formed HTTP/1.1."),
    "malformed_json": Code(
        400,
        "The body is not JSON",
        "Send one JSON value (RFC 8259); `detail` says where it breaks.",
        {"line": "integer", "column": "integer"},
    ),
    "not_utf8": Code(
        400, "The body is not UTF-8", "Encode JSON as UTF-8, without a byte order mark.", {"offset": "integer"}
    ),
    "duplicate_key": Code(
        400, "A JSON object names a key twice", "Name each key once; `key` is the one.", {"key": "string"}
    ),
    "too_nested": Code(400, "The JSON is nested too deeply", "Nest at most `max` levels.", _MOST),
    "bad_number": Code(
        400,
        "A number cannot be exact",
        "Send whole numbers within 53 bits; NaN and Infinity are not JSON.",
        {"max": "integer", "number": "string"},
    ),
    "bad_string": Code(400, "A string is not Unicode text", "Send no lone surrogates (\\ud800 to \\udfff)."),
    "bad_idempotency_key": Code(
        400,
        "The Idempotency-Key cannot be used",
        "Send 1 to 255 visible ASCII characters, new for each intention.",
        _MOST,
    ),
    "uri_too_long": Code(414, "The address is too long", "Send a shorter path and query."),
    "headers_too_large": Code(431, "The headers are too large", "Send fewer and shorter headers."),
    "expectation_failed": Code(417, "That expectation cannot be met", "Send `Expect: 100-continue`, or none."),
    "transfer_coding_unknown": Code(501, "That transfer coding is not known", "Send `chunked`, or Content-Length."),
    "range_not_satisfiable": Code(416, "There is no such range", "Ask for the whole, without `Range`."),
    "body_too_large": Code(413, "The body is too large", "Send at most `max` bytes.", _MOST),
    "unsupported_media_type": Code(415, "The body is not said to be JSON", "Send `Content-Type: application/json`."),
    "validation_failed": Code(
        422,
        "The request has the wrong shape or values",
        "Mend what `errors` lists: each names its place, a JSON `pointer` into the body or a `parameter`.",
        _ERRORS,
    ),
    # --- who is asking
    "token_missing": Code(401, "A token is needed", "Send `Authorization: Bearer ct_...`; POST /v1/players gives one."),
    "token_invalid": Code(
        401,
        "The token is not known",
        "Check that it is sent whole, as `Bearer ct_...`; it may have expired or been revoked: take another.",
    ),
    "scope_missing": Code(
        403,
        "The token is not for this",
        "Send one with the scope `scope`: POST /v1/me/tokens gives others.",
        {"scope": "string"},
    ),
    "ticket_invalid": Code(
        401, "The ticket is not good", "A ticket opens one stream of its game, once, for 30 s: take another."
    ),
    "not_host": Code(403, "Only the host may do this", "Ask the host of the game."),
    "not_seated": Code(
        403,
        "You have no seat in this game",
        "Only its seats may do this: sit down first, while the game is in the lobby.",
    ),
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
    "unknown_token": Code(404, "You have no such token", "GET /v1/me/tokens lists yours, by id."),
    "unknown_challenge": Code(
        404, "The event of that version resolved no challenge", "GET …/challenges lists all challenges of the game."
    ),
    "not_a_challenge": Code(
        409, "The event of that version resolved no challenge", "GET …/challenges lists them all.", {"v": "integer"}
    ),
    "dispute_closed": Code(409, "The dispute has its final report", "Read it: nothing can be added."),
    "unknown_dispute": Code(404, "There is no such dispute for you", "GET …/disputes of the game lists them."),
    "unknown_ruleset": Code(404, "There is no such ruleset", "GET /v1/rulesets lists them.", {"rulesets": "string[]"}),
    "method_not_allowed": Code(405, "This address does not answer that method", "Use one of those in `Allow`."),
    # --- not now
    "illegal_move": Code(
        409,
        "The move is not legal now",
        "Play a move that is in one of the forms of the decision; `reveal_seed` has none, PUT seats/me answers it.",
        {"reason": "string", "moves": "string[]", "decision": "string", "belts": "integer[]"},
    ),
    "card_not_held": Code(
        409,
        "You do not hold that card",
        "Name cards of your hand, each as often as you hold it.",
        {"cards": "string[]"},
    ),
    "not_asked": Code(409, "You are asked nothing now", "Wait until `asked` in the view names your seat.", _ASKED),
    "decision_closed": Code(
        409,
        "That decision is closed",
        "It was answered, or its time ran out; `open` lists what you may answer.",
        {"open": "string[]", "reason": "string"},
    ),
    "too_late": Code(
        409,
        "The time for that decision ran out",
        "Read the view again; the clock plays for you.",
        {"deadline": "integer"},
    ),
    "game_over": Code(
        409,
        "The game is over",
        "Create another game; once it is finished, POST …/rematch seats the same table again.",
        {"status": "string", **_GAME},
    ),
    "game_faulted": Code(409, "The game is frozen by a fault of the server", "It can be read, and not be played on."),
    "seat_taken": Code(409, "That seat is taken", "Take one of `free`, or name no seat.", _FREE),
    "game_full": Code(
        409,
        "Every seat is taken",
        "Join another game; or create one with more seats or fewer bots.",
        {"seats": "integer", **_GAME},
    ),
    "already_seated": Code(409, "You sit at this table already", "Your seat is `seat`.", {"seat": "integer"}),
    "already_started": Code(409, "The game has started", "This can be done in the lobby only.", _GAME),
    "reveal_open": Code(
        409,
        "The seats are closed",
        "The game begins when the seats in `asked` have revealed their seeds, or their time is up.",
        {**_ASKED, **_GAME},
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
        {"commitment": "string"},
    ),
    "already_created": Code(409, "The game exists already", "Read it instead."),
    "seats_free": Code(
        409, "Not every seat is taken", "Fill the seats in `free` with players or bots, then start.", _FREE
    ),
    "game_not_over": Code(
        409,
        "The game is not over",
        "Wait until it is: only then is everything opened, audited and played again.",
        {"status": "string"},
    ),
    "seat_away": Code(
        409,
        "A bot plays for you",
        'Take the seat back first: PUT seats/me with {"controller":"player"}.',
        {"bot": "string"},
    ),
    "not_away": Code(409, "Nobody plays for you", "A seat can be taken back from a bot that plays for you, in a game."),
    "too_many_invites": Code(
        409, "The game has too many invitations", "Withdraw one of the `max` that are good.", _MOST
    ),
    "too_many_tokens": Code(409, "You have too many tokens", "Revoke one of the `max` that you have.", _MOST),
    "not_due": Code(409, "The time has not run out", "Wait for the deadline."),
    "not_a_bot": Code(409, "A player answers for that seat", "Only a bot's answer can be replaced."),
    "resync": Code(
        409, "That cursor is not in this game's history", "Read the view again and go on from its cursor.", _CURSOR
    ),
    "already_disputed": Code(
        409,
        "Your seat disputes that already",
        "Read the report on `dispute`: each seat may dispute a thing once.",
        {"dispute": "string"},
    ),
    "stale": Code(
        412,
        "The game has moved on",
        "Look at the game again (`cursor` says where it is), and send the new `ETag`.",
        {"cursor": "string", "version": "integer"},
    ),
    "refused": Code(409, "The rules refuse this", "See the rules of the game and the facts in this problem."),
    "rate_limited": Code(
        429,
        "That was too often",
        "Wait for `Retry-After` and send the same request again; at most `limit` in `window_s` seconds.",
        {"policy": "string", "limit": "integer", "window_s": "integer", "retry_after_ms": "integer"},
    ),
    # --- wrong values
    "unknown_bot": Code(422, "There is no such bot level", "Choose one of `levels`.", {"levels": "string[]"}),
    "options_out_of_range": Code(
        422,
        "The options are not those of the ruleset",
        "`errors` says which; GET /v1/rulesets/{key} lists all.",
        {"errors": "object[]", "reason": "string"},
    ),
    "seats_out_of_range": Code(
        422, "The ruleset is not played by so many", "Choose from `min` to `max` seats.", _BETWEEN
    ),
    "at_out_of_range": Code(
        422,
        "The game was not there then",
        "Choose from `min`, the end of the first batch of events, to `max`.",
        _BETWEEN,
    ),
    "seat_out_of_range": Code(422, "There is no such seat at this table", "Choose from `min` to `max`.", _BETWEEN),
    "key_reused": Code(
        422,
        "The Idempotency-Key was used for something else",
        "Take a new key for each intention; repeat the same body.",
    ),
    # --- the server
    "internal_error": Code(
        500,
        "The server made a mistake",
        "Try again; nothing was half done. It has been logged under `request`.",
        {"request": "string"},
    ),
    "store_unavailable": Code(
        503, "The store cannot be reached", "Send the same request with the same Idempotency-Key after `Retry-After`."
    ),
    "not_ready": Code(
        503,
        "The server is not ready",
        "Try again after `Retry-After` seconds.",
        {"failed": "string[]", "degraded": "string[]", "durability": "string", "checks": "object"},
    ),
}


def fits(kind: str, value: Any) -> bool:
    """Whether `value` is a fact of `kind`, as the table writes it."""
    if kind.endswith("?"):
        return value is None or fits(kind[:-1], value)
    if kind.endswith("[]"):
        return isinstance(value, list) and all(fits(kind[:-2], item) for item in value)
    if kind == "integer":
        return type(value) is int
    return isinstance(value, {"string": str, "boolean": bool, "object": dict}[kind])


def words(kind: str) -> str:
    """How people read the kind of a fact."""
    if kind.endswith("?"):
        return f"{words(kind[:-1])}, or null"
    return f"list of {words(kind[:-2])}" if kind.endswith("[]") else kind
