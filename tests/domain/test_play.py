"""Moves, the clock, and players who come and go."""

from typing import Any

import pytest

from domain.commands import Credit, Leave, Play, PlayDefault, Sit, TakeBack, Timeout
from domain.lifecycle import Clock, ControllerChanged, GameEnded
from domain.moves import Challenge, Pass
from domain.observers import SPECTATOR, at_seat
from domain.results import Rank
from tests.domain.tables import SEED, START, Given, created, playing, with_a_row
from tests.probe.moves import Bury, Declare, Drop, Fetch, Salvage, Slip

CLOCK = Clock(decision_ms=10_000, vote_ms=4000, grace_ms=500, away_after=2)


def hand(table: Given, seat: int) -> tuple[str, ...]:
    known: tuple[str, ...] = table.game.table.hands[seat].known
    return known


def claimed(seats: int = 3, clock: Clock = CLOCK) -> Given:
    """A game in which the seat on turn has just declared one card."""
    table = playing(seats, clock=clock)
    return table.plays(table.acting, Declare(hand(table, table.acting)[:1], 1))


# --- moves --------------------------------------------------------------------------------------------------


def test_a_move_is_played_by_its_player_and_what_follows_by_the_rules() -> None:
    table = playing()
    table.plays(table.acting, Fetch())
    assert table.types == ["card_fetched", "card_drawn", "card_drawn", "turn_ended"]
    assert [event.by for event in table.batch] == ["player", "rules", "rules", "rules"]


def test_the_answer_of_a_bot_says_so() -> None:
    table = created(2, bots=("novice",), auto_start=True)
    if table.acting == 0:
        table.plays(0, Fetch())
    table.when(Play(1, table.asked(1, Fetch).id, Fetch(), by="bot"))
    assert table.batch[0].by == "bot"


def test_who_resigned_while_the_answer_was_under_way_does_not_play_for_the_seat() -> None:
    table = playing(3)
    seat, decision = table.acting, table.asked(table.acting, Fetch).id
    player = table.game.seats[seat].player
    assert player is not None
    table.when(Leave(player))
    table.refuses(Play(seat, decision, Fetch(), player=player), "not_seated")


def test_a_named_player_plays_its_own_seat_only() -> None:
    table = playing(2)
    seat, decision = table.acting, table.asked(table.acting, Fetch).id
    table.refuses(Play(seat, decision, Fetch(), player=table.game.seats[1 - seat].player), "not_seated")
    table.when(Play(seat, decision, Fetch(), player=table.game.seats[seat].player))
    assert table.batch[0].seat == seat


def test_who_is_not_asked_is_told_who_is() -> None:
    table = playing(3)
    other = (table.acting + 1) % 3
    table.refuses(Play(other, "8", Fetch()), "not_asked", asked=[table.acting])


def test_an_answer_to_an_old_question_is_refused() -> None:
    table = playing(2)
    seat, old = table.acting, table.asked(table.acting, Fetch).id
    table.plays(seat, Fetch()).plays(1 - seat, Fetch())
    now = table.asked(seat, Fetch).id
    table.refuses(Play(seat, old, Fetch()), "decision_closed", open=[now])


def test_a_click_sent_twice_acts_once() -> None:
    table = playing(2)
    move = Play(table.acting, table.asked(table.acting, Fetch).id, Fetch())
    table.when(move).refuses(move, "not_asked")


@pytest.mark.parametrize("move", [Pass(), Challenge(), Drop("GULL-1")])
def test_a_move_that_does_not_answer_the_question_is_told_what_would(move: Any) -> None:
    table = playing(2)
    seat, decision = table.acting, table.asked(table.acting, Fetch).id
    moves = ["fetch", "bury", "swap", "slip", "declare", "lay"]
    table.refuses(Play(seat, decision, move), "illegal_move", reason="not_an_answer", moves=moves)


def test_a_move_with_a_card_that_one_does_not_hold_is_refused() -> None:
    table = playing(2)
    seat = table.acting
    card = hand(table, 1 - seat)[0]
    if card in hand(table, seat):
        card = "NO-SUCH"
    table.refuses(Play(seat, table.asked(seat, Bury).id, Bury(0, card)), "illegal_move")


