"""What each seat may know of a table of Captain Bluff, and for how long."""

import random

import msgspec
import pytest

from domain import canonical
from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff.cards import AIRPORT_COUNTS, BAGS
from domain.captain_bluff.moves import Close, Peek, PlayNoticeBoard, PlayReverse, Recover
from domain.captain_bluff.state import CaptainBluffOptions
from domain.events import redact
from domain.game import Game, fold
from domain.laws.knowledge import difference, names_in
from domain.laws.play import random_game
from domain.moves import Move
from domain.multisets import contains
from domain.observers import SPECTATOR, at_seat
from domain.registry import Registry
from domain.ruleset import Table
from tests.domain.captain_bluff.table import CALL, PASS, A, B, C, Play, change, define, place, started

EVERYBODY = (SPECTATOR, at_seat(A), at_seat(B), at_seat(C))


def origins(play: Play, belt: int) -> list[str | None]:
    """What the spectator and each seat take the origin card of a belt to be."""
    found = []
    for observer in EVERYBODY:
        origin = play.known_to(observer).belts[belt].origin
        found.append(origin.card if origin else None)
    return found


def marks(play: Play, seat: int) -> list[tuple[str, ...]]:
    """What the spectator and each other seat know to be in the hand of `seat`."""
    return [play.known_to(observer).hands[seat].known for observer in EVERYBODY if observer.seat != seat]


def folds_fit(play: Play) -> None:
    for observer in EVERYBODY:
        assert difference(play.known_to(observer), play.state) is None


def test_who_lays_or_looks_at_an_origin_card_knows_it_and_all_know_that_it_does() -> None:
    play = Play("HNL-1 SFO-1", "SFO-2", "SFO-3").when(A, define(4, "HNL-1")).when(B, Peek(4))
    assert origins(play, 4) == [None, "HNL-1", "HNL-1", None]
    assert [play.known_to(o).belts[4].origin.seen for o in EVERYBODY] == [(A, B)] * 4
    folds_fit(play)


def test_a_notice_board_tells_its_player_only() -> None:
    play = Play("NOTICE_BOARD SFO-1", "SFO-2", "SFO-3", belts={0: ("HNL-1", ""), 2: ("HNL-3", "")})
    play.when(A, PlayNoticeBoard((0, 2)))
    assert origins(play, 0) == [None, "HNL-1", None, None]
    assert origins(play, 2) == [None, "HNL-3", None, None]


def test_a_peeked_origin_that_another_seat_swaps_into_its_hand_is_known_to_be_there() -> None:
    play = Play("SFO-1 SFO-4", "SFO-2 SFO-5", "SFO-3", belts={0: ("HNL-1", "HKG-4")})
    play.when(A, Peek(0)).when(B, change(0, "SFO-2"))
    assert origins(play, 0) == [None, None, "SFO-2", None]
    assert marks(play, B) == [(), ("HNL-1",), ()]
    folds_fit(play)


def test_the_mark_of_a_swapped_origin_lapses_with_the_next_card_that_leaves_unseen() -> None:
    play = Play("SFO-1 SFO-4", "SFO-2 SFO-5 HNL-9", "SFO-3", belts={0: ("HNL-1", "HKG-4")})
    play.when(A, Peek(0)).when(B, change(0, "SFO-2")).when(C, Peek(0)).when(A, Peek(0))
    play.when(B, define(3, "SFO-5"))
    assert marks(play, B) == [(), (), ()]
    folds_fit(play)


def test_a_swap_brings_back_to_the_hand_what_the_swapper_itself_had_laid() -> None:
    play = Play("HNL-1 SFO-1", "HKG-4 SFO-2", "SFO-3").when(A, define(0, "HNL-1"))
    play.when(B, place(0, "HKG-4")).votes(PASS, PASS).when(C, Peek(0)).when(A, change(0, "SFO-1"))
    assert marks(play, A) == [(), (), ("HNL-1",)]
    assert play.known_to(at_seat(A)).hands[A].whole


def taken() -> Play:
    """B has taken a belt with HKG 3, HKG 4, and the origin HNL-1; then C and A had their turns."""
    play = Play(
        "SFO-1 SFO-4", "HKG-4 SFO-2 REVERSE", "SFO-3", belts={0: ("HNL-1", "HKG-3"), 1: ("SFO-9", "HNL-5 HNL-6")}
    )
    play.when(A, Peek(0)).when(B, place(0, "HKG-4")).votes(CALL, PASS)
    return play.when(C, Peek(1)).when(A, Peek(1))


def test_a_belt_that_is_taken_is_known_to_all_in_that_hand() -> None:
    assert marks(taken(), B) == [("HKG-3", "HKG-4", "HNL-1")] * 3


@pytest.mark.parametrize("move", [define(4, "SFO-2"), change(1, "SFO-2"), define(4, "HKG-3")])
def test_all_marks_on_a_hand_lapse_when_it_loses_a_card_unseen(move: Move) -> None:
    play = taken().when(B, move)
    assert marks(play, B)[0] == ()
    assert marks(play, B)[2] == (() if move.type == "define" else ("SFO-9",))
    folds_fit(play)


def test_marks_stay_when_a_hand_loses_cards_that_all_see() -> None:
    play = taken().when(B, PlayReverse(1))
    assert marks(play, B) == [("HKG-3", "HKG-4", "HNL-1")] * 3
    folds_fit(play)
    play.when(B, place(1, "HNL-1")).votes(PASS, PASS)
    assert marks(play, B) == [("HKG-3", "HKG-4")] * 3


