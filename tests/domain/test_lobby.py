"""The lobby: who may create, sit, leave and start, and what each refusal says."""

import pytest

from domain.commands import (
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
from domain.errors import Refused
from domain.lifecycle import LOBBY_MS, GameCreated, GameEnded, SeatTaken
from domain.observers import SPECTATOR, at_seat
from tests.domain.tables import SEED, START, Given, created, playing, seated
from tests.probe.moves import Fetch


def create(**changes: object) -> Create:
    """A command that would open a lobby of two seats, changed."""
    settings = {"ruleset": "probe", "options": {}, "seats": 2, "host": "P0", "server_seed": SEED}
    return Create(**(settings | changes))


# --- create -------------------------------------------------------------------------------------------------


def test_a_lobby_is_created_with_its_host_at_the_first_seat() -> None:
    table = created(3)
    assert table.types == ["game_created", "seat_taken"]
    assert [event.by for event in table.batch] == ["player", "player"]
    assert (table.game.status, table.game.seat_of("P0"), table.game.host) == ("lobby", 0, "P0")


def test_options_are_written_with_their_defaults() -> None:
    event = created(options={"hand": 3}).batch[0]
    assert isinstance(event, GameCreated)
    assert event.options == {"max_turns": 60, "hand": 3}


def test_the_server_seed_is_sealed_to_nobody() -> None:
    table = created()
    assert table.game.seed == SEED
    assert table.fold_of(SPECTATOR).seed is table.fold_of(at_seat(0)).seed is None


def test_a_host_may_stay_without_a_seat() -> None:
    table = created(host_seat=None)
    assert table.types == ["game_created"]
    table.when(Sit("P1"), Sit("P2"), Start("P0"))
    assert table.game.status == "playing"


def test_bots_take_the_first_free_seats() -> None:
    table = created(4, host_seat=1, bots=("novice", "standard"))
    assert [(s.player, s.bot, s.controller) for s in table.game.seats] == [
        (None, "novice", "bot"),
        ("P0", None, "player"),
        (None, "standard", "bot"),
        (None, None, None),
    ]
    assert [event.by for event in table.batch] == ["player", "player", "rules", "rules"]


@pytest.mark.parametrize(
    ("changes", "code", "facts"),
    [
        ({"seats": 1}, "seats_out_of_range", {"min": 2, "max": 4}),
        ({"seats": 5}, "seats_out_of_range", {"min": 2, "max": 4}),
        ({"bots": ("genius",)}, "unknown_bot", {"levels": ["novice", "standard"]}),
        ({"host_seat": 2}, "seat_out_of_range", {"min": 0, "max": 1}),
        ({"host_seat": -1}, "seat_out_of_range", {"min": 0, "max": 1}),
        ({"bots": ("novice", "novice")}, "game_full", {"seats": 2}),
        ({"bots": ("novice",) * 3, "host_seat": None}, "game_full", {"seats": 2}),
        ({"options": {"hand": 0}}, "options_out_of_range", {}),
        ({"options": {"hand": "3"}}, "options_out_of_range", {}),
        ({"options": {"hand": 2.0}}, "options_out_of_range", {}),
        ({"options": {"hand": 7}, "seats": 4}, "options_out_of_range", {"hand_at_most": 6}),
    ],
)
def test_what_cannot_be_created(changes: dict[str, object], code: str, facts: dict[str, object]) -> None:
    Given().refuses(create(**changes), code, **facts)


@pytest.mark.parametrize("table", [created(), playing()])
def test_a_game_is_created_once(table: Given) -> None:
    table.refuses(create(), "already_created")


# --- sit ----------------------------------------------------------------------------------------------------


def test_a_player_sits_at_the_first_free_seat_or_the_one_it_names() -> None:
    table = created(4).when(Sit("P1", 2), Sit("P2"))
    assert [seat.player for seat in table.game.seats] == ["P0", "P2", "P1", None]


def test_a_player_has_one_seat() -> None:
    created(3).refuses(Sit("P0", 1), "already_seated", seat=0)


def test_who_is_seated_is_told_so_in_a_running_game_too() -> None:
    playing().refuses(Sit("P1"), "already_seated", seat=1)


def test_a_seat_is_taken_by_one_player() -> None:
    created(3).refuses(Sit("P1", 0), "seat_taken", free=[1, 2])


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_must_exist(seat: int) -> None:
    created(2).refuses(Sit("P1", seat), "seat_out_of_range", min=0, max=1)


@pytest.mark.parametrize("seat", [None, 0])
def test_a_full_table_takes_nobody(seat: int | None) -> None:
    seated(2).refuses(Sit("P9", seat), "game_full", seats=2)


def test_nobody_sits_down_in_a_running_game() -> None:
    playing().refuses(Sit("P9"), "already_started")


# --- bots and seeds -----------------------------------------------------------------------------------------


def test_the_host_seats_a_bot() -> None:
    table = created(3).when(SeatBot("P0", "novice", 2))
    assert table.game.seats[2].controller == "bot"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SeatBot("P1", "novice"), "not_host"),
        (SeatBot("P0", "genius"), "unknown_bot"),
        (SeatBot("P0", "novice", 1), "seat_taken"),
        (SeatBot("P0", "novice", 7), "seat_out_of_range"),
    ],
)
def test_who_may_seat_which_bot_where(command: SeatBot, code: str) -> None:
    created(3).when(Sit("P1")).refuses(command, code)


