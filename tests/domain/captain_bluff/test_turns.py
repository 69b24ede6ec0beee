"""What else the rules of Captain Bluff say: looks, swaps, the end, and default moves."""

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff import events as e
from domain.captain_bluff.cards import NUMBER_OF
from domain.captain_bluff.moves import (
    Close,
    Define,
    EndTurn,
    Peek,
    PlayAroundTheWorld,
    PlayNoticeBoard,
    PlayReverse,
    Recover,
)
from domain.moves import Move
from tests.domain.captain_bluff.table import (
    CALL,
    OPEN,
    PASS,
    A,
    B,
    Play,
    change,
    offered,
    place,
    refusal,
    row,
    started,
)


def test_a_play_may_be_challenged_even_if_it_is_a_single_around_the_world() -> None:
    play = Play("AROUND_THE_WORLD SFO-1", "SFO-2", belts={0: ("SFO-9", "HKG-3")}).when(A, PlayAroundTheWorld(0, 9))
    assert play.asked() == [B]
    play.votes(CALL)
    assert play.one(e.Challenged).truthful is False
    assert set(play.hand(A)) == {"SFO-1", "SFO-9", "HKG-3", "AROUND_THE_WORLD"}


def test_a_notice_board_shows_two_origin_cards_or_as_many_as_there_are() -> None:
    belts = {0: ("HNL-1", ""), 3: ("HNL-2", ""), 5: ("HNL-3", "")}
    play = Play("NOTICE_BOARD SFO-1", "SFO-2", belts=belts)
    refused = refusal(play, A, PlayNoticeBoard((3,)))
    assert (refused.code, refused.facts) == ("wrong_number_of_belts", {"exactly": 2})
    assert refusal(play, A, PlayNoticeBoard((3, 3))).code == "belt_named_twice"
    assert refusal(play, A, PlayNoticeBoard((3, 1))).code == "no_origin"
    play.when(A, PlayNoticeBoard((5, 0)))
    assert [(ev.belt, ev.card.value) for ev in play.happened if isinstance(ev, e.OriginPeeked)] == [
        (5, "HNL-3"),
        (0, "HNL-1"),
    ]


def test_a_notice_board_can_be_played_with_no_origin_card_lying() -> None:
    play = Play("NOTICE_BOARD SFO-1", "SFO-2").when(A, PlayNoticeBoard(()))
    assert play.types() == ["airport_played"]


def test_change_brings_the_old_origin_to_the_hand_unseen_by_the_others() -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts={0: ("HNL-1", "HKG-4")}).when(A, change(0, "SFO-1"))
    changed = play.one(e.OriginChanged)
    assert (changed.card_in.to, changed.card_out.to) == ((A,), (A,))
    assert play.hand(A) == ("HNL-1", "SFO-2")
    assert play.state.belts[0].row == row("HKG-4")


def test_a_swapped_origin_is_judged_by_the_card_that_lies_there_now() -> None:
    play = Play("SFO-1 HKG-9 SFO-2", "HKG-5 SFO-3", belts={0: ("HNL-1", "HKG-4")}).when(A, change(0, "HKG-9"))
    play.when(B, place(0, "HKG-5")).votes(CALL)
    judged = play.one(e.Challenged)
    assert judged.truthful is True
    assert (judged.opens[0].v, judged.opens[0].field, judged.opens[0].value) == (1, "card_in", "HKG-9")


def test_close_discards_everything_unseen() -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts={0: ("HNL-1", "HKG-4 *5 HKG-6")}).when(A, Close(0))
    closed = play.one(e.BeltClosed)
    assert closed.origin.to == ()
    assert play.state.discard.known == ("AROUND_THE_WORLD", "HKG-4", "HKG-6", "HNL-1")
    assert (play.state.belts[0].origin, play.state.belts[0].row) == (None, ())


def test_the_turn_limit_counts_turns_that_ended_and_a_win_takes_precedence() -> None:
    play = Play("SFO-1 SFO-2", "SFO-3", belts=OPEN, max_turns=1).when(A, Peek(0))
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert (result.reason, result.winners) == ("turn_limit", (B,))
    assert [r.rank for r in result.ranking] == [2, 1]
    play = Play("HKG-1", "SFO-3", belts=OPEN, max_turns=1).when(A, place(0, "HKG-1")).votes(PASS)
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert result.reason == "emptied"


def test_everybody_of_the_best_rank_wins_at_the_turn_limit() -> None:
    play = Play("SFO-1", "SFO-3", "HKG-1 HKG-2", belts=OPEN, max_turns=1).when(A, Peek(0))
    result = CAPTAIN_BLUFF.result(play.state)
    assert result is not None
    assert result.winners == (A, B)


def test_a_finished_game_asks_nobody_and_offers_nothing() -> None:
    play = Play("REVERSE", "SFO-2", belts={0: ("HNL-1", "HKG-3 HKG-9")}).when(A, PlayReverse(0))
    assert CAPTAIN_BLUFF.decisions(play.state) == ()
    assert refusal(play, B, Recover(0, 1)).code == "not_asked"


def test_the_default_before_the_first_turn_is_the_lowest_bag_above_the_lowest_free_belt() -> None:
    state, _ = started(3)
    (decision,) = CAPTAIN_BLUFF.decisions(state)
    move = CAPTAIN_BLUFF.default_move(state, decision)
    assert isinstance(move, Define)
    low = min(NUMBER_OF[card] for card in state.hands[decision.seat].known if card in NUMBER_OF)
    assert (move.belt, NUMBER_OF[move.card]) == (0, low)


@pytest.mark.parametrize(
    ("hand", "belts", "move"),
    [
        ("SFO-1", {3: ("HKG-17", ""), 4: ("HKG-16", "")}, Peek(3)),
        ("SFO-9 HKG-9 HNL-9 SFO-2", {}, Define(0, "HKG-9")),
        ("DELAYED_FLIGHT REVERSE", {}, Define(0, "REVERSE")),
    ],
)
def test_the_default_of_a_turn_is_to_peek_or_else_to_define(
    hand: str, belts: dict[int, tuple[str, str]], move: Move
) -> None:
    play = Play(hand, "SFO-17", belts=belts)
    decision = CAPTAIN_BLUFF.decisions(play.state)[0]
    assert CAPTAIN_BLUFF.default_move(play.state, decision) == move
    assert offered(play, A, move)


def test_the_default_after_the_action_is_to_end_the_turn_and_in_a_vote_to_pass() -> None:
    play = Play("SFO-1 HKG-1", "SFO-2", belts=OPEN).when(A, Peek(0, end_turn=False))
    assert CAPTAIN_BLUFF.default_move(play.state, CAPTAIN_BLUFF.decisions(play.state)[0]) == EndTurn()
    play = Play("SFO-1 HKG-1", "SFO-2", belts=OPEN).when(A, place(0, "HKG-1"))
    assert CAPTAIN_BLUFF.default_move(play.state, CAPTAIN_BLUFF.decisions(play.state)[0]) == PASS
