"""The bots of Captain Bluff: legal in every position, and the better one wins more."""

import random

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF, bots
from domain.captain_bluff import events as e
from domain.captain_bluff.moves import EndTurn, Peek, PlaceBags, PlayDelayedFlight, PlayReverse
from domain.captain_bluff.odds import origin_is, truth, unseen
from domain.captain_bluff.state import State
from domain.decisions import Decision
from domain.moves import Challenge, Move, Pass
from domain.observers import at_seat
from domain.ruleset import Bot
from tests.arena import play_game, win_shares
from tests.domain.captain_bluff.table import PASS, A, B, C, Play, change, define, place

BOTS = (bots.novice, bots.standard)


def answer(bot: Bot, play: Play, seat: int) -> Move:
    """What the bot at `seat` answers, of its own fold."""
    decision = next(d for d in CAPTAIN_BLUFF.decisions(play.state) if d.seat == seat and d.required)
    return bot(play.known_to(at_seat(seat)), seat, decision, random.Random(1))


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("origin", "vote"), [("HNL-9", Challenge), ("HKG-9", Pass), ("REVERSE", Challenge)])
def test_who_has_seen_the_origin_challenges_lies_and_nothing_else(bot: Bot, origin: str, vote: type[Move]) -> None:
    play = Play("SFO-1", "HKG-5 SFO-4", belts={0: (origin, "HKG-3 HKG-4")}).when(A, Peek(0)).when(B, place(0, "HKG-5"))
    assert isinstance(answer(bot, play, A), vote)


@pytest.mark.parametrize("bot", BOTS)
def test_a_swapped_origin_is_not_taken_for_the_one_that_was_seen(bot: Bot) -> None:
    play = Play("SFO-1", "HNL-9 SFO-4 SFO-5", "HKG-5 SFO-6", belts={0: ("HKG-9", "HKG-3 HKG-4")})
    play.when(A, Peek(0)).when(B, change(0, "HNL-9")).when(C, place(0, "HKG-5"))
    fold = play.known_to(at_seat(A))
    assert fold.question is not None
    assert 0.0 < truth(fold, fold.question) < 1.0
    fold = play.known_to(at_seat(B))
    assert fold.question is not None
    assert truth(fold, fold.question) == 0.0
    assert isinstance(answer(bot, play, B), Challenge)


def test_cities_are_counted_to_guess_an_origin_card() -> None:
    many = " ".join(f"HKG-{n}" for n in range(1, 15))
    play = Play(f"{many} SFO-1", "SFO-2", belts={0: ("HNL-1", "")})
    fold = play.known_to(at_seat(A))
    left = unseen(fold)
    assert (left["HKG"], left["HNL"], left["SFO"]) == (3, 17, 16)
    assert origin_is(fold, 0, "HKG", left) < origin_is(fold, 0, "SFO", left) < origin_is(fold, 0, "HNL", left)


def test_a_play_that_would_win_is_challenged_when_in_doubt() -> None:
    play = Play("HKG-3", "SFO-2 SFO-3", "SFO-4", belts={0: ("SFO-9", "")}).when(A, place(0, "HKG-3"))
    assert isinstance(answer(bots.standard, play, B), Challenge)


def test_who_does_not_know_leaves_the_challenge_to_who_does() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2 SFO-3", "SFO-4 SFO-5", belts={0: ("SFO-9", "")})
    play.when(A, Peek(0)).when(B, Peek(0)).when(C, Peek(0)).when(A, place(0, "HKG-3"))
    known = Play("HKG-3 SFO-1", "SFO-2 SFO-3", "SFO-4 SFO-5", belts={0: ("SFO-9", "")})
    known.when(A, Peek(0)).when(B, Peek(0)).when(C, define(1, "SFO-4")).when(A, place(0, "HKG-3"))
    assert isinstance(answer(bots.standard, play, C), Challenge)
    assert isinstance(answer(bots.standard, known, C), Pass)


