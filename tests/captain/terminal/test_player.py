"""A player between a game that changes and a keyboard: no line answers a question for which it was not typed."""

from __future__ import annotations

from typing import Any

import pytest

from captain.terminal.keyboard import Bell, Entered
from captain.terminal.picture import Picture
from captain.terminal.play import Player

Json = dict[str, Any]


def view(decision: str) -> Json:
    moves = [{"type": kind, "decision": decision, "fields": {}} for kind in ("rest", "leap")]
    seat = {"seat": 0, "player": {"id": "P", "name": "Ann"}, "bot": None, "controller": "player", "former": None}
    return {
        "id": "G", "status": "playing", "observer": {"seat": 0}, "seats": [seat],
        "decision": {"id": decision, "kind": "turn", "moves": moves}, "offers": [],
    }  # fmt: skip


class Server:
    """As much of a server as a farewell needs."""

    address, ahead = "http://server", 0.0


class Game:
    """A game that has moved on, each time when its player looks again, as `then` says: to another decision, or not."""

    over, seat, id, absent, events = False, 0, "G", frozenset[int](), ()

    def __init__(self, *then: str | None) -> None:
        self.server: Any = Server()
        self.view = view("7")
        self.done: list[Json | None] = []
        self._then = [*then]

    def news(self) -> bool:
        then = self._then.pop(0) if self._then else None
        self.view = view(then) if then else self.view
        return then is not None

    def do(self, method: str, path: str, body: Json | None = None) -> None:
        self.done.append(body)


class Screen:
    """A player who does these things, and then is gone."""

    live = True

    def __init__(self, *entered: Entered) -> None:
        self.bell = Bell()
        self.notes: list[str] = []
        self._entered = [*entered, Entered("end")]

    def show(self, picture: Picture) -> None:
        self.notes.append(picture.note)

    def wait(self, seconds: float) -> Entered:
        return self._entered.pop(0)

    def forget(self) -> None: ...

    def last(self, lines: list[str]) -> None: ...


def played(then: str | None, *entered: Entered, later: str | None = None) -> tuple[list[Json | None], list[str]]:
    game, screen = Game(then, later), Screen(*entered)
    made: Any = Player
    made(game, screen).run()
    return game.done, screen.notes


def test_a_line_answers_the_question_that_it_was_typed_for() -> None:
    assert played(None, Entered("line", "1"))[0] == [{"type": "rest", "decision": "7"}]


def test_a_line_that_crosses_with_a_new_question_is_no_answer_to_it() -> None:
    done, notes = played("9", Entered("line", "1"), Entered("line", "2"))
    assert done == [{"type": "leap", "decision": "9"}]
    assert "What is asked has changed meanwhile." in notes


def test_a_yes_to_resigning_counts_whatever_is_asked_by_then() -> None:
    said = [Entered("line", "/resign"), Entered("line", "yes")]
    assert played(None, *said, later="9") == ([None], ["", "", ""])


@pytest.mark.parametrize("entered", [Entered("end"), Entered("line", "/quit")])
def test_whoever_leaves_leaves_also_when_the_question_changes(entered: Entered) -> None:
    done, notes = played("9", entered, Entered("line", "1"))
    assert (done, len(notes)) == ([], 1)