# --- deadlines ----------------------------------------------------------------------------------------------


def test_the_shown_deadline_is_the_time_to_think_and_the_enforced_one_later_by_the_grace() -> None:
    table = playing(2, clock=CLOCK)
    asked = table.game.asked[0]
    assert (table.game.deadline(asked), table.game.enforced(asked)) == (START + 10_000, START + 10_500)


def test_a_vote_has_its_own_time() -> None:
    table = claimed()
    assert {table.game.deadline(asked) for asked in table.game.asked} == {START + 4000}


def test_the_last_moment_belongs_to_the_player_and_the_clock_alike() -> None:
    table = playing(2, clock=CLOCK).overdue()
    move = Play(table.acting, table.game.asked[0].id, Fetch())
    early = table.later(-1)
    early.refuses(Timeout(), "not_due")
    table.later(1).when(move)
    assert table.batch[0].by == "player"
    playing(2, clock=CLOCK).overdue().when(Timeout())


def test_after_the_deadline_a_move_is_too_late() -> None:
    table = playing(2, clock=CLOCK).overdue().later(1)
    move = Play(table.acting, table.game.asked[0].id, Fetch())
    table.refuses(move, "too_late", deadline=START + 10_000)


def test_the_clock_plays_the_default_move() -> None:
    table = playing(2, clock=CLOCK)
    seat = table.acting
    table.times_out()
    assert [(e.type, e.seat, e.by) for e in table.batch[:2]] == [
        ("card_fetched", seat, "clock"),
        ("card_drawn", seat, "rules"),
    ]
    assert table.game.seats[seat].timeouts == 1


def test_a_vote_window_times_out_in_one_batch() -> None:
    table = claimed(4)
    table.times_out()
    votes = ["vote_cast"] * 3
    assert table.types == [*votes, "vote_closed", "cargo_stood", "turn_ended"]
    assert [event.by for event in table.batch] == ["clock"] * 3 + ["rules"] * 3
    assert [seat.timeouts for seat in table.game.seats].count(1) == 3


def test_only_missing_votes_are_given_by_the_clock() -> None:
    table = claimed(4)
    first, second, third = [a.decision.seat for a in table.game.asked]
    table.plays(second, Challenge()).times_out()
    assert [(e.seat, e.by) for e in table.batch if e.type == "vote_cast"] == [
        (first, "clock"),
        (third, "clock"),
    ]
    closed = next(e for e in table.batch if e.type == "vote_closed")
    assert closed.challenger == second


def test_downtime_is_given_back_to_every_open_question() -> None:
    table = claimed(3).later(9000)
    before = {a.id: table.game.deadline(a) for a in table.game.asked}
    table.when(Credit(7000))
    assert table.types == ["clock_credited"]
    assert {a.id: table.game.deadline(a) for a in table.game.asked} == {
        name: deadline + 7000 for name, deadline in before.items()
    }


def test_what_was_asked_while_the_server_was_away_is_credited_from_then_on_only() -> None:
    table = playing(2, clock=CLOCK).later(3000).when(Credit(7000))
    assert table.game.deadline(table.game.asked[0]) == table.now + 10_000


def test_a_credit_does_not_reach_questions_that_come_later() -> None:
    table = playing(2, clock=CLOCK).when(Credit(7000))
    table.plays(table.acting, Fetch())
    assert table.game.deadline(table.game.asked[0]) == START + 10_000


# --- away ---------------------------------------------------------------------------------------------------


def gone_away() -> tuple[Given, int]:
    """A game of two in which one seat has timed out twice, and that seat."""
    table = playing(2, clock=CLOCK)
    seat = table.acting
    table.times_out().plays(1 - seat, Fetch()).times_out()
    return table, seat


