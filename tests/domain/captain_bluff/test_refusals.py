"""What Captain Bluff refuses, with which code, and how it explains a challenge."""

import pytest

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff import events as e
from domain.captain_bluff.moves import (
    Define,
    EndTurn,
    Peek,
    PlayAroundTheWorld,
    PlayDelayedFlight,
    PlayNoticeBoard,
    PlayReverse,
    Recover,
)
from domain.captain_bluff.view import HandView, OriginView
from domain.errors import Refused
from domain.moves import Move
from domain.observers import at_seat
from domain.ruleset import Moment
from tests.domain.captain_bluff.table import (
    CALL,
    OPEN,
    PASS,
    A,
    B,
    C,
    Play,
    change,
    define,
    draws,
    place,
    refusal,
    started,
)

HAND = ["AROUND_THE_WORLD", "HNL-2", "SFO-1"]


@pytest.mark.parametrize(
    ("move", "code", "facts"),
    [
        (Peek(6), "unknown_belt", {"min": 0, "max": 5}),
        (Peek(-1), "unknown_belt", {"min": 0, "max": 5}),
        (Recover(6, 1), "unknown_belt", {"min": 0, "max": 5}),
        (Peek(1), "no_origin", {"belts": [0, 3]}),
        (define(0, "SFO-1"), "origin_defined", {"free": [1, 2, 4, 5]}),
        (define(1, "SFO-9"), "card_not_held", {"cards": HAND}),
        (change(3, "SFO-9"), "card_not_held", {"cards": HAND}),
        (place(0, "SFO-9"), "card_not_held", {"cards": HAND}),
        (place(0, "SFO-1 SFO-1"), "card_not_held", {"cards": HAND}),
        (place(0, ""), "no_cards", {"min": 1}),
        (place(0, "REVERSE"), "not_a_bag", None),
        (place(0, "SFO-1 HNL-2"), "mixed_cities", {"cities": ["HNL", "SFO"]}),
        (place(3, "SFO-1"), "wrong_city", {"city": "HKG"}),
        (PlayReverse(3), "card_not_held", {"cards": HAND}),
        (PlayAroundTheWorld(3, 18), "number_out_of_range", {"min": 1, "max": 17}),
        (PlayAroundTheWorld(3, 4), "number_out_of_order", {"at_least": 5, "at_most": 3}),
        (PlayAroundTheWorld(0, 4), "no_bags", {"belts": [3]}),
        (EndTurn(), "action_missing", {"min": 1}),
        (Recover(3, 1), "nothing_to_recover", {"belts": []}),
        (CALL, "illegal_move", None),
        (PASS, "illegal_move", None),
    ],
)
def test_what_is_not_legal_is_refused_with_its_own_code_and_what_would_be_right(
    move: Move, code: str, facts: dict[str, object] | None
) -> None:
    play = Play("SFO-1 HNL-2 AROUND_THE_WORLD", "SFO-3", belts={0: ("HNL-1", ""), 3: ("HNL-3", "HKG-4")})
    refused = refusal(play, A, move)
    assert refused.code == code
    assert facts is None or refused.facts == facts


def test_who_has_not_the_turn_is_refused_and_told_who_is_asked() -> None:
    play = Play("SFO-1 HKG-1", "SFO-3", "SFO-4", belts=OPEN)
    refused = refusal(play, B, Peek(0))
    assert (refused.code, refused.facts) == ("not_asked", {"asked": [A]})
    play.when(A, place(0, "HKG-1")).when(B, PASS)
    for seat, move in ((A, PASS), (B, CALL), (A, Peek(0))):
        refused = refusal(play, seat, move)
        assert (refused.code, refused.facts) == ("not_asked", {"asked": [C]})
    assert refusal(play, C, Peek(0)).code == "illegal_move"


