"""The aggregate: one game as any observer may know it, and how events change it.

Lobby, seats, clock and open decisions stand around the ruleset's own state. The same `evolve` folds the full log
and a redacted one; `decide.py` says what a command makes of a game.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, cast

from msgspec import UNSET, UnsetType, convert
from msgspec.structs import replace

from domain.decisions import Asked, Decision, ask
from domain.errors import Corrupt
from domain.events import Event
from domain.forms import Form
from domain.lifecycle import (
    LOBBY_MS,
    ClientSeedCommitted,
    ClientSeedGiven,
    ClientSeedRevealed,
    Clock,
    ClockCredited,
    ControllerChanged,
    GameCreated,
    GameEnded,
    GameFaulted,
    GameStarted,
    RevealOpened,
    SeatLeft,
    SeatTaken,
    Seeds,
    Visibility,
)
from domain.moves import Move
from domain.results import Result
from domain.ruleset import Ruleset, Table
from domain.values import Value

Status = Literal["lobby", "playing", "finished", "aborted", "faulted"]
OVER: Final[frozenset[Status]] = frozenset(("finished", "aborted", "faulted"))
"""The statuses of a game in which nothing can happen any more."""

SeedState = Literal["given", "committed", "revealed"]

REVEAL = "reveal_seed"
"""The kind of the decision by which a seat is asked for the seed that it has committed to."""


class Seat(Value, frozen=True):
    """A place at the table: its player (id) or bot (level), who answers for it, and how often it timed out.

    `former` is the player who resigned it. `controller` is None while nobody sits here.
    """

    player: str | None = None
    bot: str | None = None
    controller: Literal["player", "bot"] | None = None
    client_seed: str | None = None
    timeouts: int = 0
    former: str | None = None
    seed_commitment: str | None = None

    @property
    def seed(self) -> SeedState | None:
        """What is known of its client seed; one that is still `committed` after the start was not revealed in time."""
        if self.seed_commitment is None:
            return None if self.client_seed is None else "given"
        return "committed" if self.client_seed is None else "revealed"


class Game(Value, frozen=True):
    """A game at a version. `table` is the ruleset's state, None before the start; times are in ms since 1970.

    `seed` is the server seed where it is known: in the full fold, and for all once the game is over.
    """

    id: str
    version: int = 0
    at: int = 0
    created: int = 0
    ruleset: str = ""
    rules_version: int = 0
    options: Any = None
    status: Status = "lobby"
    host: str = ""
    clock: Clock = Clock()
    visibility: Visibility = "public"
    auto_start: bool = False
    seeds: Seeds = "open"
    reveal_opened: bool = False
    seats: tuple[Seat, ...] = ()
    seed: str | None = None
    table: Any = None
    asked: tuple[Asked, ...] = ()
    listed: int = 0
    result: Result | None = None
    resigned: tuple[int, ...] = ()

    def seat_of(self, player: str | None) -> int | None:
        """The seat of a player id, or None."""
        if player is None:
            return None
        return next((i for i, seat in enumerate(self.seats) if seat.player == player), None)

    def place_of(self, player: str) -> int | None:
        """The seat that a player (id) has, or had until it resigned; None if neither."""
        return next((i for i, seat in enumerate(self.seats) if player in (seat.player, seat.former)), None)

    @property
    def people(self) -> frozenset[str]:
        """Everybody (ids) who has or had a seat."""
        return frozenset(player for seat in self.seats for player in (seat.player, seat.former) if player)

    @property
    def over(self) -> bool:
        """Whether nothing can happen in it any more."""
        return self.status in OVER

    def deadline(self, asked: Asked) -> int:
        """The shown deadline of an open decision, ms since 1970."""
        return asked.since + (self.clock.vote_ms if asked.decision.vote else self.clock.decision_ms)

    def enforced(self, asked: Asked) -> int:
        """The enforced deadline: the shown one plus grace."""
        return self.deadline(asked) + self.clock.grace_ms

    def open_for(self, seat: int | None) -> tuple[Asked, ...]:
        """The open decisions and offers of `seat`."""
        return tuple([asked for asked in self.asked if asked.decision.seat == seat])

    @property
    def revealing(self) -> bool:
        """Whether the seats are closed and the game waits for the seeds that were committed to."""
        return self.reveal_opened and self.status == "lobby"

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """The seats that have committed to a seed and not revealed it."""
        return tuple([number for number, seat in enumerate(self.seats) if seat.seed == "committed"])

    @property
    def expires(self) -> int:
        """When the lobby expires, ms since 1970."""
        return self.created + LOBBY_MS


def evolve(rules: Ruleset, game: Game, event: Event) -> Game:
    """The game after `event`. At a batch end (`left` 0) the open decisions are renewed."""
    handler = _HANDLERS.get(type(event))
    table: Any | UnsetType = UNSET
    if handler is not None:
        game = handler(rules, game, event)
    else:
        if game.status != "playing":
            raise Corrupt(f"{event.type} in a game that is not being played")
        table = rules.evolve(game.table, event)
    changes: dict[str, Any] = {"version": event.v, "at": event.at}
    if table is not UNSET:
        changes["table"] = table
    if event.by in ("player", "clock") and event.seat is not None and game.status == "playing":
        changes["seats"] = _counted(game, event)
    game = replace(game, **changes)
    return game if event.left else at_batch_end(rules, game)


def at_batch_end(rules: Ruleset, game: Game) -> Game:
    """The game with its open decisions renewed, as they are once the batch that ends at its version is whole."""
    return replace(game, asked=ask(_open_now(rules, game), game.asked, game.version, game.at))


def _open_now(rules: Ruleset, game: Game) -> tuple[Decision, ...]:
    if game.revealing:
        # One deadline for all, as in a vote window. No move answers: a seed is revealed by a command of its own.
        return tuple([Decision(seat, REVEAL, (REVEAL,), (), vote=True) for seat in game.unrevealed])
    return rules.decisions(game.table) if game.status == "playing" else ()


def forms(rules: Ruleset, game: Game, asked: Asked) -> tuple[Form, ...]:
    """The legal moves that answer an open decision; none for the one that no move answers, to reveal a seed."""
    return rules.forms(game.table, asked.decision) if asked.decision.moves else ()


def meant(rules: Ruleset, game: Game, asked: Asked, move: Move) -> Asked | None:
    """The other open decision of the same seat that `move` answers, where it does not answer `asked`; or None.

    Two offers may take moves of one class: then the forms tell which one a move is for.
    """
    rivals = [a for a in game.open_for(asked.decision.seat) if a != asked and isinstance(move, a.decision.moves)]
    for candidate in (asked, *rivals) if rivals else ():
        if any(form.contains(move) for form in rules.forms(game.table, candidate.decision)):
            return candidate if candidate is not asked else None
    return None


def fold(rules: Ruleset, game: Game, events: Iterable[Event]) -> Game:
    """The game after all of `events`."""
    for event in events:
        game = evolve(rules, game, event)
    return game


def with_seat(game: Game, number: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats with one of them changed."""
    seats = list(game.seats)
    seats[number] = replace(seats[number], **changes)
    return tuple(seats)


