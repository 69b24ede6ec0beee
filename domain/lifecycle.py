"""The events that all games share: from the lobby to the end."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from domain.events import Event, Seal
from domain.results import Rank
from domain.values import Value
from domain.votes import VoteCast, VoteClosed

Controller = Literal["player", "bot"]
Visibility = Literal["public", "unlisted", "private"]
Seeds = Literal["open", "committed"]
Level = str

DAY_MS = 24 * 60 * 60 * 1000
LOBBY_MS = DAY_MS
"""How long a lobby waits for its start before it expires, in ms."""

_Thinking = Annotated[int, Meta(ge=1000, le=14 * DAY_MS)]


class Clock(Value, frozen=True):
    """The clock of a game, in ms; `away_after` counts timeouts in a row until a bot plays for the seat.

    The shown deadline is `decision_ms` (in a vote window `vote_ms`) after the question; the enforced one is later by
    `grace_ms`, for moves and timeouts alike. `bot_pace_ms` is the least time a bot takes.
    """

    decision_ms: _Thinking = 60_000
    vote_ms: _Thinking = 20_000
    grace_ms: Annotated[int, Meta(ge=0, le=10_000)] = 500
    away_after: Annotated[int, Meta(ge=1, le=1000)] = 3
    bot_pace_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0


class GameCreated(Event, frozen=True, kw_only=True):
    """A game exists. The server seed is committed to here and opened by `game_ended` only.

    Whether the players' seeds are committed to as well is `seeds`; games of schema 1 are all `open`.
    """

    sv = 2
    upcasts = {1: lambda data: {**data, "seeds": "open"}}

    format: int = 1
    ruleset: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    host: str
    clock: Clock
    visibility: Visibility
    auto_start: bool
    seeds: Seeds = "open"
    server_seed: Seal[str]


class SeatTaken(Event, frozen=True, kw_only=True):
    """A player (by id) or a bot (by level) sits down; a player may bring a client seed."""

    player: str | None = None
    bot: Level | None = None
    client_seed: str | None = None


class ClientSeedGiven(Event, frozen=True, kw_only=True):
    """A seated player gives its client seed, or another one, before the start."""

    client_seed: str


class ClientSeedCommitted(Event, frozen=True, kw_only=True):
    """A seated player commits to its client seed, or to another one: `SHA-256(canonical([game, "client_seed", seed]))`.

    In games with committed seeds only; what counts is the last one before `reveal_opened`.
    """

    commitment: str


class RevealOpened(Event, frozen=True, kw_only=True):
    """The seats are closed, and each that has committed to a seed is asked for it; then the game starts."""


class ClientSeedRevealed(Event, frozen=True, kw_only=True):
    """A seat reveals the client seed that it had committed to."""

    client_seed: str


class SeatLeft(Event, frozen=True, kw_only=True):
    """A player leaves its seat before the start."""


class GameStarted(Event, frozen=True, kw_only=True):
    """Everybody is seated; what follows in the same batch is the ruleset's setup."""


class ControllerChanged(Event, frozen=True, kw_only=True):
    """Who answers for the seat from now on; `bot` is the level that does, or null."""

    controller: Controller
    reason: Literal["away", "returned", "resigned"]
    bot: Level | None = None


class ClockCredited(Event, frozen=True, kw_only=True):
    """The server was away: every open deadline is `ms` later."""

    ms: int


class GameFaulted(Event, frozen=True, kw_only=True):
    """The game is frozen: neither a move nor its default could be played. `error` names the kind of failure."""

    error: str


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over; the server seed is opened. `resigned` are the seats whose players gave up."""

    reason: str
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    resigned: tuple[int, ...]


SHARED: tuple[type[Event], ...] = (
    GameCreated,
    SeatTaken,
    ClientSeedGiven,
    ClientSeedCommitted,
    RevealOpened,
    ClientSeedRevealed,
    SeatLeft,
    GameStarted,
    ControllerChanged,
    VoteCast,
    VoteClosed,
    ClockCredited,
    GameFaulted,
    GameEnded,
)
