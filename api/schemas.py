"""The shapes of rulesets, games and events as the server answers them: for the spec, nothing is dumped through them."""

from typing import get_args

from marshmallow import EXCLUDE, INCLUDE, fields
from marshmallow.validate import Length, OneOf, Range

from api.account_schemas import Account
from api.shapes import Answer, anything, cursor, flag, many, nested, text, time, whole
from domain.game import SeedState, Status
from domain.lifecycle import Seeds, Visibility


class Fault(Answer):
    """One thing that is wrong with a request: where (a JSON pointer into the body, or a query parameter) and why."""

    pointer = fields.String()
    parameter = fields.String()
    detail = text()


class ProblemSchema(Answer):
    """What went wrong (RFC 9457). `type` is the address of a page about it, `code` its last segment; facts beside."""

    class Meta:
        unknown = INCLUDE

    type = text(metadata={"format": "uri-reference"})
    title = text()
    status = whole(validate=Range(400, 599))
    code = text()
    detail = text()
    errors = fields.List(fields.Nested(Fault))


class SeatBounds(Answer):
    """How many may play."""

    min = whole()
    max = whole()


class RulesetSummary(Answer):
    """A game that can be played here."""

    key = text()
    title = text()
    rules_version = whole()
    seats = nested(SeatBounds)
    bots = many(fields.String())
    defaults = anything("The options as they are when none is given.")


class RulesetDetail(RulesetSummary):
    """A game with the JSON Schemas (2020-12) of its options, moves and events, by type, and of its table.

    `rules` is a page to read.
    """

    rules = text(metadata={"format": "uri-reference"})
    options = anything("JSON Schema of the options.")
    moves = anything("JSON Schema of each move, by `type`.")
    events = anything("JSON Schema of each event, by `type`.")
    table = anything("JSON Schema of `table` in a view.")


class RulesetPage(Answer):
    """All rulesets."""

    items = many(RulesetSummary)
    next = fields.String(required=True, allow_none=True)


class ClockSettings(Answer):
    """The clock of a game, in ms; `away_after` timeouts in a row a bot plays for the seat."""

    decision_ms = whole()
    vote_ms = whole()
    grace_ms = whole()
    away_after = whole()
    bot_pace_ms = whole()


class ObserverSchema(Answer):
    """Whose eyes this was seen with: exactly one of the three."""

    seat = fields.Integer(strict=True)
    spectator = fields.Boolean()
    all = fields.Boolean()


class SeatSchema(Answer):
    """A place at the table; `player` and `bot` are null where there is none, `controller` while it is free.

    `controller` says who answers. `bot` is the level of the bot that sits there, or that plays for a `player` who is
    away or for the `former` one, who resigned.

    `seed` tells of its client seed: `given` in an open game; in a committed one `committed`, then `revealed`. After the
    start `committed` means that it was not revealed in time, and is no part of the shuffle.
    """

    seat = whole()
    player = nested(Account, allow_none=True)
    bot = text(allow_none=True)
    controller = text(allow_none=True, validate=OneOf(["player", "bot", None]))
    former = nested(Account, allow_none=True)
    seed = text(allow_none=True, validate=OneOf([*get_args(SeedState), None]))


class AskedSchema(Answer):
    """A seat that is asked for something."""

    seat = whole()
    kind = text()
    deadline = time()


class FieldForm(Answer):
    """What may stand in a field of a move; `kind` says which members there are and what they mean.

    `one_of`: one of `values`. `range`: a whole number from `min` to `max`. `multiset`: a list of `min` to `max` items
    of `from`. `run`: a list of cards of `held` whose numbers follow each other one by one, upwards from `up` or higher,
    or downwards from `down` or lower (null: not that way); if `wild` is not null, one place beside them may be
    `{"card": wild, "number": n}` with n from `min` to `max`. See /docs/getting-started.
    """

    class Meta:
        unknown = EXCLUDE
        include = {"from": fields.List(fields.Raw())}

    kind = text()
    values = fields.List(fields.Raw())
    min = fields.Integer()
    max = fields.Integer()
    held = fields.List(fields.Dict())
    wild = fields.String(allow_none=True)
    up = fields.Integer(allow_none=True)
    down = fields.Integer(allow_none=True)


class FormSchema(Answer):
    """A family of legal moves: every combination of allowed field values is one."""

    type = text()
    decision = text()
    fields_ = fields.Dict(keys=fields.String(), values=fields.Nested(FieldForm), required=True, data_key="fields")


class OfferSchema(Answer):
    """Something a seat may do, and need not."""

    id = text()
    kind = text()
    moves = many(FormSchema)


