"""Ids of questions: kept while a question stands, and never shared by two."""

import pytest

from domain.commands import Play
from domain.decisions import Asked, Decision, answered, ask
from domain.errors import Refused
from domain.moves import Challenge, Pass
from tests.domain.tables import Given, playing, with_a_row
from tests.probe.moves import Declare, Fetch, Lay, Salvage
from tests.probe.state import number

TURN = Decision(0, "turn", ("turn", 1), (Fetch,))
NEXT = Decision(1, "turn", ("turn", 2), (Fetch,))
OFFERS = tuple([Decision(s, "row", ("row", 4), (Salvage,), required=False, name="row") for s in (0, 1)])


def ids(asked: tuple[Asked, ...]) -> list[str]:
    return [a.id for a in asked]


def test_a_question_is_named_by_the_version_of_its_batch() -> None:
    assert ask((TURN,), (), 7, 1000) == (Asked(TURN, "7", 1000),)


def test_a_question_that_stands_keeps_its_id_and_its_time() -> None:
    before = ask((TURN,), (), 7, 1000)
    assert ask((TURN,), before, 9, 2000) == before


def test_a_question_with_another_key_has_another_id() -> None:
    before = ask((TURN,), (), 7, 1000)
    again = Decision(0, "turn", ("turn", 3), (Fetch,))
    assert ask((again,), before, 9, 2000) == (Asked(again, "9", 2000),)


def test_the_same_key_for_another_seat_is_another_question() -> None:
    before = ask((TURN,), (), 7, 1000)
    other = Decision(1, "turn", ("turn", 1), (Fetch,))
    assert ids(ask((other,), before, 9, 2000)) == ["9"]


def test_a_question_that_was_closed_and_comes_again_is_new() -> None:
    before = ask((TURN,), (), 7, 1000)
    between = ask((NEXT,), before, 8, 1500)
    assert ids(ask((TURN,), between, 9, 2000)) == ["9"]


def test_a_question_keeps_its_id_when_other_moves_may_answer_it() -> None:
    # The moves of the first asking once stuck to the id, so that a new kind of answer was refused.
    before = ask((TURN,), (), 7, 1000)
    wider = Decision(0, "turn", ("turn", 1), (Fetch, Lay))
    assert ask((wider,), before, 9, 2000) == (Asked(wider, "7", 1000),)


def test_an_offer_has_an_id_of_its_own_beside_the_turn() -> None:
    assert ids(ask((TURN, *OFFERS), (), 7, 1000)) == ["7", "7-row", "7-row"]


def test_an_offer_is_renewed_alone() -> None:
    before = ask((TURN, *OFFERS), (), 7, 1000)
    changed = tuple([Decision(s, "row", ("row", 8), (Salvage,), required=False, name="row") for s in (0, 1)])
    assert ids(ask((TURN, *changed), before, 8, 2000)) == ["7", "8-row", "8-row"]


def test_nothing_is_asked_when_nothing_is_open() -> None:
    assert ask((), ask((TURN,), (), 7, 1000), 8, 2000) == ()


def test_a_move_answers_the_decision_that_takes_it() -> None:
    assert answered((TURN, *OFFERS), 0, Fetch()) == TURN
    assert answered((TURN, *OFFERS), 0, Salvage(1)) == OFFERS[0]


def test_who_is_not_asked_is_told_who_is() -> None:
    with pytest.raises(Refused) as refused:
        answered((TURN,), 1, Fetch())
    assert (refused.value.code, refused.value.facts) == ("not_asked", {"asked": [0]})


def test_a_move_that_answers_nothing_is_told_what_would() -> None:
    with pytest.raises(Refused) as refused:
        answered((TURN, OFFERS[0]), 0, Pass())
    assert refused.value.code == "illegal_move"
    assert refused.value.facts["moves"] == ["fetch", "salvage"]


def test_simultaneous_answers_do_not_collide() -> None:
    table = playing(4)
    table.plays(table.acting, Declare(table.game.table.hands[table.acting].known[:1], 1))
    window = {a.decision.seat: a.id for a in table.game.asked}
    assert len(window) == 3
    first, second, third = window
    table.plays(first, Pass()).plays(third, Challenge())
    assert [(a.decision.seat, a.id) for a in table.game.asked] == [(second, window[second])]


def test_an_offer_is_made_to_every_seat_out_of_turn() -> None:
    table = with_a_row(playing(2))
    offers = [a for a in table.game.asked if not a.decision.required]
    assert [(a.decision.seat, a.id) for a in offers] == [(s, f"{table.game.version}-row") for s in (0, 1)]


def test_using_an_offer_closes_it_and_leaves_the_turn_alone() -> None:
    table = with_a_row(playing(2))
    turn, offer = table.asked(table.acting, Fetch), table.asked(1 - table.acting, Salvage)
    table.later(10).plays(1 - table.acting, Salvage(1))
    assert table.game.asked == (turn,)
    table.refuses(Play(offer.decision.seat, offer.id, Salvage(1)), "not_asked", asked=[table.acting])


def test_an_offer_changes_when_the_thing_it_speaks_about_does() -> None:
    table = with_a_row(playing(2))
    old = table.asked(table.acting, Salvage)
    row_end = number(table.game.table.row[-1])
    while (card := _next(table, row_end)) is None:
        table.plays(table.acting, Fetch())
        assert table.asked(old.decision.seat, Salvage) == old
    table.plays(table.acting, Lay((card,)))
    assert table.asked(old.decision.seat, Salvage).id == f"{table.game.version}-row"
    table.refuses(Play(old.decision.seat, old.id, Salvage(1)), "decision_closed")


def _next(table: Given, end: int | None) -> str | None:
    hand = table.game.table.hands[table.acting].known
    return next((card for card in hand if number(card) not in (None, end)), None)
