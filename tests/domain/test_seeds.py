"""Committed client seeds: committing, revealing, running out of time, and what chance makes of them."""

import hashlib
import json

import pytest
from msgspec.structs import replace

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
from domain.decide import decide
from domain.decisions import Asked
from domain.entropy import commitment
from domain.game import Game, forms
from domain.lifecycle import LOBBY_MS, Clock, GameCreated
from domain.observers import SPECTATOR, at_seat
from domain.reexecute import command_of
from tests.domain.tables import CODEC, SEED, START, Given, created, lines, seated
from tests.probe import PROBE
from tests.probe.moves import Fetch

SEEDS = ["5a" * 32, "b0" * 32, "c7" * 32, "d1" * 32]
CLOCK = Clock(decision_ms=10_000, vote_ms=4000, grace_ms=500)


def commit(seat: int, seed: str = "") -> CommitSeed:
    """P0, P1 ... commit to their seeds."""
    return CommitSeed(f"P{seat}", commitment("G", seed or SEEDS[seat]))


def reveal(seat: int, seed: str = "") -> GiveSeed:
    return GiveSeed(f"P{seat}", seed or SEEDS[seat])


def lobby(seats: int = 3, *committed: int, **settings: object) -> Given:
    """A full lobby in which some seats have committed."""
    table = seated(seats, seeds="committed", **{"clock": CLOCK, **settings})
    return table.when(*[commit(seat) for seat in committed])


def revealing(seats: int = 3, *committed: int) -> Given:
    """The reveal is open, and the seats that have committed (0 and 1, or those named) are asked."""
    return lobby(seats, *(committed or (0, 1))).when(Start("P0"))


def asked_seats(game: Game) -> list[int]:
    return [asked.decision.seat for asked in game.asked]


# --- commit -------------------------------------------------------------------------------------------------


def test_a_game_says_how_its_seeds_come_about() -> None:
    event = created(seeds="committed").batch[0]
    assert isinstance(event, GameCreated)
    assert (event.seeds, created().game.seeds, created(seeds="committed").game.seeds) == (
        "committed",
        "open",
        "committed",
    )


def test_a_commitment_is_a_digest_of_game_and_seed() -> None:
    text = json.dumps(["G", "client_seed", SEEDS[0]], separators=(",", ":"))
    assert commitment("G", SEEDS[0]) == hashlib.sha256(text.encode()).hexdigest()
    assert commitment("H", SEEDS[0]) != commitment("G", SEEDS[0])


def test_a_commitment_is_brought_with_the_seat_or_later_and_may_be_replaced() -> None:
    table = created(3, seeds="committed").when(Sit("P1", 2, seed_commitment="a" * 64))
    assert [(e.type, e.seat, e.by) for e in table.batch] == [
        ("seat_taken", 2, "player"),
        ("client_seed_committed", 2, "player"),
    ]
    table.when(commit(0), CommitSeed("P1", "b" * 64))
    assert (table.types, table.batch[0].by) == (["client_seed_committed"], "player")
    assert [seat.seed_commitment for seat in table.game.seats] == [commitment("G", SEEDS[0]), None, "b" * 64]
    assert [seat.client_seed for seat in table.game.seats] == [None] * 3


def test_a_commitment_leaves_with_its_player() -> None:
    table = lobby(3, 1).when(Leave("P1"), Sit("P9"))
    assert table.game.seats[1].seed_commitment is None


@pytest.mark.parametrize("command", [GiveSeed("P0", SEEDS[0]), Sit("P2", client_seed=SEEDS[2])])
def test_no_plain_seed_is_taken_where_seeds_are_committed(command: Command) -> None:
    created(3, seeds="committed").refuses(command, "seeds_committed")


@pytest.mark.parametrize("command", [commit(0), Sit("P2", seed_commitment="a" * 64)])
def test_no_commitment_is_taken_in_an_open_game(command: Command) -> None:
    created(3).refuses(command, "seeds_open")


def test_only_a_seated_player_commits() -> None:
    created(3, seeds="committed").refuses(CommitSeed("P9", "a" * 64), "not_seated")


def test_a_commitment_comes_before_the_start() -> None:
    table = lobby(2).when(Start("P0"))
    table.refuses(commit(0), "already_started")
    table.refuses(reveal(0), "already_started")


