"""Logs that are as they should be: every game, every way to end, everybody's eyes."""

from random import Random

import pytest

from domain import canonical
from domain.audit import MOST_BYTES, audit
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
from domain.decide import due
from domain.decisions import Asked
from domain.laws.play import choose
from domain.lifecycle import LOBBY_MS, Clock
from domain.observers import EVERYTHING, SPECTATOR
from domain.registry import REGISTRY
from tests.domain.audit.logs import SEED, Made, finished, judged, lobby, started
from tests.golden.record import record_bots
from tests.keys import KEYS, SIGNER
from tests.mutations.draft import stripped
from tests.mutations.sources import source
from tests.served import serve

GAMES = [rules.info.key for rules in REGISTRY]


def sound(table: Made) -> None:
    """With everything open it is sound and complete; for everybody else it is sound."""
    verdict = judged(table.served())
    assert (verdict.verdict, verdict.complete, verdict.findings) == ("sound", True, ())
    assert verdict.good == verdict.version == table.game.version
    assert verdict.status == table.game.status
    assert verdict.key == SIGNER.public.kid
    for observer in table.observers():
        known = judged(table.served(observer))
        assert (known.verdict, known.complete, known.findings) == ("sound", False, ())
        assert (known.good, known.head, known.status) == (verdict.good, verdict.head, verdict.status)


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_is_sound_for_everybody(key: str) -> None:
    table = finished(4, key)
    sound(table)
    checked = judged(table.served()).checked
    assert (checked.records, checked.sealed) == (table.game.version, 0)
    # Every seal has its salt derived again, and so has every opening, the server seed's at least.
    assert checked.salts == checked.seals > 4
    assert checked.moves > 8


@pytest.mark.parametrize("key", GAMES)
def test_random_games_and_games_of_bots_are_sound(key: str) -> None:
    for number in range(3):
        one = source(key, f"sound-{number}")
        assert judged(one.lines).verdict == "sound"
    verdict = judged(serve(f"golden-{key}-0", record_bots(REGISTRY, key, 0)))
    assert (verdict.verdict, verdict.complete, verdict.status) == ("sound", True, "finished")


@pytest.mark.parametrize("key", GAMES)
def test_a_running_game_is_sound_at_every_batch_end_as_far_as_a_reader_knows(key: str) -> None:
    table = started(4, key)
    for _ in range(6):
        table.later(100).plays()
        for observer in table.observers():
            verdict = judged(table.served(observer))
            assert (verdict.verdict, verdict.complete, verdict.status) == ("sound", False, "playing")
            assert verdict.checked.salts == 0
            assert verdict.checked.sealed > 0


def test_what_a_seat_knows_is_checked_and_the_rest_counted() -> None:
    table = finished()
    mine, all_of_it = judged(table.served(table.observers()[1])).checked, judged(table.served()).checked
    assert 0 < mine.sealed < all_of_it.seals
    assert mine.sealed + mine.seals == all_of_it.seals
    # The seed was opened at the end: what this seat could open has its salts derived again as well.
    assert mine.salts == mine.seals


def test_a_lobby_that_is_left_is_sound() -> None:
    sound(lobby().when(Sit("P1"), GiveSeed("P1", "dice"), SeatBot("P0", "novice", 2)).when(Leave("P1"), Leave("P0")))


def test_a_lobby_that_expired_is_sound() -> None:
    sound(lobby().later(LOBBY_MS).when(Expire()))


def test_a_lobby_is_sound() -> None:
    table = lobby().when(Sit("P2", 2, "mine"))
    assert judged(table.served(SPECTATOR)).status == "lobby"
    assert judged(table.served(SPECTATOR)).verdict == "sound"


@pytest.mark.parametrize("seats", [2, 3])
def test_games_that_players_gave_up_are_sound(seats: int) -> None:
    table = started(seats).plays()
    for seat in range(seats):
        if table.game.result is None:
            table.later(10).when(Leave(f"P{seat}"))
    assert table.game.result is not None
    assert table.game.result.reason == ("resigned" if seats == 2 else "abandoned")
    sound(table)