def test_recovered_bags_are_public_cards() -> None:
    play = Play("SFO-1", "SFO-2 SFO-4", "SFO-3", belts={0: ("HNL-1", "HKG-3 HKG-4 HKG-5")}).when(B, Recover(0, 2))
    assert marks(play, B) == [("HKG-4", "HKG-5")] * 3
    folds_fit(play)


def test_what_lay_on_a_closed_belt_is_known_to_be_discarded_until_the_pile_is_renewed() -> None:
    play = Play("SFO-1 SFO-4", "SFO-2", "SFO-3", belts={0: ("REVERSE", "HKG-3 *4"), 1: ("HNL-1", "")}, draw="HNL-9")
    play.when(A, Peek(0)).when(B, Close(0))
    known = [play.known_to(observer).discard.known for observer in EVERYBODY]
    assert known == [("AROUND_THE_WORLD", "HKG-3"), ("AROUND_THE_WORLD", "HKG-3", "REVERSE"), *known[:1] * 2]
    play.when(C, define(0, "SFO-3"))
    assert known == [play.known_to(observer).discard.known for observer in EVERYBODY]
    play.when(A, define(2, "SFO-1"))
    assert "draw_pile_renewed" in play.types()
    assert [play.known_to(observer).discard.count for observer in EVERYBODY] == [0] * 4
    assert [play.known_to(observer).draw.order for observer in EVERYBODY] == [None] * 4
    folds_fit(play)


def test_an_unseen_airport_card_in_a_renewed_pile_is_known_to_who_draws_it_only() -> None:
    belts = {0: ("NOTICE_BOARD", "HKG-3"), 1: ("HNL-1", "")}
    play = Play("SFO-1 SFO-4", "SFO-2", "SFO-3 SFO-5", belts=belts, draw="").when(A, Close(0))
    play.when(B, define(2, "SFO-2")).when(C, define(3, "SFO-3"))
    holder = next(seat for seat in (B, C) if "NOTICE_BOARD" in play.hand(seat))
    assert [contains(m, ("NOTICE_BOARD",)) for m in marks(play, holder)] == [False] * 3
    assert contains(play.known_to(at_seat(holder)).hands[holder].known, ("NOTICE_BOARD",))
    folds_fit(play)


def test_votes_are_known_to_their_seats_only_until_the_window_closes() -> None:
    play = Play("HKG-3 SFO-1", "SFO-2", "SFO-3", belts={0: ("HKG-9", "")}).when(A, place(0, "HKG-3")).when(B, CALL)
    seen = []
    for observer in EVERYBODY:
        question = play.known_to(observer).question
        assert question is not None
        seen.append(question.window.cast[0].vote)
    assert seen == [None, None, "challenge", None]


@pytest.mark.parametrize("seat", [A, B, C])
def test_in_a_redealt_world_a_vote_window_asks_the_same(seat: int) -> None:
    play = Play("HKG-3 SFO-1 REVERSE", "SFO-2", "SFO-3", belts={0: ("HKG-9", ""), 2: ("SFO-8", "SFO-4 SFO-5")})
    play.when(A, place(0, "HKG-3")).when(B, CALL)
    fold = play.known_to(at_seat(seat))
    for number in range(20):
        world = CAPTAIN_BLUFF.redeal(fold, seat, random.Random(number))
        assert difference(fold, world) is None
        assert CAPTAIN_BLUFF.decisions(world) == CAPTAIN_BLUFF.decisions(play.state)
        assert world.question is not None
        assert all(ballot.vote for ballot in world.question.window.cast)


@pytest.mark.parametrize("seat", range(4))
def test_a_redealt_world_puts_airport_cards_aside_and_leaves_a_fresh_draw_pile_to_bags(seat: int) -> None:
    _, events = started(4)
    fold = CAPTAIN_BLUFF.initial(Table(4, CaptainBluffOptions()))
    for event in events:
        fold = CAPTAIN_BLUFF.evolve(fold, redact(event, at_seat(seat)))
    for number in range(10):
        world = CAPTAIN_BLUFF.redeal(fold, seat, random.Random(number))
        CAPTAIN_BLUFF.check(world)
        assert difference(fold, world) is None
        assert set(world.draw.order or ()) <= set(BAGS)
        assert set(world.unused.order or ()) <= set(AIRPORT_COUNTS)


def test_the_largest_hand_has_forms_of_less_than_16_kib() -> None:
    hand = " ".join([*BAGS[6:], *AIRPORT_COUNTS])
    bare = {i: (bag, "") for i, bag in enumerate(BAGS[:6])}
    loaded = {**bare, 0: ("HNL-1", "HKG-1"), 1: ("HNL-2", "HNL-3"), 2: ("SFO-1", "SFO-2")}
    for belts in (bare, loaded):
        play = Play(hand, "SFO-2", belts=belts)
        forms = CAPTAIN_BLUFF.forms(play.state, CAPTAIN_BLUFF.decisions(play.state)[0])
        assert len(canonical.dumps([form.as_json() for form in forms])) < 16 * 1024


def test_every_view_of_a_random_game_is_plain_json_and_names_no_card_that_its_fold_does_not_know() -> None:
    registry = Registry([CAPTAIN_BLUFF])
    folds = {observer: Game(id="law-views") for observer in EVERYBODY[:3]}
    vocabulary = CAPTAIN_BLUFF.info.vocabulary
    for step in random_game(registry, "captain_bluff", "views"):
        for observer, known in folds.items():
            read = [redact(event, observer) for event in step.decided.events]
            folds[observer] = fold(CAPTAIN_BLUFF, known, read)
            table = folds[observer].table
            if table is not None:
                view = CAPTAIN_BLUFF.view(table, observer)
                assert canonical.loads(msgspec.json.encode(view))["phase"] == table.phase
                assert names_in(view, vocabulary) <= names_in(table, vocabulary)