def test_standard_lays_its_longest_run_where_it_knows_the_origin() -> None:
    hand = "HKG-3 HKG-4 HKG-5 HKG-9 SFO-7 SFO-8 HNL-2 HNL-15"
    play = Play(hand, "SFO-2 SFO-3 SFO-4 SFO-5 SFO-6", belts={0: ("SFO-9", ""), 1: ("HKG-12", "")})
    play.when(A, Peek(1)).when(B, Peek(0))
    assert answer(bots.standard, play, A) == place(1, "HKG-3 HKG-4 HKG-5")


def test_standard_keeps_an_airport_card_that_nobody_can_challenge_for_the_end() -> None:
    play = Play("HKG-3 HKG-4 DELAYED_FLIGHT", "SFO-2 SFO-3 SFO-4 SFO-5 SFO-6", belts={1: ("HKG-12", "")})
    play.when(A, Peek(1)).when(B, Peek(1))
    move = answer(bots.standard, play, A)
    assert isinstance(move, PlaceBags)
    assert move.end_turn is False
    play.when(A, move).votes(PASS)
    assert isinstance(answer(bots.standard, play, A), PlayDelayedFlight)


def test_standard_wins_with_a_reverse_as_its_last_card() -> None:
    play = Play("REVERSE", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-9")})
    assert isinstance(answer(bots.standard, play, A), PlayReverse)


def test_standard_ends_a_turn_that_it_kept_open_when_it_has_nothing_to_add() -> None:
    play = Play("SFO-9 REVERSE SFO-1", "SFO-2", belts={0: ("HNL-1", "")}).when(A, Peek(0, end_turn=False))
    assert answer(bots.standard, play, A) == EndTurn()


@pytest.mark.parametrize("level", ["novice", "standard"])
def test_every_move_of_a_bot_is_in_a_form(level: str) -> None:
    def watched(fold: State, seat: int, decision: Decision, rng: random.Random) -> object:
        move = CAPTAIN_BLUFF.info.bots[level](fold, seat, decision, rng)
        assert any(form.contains(move) for form in CAPTAIN_BLUFF.forms(fold, decision)), move.type
        return move

    for seed in range(12):
        assert play_game(CAPTAIN_BLUFF, [watched] * (2 + seed % 4), seed, max_turns=150).ranking


@pytest.mark.slow
def test_bots_are_legal_in_hundreds_of_games() -> None:
    levels = (bots.novice, bots.standard)
    for seed in range(200):
        seats = 2 + seed % 4
        mixed = [levels[(seed // 4 + seat) % 2] for seat in range(seats)]
        assert play_game(CAPTAIN_BLUFF, mixed, seed, max_turns=40).ranking


def test_games_between_careful_bots_end() -> None:
    for seed in range(8):
        assert play_game(CAPTAIN_BLUFF, [bots.standard] * (2 + seed % 4), seed).reason == "emptied"


@pytest.mark.slow
def test_standard_beats_novice() -> None:
    assert win_shares(CAPTAIN_BLUFF, "standard", ["novice"], games=60)["standard"] > 0.6
    assert win_shares(CAPTAIN_BLUFF, "standard", ["novice"] * 3, games=40)["standard"] > 0.4


def test_a_renewed_pile_with_an_airport_card_does_not_confuse_the_bots() -> None:
    play = Play(
        "SFO-1 SFO-4", "SFO-2", belts={0: ("NOTICE_BOARD", "HKG-3"), 1: ("HNL-1", "")}, draw="", discard="REVERSE"
    )
    play.when(A, define(3, "SFO-1"))
    assert isinstance(play.one(e.DrawPileRenewed), e.DrawPileRenewed)
    for bot in BOTS:
        move = answer(bot, play, B)
        decision = CAPTAIN_BLUFF.decisions(play.state)[0]
        assert any(form.contains(move) for form in CAPTAIN_BLUFF.forms(play.state, decision))
