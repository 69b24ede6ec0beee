"""A whole answer: which move, field by field, with a way back, and what happens when the question goes away."""

from __future__ import annotations

from typing import Any

import pytest

from captain.terminal.dialog import Dialog
from captain.terminal.typed import BadInput

COLOUR = {"kind": "one_of", "values": ["red", "blue"]}
COUNT = {"kind": "range", "min": 1, "max": 3}
PAINT = {"type": "paint_wall", "decision": "7", "fields": {"colour": COLOUR, "coats": COUNT}}
REST = {"type": "rest", "decision": "7", "fields": {}}
SHOUT = {"type": "shout", "decision": "7-loud", "fields": {}}


def view(*moves: dict[str, Any], offers: tuple[dict[str, Any], ...] = (), decision: str = "7") -> dict[str, Any]:
    asked = {"id": decision, "kind": "turn", "moves": list(moves)} if moves else None
    return {"decision": asked, "offers": [{"id": o["decision"], "kind": "any", "moves": [o]} for o in offers]}


def dialog(*moves: dict[str, Any], offers: tuple[dict[str, Any], ...] = ()) -> Dialog:
    made = Dialog()
    assert made.renew(view(*moves, offers=offers), {}) is None
    return made


def test_a_move_is_chosen_and_its_fields_are_asked_for() -> None:
    asked = dialog(PAINT, REST)
    assert asked.prompt() == "turn: your move (or /help)"
    assert asked.menu() == ["1  paint wall  colour: red or blue, coats: 1 to 3", "2  rest"]
    assert asked.enter("1") is None
    assert (asked.prompt(), asked.menu()) == ("paint wall: colour (choose one)", ["1:red", "2:blue"])
    assert asked.enter("blue") is None
    assert asked.prompt() == "paint wall: coats (a number from 1 to 3)"
    assert asked.enter("2") == {"type": "paint_wall", "decision": "7", "colour": "blue", "coats": 2}


def test_a_move_can_be_named_and_one_without_fields_is_whole() -> None:
    assert dialog(PAINT, REST).enter("Rest") == {"type": "rest", "decision": "7"}
    asked = dialog(PAINT, REST)
    assert asked.enter("paint wall") is None
    assert asked.begun


def test_a_question_with_one_kind_of_answer_needs_no_menu() -> None:
    asked = dialog(PAINT)
    assert asked.prompt() == "paint wall: colour (choose one)"
    assert not asked.back()
    assert dialog(REST).menu() == ["1  rest"], "but a lone word is not said without being asked"


def test_a_field_without_a_choice_is_filled_in() -> None:
    only = {**PAINT, "fields": {"colour": {"kind": "one_of", "values": ["red"]}, "coats": COUNT}}
    assert dialog(only).enter("3") == {"type": "paint_wall", "decision": "7", "colour": "red", "coats": 3}


def test_bad_input_changes_nothing() -> None:
    asked = dialog(PAINT, REST)
    for typed, told in (
        ("0", "the last one is 2"),
        ("3", "the last one is 2"),
        ("x", "from 1 to 2"),
        ("", "from 1 to 2"),
    ):
        with pytest.raises(BadInput, match=told):
            asked.enter(typed)
    asked.enter("1")
    with pytest.raises(BadInput):
        asked.enter("green")
    assert asked.prompt() == "paint wall: colour (choose one)"


def test_the_way_back_is_step_by_step() -> None:
    asked = dialog(PAINT, REST)
    asked.enter("1")
    asked.enter("red")
    assert asked.back()
    assert asked.prompt() == "paint wall: colour (choose one)"
    assert asked.back()
    assert asked.prompt() == "turn: your move (or /help)"
    assert not asked.back()


def test_a_question_that_closes_while_it_is_answered_is_said_and_asked_anew() -> None:
    asked = dialog(PAINT, REST)
    asked.enter("1")
    assert asked.renew(view({**REST, "decision": "9"}, decision="9"), {}) == "That question is closed."
    assert asked.enter("rest") == {"type": "rest", "decision": "9"}


def test_an_answer_goes_on_when_only_something_else_changes() -> None:
    asked = dialog(PAINT, REST)
    asked.enter("1")
    asked.enter("red")
    assert asked.renew(view(PAINT, REST, offers=(SHOUT,)), {}) is None
    assert asked.enter("1") == {"type": "paint_wall", "decision": "7", "colour": "red", "coats": 1}


def test_an_answer_whose_choices_change_begins_anew() -> None:
    asked = dialog(PAINT, REST)
    asked.enter("1")
    less = {**PAINT, "fields": {"colour": COLOUR, "coats": {"kind": "range", "min": 1, "max": 2}}}
    assert asked.renew(view(less, REST), {}) == "What you may do has changed."


def test_nothing_is_said_of_a_question_that_nobody_had_begun_to_answer() -> None:
    asked = dialog(PAINT, REST)
    assert asked.renew(view(), {}) is None
    assert (asked.prompt(), asked.menu(), asked.asks) == ("waiting (or /help)", [], False)
    with pytest.raises(BadInput, match="Nothing is asked"):
        asked.enter("1")


def test_an_offer_can_be_taken_when_it_is_not_ones_turn_and_beside_a_question() -> None:
    asked = dialog(offers=(SHOUT,))
    assert not asked.asks
    assert (asked.prompt(), asked.menu()) == ("waiting; you may (or /help)", ["1  shout  (any time)"])
    assert asked.enter("1") == {"type": "shout", "decision": "7-loud"}
    assert dialog(REST, offers=(SHOUT,)).enter("2") == {"type": "shout", "decision": "7-loud"}


def test_a_script_can_give_a_whole_move_as_json() -> None:
    asked = dialog(PAINT, REST, offers=(SHOUT,))
    assert asked.enter('{"type":"shout"}') == {"type": "shout", "decision": "7-loud"}
    move = {"type": "paint_wall", "decision": "6", "colour": "red", "coats": 9}
    assert asked.enter('{"type":"paint_wall","decision":"6","colour":"red","coats":9}') == move
    with pytest.raises(BadInput, match="not a JSON object"):
        asked.enter('{"type":')