class DecisionSchema(OfferSchema):
    """What a seat must answer, until when, and all its legal moves.

    One of the kind `reveal_seed` has no moves: it is answered by `PUT …/seats/me` with the `client_seed`.
    """

    deadline = time()


class MovesSchema(Answer):
    """The legal moves of the caller."""

    game = text()
    version = whole()
    cursor = cursor()
    decision = nested(DecisionSchema, allow_none=True)
    offers = many(OfferSchema)


class RankSchema(Answer):
    """A seat's place; `counts_for` is the player whose result it is, null for a bot.

    `score` is in the game's own units, which its rules tell; less may be better.
    """

    seat = whole()
    rank = whole()
    score = whole()
    counts_for = text(allow_none=True)


class ResultSchema(Answer):
    """How a game ended.

    `reason` is one that the rules of the game tell, or `resigned` (one of two did), `abandoned` (all did), or of a game
    that never began `aborted` (all left) or `expired`. `ranking`, `winners` and `resigned` name seats.
    """

    reason = text()
    ranking = many(RankSchema)
    winners = many(fields.Integer())
    resigned = many(fields.Integer())


class GameSummary(Answer):
    """A game, as all who may know of it see it."""

    id = text()
    ruleset = text()
    rules_version = whole()
    status = text(validate=OneOf(get_args(Status)))
    version = whole()
    cursor = cursor()
    host = nested(Account, allow_none=True)
    visibility = text(validate=OneOf(get_args(Visibility)))
    auto_start = flag()
    seeds = text(validate=OneOf(get_args(Seeds)))
    created = time()
    options = anything("The options in force: see `<ruleset>.Options`.")
    seats = many(SeatSchema)
    clock = nested(ClockSettings)
    asked = many(AskedSchema)
    result = nested(ResultSchema, allow_none=True)


class GamePage(Answer):
    """A page of games, newest first."""

    items = many(GameSummary)
    next = fields.String(required=True, allow_none=True)


class ViewSchema(GameSummary):
    """A game, as the caller may see it. `table` is what lies on it: of each ruleset another shape."""

    observer = nested(ObserverSchema)
    rematch = text(allow_none=True, metadata={"description": "The next game of this table, once one is asked for."})
    table = fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "The table as the caller may see it: see `<ruleset>.Table`. Null before the start."},
    )
    decision = nested(DecisionSchema, allow_none=True)
    offers = many(OfferSchema)


class Seal(Answer):
    """A sealed field: who may open it, and the digest that proves it."""

    to = many(fields.Integer())
    digest = text(validate=Length(equal=64))


class Opening(Answer):
    """An earlier seal, opened for all."""

    v = whole()
    field = text()
    value = fields.Raw(required=True)
    salt = text()


class EventFrame(Answer):
    """What all events have, beside `type`, `data`, `opened` and `seals`, which each type has of its own.

    `data` is public; `opened` holds the sealed fields that the caller may open, with the salt that proves it.
    """

    v = whole()
    cursor = cursor()
    at = time()
    left = whole(metadata={"description": "How many events of the same batch follow."})
    seat = fields.Integer(required=True, strict=True, allow_none=True)
    by = text(validate=OneOf(["player", "bot", "clock", "rules"]))
    opens = many(Opening)
    hash = text(validate=Length(equal=64))


class EventPage(Answer):
    """Events in order. `cursor` is where to go on, also from an empty page; `next` is null at the end of the log."""

    items = fields.List(fields.Dict(), required=True)
    next = fields.String(required=True, allow_none=True)
    cursor = cursor()


class SignedHeadSchema(Answer):
    """The server's word that the record of `version` has this hash.

    Ed25519 over the canonical JSON of `at`, `game`, `hash` and `version`.
    """

    at = whole(metadata={"description": "The time of that record, in ms since 1970."})
    game = text()
    hash = text(validate=Length(equal=64))
    key = text(metadata={"description": "`kid` of the key: see `signing_keys` of /v1/server."})
    signature = text(metadata={"description": "base64url without padding."})
    version = whole()


class ReceiptSchema(Answer):
    """What a request made: versions `from` to `to`, and the events as the caller may see them.

    Keep `signed`: with it you can prove to anybody what the log was, should it ever be shown otherwise.
    """

    class Meta:
        unknown = EXCLUDE
        include = {"from": fields.Integer(required=True)}

    game = text()
    to = whole()
    cursor = cursor()
    hash = text(validate=Length(equal=64))
    signed = nested(SignedHeadSchema)
    events = fields.List(fields.Dict(), required=True)