def test_a_game_that_goes_on_without_a_player_is_sound() -> None:
    table = started(4).plays().when(Leave("P2")).plays()
    sound(table.to_the_end())


def test_a_faulted_game_is_sound() -> None:
    sound(started().plays().when(Fault("KeyError")))


def test_a_game_in_which_everybody_was_away_and_came_back_is_sound() -> None:
    table = started(2, clock=Clock(away_after=1)).plays()
    table.until(table.deadline).when(Timeout())
    away = next(seat.player for seat in table.game.seats if seat.controller == "bot")
    assert away is not None
    table.plays().when(TakeBack(away)).until(table.deadline - 1).plays()
    sound(table.to_the_end())


def test_credited_downtime_is_sound() -> None:
    table = started().plays().later(100_000).when(Credit(90_000)).plays()
    sound(table.later(200_000).when(Credit(195_000)).until(table.deadline).when(Timeout()).to_the_end())


@pytest.mark.parametrize("voted", [0, 1, 2])
def test_votes_that_timed_out_in_a_window_are_sound(voted: int) -> None:
    table = started(4, options={"adding": "after_no_challenge"}).plays()
    assert table.asked.decision.vote
    for _ in range(voted):
        table.later(100).plays()
    table.until(table.deadline).when(Timeout())
    sound(table.later(10).plays().to_the_end())


def test_what_the_sweeper_played_for_a_bot_is_sound() -> None:
    table = Made().when(Create("bluff_king", {}, 3, "P0", SEED, 0, ("novice", "standard")), Start("P0"))
    for _ in range(12):
        asked = table.later(100).asked
        if table.game.seats[asked.decision.seat].controller == "bot":
            table.when(PlayDefault(asked.decision.seat, asked.id))
        else:
            table.plays()
    asked = table.asked
    while table.game.seats[asked.decision.seat].controller != "bot":
        asked = table.plays().asked
    table.until(table.deadline).when(PlayDefault(asked.decision.seat, asked.id))
    sound(table.to_the_end())


def test_a_move_at_the_last_moment_and_a_timeout_at_the_first_are_sound() -> None:
    table = started(2)
    table.until(table.deadline).plays()
    sound(table.until(table.deadline).when(Timeout()).to_the_end())


def test_an_offer_may_be_taken_after_its_deadline() -> None:
    rng = Random(1)
    table = started(3, "captain_bluff")
    late: list[Asked] = []
    while not late:
        table.later(18_000)
        late = [a for a in table.game.asked if not a.decision.required and table.now > table.game.enforced(a)]
        if due(table.game, table.now):
            table.when(Timeout())
        elif not late:
            table.plays(choose(table.rules, table.game, table.asked, rng))
    table.when(Play(late[0].decision.seat, late[0].id, choose(table.rules, table.game, late[0], rng)))
    sound(table.to_the_end())


def test_without_keys_a_sound_log_is_unsigned() -> None:
    lines = finished().served()
    for signed in (lines, stripped(lines)):
        verdict = audit(signed)
        assert (verdict.verdict, verdict.key, verdict.findings) == ("sound_unsigned", None, ())


def test_any_of_the_keys_may_have_signed() -> None:
    assert audit(finished().served(), keys=KEYS).key == SIGNER.public.kid


def test_a_receipt_of_every_version_agrees() -> None:
    table = finished()
    hashes = table.recorder.hashes
    times = [canonical.loads(line)["record"]["at"] for line in table.served()[1:-1]]
    receipts = [SIGNER.head("G", v, hashes[v], at) for v, at in enumerate(times, 1)]
    for keys in ([SIGNER.public], []):
        assert not audit(table.served(), keys=keys, receipts=receipts).findings


def test_the_longest_line_is_far_longer_than_any_that_is_written() -> None:
    assert max(len(line) for key in GAMES for line in finished(4, key).served(EVERYTHING)) < MOST_BYTES / 100