# --- the reveal is opened -----------------------------------------------------------------------------------


def test_where_nobody_committed_the_game_starts_at_once() -> None:
    table = lobby(2).when(Start("P0"))
    assert (table.types[0], table.game.status) == ("game_started", "playing")


def test_the_start_asks_every_seat_that_has_committed_for_its_seed() -> None:
    table = revealing(3, 0, 2)
    assert [(e.type, e.by) for e in table.batch] == [("reveal_opened", "player")]
    assert (table.game.status, table.game.revealing, table.game.table) == ("lobby", True, None)
    assert asked_seats(table.game) == [0, 2]
    for asked in table.game.asked:
        assert (asked.decision.kind, asked.decision.required, asked.decision.moves) == ("reveal_seed", True, ())
        assert asked.id == str(table.game.version)
        assert table.game.deadline(asked) == START + 4000
        assert forms(PROBE, table.game, asked) == ()


def test_the_last_seat_taken_opens_the_reveal_of_a_game_that_starts_by_itself() -> None:
    table = created(2, seeds="committed", auto_start=True).when(commit(0), Sit("P1"))
    assert [(e.type, e.by) for e in table.batch] == [("seat_taken", "player"), ("reveal_opened", "rules")]
    table = created(2, seeds="committed", auto_start=True).when(Sit("P1", seed_commitment="a" * 64))
    assert table.types == ["seat_taken", "client_seed_committed", "reveal_opened"]
    assert asked_seats(table.game) == [1]
    table = created(3, seeds="committed", auto_start=True).when(commit(0), Sit("P1"), SeatBot("P0", "novice"))
    assert table.types == ["seat_taken", "reveal_opened"]


@pytest.mark.parametrize(
    "command",
    [Sit("P9"), SeatBot("P0", "novice"), Leave("P1"), Leave("P2"), commit(0), commit(2), Start("P0"), Expire()],
)
def test_from_then_on_the_seats_are_closed(command: Command) -> None:
    revealing().later(2 * LOBBY_MS).refuses(command, "reveal_open", asked=[0, 1])


def test_who_may_not_ask_is_told_so_first() -> None:
    table = revealing()
    table.refuses(Start("P1"), "not_host")
    table.refuses(Leave("P9"), "not_seated")
    table.refuses(Sit("P1"), "already_seated", seat=1)
    table.refuses(TakeBack("P0"), "not_away")
    table.refuses(GiveSeed("P9", SEEDS[0]), "not_seated")


@pytest.mark.parametrize("seat", [0, 2])
def test_no_move_is_played_while_seeds_are_revealed(seat: int) -> None:
    table = revealing(3, 0, 2)
    named = table.game.asked[0].id
    for decision in (named, "1"):
        code = "illegal_move" if decision == named else "decision_closed"
        table.refuses(Play(seat, decision, Fetch()), code)
        table.refuses(Play(seat, decision, Fetch(), player=f"P{seat}"), code)
    table.refuses(Play(seat, named, Fetch()), "illegal_move", reason="not_an_answer", moves=[])
    table.refuses(Play(1, named, Fetch()), "not_asked", asked=[0, 2])
    table.refuses(PlayDefault(seat, named), "not_a_bot")
    table.overdue().later(1).refuses(Play(seat, named, Fetch()), "too_late")


# --- reveal -------------------------------------------------------------------------------------------------


def test_a_seat_that_has_revealed_its_seed_is_asked_no_more() -> None:
    table = revealing()
    before = table.game.asked
    table.later(1000).when(reveal(1))
    assert [(e.type, e.seat, e.by) for e in table.batch] == [("client_seed_revealed", 1, "player")]
    assert table.game.asked == before[:1]
    table.refuses(reveal(1), "not_asked", asked=[0])
    assert table.game.status == "lobby"


def test_a_seat_that_has_not_committed_has_nothing_to_reveal() -> None:
    revealing().refuses(reveal(2), "not_asked", asked=[0, 1])