def test_after_so_many_timeouts_in_a_row_a_bot_plays_for_the_seat() -> None:
    table, seat = gone_away()
    change = next(event for event in table.batch if isinstance(event, ControllerChanged))
    assert (change.seat, change.controller, change.reason, change.bot) == (seat, "bot", "away", "standard")
    assert table.types[-1] == "controller_changed"
    assert table.game.seats[seat].player == f"P{seat}"
    assert (table.game.seats[seat].controller, table.game.seats[seat].timeouts) == ("bot", 0)


def test_an_answer_in_between_begins_the_count_anew() -> None:
    table = playing(2, clock=CLOCK)
    seat = table.acting
    table.times_out().plays(1 - seat, Fetch()).plays(seat, Fetch()).plays(1 - seat, Fetch()).times_out()
    assert table.game.seats[seat].controller == "player"
    assert table.game.seats[seat].timeouts == 1


def test_several_voters_go_away_at_once() -> None:
    table = claimed(3, Clock(vote_ms=4000, away_after=1)).times_out()
    changed = [event.seat for event in table.batch if isinstance(event, ControllerChanged)]
    assert len(changed) == 2
    assert table.types[-2:] == ["controller_changed"] * 2


def test_a_player_takes_its_seat_back() -> None:
    table, seat = gone_away()
    table.when(TakeBack(f"P{seat}"))
    assert [(e.type, e.by) for e in table.batch] == [("controller_changed", "player")]
    assert (table.game.seats[seat].controller, table.game.seats[seat].bot) == ("player", None)


def test_only_who_is_away_takes_a_seat_back() -> None:
    table, seat = gone_away()
    table.refuses(TakeBack(f"P{1 - seat}"), "not_away")
    table.refuses(TakeBack("P9"), "not_seated")
    created().refuses(TakeBack("P0"), "not_away")


def test_a_late_answer_of_the_bot_does_not_play_for_the_player_who_is_back() -> None:
    # A bot's job could read the question, and answer it after the player had taken the seat back.
    table, seat = gone_away()
    table.plays(1 - seat, Fetch())
    question = table.asked(seat, Fetch).id
    table.when(TakeBack(f"P{seat}"))
    table.refuses(Play(seat, question, Fetch(), by="bot"), "not_a_bot")
    table.when(Play(seat, question, Fetch()))


def test_a_question_stands_while_its_seat_changes_hands() -> None:
    table, seat = gone_away()
    table.plays(1 - seat, Fetch())
    asked = table.game.asked
    assert table.when(TakeBack(f"P{seat}")).game.asked == asked


# --- defaults for bots --------------------------------------------------------------------------------------


def with_bots() -> Given:
    """A game of a player and two bots, with a bot on turn."""
    table = created(3, bots=("novice", "novice"), auto_start=True, clock=CLOCK)
    return table.plays(0, Fetch()) if table.acting == 0 else table


def test_the_default_is_played_for_a_bot_that_cannot() -> None:
    table = with_bots()
    seat, decision = table.acting, table.game.asked[0].id
    table.when(PlayDefault(seat, decision))
    assert [(e.type, e.by) for e in table.batch[:1]] == [("card_fetched", "clock")]
    assert table.game.seats[seat].timeouts == 0


def test_no_default_is_played_for_a_player_in_time() -> None:
    table = playing(2)
    table.refuses(PlayDefault(table.acting, table.game.asked[0].id), "not_a_bot")


def test_no_default_is_played_for_an_offer() -> None:
    # It would take cards into the hand of a bot that was free to leave them.
    table = with_a_row(with_bots())
    offer = next(a for a in table.game.asked if a.decision.kind == "row" and a.decision.seat != 0)
    table.refuses(PlayDefault(offer.decision.seat, offer.id), "not_due")


def test_an_offer_is_never_late() -> None:
    table = with_a_row(playing(2, clock=CLOCK)).overdue().later(1)
    table.refuses(Play(table.acting, table.asked(table.acting, Fetch).id, Fetch()), "too_late")
    table.plays(1 - table.acting, Salvage(1))
    assert table.types == ["cards_salvaged"]


@pytest.mark.parametrize(("change", "code"), [(1, "not_asked"), (0, "decision_closed")])
def test_a_default_answers_an_open_question(change: int, code: str) -> None:
    table = with_bots()
    table.refuses(PlayDefault((table.acting + change) % 3, "1"), code)