def _counted(game: Game, event: Event) -> tuple[Seat, ...]:
    """Timeouts in a row: one more for a seat that the clock played for, none after the player answered."""
    number = cast(int, event.seat)
    seat = game.seats[number]
    timeouts = seat.timeouts + 1 if event.by == "clock" and seat.controller == "player" else 0
    return game.seats if timeouts == seat.timeouts else with_seat(game, number, timeouts=timeouts)


def _created(rules: Ruleset, game: Game, event: GameCreated) -> Game:
    return replace(
        game,
        created=event.at,
        ruleset=event.ruleset,
        rules_version=event.rules_version,
        options=convert(event.options, rules.info.options),
        host=event.host,
        clock=event.clock,
        visibility=event.visibility,
        auto_start=event.auto_start,
        seeds=event.seeds,
        seats=(Seat(),) * event.seats,
        seed=event.server_seed.value,
        listed=event.v,
    )


def _seat_taken(rules: Ruleset, game: Game, event: SeatTaken) -> Game:
    taken = Seat(
        player=event.player,
        bot=event.bot,
        controller="bot" if event.bot else "player",
        client_seed=event.client_seed,
    )
    seats = list(game.seats)
    seats[cast(int, event.seat)] = taken
    return replace(game, seats=tuple(seats), listed=event.v)