@pytest.mark.parametrize("seed", [SEEDS[1], "0" * 64, ""])
def test_only_the_seed_that_was_committed_to_is_taken(seed: str) -> None:
    table = revealing()
    table.refuses(GiveSeed("P0", seed), "seed_mismatch", commitment=commitment("G", SEEDS[0]))
    table.when(reveal(0))


def test_a_commitment_to_the_seed_of_another_game_is_none() -> None:
    table = lobby(2).when(CommitSeed("P0", commitment("H", SEEDS[0])), Start("P0"))
    table.refuses(reveal(0), "seed_mismatch")


def test_the_last_commitment_counts() -> None:
    table = lobby(2).when(commit(0, SEEDS[3]), commit(0), Start("P0"))
    table.refuses(reveal(0, SEEDS[3]), "seed_mismatch")
    assert table.when(reveal(0)).game.status == "playing"


def test_the_last_seed_starts_the_game_in_the_same_batch() -> None:
    table = revealing(2, 0, 1).when(reveal(1), reveal(0))
    deal = ["pile_shuffled", "hand_dealt", "hand_dealt", "first_seat_drawn"]
    assert table.types == ["client_seed_revealed", "game_started", *deal]
    assert [event.by for event in table.batch] == ["player", *["rules"] * 5]
    assert (table.game.status, table.game.revealing) == ("playing", False)
    assert {asked.decision.kind for asked in table.game.asked} == {"turn"}
    assert [seat.timeouts for seat in table.game.seats] == [0, 0]


# --- time ---------------------------------------------------------------------------------------------------


def test_the_last_moment_is_for_revealing_and_the_next_is_too_late() -> None:
    table = revealing().overdue()
    decide(PROBE, table.game, reveal(0), table.now)
    table.later(-1).refuses(Timeout(), "not_due")
    table.later(2).refuses(reveal(0), "too_late", deadline=START + 4000)


def test_without_a_seed_that_did_not_come_in_time_the_game_starts() -> None:
    table = revealing().when(reveal(1)).times_out()
    assert [(e.type, e.by) for e in table.batch[:2]] == [("game_started", "clock"), ("pile_shuffled", "rules")]
    assert [seat.client_seed for seat in table.game.seats] == [None, SEEDS[1], None]
    assert [(seat.controller, seat.timeouts) for seat in table.game.seats] == [("player", 0)] * 3
    table.refuses(reveal(0), "already_started")


def test_a_reveal_of_nobody_starts_the_game_all_the_same() -> None:
    table = revealing(2, 0, 1).times_out()
    assert table.game.status == "playing"
    assert "client_seed_revealed" not in [event.type for event in table.log]


def test_downtime_is_given_back_to_who_must_reveal() -> None:
    table = revealing().later(3900).when(Credit(3000))
    assert [table.game.deadline(asked) for asked in table.game.asked] == [START + 7000, START + 7000]
    table.later(1000).refuses(Timeout(), "not_due")
    table.when(reveal(0))
    assert table.game.deadline(table.game.asked[0]) == START + 7000


def test_a_fault_freezes_a_game_that_could_not_be_dealt() -> None:
    table = revealing().when(Fault("ValueError"))
    assert (table.game.status, table.game.revealing, table.game.asked) == ("faulted", False, ())
    table.refuses(reveal(0), "game_faulted")


def test_a_lobby_that_is_full_of_commitments_expires_until_it_is_started() -> None:
    assert lobby(2, 0, 1).later(LOBBY_MS).when(Expire()).game.status == "aborted"


# --- what can be known --------------------------------------------------------------------------------------


def test_every_observer_folds_the_same_lobby() -> None:
    for table in (lobby(3, 0, 1), revealing(), revealing().when(reveal(1)), revealing().times_out()):
        for observer in (SPECTATOR, at_seat(0), at_seat(2)):
            seen = table.fold_of(observer)
            assert (seen.seats, seen.asked, seen.seeds, seen.revealing) == (
                table.game.seats,
                table.game.asked,
                table.game.seeds,
                table.game.revealing,
            )


def test_a_seat_tells_how_far_its_seed_is() -> None:
    table = lobby(3, 0, 1)
    states = [[seat.seed for seat in table.game.seats]]
    table.when(Start("P0"), reveal(0)).times_out()
    states.append([seat.seed for seat in table.game.seats])
    assert states == [["committed", "committed", None], ["revealed", "committed", None]]
    opened = created(2).when(Sit("P1", client_seed=SEEDS[1]))
    assert [seat.seed for seat in opened.game.seats] == [None, "given"]


