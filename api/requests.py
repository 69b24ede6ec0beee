"""The shapes of what clients send. Unknown fields are refused."""

import re
from typing import Any, get_args

from marshmallow import RAISE, Schema, ValidationError, fields, validates_schema
from marshmallow.validate import Length, OneOf

from api.fields import MAX_NAME, Boolean, Either, Exactly, Integer, Name, QueryInteger, Tuple, Words, hex64
from api.unions import schema_of
from domain.disputes import LONGEST_REASON
from domain.game import Status
from domain.lifecycle import DAY_MS, Clock, Seeds, Visibility
from eventstore.invites import MOST_USES
from eventstore.ratings import KINDS
from eventstore.tokens import SCOPES

MOST_SEATS = 100
"""A bound for the parser; each ruleset has its own."""

PAGE = 50
MOST_PAGE = 200
MOST_EXPORT = 100
CURSOR = Length(1, 100)
AFTER = re.compile(r"[0-9]{1,9}(-[0-9a-f]{8})?")
"""A place in a game's history: a cursor, or a bare version."""

COMMITMENT = 'SHA-256 of the UTF-8 bytes of `["<game>","client_seed","<seed>"]`, without spaces, in hex.'
"""What a player commits to its client seed with."""

ClockRequest = schema_of(Clock, "ClockRequest")


class Request(Schema):
    """The base of all request bodies."""

    class Meta:
        unknown = RAISE


class NewName(Request):
    """A name."""

    name = Name(required=True, metadata={"description": "What others see: visible characters, no control characters."})


class NewPlayer(NewName):
    """A guest account."""

    kind = fields.String(
        load_default="player",
        validate=OneOf(["player", "bot"]),
        metadata={"description": "`bot`: a program plays. All who see it are told so, and it never changes."},
    )


LONGEST_LIFE_MS = 3650 * DAY_MS


class NewToken(Request):
    """Another token of the same player."""

    scopes = fields.List(
        fields.String(validate=OneOf(SCOPES)),
        required=True,
        validate=Length(1, len(SCOPES)),
        metadata={"description": "What it is for; nothing that the token you send is not for."},
    )
    label = Words(MAX_NAME, metadata={"description": "For yourself, to know it again."})
    expires_ms = Integer(
        1000, LONGEST_LIFE_MS, metadata={"description": "How long it works; never longer than the token you send."}
    )


def _code(**kwargs: Any) -> fields.String:
    return fields.String(validate=Length(1, 100), metadata={"description": "The code of an invitation."}, **kwargs)


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
    seeds = fields.String(
        load_default="open",
        validate=OneOf(get_args(Seeds)),
        metadata={
            "description": "`committed`: players commit to their client seeds, and reveal them before the start."
        },
    )


class SeatRequest(Request):
    """Sit down, or as the host seat a bot of the level `bot`."""

    seat = Integer(0, MOST_SEATS - 1, metadata={"description": "Default: the first free one."})
    bot = fields.String(validate=Length(1, 40))
    invite = _code()
    client_seed = hex64(
        metadata={"description": "A player's own share in the shuffle: 64 hex digits; for oneself, in open games."},
    )
    seed_commitment = hex64(metadata={"description": f"In games with committed seeds instead: {COMMITMENT}"})

    @validates_schema(skip_on_field_errors=True)
    def _fit(self, data: dict[str, Any], **_: Any) -> None:
        brought = [name for name in ("client_seed", "seed_commitment") if name in data]
        if "bot" in data and brought:
            raise ValidationError("A bot brings no client seed.", brought[0])
        if len(brought) > 1:
            raise ValidationError("At most one of `client_seed` and `seed_commitment`.", "seed_commitment")
        if data.keys() >= {"bot", "invite"}:
            raise ValidationError("A bot needs no invitation.", "invite")


