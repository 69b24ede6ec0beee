"""The bots of Captain's Orders: legal in every position, good at the odds, and the better one wins more."""

import random

import pytest

from domain.captains_orders import CAPTAINS_ORDERS, bots
from domain.captains_orders.moves import Accuse
from domain.captains_orders.odds import faded, least, odds
from domain.captains_orders.redeal import redeal
from domain.captains_orders.state import State
from domain.decisions import Decision
from domain.moves import Move
from domain.observers import at_seat
from tests.arena import play_game, win_shares
from tests.domain.captains_orders.table import (
    A,
    B,
    C,
    D,
    Play,
    asking,
    discard,
    follow,
    give,
    order,
    passing,
)


def standard(play: Play, seat: int) -> Move:
    """What `standard` answers for `seat`."""
    (decision,) = CAPTAINS_ORDERS.decisions(play.state)
    assert decision.seat == seat
    return bots.standard(play.known_to(at_seat(seat)), seat, decision, random.Random(1))


def test_who_holds_the_1_is_the_captain_and_finds_nobody() -> None:
    play = Play("1 9 9", "5 8 8", "6 9 9", "7 9 9")
    chances = odds(play.known_to(at_seat(A)), A)
    assert chances.mine == 1.0
    assert chances.found == (0.0,) * 4


def test_the_odds_are_those_of_many_worlds() -> None:
    play = Play("4 8 9 9", "2 7 9 9", "3 5 5 9", "6 10 10 10").when(A, order(4)).when(B, follow(7))
    fold = play.known_to(at_seat(C))
    chances = odds(fold, C)
    rng, worlds = random.Random(5), 4000
    mine, found = 0, [0] * 4
    for _ in range(worlds):
        lows = [min(int(card[1:]) for card in hand.known) for hand in redeal(fold, rng).hands]
        captains = [seat for seat, low in enumerate(lows) if low == min(lows)]
        mine += C in captains
        for seat in captains if C not in captains else ():
            found[seat] += 1
    assert chances.mine == pytest.approx(mine / worlds, abs=0.03)
    assert chances.found == pytest.approx([n / worlds for n in found], abs=0.03)


def test_the_chance_that_a_last_card_wins() -> None:
    assert least(Play("1", "5 8", "6 9", "7 9").known_to(at_seat(A)), A, 1) == 1.0
    play = Play("10", "5 8", "6 9", "7 9")
    assert least(play.known_to(at_seat(A)), A, 10) < 0.01


def test_a_card_handed_on_is_remembered_after_its_mark_has_lapsed() -> None:
    play = Play("1 9 9", "5 8 8", "6 9 9", "7 9 9").when(A, passing(1, C)).when(C, discard(9))
    fold = play.known_to(at_seat(A))
    assert fold.hands[C].known == ()
    assert faded(fold, A) == ((C, 1, 0.5),)
    chances = odds(fold, A)
    assert max(chances.found) == chances.found[C] > 0.5


def test_a_follow_of_a_high_order_cannot_have_been_the_low_card() -> None:
    play = Play("2 9 9", "5 8 8", "6 9 9", "7 9 9").when(A, passing(2, C)).when(C, discard(9))
    play.when(B, order(8)).when(C, follow(9))
    assert faded(play.known_to(at_seat(A)), A) == ((C, 2, 0.5),)


def test_who_followed_with_a_2_accuses_the_owner_once_the_1_is_gone() -> None:
    play = Play("1 9 9", "2 8 8", "6 9 9", "7 9 9").when(A, order(1)).when(B, follow(2)).when(C, follow(6))
    play.when(D, follow(7))
    assert odds(play.known_to(at_seat(B)), B).found[A] > 0.7
    assert standard(play, B) == Accuse(A)


def test_with_few_cards_left_the_lowest_is_kept_to_the_last() -> None:
    play = Play("1 9", "5 8", "6 9", "7 9")
    move = standard(play, A)
    assert getattr(move, "card", None) == "R9"
    assert standard(Play("1", "5 8", "6 9", "7 9"), A) == order(1)
    assert standard(Play("3 8 8", "1 8", "6 9", "7 9").when(A, asking(B)), B) == give(8)


def test_a_seat_with_many_cards_discards_its_lowest() -> None:
    play = Play("9 9 9", "2 5 8 8 8", "6 9 9", "7 9 9").when(A, passing(9, B))
    assert standard(play, B) == discard(2)


@pytest.mark.parametrize("level", ["novice", "standard"])
def test_every_move_of_a_bot_is_in_a_form(level: str) -> None:
    def watched(fold: State, seat: int, decision: Decision, rng: random.Random) -> Move:
        move = CAPTAINS_ORDERS.info.bots[level](fold, seat, decision, rng)
        assert any(form.contains(move) for form in CAPTAINS_ORDERS.forms(fold, decision)), move.type
        return move

    for seed in range(40):
        assert play_game(CAPTAINS_ORDERS, [watched] * (4 + seed % 5), seed).ranking


def test_bots_of_all_levels_end_their_games_by_wins() -> None:
    levels = [bots.novice, bots.standard]
    for seed in range(30):
        result = play_game(CAPTAINS_ORDERS, [levels[(seed + i) % 2] for i in range(4 + seed % 5)], seed)
        assert result.reason == "wins_reached"


def test_standard_beats_novice() -> None:
    assert win_shares(CAPTAINS_ORDERS, "standard", ["novice"] * 3, games=100)["standard"] > 0.5
