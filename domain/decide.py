"""What a command makes of a game: a batch of events, or a refusal that changes nothing."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain import entropy
from domain.commands import (
    Command,
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
from domain.events import Event, Open, Seal
from domain.game import Game, at_batch_end, evolve, meant
from domain.lifecycle import (
    ClientSeedGiven,
    ClockCredited,
    ControllerChanged,
    GameCreated,
    GameEnded,
    GameFaulted,
    GameStarted,
    SeatLeft,
    SeatTaken,
)
from domain.moves import Move
from domain.results import Rank, Result
from domain.ruleset import Moment, Ruleset, Table
from domain.values import Value

SUBSTITUTE = "standard"
"""The level of the bot that plays for a seat whose player is away or has resigned."""

MOST_EVENTS = 64
"""The most events of one batch: what one append takes."""


class Decided(Value, frozen=True):
    """The batch that a command makes, numbered and stamped, and the game after it."""

    events: tuple[Event, ...]
    game: Game


class _Batch:
    """The batch in the making. Events are numbered and folded as they come; the last one is then marked as such."""

    def __init__(self, rules: Ruleset, game: Game, at: int) -> None:
        self.rules = rules
        self.game = game
        self.at = at
        self.events: list[Event] = []

    def add(self, *events: Event, by: str = "rules") -> None:
        for event in events:
            # `left` is not known yet; 1 says that the batch goes on, so that no decision is renewed in its middle.
            stamped = replace(event, v=self.game.version + 1, at=self.at, left=1, by=by)
            self.events.append(stamped)
            self.game = evolve(self.rules, self.game, stamped)
            by = "rules"

    def end(self, result: Result) -> None:
        opens = (Open(1, "server_seed", self.game.seed),)
        self.add(
            GameEnded(
                reason=result.reason,
                ranking=result.ranking,
                winners=result.winners,
                resigned=self.game.resigned,
                opens=opens,
            )
        )

    def done(self) -> Decided:
        count = len(self.events)
        if not 0 < count <= MOST_EVENTS:
            raise AssertionError(f"a batch of {count} events")
        last = replace(self.events[-1], left=0)
        events = (*(replace(e, left=count - 1 - i) for i, e in enumerate(self.events[:-1])), last)
        # Its last event was folded as one that goes on: what it lacks is the renewal, not another fold.
        return Decided(events, at_batch_end(self.rules, self.game))


def decide(rules: Ruleset, game: Game, command: Command, at: int) -> Decided:
    """The batch that `command` makes of `game` (its full fold) at time `at` in ms. `Refused` if it may not be."""
    if game.version and isinstance(command, Create):
        raise Refused("already_created")
    if game.status in ("finished", "aborted"):
        raise Refused("game_over", status=game.status)
    if game.status == "faulted":
        raise Refused("game_faulted")
    batch = _Batch(rules, game, at)
    _DECIDERS[type(command)](batch, command)
    return batch.done()


# --- the lobby ---------------------------------------------------------------------------------------------------


def _create(batch: _Batch, command: Create) -> None:
    info = batch.rules.info
    fewest, most = info.seats
    if not fewest <= command.seats <= most:
        raise Refused("seats_out_of_range", min=fewest, max=most)
    for level in command.bots:
        _known_level(batch.rules, level)
    if command.host_seat is not None and not 0 <= command.host_seat < command.seats:
        raise Refused("seat_out_of_range", min=0, max=command.seats - 1)
    if len(command.bots) + (command.host_seat is not None) > command.seats:
        raise Refused("game_full", seats=command.seats)
    options = batch.rules.options(command.seats, _typed(info.options, command.options))
    batch.add(
        GameCreated(
            ruleset=info.key,
            rules_version=info.rules_version,
            options=msgspec.structs.asdict(options),
            seats=command.seats,
            host=command.host,
            clock=command.clock,
            visibility=command.visibility,
            auto_start=command.auto_start,
            server_seed=Seal((), command.server_seed),
        ),
        by="player",
    )
    if command.host_seat is not None:
        batch.add(SeatTaken(seat=command.host_seat, player=command.host), by="player")
    for level in command.bots:
        batch.add(SeatTaken(seat=_free_seat(batch.game, None), bot=level))
    _start_when_full(batch)


def _typed(options: type[Any], given: Mapping[str, Any]) -> Any:
    try:
        return msgspec.convert(dict(given), options, strict=True)
    except msgspec.ValidationError as error:
        raise Refused("options_out_of_range", reason=str(error)) from error


def _known_level(rules: Ruleset, level: str) -> None:
    if level not in rules.info.bots:
        raise Refused("unknown_bot", levels=sorted(rules.info.bots))


def _in_lobby(game: Game) -> None:
    if game.status != "lobby":
        raise Refused("already_started")


def _free_seat(game: Game, wanted: int | None) -> int:
    free = [i for i, seat in enumerate(game.seats) if seat.controller is None]
    if not free:
        raise Refused("game_full", seats=len(game.seats))
    if wanted is None:
        return free[0]
    if not 0 <= wanted < len(game.seats):
        raise Refused("seat_out_of_range", min=0, max=len(game.seats) - 1)
    if wanted not in free:
        raise Refused("seat_taken", free=free)
    return wanted


def _sit(batch: _Batch, command: Sit) -> None:
    game = batch.game
    seated = game.seat_of(command.player)
    if seated is not None:
        raise Refused("already_seated", seat=seated)
    _in_lobby(game)
    seat = _free_seat(game, command.seat)
    batch.add(SeatTaken(seat=seat, player=command.player, client_seed=command.client_seed), by="player")
    _start_when_full(batch)


def _seat_bot(batch: _Batch, command: SeatBot) -> None:
    _host_only(batch.game, command.player)
    _in_lobby(batch.game)
    _known_level(batch.rules, command.level)
    batch.add(SeatTaken(seat=_free_seat(batch.game, command.seat), bot=command.level), by="player")
    _start_when_full(batch)


def _give_seed(batch: _Batch, command: GiveSeed) -> None:
    seat = _seated(batch.game, command.player)
    _in_lobby(batch.game)
    batch.add(ClientSeedGiven(seat=seat, client_seed=command.client_seed), by="player")


def _host_only(game: Game, player: str) -> None:
    if game.host != player:
        raise Refused("not_host")


def _seated(game: Game, player: str) -> int:
    seat = game.seat_of(player)
    if seat is None:
        raise Refused("not_seated")
    return seat


def _start(batch: _Batch, command: Start) -> None:
    _host_only(batch.game, command.player)
    _in_lobby(batch.game)
    free = [i for i, seat in enumerate(batch.game.seats) if seat.controller is None]
    if free:
        raise Refused("seats_free", free=free)
    _begin(batch, by="player")


def _start_when_full(batch: _Batch) -> None:
    if batch.game.auto_start and all(seat.controller for seat in batch.game.seats):
        _begin(batch, by="rules")


def _begin(batch: _Batch, by: str) -> None:
    batch.add(GameStarted(), by=by)
    game = batch.game
    batch.add(*batch.rules.setup(Table(len(game.seats), game.options), _moment(batch)))
    _end_if_over(batch)


def _moment(batch: _Batch) -> Moment:
    game = batch.game
    if game.seed is None:
        raise AssertionError("only a full fold can decide")
    seeds = [seat.client_seed for seat in game.seats]
    return Moment(game.version + 1, entropy.provable(entropy.entropy(game.seed, game.id, seeds)))


# --- leaving and coming back -------------------------------------------------------------------------------------


def _leave(batch: _Batch, command: Leave) -> None:
    seat = _seated(batch.game, command.player)
    if batch.game.status == "playing":
        _resign(batch, seat)
        return
    batch.add(SeatLeft(seat=seat), by="player")
    if not batch.game.host:
        batch.end(Result("aborted", (), ()))


def _resign(batch: _Batch, seat: int) -> None:
    change = ControllerChanged(seat=seat, controller="bot", reason="resigned", bot=SUBSTITUTE)
    batch.add(change, by="player")
    game = batch.game
    ranking = batch.rules.standing(game.table)
    if len(game.seats) == 2:
        ranks = tuple([Rank(r.seat, 2 if r.seat == seat else 1, r.score) for r in ranking])
        batch.end(Result("resigned", ranks, (1 - seat,)))
    elif not any(s.player for s in game.seats):
        batch.end(Result("abandoned", ranking, ()))


def _take_back(batch: _Batch, command: TakeBack) -> None:
    seat = _seated(batch.game, command.player)
    if batch.game.status != "playing" or batch.game.seats[seat].controller == "player":
        raise Refused("not_away")
    batch.add(ControllerChanged(seat=seat, controller="player", reason="returned"), by="player")


# --- moves and the clock -----------------------------------------------------------------------------------------


def _play(batch: _Batch, command: Play) -> None:
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
    _end_if_over(batch)


def _find(game: Game, seat: int, decision: str) -> Asked:
    mine = game.open_for(seat)
    if not mine:
        raise Refused("not_asked", asked=sorted({a.decision.seat for a in game.asked if a.decision.required}))
    for asked in mine:
        if asked.id == decision:
            return asked
    raise Refused("decision_closed", open=[a.id for a in mine])


def _answer(batch: _Batch, seat: int, move: Move, by: str) -> None:
    batch.add(*batch.rules.decide(batch.game.table, seat, move, _moment(batch)), by=by)


def _end_if_over(batch: _Batch) -> None:
    result = batch.rules.result(batch.game.table)
    if result is not None:
        batch.end(result)


def _default(batch: _Batch, asked: Asked) -> None:
    seat = asked.decision.seat
    _answer(batch, seat, batch.rules.default_move(batch.game.table, asked.decision), "clock")


def due(game: Game, at: int) -> tuple[Asked, ...]:
    """The decisions that a timeout at `at` (ms) answers: the first that is due, or all of its vote window."""
    late = [a for a in game.asked if a.decision.required and at >= game.enforced(a)]
    if late and late[0].decision.vote:
        return tuple([a for a in late if a.decision.vote])
    return tuple(late[:1])


def _timeout(batch: _Batch, command: Timeout) -> None:
    late = due(batch.game, batch.at)
    if not late:
        raise Refused("not_due")
    for asked in late:
        _default(batch, asked)
    for asked in late:
        seat = batch.game.seats[asked.decision.seat]
        if seat.controller == "player" and seat.timeouts >= batch.game.clock.away_after:
            number = asked.decision.seat
            batch.add(ControllerChanged(seat=number, controller="bot", reason="away", bot=SUBSTITUTE))
    _end_if_over(batch)


def _play_default(batch: _Batch, command: PlayDefault) -> None:
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
        _end_if_over(batch)


def _credit(batch: _Batch, command: Credit) -> None:
    batch.add(ClockCredited(ms=command.ms))


def _expire(batch: _Batch, command: Expire) -> None:
    _in_lobby(batch.game)
    if batch.at < batch.game.expires:
        raise Refused("not_due")
    batch.end(Result("expired", (), ()))


def _fault(batch: _Batch, command: Fault) -> None:
    batch.add(GameFaulted(error=command.error))


_DECIDERS: Mapping[type[Any], Callable[[_Batch, Any], None]] = {
    Create: _create,
    Sit: _sit,
    SeatBot: _seat_bot,
    GiveSeed: _give_seed,
    Leave: _leave,
    Start: _start,
    TakeBack: _take_back,
    Play: _play,
    Timeout: _timeout,
    PlayDefault: _play_default,
    Credit: _credit,
    Expire: _expire,
    Fault: _fault,
}