class SeatChange(Request):
    """Take the seat back from the bot that plays for you, or give, commit to or reveal a client seed: one of them."""

    controller = fields.String(validate=OneOf(["player"]))
    client_seed = hex64(
        metadata={
            "description": "In an open game before the start. In a committed one when you are asked for it"
            " (`reveal_seed`): the seed that you have committed to."
        }
    )
    seed_commitment = hex64(metadata={"description": f"In the lobby of a committed game: {COMMITMENT}"})

    @validates_schema(skip_on_field_errors=True)
    def _one_of_three(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Exactly one of `controller`, `client_seed` and `seed_commitment`.")


class NewDispute(Request):
    """What is disputed, and why; without `challenge` the whole game."""

    challenge = Integer(1, 10**9, metadata={"description": "The `v` of a challenge of the game."})
    reason = Words(
        LONGEST_REASON,
        required=True,
        metadata={"description": "For people; whoever may read the game may read it. No control characters."},
    )


class NewInvite(Request):
    """An invitation to a game."""

    seat = Integer(0, MOST_SEATS - 1, metadata={"description": "For this seat; default: for any. It keeps none free."})
    expires_ms = Integer(1000, 365 * DAY_MS, load_default=7 * DAY_MS, metadata={"description": "How long it is good."})
    uses = Integer(1, MOST_USES, load_default=1, metadata={"description": "How many players may come by it."})


class Acceptance(Request):
    """An invitation that is exchanged."""

    code = _code(required=True)


class Nothing(Request):
    """No fields."""


class PlayerGamesQuery(Request):
    """Which games of a player to list."""

    status = fields.String(validate=OneOf(get_args(Status)))
    ruleset = fields.String(validate=Length(1, 40))
    after = fields.String(validate=CURSOR)
    limit = QueryInteger(1, MOST_PAGE, load_default=PAGE)


class GamesQuery(PlayerGamesQuery):
    """Which games to list."""

    seat = fields.String(
        validate=OneOf(["me"]), metadata={"description": "`me`: games that I host or have or had a seat in."}
    )


class LeaderboardQuery(Request):
    """Which part of a leaderboard to see."""

    kind = fields.String(
        load_default="player", validate=OneOf(KINDS), metadata={"description": "`bot`: accounts of programs."}
    )
    after = fields.String(validate=CURSOR)
    limit = QueryInteger(1, MOST_PAGE, load_default=PAGE)


class ExportQuery(Request):
    """Which finished games to export."""

    ruleset = fields.String(validate=Length(1, 40))
    after = fields.String(validate=CURSOR, metadata={"description": "`next` or `cursor` of an earlier export."})
    limit = QueryInteger(1, MOST_EXPORT, load_default=MOST_EXPORT, metadata={"description": "The most games."})


class ViewQuery(Request):
    """Whose eyes to look with."""

    observer = fields.String(
        data_key="as",
        load_default="me",
        validate=OneOf(["me", "all"]),
        metadata={"description": "`all`: with everything open, once the game is over."},
    )


def _place(description: str, **kwargs: Any) -> fields.String:
    checks = [CURSOR, Exactly(f"^{AFTER.pattern}$", error="A cursor like 17-3fa9c1d2, or a version.")]
    return fields.String(validate=checks, metadata={"description": description}, **kwargs)


class LogQuery(Request):
    """Whose eyes to look back with."""

    observer = fields.String(
        data_key="as",
        load_default="me",
        validate=[Length(1, 10), Exactly(r"^(me|spectator|all|[0-9]{1,2})$", error="me, spectator, all, or a seat.")],
        metadata={"description": "`me`, `spectator`; once the game is over also the number of a seat, or `all`."},
    )


class ReplayQuery(LogQuery):
    """Which moment of a game to see, and with whose eyes."""

    at = _place("A version, or a cursor; default: now. Rounded down to the end of a batch.")


class StreamQuery(Request):
    """Where to go on, and who is asking."""

    after = _place("The cursor (or bare version) after which to go on; without it the stream begins with a snapshot.")
    ticket = fields.String(
        validate=Length(1, 100), metadata={"description": "Instead of a token: see `stream-tickets`."}
    )


class EventsQuery(ViewQuery):
    """Which events to read."""

    after = _place("A cursor, or a bare version; 0: from the start.", load_default="0")
    limit = QueryInteger(
        1, MOST_PAGE, load_default=MOST_PAGE,
        metadata={"description": "About how many events: a page ends where a batch does."},
    )  # fmt: skip
