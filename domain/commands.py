"""What may be asked of a game. Time, chance and ids come in as data."""

from typing import Any, Literal

from domain.lifecycle import Clock, Seeds, Visibility
from domain.moves import Move
from domain.values import Value


class Create(Value, frozen=True):
    """Open a lobby; `host` is a player id, `bots` are levels that take the first free seats.

    `host_seat` None leaves the host without a seat. `server_seed` is 64 hex digits of real entropy.
    """

    ruleset: str
    options: dict[str, Any]
    seats: int
    host: str
    server_seed: str
    host_seat: int | None = 0
    bots: tuple[str, ...] = ()
    clock: Clock = Clock()
    visibility: Visibility = "public"
    auto_start: bool = False
    seeds: Seeds = "open"


class Sit(Value, frozen=True):
    """A player takes `seat`, or the first free one; it may bring a client seed, or in a committed game a commitment."""

    player: str
    seat: int | None = None
    client_seed: str | None = None
    seed_commitment: str | None = None


class SeatBot(Value, frozen=True):
    """The host (`player`) seats a bot of `level` at `seat`, or at the first free one."""

    player: str
    level: str
    seat: int | None = None


class CommitSeed(Value, frozen=True):
    """A seated player commits to a client seed, or to another one, in the lobby of a committed game."""

    player: str
    commitment: str


class GiveSeed(Value, frozen=True):
    """A seated player brings a client seed before the start; in a committed game it reveals it when it is asked to."""

    player: str
    client_seed: str


class Leave(Value, frozen=True):
    """A player leaves: its seat in the lobby; in a running game it resigns."""

    player: str


class Start(Value, frozen=True):
    """The host starts the game."""

    player: str


class TakeBack(Value, frozen=True):
    """A player who was away takes its seat back from the bot."""

    player: str


class Play(Value, frozen=True):
    """A seat answers the decision with id `decision`.

    Given a `player`, it must be the one who sits there when the answer is judged: it may have resigned meanwhile.
    """

    seat: int
    decision: str
    move: Move
    by: Literal["player", "bot"] = "player"
    player: str | None = None


class Timeout(Value, frozen=True):
    """The clock plays for whoever's time is up: one decision, or all of one vote window."""


class PlayDefault(Value, frozen=True):
    """The sweeper plays for a bot that cannot: the default move of the decision."""

    seat: int
    decision: str


class Credit(Value, frozen=True):
    """Give back `ms` of downtime to every open deadline."""

    ms: int


class Expire(Value, frozen=True):
    """Close a lobby that nobody started in time."""


class Fault(Value, frozen=True):
    """Freeze a game that cannot go on; `error` names the kind of failure, never a value."""

    error: str


Command = (
    Create
    | Sit
    | SeatBot
    | CommitSeed
    | GiveSeed
    | Leave
    | Start
    | TakeBack
    | Play
    | Timeout
    | PlayDefault
    | Credit
    | Expire
    | Fault
)