def test_no_bot_is_seated_in_a_running_game() -> None:
    playing().refuses(SeatBot("P0", "novice"), "already_started")


def test_a_seed_is_brought_with_the_seat_or_later_and_may_be_changed() -> None:
    table = created(3).when(Sit("P1", client_seed="dice"), GiveSeed("P0", "coin"), GiveSeed("P1", "leaf"))
    assert [seat.client_seed for seat in table.game.seats] == ["coin", "leaf", None]


def test_only_a_seated_player_brings_a_seed() -> None:
    created().refuses(GiveSeed("P9", "dice"), "not_seated")


def test_a_seed_comes_before_the_start() -> None:
    playing().refuses(GiveSeed("P0", "dice"), "already_started")


def test_seeds_change_the_deal() -> None:
    plain = playing().game.table
    seeded = seated().when(GiveSeed("P1", "dice"), Start("P0")).game.table
    assert plain.pile != seeded.pile


def test_a_seed_of_a_seat_that_was_left_does_not_count() -> None:
    table = created(2).when(Sit("P1", client_seed="dice"), Leave("P1"), Sit("P2"))
    assert table.game.seats[1].client_seed is None


# --- start --------------------------------------------------------------------------------------------------


def test_the_host_starts_and_the_setup_is_in_the_same_batch() -> None:
    table = playing(2)
    assert table.types == ["game_started", "pile_shuffled", "hand_dealt", "hand_dealt", "first_seat_drawn"]
    assert [event.by for event in table.batch] == ["player", "rules", "rules", "rules", "rules"]
    assert [event.left for event in table.batch] == [4, 3, 2, 1, 0]
    assert [event.v for event in table.batch] == list(range(4, 9))


def test_only_the_host_starts() -> None:
    seated().refuses(Start("P1"), "not_host")


def test_a_game_starts_with_every_seat_taken() -> None:
    created(4).when(Sit("P1", 2)).refuses(Start("P0"), "seats_free", free=[1, 3])


def test_a_game_starts_once() -> None:
    playing().refuses(Start("P0"), "already_started")


def test_a_full_table_starts_by_itself_if_it_was_made_so() -> None:
    table = created(2, auto_start=True)
    assert table.game.status == "lobby"
    table.when(Sit("P1"))
    assert table.types[:2] == ["seat_taken", "game_started"]
    assert [event.by for event in table.batch[:2]] == ["player", "rules"]
    assert table.game.status == "playing"


def test_a_table_filled_with_bots_starts_at_once_if_it_was_made_so() -> None:
    assert created(2, bots=("novice",), auto_start=True).game.status == "playing"
    table = created(3, auto_start=True).when(Sit("P1"), SeatBot("P0", "novice"))
    assert table.game.status == "playing"