def _seed_known(rules: Ruleset, game: Game, event: ClientSeedGiven | ClientSeedRevealed) -> Game:
    return replace(game, seats=with_seat(game, cast(int, event.seat), client_seed=event.client_seed))


def _seed_committed(rules: Ruleset, game: Game, event: ClientSeedCommitted) -> Game:
    return replace(game, seats=with_seat(game, cast(int, event.seat), seed_commitment=event.commitment))


def _reveal_opened(rules: Ruleset, game: Game, event: RevealOpened) -> Game:
    return replace(game, reveal_opened=True)


def _seat_left(rules: Ruleset, game: Game, event: SeatLeft) -> Game:
    number = cast(int, event.seat)
    seats = tuple([Seat() if i == number else seat for i, seat in enumerate(game.seats)])
    host = game.host
    if game.seats[number].player == host:
        # The host's right passes to the next player; with nobody left the same batch ends the game.
        host = next((seat.player for seat in seats if seat.player), "") or ""
    return replace(game, seats=seats, host=host, listed=event.v)


def _started(rules: Ruleset, game: Game, event: GameStarted) -> Game:
    table = rules.initial(Table(len(game.seats), game.options))
    return replace(game, status="playing", table=table, listed=event.v)


def _controller(rules: Ruleset, game: Game, event: ControllerChanged) -> Game:
    number = cast(int, event.seat)
    changes: dict[str, Any] = {"controller": event.controller, "bot": event.bot, "timeouts": 0}
    if event.reason == "resigned":
        changes |= {"player": None, "former": game.seats[number].player}
        game = replace(game, resigned=(*game.resigned, number), listed=event.v)
    return replace(game, seats=with_seat(game, number, **changes))


def _credited(rules: Ruleset, game: Game, event: ClockCredited) -> Game:
    # What was asked while the server was away is not credited for the time before that.
    since = [max(a.since, min(a.since + event.ms, event.at)) for a in game.asked]
    return replace(game, asked=tuple([replace(a, since=s) for a, s in zip(game.asked, since, strict=True)]))


def _faulted(rules: Ruleset, game: Game, event: GameFaulted) -> Game:
    return replace(game, status="faulted", listed=event.v)


def _ended(rules: Ruleset, game: Game, event: GameEnded) -> Game:
    seed = next((opened.value for opened in event.opens if opened.field == "server_seed"), game.seed)
    return replace(
        game,
        status="finished" if game.table is not None else "aborted",
        result=Result(event.reason, event.ranking, event.winners),
        seed=seed,
        listed=event.v,
    )


_HANDLERS: Mapping[type[Event], Callable[[Ruleset, Game, Any], Game]] = {
    GameCreated: _created,
    SeatTaken: _seat_taken,
    ClientSeedGiven: _seed_known,
    ClientSeedCommitted: _seed_committed,
    RevealOpened: _reveal_opened,
    ClientSeedRevealed: _seed_known,
    SeatLeft: _seat_left,
    GameStarted: _started,
    ControllerChanged: _controller,
    ClockCredited: _credited,
    GameFaulted: _faulted,
    GameEnded: _ended,
}