def test_a_default_that_is_due_is_a_timeout_of_the_whole_window() -> None:
    table = with_bots()
    table.plays(table.acting, Declare(hand(table, table.acting)[:1], 1)).overdue()
    bot = next(a for a in table.game.asked if a.decision.seat != 0)
    table.when(PlayDefault(bot.decision.seat, bot.id))
    assert table.types[:3] == ["vote_cast", "vote_cast", "vote_closed"]


# --- resigning ----------------------------------------------------------------------------------------------


def test_with_two_seats_the_other_wins() -> None:
    table = playing(2).when(Leave("P0"))
    assert table.types == ["controller_changed", "game_ended"]
    ended = table.batch[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.reason, ended.winners, ended.resigned) == ("resigned", (1,), (0,))
    assert ended.ranking == (Rank(0, 2, 5), Rank(1, 1, 5))
    assert (table.game.status, table.game.asked) == ("finished", ())


def test_the_end_opens_the_seed_to_all() -> None:
    table = playing(2).when(Leave("P0"))
    assert table.fold_of(SPECTATOR).seed == table.fold_of(at_seat(1)).seed == SEED


def test_with_more_seats_a_bot_goes_on() -> None:
    table = playing(3).when(Leave("P1"))
    seat = table.game.seats[1]
    assert table.types == ["controller_changed"]
    assert (seat.player, seat.former, seat.controller, seat.bot) == (None, "P1", "bot", "standard")
    assert (table.game.status, table.game.resigned) == ("playing", (1,))


def test_who_resigned_is_out() -> None:
    table = playing(3).when(Leave("P1"))
    table.refuses(Leave("P1"), "not_seated")
    table.refuses(TakeBack("P1"), "not_seated")
    table.refuses(Sit("P1"), "already_started")


def test_answers_already_given_stand_when_their_player_resigns() -> None:
    table = claimed(3)
    first, last = [a.decision.seat for a in table.game.asked]
    table.plays(first, Challenge()).when(Leave(f"P{first}")).plays(last, Pass())
    assert next(e for e in table.batch if e.type == "vote_closed").challenger == first


def test_a_game_without_humans_is_abandoned() -> None:
    table = playing(3).when(Leave("P0"), Leave("P1"))
    assert table.game.status == "playing"
    table.when(Leave("P2"))
    ended = table.batch[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.reason, ended.winners, ended.resigned) == ("abandoned", (), (0, 1, 2))
    assert len(ended.ranking) == 3


def test_a_player_who_is_away_still_counts_as_a_human() -> None:
    table = playing(3, clock=Clock(away_after=1))
    seat = table.acting
    table.times_out().when(Leave(f"P{(seat + 1) % 3}"), Leave(f"P{(seat + 2) % 3}"))
    assert table.game.status == "playing"


# --- the end ------------------------------------------------------------------------------------------------


def test_the_last_move_and_the_end_are_one_batch() -> None:
    table = playing(2, options={"hand": 1})
    table.plays(table.acting, Declare(hand(table, table.acting), 1))
    claimant = table.game.table.claim.seat
    table.plays(1 - claimant, Pass())
    assert table.types[-2:] == ["turn_ended", "game_ended"]
    ended = table.batch[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.reason, ended.winners) == ("emptied", (claimant,))


def test_a_game_ends_at_its_turn_limit() -> None:
    table = playing(2, options={"max_turns": 2})
    table.plays(table.acting, Fetch()).plays(table.acting, Fetch())
    assert table.game.result is not None
    assert (table.game.result.reason, table.game.result.winners) == ("turn_limit", (0, 1))


def test_the_turn_limit_waits_for_what_is_running() -> None:
    table = playing(3, options={"max_turns": 1})
    seat = table.acting
    to = (seat + 1) % 3
    table.plays(seat, Slip(hand(table, seat)[0], to))
    assert table.game.status == "playing"
    table.plays(to, Drop(hand(table, to)[0]))
    assert table.game.status == "finished"
