"""From a recorded batch back to its command, and through it to the same batch again."""

from typing import Any

import pytest
from msgspec.structs import replace

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
from domain.decide import decide
from domain.decisions import Asked, Decision
from domain.errors import Corrupt
from domain.events import redact
from domain.game import Game
from domain.lifecycle import LOBBY_MS, Clock
from domain.moves import Move, Pass
from domain.observers import SPECTATOR
from domain.reexecute import command_of
from domain.ruleset import Moment
from tests.domain.tables import SEED, Given, created, playing, seated
from tests.probe import PROBE, Probe
from tests.probe.moves import Declare, Drop, Fetch
from tests.probe.state import State


def again(table: Given, command: Command) -> Command:
    """The command read back from the batch that `command` makes; run again, it makes the same batch."""
    before = table.game
    table.when(command)
    found = command_of(PROBE, before, table.batch)
    assert decide(PROBE, before, found, table.now).events == table.batch
    return found


def test_a_creation_is_made_again() -> None:
    create = Create("probe", {"hand": 3}, 4, "P0", SEED, 2, ("novice",), Clock(), "private", True)
    found = again(Given(), create)
    assert isinstance(found, Create)
    assert (found.host_seat, found.bots, found.server_seed) == (2, ("novice",), SEED)
    assert again(Given(), Create("probe", {}, 2, "P0", SEED, None))


@pytest.mark.parametrize(
    ("table", "command"),
    [
        (created(3), Sit("P1", 2, "dice")),
        (created(3), SeatBot("P0", "novice", 1)),
        (created(3), GiveSeed("P0", "dice")),
        (seated(3), Leave("P0")),
        (seated(3), Start("P0")),
        (playing(3), Leave("P2")),
        (playing(2), Leave("P1")),
        (playing(2), Credit(100)),
        (playing(2), Fault("X")),
        (playing(2).overdue(), Timeout()),
        (created(2).later(LOBBY_MS), Expire()),
    ],
)
def test_a_command_is_read_back(table: Given, command: Command) -> None:
    assert again(table, command) == command


def test_a_table_that_starts_by_itself_does_so_again() -> None:
    assert again(created(2, auto_start=True), Sit("P1", 1)) == Sit("P1", 1)


def test_the_last_player_leaving_ends_the_lobby_again() -> None:
    assert again(created(2), Leave("P0")) == Leave("P0")


def test_a_seat_taken_back_is_taken_back_again() -> None:
    table = playing(3, clock=Clock(away_after=1))
    seat = table.acting
    assert again(table.overdue(), Timeout()) == Timeout()
    assert again(table, TakeBack(f"P{seat}")) == TakeBack(f"P{seat}")


def test_a_vote_window_times_out_again() -> None:
    table = playing(4)
    table.plays(table.acting, Declare(table.game.table.hands[table.acting].known[:1], 1)).overdue()
    assert again(table, Timeout()) == Timeout()


@pytest.mark.parametrize("by", ["player", "bot"])
def test_a_move_is_read_back_with_its_decision(by: Any) -> None:
    table = created(2, bots=("novice",), auto_start=True)
    seat = 0 if by == "player" else 1
    if table.acting != seat:
        table.plays(table.acting, Fetch())
    command = Play(seat, table.asked(seat, Fetch).id, Fetch(), by)
    assert again(table, command) == command


def test_a_default_for_a_bot_is_not_taken_for_a_timeout() -> None:
    table = created(2, bots=("novice",), auto_start=True)
    if table.acting == 0:
        table.plays(0, Fetch())
    command = PlayDefault(1, table.game.asked[0].id)
    assert again(table, command) == command


class Everybody(Probe):
    """Rules that ask all seats at once, without a vote."""

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """A drop from each seat that still has all of its cards."""
        full = [seat for seat, hand in enumerate(state.hands) if hand.count == state.hand]
        return tuple([Decision(seat, "drop", ("drop", seat), (Drop,)) for seat in full])

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Any]:
        """The drop and nothing more."""
        return super().decide(state, seat, move, moment)[:1]


def test_a_default_for_a_bot_is_not_taken_for_the_timeout_of_another_seat() -> None:
    # The sweeper may play for a bot in time, while a player's time is up: that read back as a timeout.
    rules = Everybody()
    game = created(2, bots=("novice",), auto_start=True).game
    open_now = rules.decisions(game.table)
    game = _asking(game, [Asked(open_now[0], "8", game.at), Asked(open_now[1], "9", game.at + 5000)])
    at = game.enforced(game.asked[0])
    command = PlayDefault(1, "9")
    made = decide(rules, game, command, at)
    assert made.events[0].seat == 1
    assert command_of(rules, game, made.events) == command


def _asking(game: Game, asked: list[Asked]) -> Game:
    return replace(game, asked=tuple(asked))


def test_a_batch_that_begins_with_a_consequence_is_corrupt() -> None:
    table = playing(2)
    before = table.game
    table.plays(table.acting, Fetch())
    with pytest.raises(Corrupt):
        command_of(PROBE, before, table.batch[-1:])


def test_a_move_that_answers_nothing_is_corrupt() -> None:
    table = playing(2)
    before = table.game
    table.plays(table.acting, Fetch())
    with pytest.raises(Corrupt, match="nothing that was asked"):
        command_of(PROBE, table.game, table.batch)
    assert command_of(PROBE, before, table.batch)


def test_a_move_that_was_not_opened_is_corrupt() -> None:
    table = playing(2)
    before = table.game
    table.plays(table.acting, Declare(table.game.table.hands[table.acting].known[:1], 1))
    with pytest.raises(Corrupt):
        command_of(PROBE, before, [redact(event, SPECTATOR) for event in table.batch])


def test_a_vote_is_read_back() -> None:
    table = playing(3)
    table.plays(table.acting, Declare(table.game.table.hands[table.acting].known[:1], 1))
    seat = table.game.asked[0].decision.seat
    command = Play(seat, table.game.asked[0].id, Pass())
    assert again(table, command) == command
