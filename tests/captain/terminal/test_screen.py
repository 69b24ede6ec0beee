"""What is drawn of a view: by its shape, for any game, and never what a terminal would obey."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from captain.terminal.keyboard import Entered
from captain.terminal.picture import Picture
from captain.terminal.screen import FullScreen, PlainScreen
from captain.terminal.words import event_text, names_of, result_lines

Json = dict[str, Any]


def seat(number: int, **more: Any) -> Json:
    made = {"seat": number, "player": None, "bot": None, "controller": "player", "former": None}
    return {**made, **more}


TABLE: Json = {
    "phase": "sail",
    "turn": 1,
    "wind": None,
    "hands": [{"seat": 0, "count": 2, "cards": ["7S", "8S"]}, {"seat": 1, "count": 9, "known": ["AD"]}],
    "ships": [
        {"seat": 0, "holds": [[], [{"row": 2, "face": "mast", "back": None}]], "gold": 3},
        {"seat": 1, "holds": [[], []], "gold": 0},
    ],
    "claim": {"seat": 1, "count": 2},
    "belts": [{"cards": ["X1", "X2"], "city": "Rome"}, {"cards": [], "city": None}],
    "board": {"name": "A", "spaces": [{"cost": 1}]},
    "gone": ["2C", "2D"],
    "nothing": [],
}
VIEW: Json = {
    "id": "G", "ruleset": "sea_dogs", "status": "playing", "version": 7, "observer": {"seat": 0},
    "seats": [seat(0, player={"id": "P", "name": "Ann"}), seat(1, bot="novice", controller="bot")],
    "asked": [{"seat": 1, "kind": "respond", "deadline": "2026-01-01T00:00:00.000Z"}],
    "table": TABLE, "decision": None, "offers": [], "result": None,
}  # fmt: skip


def drawn(view: Json, width: int = 100, **more: Any) -> str:
    picture = Picture(view, **more)
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(picture.header())
        console.print(picture.table())
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def test_a_view_of_any_shape_is_drawn() -> None:
    assert (
        drawn(VIEW, ahead=None)
        == """\
 sea dogs  G  v7  seat 0  respond: novice bot
   seat                   hands         holds                gold
   0 Ann         you      2  7S 8S      1: row 2, face mast  3
>  1 novice bot  respond  9  known: AD                       0

phase sail   turn 1 (novice bot)   wind -
claim seat 1 (novice bot)   count 2
belts
  #  cards  city
  0  X1 X2  Rome
  1  none   -
board
  name A
  spaces
    #  cost
    0  1
