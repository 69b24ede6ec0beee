"""The shapes of what clients send. Unknown fields are refused."""

from typing import Any, get_args

from marshmallow import RAISE, Schema, ValidationError, fields, validates_schema
from marshmallow.validate import Length, OneOf, Regexp

from api.fields import Boolean, Either, Integer, Name, QueryInteger, Tuple, hex64
from api.unions import schema_of
from domain.game import Status
from domain.lifecycle import Clock, Visibility

MOST_SEATS = 100
"""A bound for the parser; each ruleset has its own."""

PAGE = 50
MOST_PAGE = 200
CURSOR = Length(1, 100)

ClockRequest = schema_of(Clock, "ClockRequest")


class Request(Schema):
    """The base of all request bodies."""

    class Meta:
        unknown = RAISE


class NewPlayer(Request):
    """A guest account."""

    name = Name(required=True, metadata={"description": "What others see: visible characters, no control characters."})


class NewGame(Request):
    """A game to be created; only `ruleset` is required."""

    ruleset = fields.String(required=True, validate=Length(1, 40))
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"description": "The ruleset's own: see `<ruleset>.Options`; left out ones have its defaults."},
    )
    seats = Integer(1, MOST_SEATS, metadata={"description": "Default: the fewest that hold host and bots."})
    bots = Tuple(
        fields.String(validate=Length(1, 40)),
        load_default=(),
        validate=Length(max=MOST_SEATS),
        metadata={"description": "Levels of bots; they take the first free seats."},
    )
    host_seat = Either(
        [Integer(0, MOST_SEATS - 1), fields.String(validate=OneOf(["none"]))],
        load_default=0,
        metadata={"description": "Where the creator sits, or `none`.", "default": 0},
    )
    clock = fields.Nested(ClockRequest, load_default=Clock())
    visibility = fields.String(load_default="public", validate=OneOf(get_args(Visibility)))
    auto_start = Boolean(load_default=False, metadata={"description": "Start by itself when the last seat is taken."})


class SeatRequest(Request):
    """Sit down, or as the host seat a bot of the level `bot`."""

    seat = Integer(0, MOST_SEATS - 1, metadata={"description": "Default: the first free one."})
    bot = fields.String(validate=Length(1, 40))
    client_seed = hex64(
        metadata={"description": "A player's own share in the shuffle: 64 hex digits; only for oneself."},
    )

    @validates_schema(skip_on_field_errors=True)
    def _one_of_two(self, data: dict[str, Any], **_: Any) -> None:
        if data.keys() >= {"bot", "client_seed"}:
            raise ValidationError("A bot brings no client seed.", "client_seed")


class SeatChange(Request):
    """Take the seat back from the bot that plays for you, or give a client seed before the start: one of the two."""

    controller = fields.String(validate=OneOf(["player"]))
    client_seed = hex64()

    @validates_schema(skip_on_field_errors=True)
    def _one_of_two(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Exactly one of `controller` and `client_seed`.")


class Nothing(Request):
    """No fields."""


class GamesQuery(Request):
    """Which games to list."""

    status = fields.String(validate=OneOf(get_args(Status)))
    ruleset = fields.String(validate=Length(1, 40))
    seat = fields.String(
        validate=OneOf(["me"]), metadata={"description": "`me`: games that I host or have or had a seat in."}
    )
    after = fields.String(validate=CURSOR)
    limit = QueryInteger(1, MOST_PAGE, load_default=PAGE)


class ViewQuery(Request):
    """Whose eyes to look with."""

    observer = fields.String(
        data_key="as",
        load_default="me",
        validate=OneOf(["me", "all"]),
        metadata={"description": "`all`: with everything open, once the game is over."},
    )


class EventsQuery(ViewQuery):
    """Which events to read."""

    after = fields.String(
        load_default="0",
        validate=[CURSOR, Regexp(r"^[0-9]{1,9}(-[0-9a-f]{8})?$", error="A cursor like 17-3fa9c1d2, or a version.")],
        metadata={"description": "A cursor, or a bare version; 0: from the start."},
    )
    limit = QueryInteger(
        1, MOST_PAGE, load_default=MOST_PAGE,
        metadata={"description": "About how many events: a page ends where a batch does."},
    )  # fmt: skip
