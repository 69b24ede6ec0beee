"""What a command makes of a game: a batch of events, or a refusal that changes nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from domain import lobby
from domain.batches import Decided, Making, seated
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
from domain.decisions import Asked
from domain.errors import Refused
from domain.game import Game, meant
from domain.lifecycle import ClockCredited, ControllerChanged, GameFaulted, SeatLeft
from domain.moves import Move
from domain.results import Rank, Result
from domain.ruleset import Ruleset

__all__ = ["SUBSTITUTE", "Decided", "decide", "due"]

SUBSTITUTE = "standard"
"""The level of the bot that plays for a seat whose player is away or has resigned."""


def decide(rules: Ruleset, game: Game, command: Command, at: int) -> Decided:
    """The batch that `command` makes of `game` (its full fold) at time `at` in ms. `Refused` if it may not be."""
    if game.version and isinstance(command, Create):
        raise Refused("already_created")
    if game.status in ("finished", "aborted"):
        raise Refused("game_over", status=game.status)
    if game.status == "faulted":
        raise Refused("game_faulted")
    batch = Making(rules, game, at)
    _DECIDERS[type(command)](batch, command)
    return batch.done()


# --- leaving and coming back -------------------------------------------------------------------------------------


def _leave(batch: Making, command: Leave) -> None:
    seat = seated(batch.game, command.player)
    if batch.game.status == "playing":
        _resign(batch, seat)
        return
    lobby.require_lobby(batch.game)
    batch.add(SeatLeft(seat=seat), by="player")
    if not batch.game.host:
        batch.end(Result("aborted", (), ()))


def _resign(batch: Making, seat: int) -> None:
    change = ControllerChanged(seat=seat, controller="bot", reason="resigned", bot=SUBSTITUTE)
    batch.add(change, by="player")
    game = batch.game
    ranking = batch.rules.standing(game.table)
    if len(game.seats) == 2:
        ranks = tuple([Rank(r.seat, 2 if r.seat == seat else 1, r.score) for r in ranking])
        batch.end(Result("resigned", ranks, (1 - seat,)))
    elif not any(s.player for s in game.seats):
        batch.end(Result("abandoned", ranking, ()))


def _take_back(batch: Making, command: TakeBack) -> None:
    seat = seated(batch.game, command.player)
    if batch.game.status != "playing" or batch.game.seats[seat].controller == "player":
        raise Refused("not_away")
    batch.add(ControllerChanged(seat=seat, controller="player", reason="returned"), by="player")


# --- moves and the clock -----------------------------------------------------------------------------------------


def _play(batch: Making, command: Play) -> None:
    if command.player is not None and batch.game.seat_of(command.player) != command.seat:
        raise Refused("not_seated")
    asked = _find(batch.game, command.seat, command.decision)
    if command.by == "bot" and batch.game.seats[command.seat].controller != "bot":
        # The player took the seat back while its bot was still thinking.
        raise Refused("not_a_bot")
    if command.by == "player" and batch.game.seats[command.seat].controller == "bot":
        # A bot plays for the seat until its player takes it back; both at once would race.
        raise Refused("seat_away", bot=batch.game.seats[command.seat].bot)
    if batch.at > batch.game.enforced(asked) and asked.decision.required:
        raise Refused("too_late", deadline=batch.game.deadline(asked))
    if not isinstance(command.move, asked.decision.moves):
        raise Refused("illegal_move", reason="not_an_answer", moves=[m.type for m in asked.decision.moves])
    other = meant(batch.rules, batch.game, asked, command.move)
    if other is not None:
        raise Refused("illegal_move", reason="answers_another_decision", decision=other.id)
    _answer(batch, command.seat, command.move, command.by)
    batch.end_if_over()


def _find(game: Game, seat: int, decision: str) -> Asked:
    mine = game.open_for(seat)
    if not mine:
        raise Refused("not_asked", asked=sorted({a.decision.seat for a in game.asked if a.decision.required}))
    for asked in mine:
        if asked.id == decision:
            return asked
    raise Refused("decision_closed", open=[a.id for a in mine])


def _answer(batch: Making, seat: int, move: Move, by: str) -> None:
    batch.add(*batch.rules.decide(batch.game.table, seat, move, batch.moment()), by=by)


def _default(batch: Making, asked: Asked) -> None:
    seat = asked.decision.seat
    _answer(batch, seat, batch.rules.default_move(batch.game.table, asked.decision), "clock")


def due(game: Game, at: int) -> tuple[Asked, ...]:
    """The decisions that a timeout at `at` (ms) answers: the first that is due, or all of its vote window."""
    late = [a for a in game.asked if a.decision.required and at >= game.enforced(a)]
    if late and late[0].decision.vote:
        return tuple([a for a in late if a.decision.vote])
    return tuple(late[:1])


def _timeout(batch: Making, command: Timeout) -> None:
    late = due(batch.game, batch.at)
    if not late:
        raise Refused("not_due")
    if batch.game.revealing:
        # A seed that was not revealed in time is missing from the shuffle; nobody can give it for its player.
        lobby.begin(batch, by="clock")
        return
    for asked in late:
        _default(batch, asked)
    for asked in late:
        seat = batch.game.seats[asked.decision.seat]
        if seat.controller == "player" and seat.timeouts >= batch.game.clock.away_after:
            number = asked.decision.seat
            batch.add(ControllerChanged(seat=number, controller="bot", reason="away", bot=SUBSTITUTE))
    batch.end_if_over()


def _play_default(batch: Making, command: PlayDefault) -> None:
    asked = _find(batch.game, command.seat, command.decision)
    if batch.game.seats[command.seat].controller != "bot":
        raise Refused("not_a_bot")
    if not asked.decision.required:
        # An offer is never a duty, and not taking it is always right.
        raise Refused("not_due")
    if asked in due(batch.game, batch.at):
        _timeout(batch, Timeout())
    else:
        _default(batch, asked)
        batch.end_if_over()


def _credit(batch: Making, command: Credit) -> None:
    batch.add(ClockCredited(ms=command.ms))


def _fault(batch: Making, command: Fault) -> None:
    batch.add(GameFaulted(error=command.error))


_DECIDERS: Mapping[type[Any], Callable[[Making, Any], None]] = {
    Create: lobby.create,
    Sit: lobby.sit,
    SeatBot: lobby.seat_bot,
    CommitSeed: lobby.commit_seed,
    GiveSeed: lobby.give_seed,
    Leave: _leave,
    Start: lobby.start,
    TakeBack: _take_back,
    Play: _play,
    Timeout: _timeout,
    PlayDefault: _play_default,
    Credit: _credit,
    Expire: lobby.expire,
    Fault: _fault,
}