gone 2C 2D"""
    )


@pytest.mark.parametrize(
    ("changes", "absent", "told"),
    [
        ({"player": {"id": "Q", "name": "Bob"}}, frozenset(), "1 Bob  "),
        ({"player": {"id": "Q", "name": "Bob"}}, frozenset((1,)), "not connected"),
        ({"player": {"id": "Q", "name": "Bob"}, "controller": "bot"}, frozenset(), "away; a bot plays"),
        ({"former": {"id": "Q", "name": "Bob"}, "bot": "standard", "controller": "bot"}, frozenset(), "resigned"),
        ({"controller": None}, frozenset(), "1 seat 1  free"),
    ],
)
def test_it_is_told_who_sits_where_and_what_they_do(changes: Json, absent: frozenset[int], told: str) -> None:
    assert told in drawn({**VIEW, "seats": [VIEW["seats"][0], seat(1, **changes)]}, absent=absent)


def test_what_says_its_own_place_is_not_numbered_again() -> None:
    belts = {"table": {"belts": [{"belt": 0, "city": "Rome"}, {"belt": 1, "city": None}]}}
    assert drawn({**VIEW, **belts}).endswith("belts\n  belt  city\n  0     Rome\n  1     -")


def test_a_lobby_has_no_table_yet() -> None:
    lines = drawn({**VIEW, "status": "lobby", "table": None, "asked": []})
    assert lines.startswith(" sea dogs  G  v7  seat 0  lobby")


def test_two_of_one_name_are_told_apart() -> None:
    view = {"seats": [seat(0, bot="novice"), seat(1, bot="novice"), seat(2, player={"id": "P", "name": "Ann"})]}
    assert names_of(view) == {0: "novice bot 0", 1: "novice bot 1", 2: "Ann"}


def test_a_name_cannot_paint_the_screen() -> None:
    evil = {**VIEW, "seats": [seat(0, player={"id": "P", "name": "\x1b[2JAnn\n\x07"}), VIEW["seats"][1]]}
    assert names_of(evil)[0] == "?[2JAnn??"
    assert not set(drawn(evil)) & {"\x1b", "\x07"}


def event(**more: Any) -> Json:
    return {"v": 1, "type": "cards_claimed", "seat": 0, "by": "player", "data": {}, "opened": {}, "opens": [], **more}


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (event(), "Ann: cards claimed"),
        (event(by="clock"), "Ann: cards claimed (time ran out)"),
        (event(seat=None, type="game_started"), "game started"),
        (event(data={"count": 2, "to": 1, "added": False, "why": None}),
         "Ann: cards claimed - count 2, to 1 (Bob), added no"),
        (event(opened={"cards": {"value": ["7S"], "salt": "0" * 32}}), "Ann: cards claimed - cards 7S"),
        (event(opens=[{"v": 3, "field": "cards", "value": ["7S"], "salt": "x"}]),
         "Ann: cards claimed - shown cards 7S"),
        (event(opens=[{"v": 1, "field": "server_seed", "value": "0f" * 32, "salt": "x"}]), "Ann: cards claimed"),
    ],
)  # fmt: skip
def test_an_event_is_one_line_of_words(told: Json, line: str) -> None:
    assert event_text(told, {0: "Ann", 1: "Bob"}) == line


def test_a_long_event_is_cut() -> None:
    assert len(event_text(event(data={"cards": ["10S"] * 100}), {})) == 160


def test_the_result_is_in_the_order_of_ranks() -> None:
    ranking = [{"seat": 0, "rank": 2, "score": 3}, {"seat": 1, "rank": 1, "score": 9}]
    result = {"reason": "turn_limit", "ranking": ranking, "winners": [1], "resigned": [0]}
    assert result_lines({**VIEW, "status": "finished", "result": result}) == [
        "The game is finished: turn limit.",
        "  1. novice bot (seat 1): 9, winner",
        "  2. Ann (seat 0): 3, resigned",
    ]


def frame(height: int, width: int = 60, top: int = 0, **more: Any) -> list[str]:
    screen = FullScreen(io.StringIO(), None)
    screen._top = top
    events = [(v, f"event {v}") for v in range(1, 40)]
    return screen._frame(Picture(VIEW, events, ahead=None, prompt="go", **more), width, height)


@pytest.mark.parametrize("height", [6, 10, 20, 24, 60])
@pytest.mark.parametrize("menu", [(), ("1  this", "2  that")])
def test_a_frame_never_is_higher_than_the_terminal_and_what_is_asked_stands_whole(height: int, menu: Any) -> None:
    lines = frame(height, menu=menu)
    assert len(lines) <= height
    assert "go > " in lines[-1]
    assert "sea dogs" in lines[0]
    if menu and height >= 10:
        assert any("1  this" in line for line in lines)


def test_a_table_that_is_too_high_can_be_moved_to_its_end() -> None:
    assert "... 1 to 5 of 17 lines; arrows up and down move" in frame(14)
    assert not any("arrows" in line for line in frame(60))
    end = frame(14, top=99)
    assert end[-7] == "... 13 to 17 of 17 lines; arrows up and down move"
    assert "gone" in end[-8]


def test_plain_lines_bring_each_event_once_and_hold_input_back_until_it_is_asked_for() -> None:
    import os

    reading, writing = os.pipe()
    os.write(writing, b"1\n/quit\n")
    out = io.StringIO()
    screen = PlainScreen(out, reading)
    screen.show(Picture(VIEW, [(1, "one")], ahead=None, prompt="waiting"))
    assert screen.wait(0) is None
    assert screen.wait(0) is None, "the line that was read stays for the question"
    screen.show(Picture(VIEW, [(1, "one"), (2, "two")], ahead=None, prompt="now", menu=("1  go",), asks=True))
    assert screen.wait(0) == Entered("line", "1")
    screen.show(Picture(VIEW, [(2, "two")], ahead=None, prompt="waiting"))
    assert screen.wait(0) == Entered("line", "/quit"), "a command is heard at any time"
    lines = out.getvalue().splitlines()
    assert lines[:4] == [
        "   1  one",
        "? waiting",
        "   2  two",
        "   seat                   hands         holds                gold",
    ]
    assert lines[-3:] == ["1  go", "? now", "? waiting"]
    os.close(reading)
    os.close(writing)
