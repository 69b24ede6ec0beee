"""What the store's clock is told to judge of a command."""

from domain.commands import Command, Credit, GiveSeed, Play, Start, Timeout
from domain.game import Game
from eventstore.limits import limits
from tests.domain.tables import Given, created, playing, seated
from tests.domain.test_seeds import CLOCK, SEEDS, commit
from tests.probe.moves import Fetch


def revealing() -> Given:
    """P0 and P1 are asked for their seeds."""
    return seated(3, seeds="committed", clock=CLOCK).when(commit(0), commit(1), Start("P0"))


def between(table: Given, command: Command) -> tuple[int | None, int | None]:
    return limits(table.game, command, table.now)


def end_of(game: Game, seat: int) -> int:
    return game.enforced(game.open_for(seat)[0])


def test_a_seed_is_revealed_not_after_its_deadline() -> None:
    table = revealing()
    for seat in (0, 1):
        assert between(table, GiveSeed(f"P{seat}", SEEDS[seat])) == (None, end_of(table.game, seat))


def test_a_seed_of_who_is_not_asked_has_no_limit() -> None:
    assert between(revealing(), GiveSeed("P2", SEEDS[2])) == (None, None)
    assert between(revealing(), GiveSeed("P9", SEEDS[2])) == (None, None)
    assert between(created(), GiveSeed("P0", SEEDS[0])) == (None, None)
    assert between(playing(), GiveSeed("P0", SEEDS[0])) == (None, None)


def test_the_timeout_of_a_reveal_comes_not_before_its_deadline() -> None:
    table = revealing()
    end = end_of(table.game, 0)
    assert between(table.overdue(), Timeout()) == (end, None)
    assert between(revealing(), Timeout()) == (revealing().now, None)


def test_a_move_is_played_not_after_its_deadline() -> None:
    table = playing()
    move = Play(table.acting, table.game.asked[0].id, Fetch())
    assert between(table, move) == (None, end_of(table.game, table.acting))
    assert between(table, Play(table.acting, "1", Fetch())) == (None, None)
    assert between(table, Credit(5)) == (None, None)
