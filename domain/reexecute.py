"""From a recorded batch back to the command that made it, so that an audit can run it again."""

from collections.abc import Sequence
from typing import cast

from domain.commands import (
    Command,
    CommitSeed,
    Create,
    Credit,
    Expire,
    Fault,
    GiveSeed,
    Leave,
    Play,
    PlayDefault,
    SeatBot,
    Sit,
    Start,
    TakeBack,
    Timeout,
)
from domain.decide import due
from domain.errors import Corrupt
from domain.events import Event
from domain.game import Game, forms
from domain.lifecycle import (
    ClientSeedCommitted,
    ClientSeedGiven,
    ClientSeedRevealed,
    ClockCredited,
    ControllerChanged,
    GameCreated,
    GameEnded,
    GameFaulted,
    GameStarted,
    RevealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.moves import Move
from domain.ruleset import Ruleset


def command_of(rules: Ruleset, game: Game, batch: Sequence[Event]) -> Command:
    """The command whose decision on `game` (the full fold before it) recorded `batch`; events fully opened."""
    first = batch[0]
    if isinstance(first, GameCreated):
        return _create(first, batch)
    return _lobby(game, batch) or _seeds(game, first) or _running(game, first) or _move(rules, game, first)


def _lobby(game: Game, batch: Sequence[Event]) -> Command | None:
    first = batch[0]
    match first:
        case SeatTaken(player=str(player)):
            return Sit(player, first.seat, first.client_seed, _brought(batch))
        case SeatTaken(bot=str(level)):
            return SeatBot(game.host, level, first.seat)
        case SeatLeft():
            return Leave(_player(game, first))
        case GameStarted() if first.by == "clock":
            return Timeout()
        case GameStarted() | RevealOpened():
            return Start(game.host)
        case GameEnded():
            return Expire()
    return None


def _brought(batch: Sequence[Event]) -> str | None:
    """The commitment that a player brought with it when it sat down."""
    return next((event.commitment for event in batch if isinstance(event, ClientSeedCommitted)), None)


def _seeds(game: Game, first: Event) -> Command | None:
    match first:
        case ClientSeedCommitted():
            return CommitSeed(_player(game, first), first.commitment)
        case ClientSeedGiven() | ClientSeedRevealed():
            return GiveSeed(_player(game, first), first.client_seed)
    return None


def _running(game: Game, first: Event) -> Command | None:
    match first:
        case ControllerChanged():
            player = _player(game, first)
            return Leave(player) if first.reason == "resigned" else TakeBack(player)
        case ClockCredited():
            return Credit(first.ms)
        case GameFaulted():
            return Fault(first.error)
    return None


def _player(game: Game, event: Event) -> str:
    player = game.seats[cast(int, event.seat)].player
    if player is None:
        raise Corrupt(f"version {event.v}: nobody sits at seat {event.seat}")
    return player


def _create(first: GameCreated, batch: Sequence[Event]) -> Create:
    seated = [event for event in batch if isinstance(event, SeatTaken)]
    return Create(
        ruleset=first.ruleset,
        options=first.options,
        seats=first.seats,
        host=first.host,
        server_seed=first.server_seed.value or "",
        host_seat=next((event.seat for event in seated if event.player == first.host), None),
        bots=tuple([event.bot for event in seated if event.bot]),
        clock=first.clock,
        visibility=first.visibility,
        auto_start=first.auto_start,
        seeds=first.seeds,
    )


def _move(rules: Ruleset, game: Game, first: Event) -> Command:
    seat = first.seat
    if seat is None:
        raise Corrupt(f"version {first.v}: {first.type} cannot begin a batch")
    move = rules.move_of(first)
    asked = _answered(rules, game, seat, move)
    if first.by != "clock":
        return Play(seat, asked, move, "bot" if first.by == "bot" else "player")
    late = due(game, first.at)
    # The sweeper may play for a bot while another seat's time is up as well.
    timed_out = bool(late) and (late[0].decision.seat, late[0].id) == (seat, asked)
    return Timeout() if timed_out else PlayDefault(seat, asked)


def _answered(rules: Ruleset, game: Game, seat: int, move: Move) -> str:
    """The id of the open decision that `move` answers."""
    fitting = [a for a in game.open_for(seat) if isinstance(move, a.decision.moves)]
    if len(fitting) > 1:
        fitting = [a for a in fitting if any(f.contains(move) for f in forms(rules, game, a))]
    if not fitting:
        raise Corrupt(f"{move.type} by seat {seat} answers nothing that was asked")
    return fitting[0].id