# --- leave --------------------------------------------------------------------------------------------------


def test_a_player_who_leaves_frees_its_seat() -> None:
    table = seated(3).when(Leave("P1"))
    assert table.types == ["seat_left"]
    assert [seat.controller for seat in table.game.seats] == ["player", None, "player"]
    assert table.game.host == "P0"


def test_a_leaving_host_passes_the_lobby_to_the_next_player() -> None:
    table = created(4, bots=("novice",)).when(Sit("P2"), Leave("P0"))
    assert table.game.host == "P2"
    table.refuses(SeatBot("P0", "novice"), "not_host")
    table.when(SeatBot("P2", "novice"))


def test_with_the_last_player_the_lobby_ends() -> None:
    table = created(3, bots=("novice",)).when(Leave("P0"))
    assert table.types == ["seat_left", "game_ended"]
    assert (table.game.status, table.game.result.reason) == ("aborted", "aborted")
    assert table.fold_of(SPECTATOR).seed == SEED


def test_who_is_not_seated_cannot_leave() -> None:
    created().refuses(Leave("P9"), "not_seated")


def test_a_freed_seat_can_be_taken_again() -> None:
    table = seated(2).when(Leave("P1"), Sit("P1"), Start("P0"))
    assert table.game.status == "playing"


# --- expiry and frozen games --------------------------------------------------------------------------------


def test_a_lobby_expires_a_day_after_it_was_created() -> None:
    table = created().later(LOBBY_MS - 1)
    table.refuses(Expire(), "not_due")
    table.later(1).when(Expire())
    ended = table.batch[0]
    assert isinstance(ended, GameEnded)
    assert (ended.reason, ended.by, ended.ranking, ended.winners) == ("expired", "rules", (), ())
    assert (table.game.status, table.game.expires) == ("aborted", START + LOBBY_MS)


def test_a_running_game_does_not_expire() -> None:
    playing().later(2 * LOBBY_MS).refuses(Expire(), "already_started")


COMMANDS = [
    Sit("P9"),
    SeatBot("P0", "novice"),
    GiveSeed("P0", "x"),
    Leave("P0"),
    Start("P0"),
    TakeBack("P0"),
    Play(0, "8", Fetch()),
    Timeout(),
    PlayDefault(0, "8"),
    Credit(5),
    Expire(),
    Fault("X"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_happens_in_a_game_that_is_over(command: object) -> None:
    created().later(LOBBY_MS).when(Expire()).refuses(command, "game_over", status="aborted")
    playing(2).when(Leave("P0")).refuses(command, "game_over", status="finished")


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_happens_in_a_game_that_is_frozen(command: object) -> None:
    table = playing(2).when(Fault("AssertionError"))
    assert (table.types, table.game.status, table.game.asked) == (["game_faulted"], "faulted", ())
    table.refuses(command, "game_faulted")


@pytest.mark.parametrize("command", [Play(0, "1", Fetch()), PlayDefault(0, "1")])
def test_nobody_is_asked_anything_in_a_lobby(command: object) -> None:
    seated().refuses(command, "not_asked", asked=[])


def test_no_clock_runs_in_a_lobby() -> None:
    seated().later(LOBBY_MS).refuses(Timeout(), "not_due")


def test_a_refusal_reads_as_code_and_facts() -> None:
    assert str(Refused("seat_taken", free=[1])) == "seat_taken {'free': [1]}"
    assert str(Refused("not_host")) == "not_host"


def test_everybody_folds_the_same_lobby() -> None:
    table = created(4, bots=("novice",)).when(Sit("P1", client_seed="s"), GiveSeed("P0", "t"), Leave("P1"))
    for observer in (SPECTATOR, at_seat(0), at_seat(2)):
        seen = table.fold_of(observer)
        assert (seen.seats, seen.host, seen.version) == (
            table.game.seats,
            table.game.host,
            table.game.version,
        )


def test_seats_are_never_shuffled() -> None:
    taken = [event for event in playing(4).log if isinstance(event, SeatTaken)]
    assert [(event.seat, event.player) for event in taken] == [(s, f"P{s}") for s in range(4)]
