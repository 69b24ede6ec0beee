"""The bots of Captain Flip: legal in every position, and the better one wins more."""

import random

import pytest

from domain.captain_flip import CAPTAIN_FLIP, bots
from domain.captain_flip.boards import BOARDS
from domain.captain_flip.judge import Judge
from domain.captain_flip.state import State
from domain.decisions import Decision
from domain.moves import Move
from domain.observers import at_seat
from domain.ruleset import Bot
from tests.arena import play_game, win_shares
from tests.domain.captain_flip.table import FLIP, A, B, Play, flip, place


def answer(play: Play, bot: Bot = bots.standard, seed: int = 1) -> Move:
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    return bot(play.known_to(at_seat(decision.seat)), decision.seat, decision, random.Random(seed))


def test_the_back_is_one_of_the_faces_that_are_still_possible() -> None:
    play = Play({}, {}, drawn="swabby/cook", bag="parrot/swabby swabby/cook swabby/gunner")
    play.when(A, FLIP, place(0)).when(B, FLIP, place(0)).when(A, FLIP, place(1))
    odds = Judge(play.known_to(at_seat(B)), B).odds("swabby", None)
    assert sum(odds.values()) == pytest.approx(1)
    assert "cook" not in odds
    assert odds["gunner"] == pytest.approx(2 * odds["parrot"])


def test_a_back_that_was_seen_is_certain() -> None:
    assert Judge(Play({}, {}).state, A).odds("swabby", "cook") == {"cook": 1.0}


@pytest.mark.parametrize("bot", [bots.novice, bots.standard])
def test_a_third_gunner_is_flipped(bot: Bot) -> None:
    play = Play({0: "gunner gunner"}, {}, drawn="gunner")
    assert all(answer(play, bot, seed) == FLIP for seed in range(10))


def test_with_two_gunners_a_useful_tile_is_not_risked() -> None:
    play = Play({0: "gunner gunner", 1: "lookout"}, {}, drawn="cook")
    assert isinstance(answer(play), type(place(0)))


def test_a_gunner_is_kept_and_put_away_from_the_carpenter() -> None:
    play = Play({0: "carpenter", 1: "lookout lookout"}, {}, drawn="gunner", bag="cook")
    move = answer(play)
    assert move != FLIP
    play.when(A, move)
    assert play.coins() >= 5
    assert not any(tile.face == "gunner" for tile in play.state.row(A, 0))


def test_a_swabby_goes_to_a_column_without_one() -> None:
    play = Play({0: "swabby", 1: "swabby"}, {}, drawn="swabby")
    assert answer(play) in (place(2), place(3), place(4))


def test_a_cook_is_placed_in_the_fullest_row() -> None:
    given = {0: "lookout swabby", 1: "carpenter swabby", 2: "navigator", 4: "navigator swabby"}
    play = Play(given, {}, drawn="cook").when(A, place(2))
    assert play.taken() == [("cook", 4)]
    assert answer(Play(given, {}, drawn="cook")) == place(2)


def test_a_monkey_flips_what_is_known_to_bring_most() -> None:
    """Both backs have been seen, as they are in the full fold."""
    play = Play({0: "cook/gunner", 2: "swabby/lookout"}, {}, drawn="monkey").when(A, place(1))
    (decision,) = CAPTAIN_FLIP.decisions(play.state)
    assert bots.standard(play.state, A, decision, random.Random(1)) == flip(0, 0)


def test_a_monkey_turns_a_gunner_away_when_there_are_three() -> None:
    play = Play({0: "gunner gunner", 1: "gunner/swabby"}, {}, drawn="monkey").when(A, place(2))
    assert answer(play) == flip(1, 0)


@pytest.mark.parametrize("board", list(BOARDS))
@pytest.mark.parametrize("level", ["novice", "standard"])
def test_every_move_of_a_bot_is_in_a_form(level: str, board: str) -> None:
    def watched(fold: State, seat: int, decision: Decision, rng: random.Random) -> object:
        move = CAPTAIN_FLIP.info.bots[level](fold, seat, decision, rng)
        assert any(form.contains(move) for form in CAPTAIN_FLIP.forms(fold, decision)), move.type
        return move

    for seed in range(4):
        result = play_game(CAPTAIN_FLIP, [watched] * (2 + seed), seed, board=board)
        assert result.ranking


def test_a_bot_answers_alike_whatever_it_cannot_see() -> None:
    play = Play({0: "swabby cook"}, {1: "gunner"}, drawn="lookout")
    fold = play.known_to(at_seat(A))
    (decision,) = CAPTAIN_FLIP.decisions(fold)
    first = bots.standard(fold, A, decision, random.Random(1))
    assert all(bots.standard(fold, A, decision, random.Random(n)) == first for n in range(5))


def test_standard_beats_novice() -> None:
    assert win_shares(CAPTAIN_FLIP, "standard", ["novice"], games=40)["standard"] > 0.6
    assert win_shares(CAPTAIN_FLIP, "standard", ["novice"] * 3, games=40)["standard"] > 0.4