# --- chance -------------------------------------------------------------------------------------------------


def pile(server_seed: str = SEED, *seeds: str, revealed: int = 2) -> object:
    """What is dealt from, after P0 and P1 committed to `seeds` and the first `revealed` of them were revealed."""
    table = seated(3, seeds="committed", server_seed=server_seed)
    table.when(*[commit(seat, seed) for seat, seed in enumerate(seeds)], Start("P0"))
    table.when(*[reveal(seat, seed) for seat, seed in enumerate(seeds[:revealed])])
    if revealed < len(seeds):
        table.times_out()
    assert table.game.status == "playing"
    return table.game.table.pile


def test_the_deal_depends_on_every_seed_that_was_revealed() -> None:
    first, second, third = SEEDS[:3]
    deals = [pile(SEED, first, second), pile(SEED, third, second), pile(SEED, first, third), pile(SEED, second, first)]
    assert all(one != other for number, one in enumerate(deals) for other in deals[:number])
    assert pile(SEED, first, second) == deals[0]


def test_the_same_seeds_are_dealt_otherwise_by_another_server_seed() -> None:
    assert pile(SEED, *SEEDS[:2]) != pile("00" * 32, *SEEDS[:2])


def test_a_seed_that_was_withheld_counts_as_none() -> None:
    withheld = pile(SEED, *SEEDS[:2], revealed=1)
    # Whatever was committed to makes no difference: it is as if nobody had.
    assert withheld == pile(SEED, SEEDS[0], SEEDS[2], revealed=1) == pile(SEED, SEEDS[0], revealed=1)
    assert withheld != pile(SEED, *SEEDS[:2])


def test_seeds_make_the_same_deal_committed_or_open() -> None:
    table = seated(3).when(*[GiveSeed(f"P{seat}", SEEDS[seat]) for seat in (0, 1)], Start("P0"))
    assert table.game.table.pile == pile(SEED, *SEEDS[:2])


# --- again --------------------------------------------------------------------------------------------------


def again(table: Given, command: Command) -> Command:
    """The command read back from the batch that `command` makes; run again, it makes the same batch."""
    before = table.game
    table.when(command)
    found = command_of(PROBE, before, table.batch)
    assert decide(PROBE, before, found, table.now).events == table.batch
    return found


@pytest.mark.parametrize(
    ("table", "command"),
    [
        (created(3, seeds="committed"), Sit("P1", 2, seed_commitment="a" * 64)),
        (created(2, seeds="committed", auto_start=True), Sit("P1", 1, seed_commitment="a" * 64)),
        (created(3, seeds="committed"), commit(0)),
        (lobby(2, 0), Start("P0")),
        (revealing(), reveal(1)),
        (revealing(2, 1), reveal(1)),
        (revealing().overdue(), Timeout()),
        (revealing(), Credit(100)),
        (revealing(), Fault("X")),
    ],
)
def test_every_command_is_read_back(table: Given, command: Command) -> None:
    assert again(table, command) == command


def test_a_creation_is_read_back_with_its_seeds() -> None:
    create = Create("probe", {}, 2, "P0", SEED, None, seeds="committed")
    found = again(Given(), create)
    assert isinstance(found, Create)
    assert replace(found, options={}) == create


def test_a_game_of_the_first_schema_has_open_seeds() -> None:
    (record, secrets), *_ = lines("G", created().log)
    data = {name: value for name, value in record["data"].items() if name != "seeds"}
    older = {**record, "sv": 1, "data": data}
    event = CODEC.event(older, secrets)
    assert isinstance(event, GameCreated)
    assert event.seeds == "open"
    assert CODEC.newest(older) == record
    assert CODEC.newest(record) is record


def test_what_is_asked_is_one_window() -> None:
    """One deadline for all, so that one timeout is enough."""
    open_now: tuple[Asked, ...] = revealing(4, 0, 2, 3).game.asked
    assert len({(asked.since, asked.id, asked.decision.vote) for asked in open_now}) == 1