def test_before_the_first_turn_only_origin_cards_are_laid_and_nothing_is_drawn() -> None:
    state, _ = started(2)
    (decision,) = CAPTAIN_BLUFF.decisions(state)
    with pytest.raises(Refused) as refused:
        CAPTAIN_BLUFF.decide(state, decision.seat, Peek(0), Moment(9, draws))
    assert (refused.value.code, refused.value.facts["moves"]) == ("illegal_move", ["define"])
    kept_open = Define(0, state.hands[decision.seat].known[0], end_turn=False)
    with pytest.raises(Refused) as refused:
        CAPTAIN_BLUFF.decide(state, decision.seat, kept_open, Moment(9, draws))
    assert (refused.value.code, refused.value.facts) == ("no_turn_yet", {"end_turn": True})


def test_a_second_airport_card_in_a_turn_is_refused() -> None:
    play = Play("NOTICE_BOARD DELAYED_FLIGHT SFO-1", "SFO-2", belts=OPEN).when(A, PlayNoticeBoard((0,)))
    refused = refusal(play, A, PlayDelayedFlight())
    assert (refused.code, refused.facts) == ("airport_already_played", {"most": 1})


def test_a_refusal_tells_nothing_of_the_origin_card() -> None:
    answers = []
    for origin in ("HKG-1", "SFO-16", "REVERSE"):
        play = Play("HKG-5 HKG-9 SFO-1", "SFO-2", belts={0: (origin, "HKG-6 HKG-7")})
        answers += [
            (r.code, r.facts) for r in (refusal(play, A, place(0, "HKG-5")), refusal(play, A, place(0, "SFO-1")))
        ]
    assert answers[:2] == answers[2:4] == answers[4:]


def test_a_challenge_is_explained_with_the_way_of_the_origin_card() -> None:
    play = Play("HNL-7 HKG-3 SFO-1", "SFO-2 HKG-9", "SFO-3").when(A, define(1, "HNL-7", end_turn=True))
    play.when(B, Peek(1)).when(C, Peek(1)).when(A, place(1, "HKG-3")).votes(PASS, CALL)
    judged = play.one(e.Challenged)
    told = CAPTAIN_BLUFF.explain(tuple(play.log), judged.v)
    assert (told.claimant, told.challenger, told.truthful) == (A, C, False)
    assert told.claim == {"belt": 1, "cards": ("HKG-3",)}
    assert told.revealed == ("HNL-7",)
    assert (told.provenance[0]["by"], told.provenance[0]["seat"]) == ("origin_defined", A)
    with pytest.raises(Refused) as refused:
        CAPTAIN_BLUFF.explain(tuple(play.log), 1)
    assert refused.value.code == "not_a_challenge"


def test_an_explanation_tells_how_the_origin_had_come_to_the_hand_that_laid_it() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2 HKG-9", belts={0: ("HNL-9", "")}).when(A, place(0, "HKG-3")).votes(CALL)
    taken = play.one(e.BeltTaken)
    play.when(B, define(4, "SFO-2"))
    play.when(A, define(2, "HNL-9")).when(B, define(3, "HKG-9")).when(A, place(2, "HKG-3")).votes(CALL)
    told = CAPTAIN_BLUFF.explain(tuple(play.log), play.one(e.Challenged).v)
    assert (told.provenance[0]["came_v"], told.provenance[0]["came_by"]) == (taken.v, "belt_taken")


def test_a_seat_that_was_shown_nothing_reads_the_same_table_but_for_the_cards() -> None:
    play = Play("HNL-7 HKG-3 SFO-1", "SFO-2 HKG-9", "SFO-3").when(A, define(1, "HNL-7"))
    view = CAPTAIN_BLUFF.view(play.known_to(at_seat(B)), at_seat(B))
    assert view.belts[1].origin == OriginView(None, (A,))
    assert view.hands[B].cards == ("HKG-9", "SFO-2")
    assert view.hands[A] == HandView(A, 3, known=())
    own = CAPTAIN_BLUFF.view(play.known_to(at_seat(A)), at_seat(A))
    assert own.belts[1].origin == OriginView("HNL-7", (A,))
