"""The bots of Bluff King: legal in every position, and the better one wins more."""

import random

import pytest

from domain.bluff_king import BLUFF_KING, bots
from domain.bluff_king.state import State
from domain.decisions import Decision
from domain.moves import Challenge
from domain.observers import at_seat
from domain.ruleset import Bot
from tests.arena import play_game, win_shares
from tests.domain.bluff_king.table import A, B, C, Play, add, lead


def test_at_least_is_the_hypergeometric_tail() -> None:
    assert bots.at_least(0, 5, 3, 20) == 1.0
    assert bots.at_least(4, 5, 3, 20) == 0.0
    assert bots.at_least(1, 1, 3, 20) == pytest.approx(3 / 20)
    assert bots.at_least(2, 2, 2, 4) == pytest.approx(1 / 6)


@pytest.mark.parametrize("bot", [bots.novice, bots.standard])
def test_an_impossible_claim_is_challenged(bot: Bot) -> None:
    play = Play("2S 3S 4S 5S", "7S 7H 7D JOKER JOKER", "AS AH").when(A, lead("2S 3S", "7"))
    (decision,) = BLUFF_KING.decisions(play.state)
    fold = play.known_to(at_seat(B))
    assert bots.truth(fold, B) == 0.0
    assert isinstance(bot(fold, B, decision, random.Random(1)), Challenge)


def test_a_claim_that_would_win_the_game_is_challenged_when_in_doubt() -> None:
    play = Play("2S", "3S 3H 4D", "4S 4H").when(A, lead("2S", "9"))
    (decision,) = BLUFF_KING.decisions(play.state)
    assert isinstance(bots.standard(play.known_to(at_seat(B)), B, decision, random.Random(1)), Challenge)


def test_own_cards_under_the_claim_are_counted_as_gone() -> None:
    play = Play("7S 7H 7D 2S 3S", "4S 4H", "AS AH 2D").when(A, lead("7S 7H 7D", "7")).when(B, add("4S"))
    fold = play.known_to(at_seat(A))
    free = bots.truth(fold, A)
    assert 0.0 < free < bots.truth(play.known_to(at_seat(C)), C)


@pytest.mark.parametrize("level", ["novice", "standard"])
def test_every_move_of_a_bot_is_in_a_form(level: str) -> None:
    def watched(fold: State, seat: int, decision: Decision, rng: random.Random) -> object:
        move = BLUFF_KING.info.bots[level](fold, seat, decision, rng)
        assert any(form.contains(move) for form in BLUFF_KING.forms(fold, decision)), move.type
        return move

    for seed in range(12):
        result = play_game(BLUFF_KING, [watched] * (2 + seed % 7), seed)
        assert result.ranking


def test_standard_beats_novice() -> None:
    assert win_shares(BLUFF_KING, "standard", ["novice"], games=60)["standard"] > 0.6
    assert win_shares(BLUFF_KING, "standard", ["novice"] * 3, games=60)["standard"] > 0.4
