"""Commands before the start: seats, seeds, and how a game begins."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.batches import Making, seated
from domain.commands import CommitSeed, Create, Expire, GiveSeed, SeatBot, Sit, Start
from domain.entropy import commitment
from domain.errors import Refused
from domain.events import Seal
from domain.game import Game
from domain.lifecycle import (
    ClientSeedCommitted,
    ClientSeedGiven,
    ClientSeedRevealed,
    GameCreated,
    GameStarted,
    RevealOpened,
    SeatTaken,
    Seeds,
)
from domain.results import Result
from domain.ruleset import Ruleset, Table

# --- seats -------------------------------------------------------------------------------------------------------


def create(batch: Making, command: Create) -> None:
    """Open a lobby with its host and bots."""
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
            seeds=command.seeds,
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


def require_lobby(game: Game) -> None:
    """Refuse unless the seats of the game may still change."""
    if game.status != "lobby":
        raise Refused("already_started")
    if game.revealing:
        raise Refused("reveal_open", asked=list(game.unrevealed))


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


def sit(batch: Making, command: Sit) -> None:
    """Seat a player, with its seed or commitment if it brings one."""
    game = batch.game
    taken = game.seat_of(command.player)
    if taken is not None:
        raise Refused("already_seated", seat=taken)
    require_lobby(game)
    if command.client_seed is not None:
        _require_seeds(game, "open")
    if command.seed_commitment is not None:
        _require_seeds(game, "committed")
    seat = _free_seat(game, command.seat)
    batch.add(SeatTaken(seat=seat, player=command.player, client_seed=command.client_seed), by="player")
    if command.seed_commitment is not None:
        batch.add(ClientSeedCommitted(seat=seat, commitment=command.seed_commitment), by="player")
    _start_when_full(batch)


def seat_bot(batch: Making, command: SeatBot) -> None:
    """Seat a bot, as the host wishes."""
    _host_only(batch.game, command.player)
    require_lobby(batch.game)
    _known_level(batch.rules, command.level)
    batch.add(SeatTaken(seat=_free_seat(batch.game, command.seat), bot=command.level), by="player")
    _start_when_full(batch)


def _host_only(game: Game, player: str) -> None:
    if game.host != player:
        raise Refused("not_host")


def expire(batch: Making, command: Expire) -> None:
    """Close a lobby that nobody started."""
    require_lobby(batch.game)
    if batch.at < batch.game.expires:
        raise Refused("not_due")
    batch.end(Result("expired", (), ()))


# --- seeds -------------------------------------------------------------------------------------------------------


def _require_seeds(game: Game, seeds: Seeds) -> None:
    """Refuse a plain seed in a committed game, and a commitment in an open one."""
    if game.seeds != seeds:
        raise Refused(f"seeds_{game.seeds}")


def commit_seed(batch: Making, command: CommitSeed) -> None:
    """Take a seat's commitment, or another one in its place."""
    seat = seated(batch.game, command.player)
    require_lobby(batch.game)
    _require_seeds(batch.game, "committed")
    batch.add(ClientSeedCommitted(seat=seat, commitment=command.commitment), by="player")


def give_seed(batch: Making, command: GiveSeed) -> None:
    """Take a seat's seed: in the lobby of an open game, or while the seeds of a committed one are revealed."""
    seat = seated(batch.game, command.player)
    if batch.game.revealing:
        _reveal(batch, seat, command.client_seed)
        return
    require_lobby(batch.game)
    _require_seeds(batch.game, "open")
    batch.add(ClientSeedGiven(seat=seat, client_seed=command.client_seed), by="player")


def _reveal(batch: Making, seat: int, seed: str) -> None:
    game = batch.game
    asked = next(iter(game.open_for(seat)), None)
    if asked is None:
        raise Refused("not_asked", asked=list(game.unrevealed))
    if batch.at > game.enforced(asked):
        raise Refused("too_late", deadline=game.deadline(asked))
    if commitment(game.id, seed) != game.seats[seat].seed_commitment:
        raise Refused("seed_mismatch", commitment=game.seats[seat].seed_commitment)
    batch.add(ClientSeedRevealed(seat=seat, client_seed=seed), by="player")
    if not batch.game.unrevealed:
        begin(batch, by="rules")


# --- the start ---------------------------------------------------------------------------------------------------


def start(batch: Making, command: Start) -> None:
    """Start a full table, as the host wishes."""
    _host_only(batch.game, command.player)
    require_lobby(batch.game)
    free = [i for i, seat in enumerate(batch.game.seats) if seat.controller is None]
    if free:
        raise Refused("seats_free", free=free)
    _reveal_or_begin(batch, by="player")


def _start_when_full(batch: Making) -> None:
    if batch.game.auto_start and all(seat.controller for seat in batch.game.seats):
        _reveal_or_begin(batch, by="rules")


def _reveal_or_begin(batch: Making, by: str) -> None:
    """From here on nobody can choose a seed: what was committed to is revealed first."""
    if batch.game.unrevealed:
        batch.add(RevealOpened(), by=by)
    else:
        begin(batch, by)


def begin(batch: Making, by: str) -> None:
    """Deal the game out, with the seeds that are known by now."""
    batch.add(GameStarted(), by=by)
    game = batch.game
    batch.add(*batch.rules.setup(Table(len(game.seats), game.options), batch.moment()))
    batch.end_if_over()
