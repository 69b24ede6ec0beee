"""Asking for a move: which one, then field by field, with a way back. No input or output here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from captain.terminal import forms
from captain.terminal.typed import BadInput, place_of
from captain.terminal.words import Names, words

Json = dict[str, Any]


class Dialog:
    """What a seat is asked, and how far the answer is."""

    def __init__(self) -> None:
        self.moves: list[Json] = []
        self.names: Names = {}
        self.kind: str | None = None
        self._decision: str | None = None
        self._optional = 0
        self._form: Json | None = None
        self._given: dict[str, Any] = {}

    @property
    def asks(self) -> bool:
        """Whether an answer must be given."""
        return self._decision is not None

    @property
    def begun(self) -> bool:
        """Whether an answer is under way."""
        return self._form is not None and (bool(self._given) or len(self.moves) > 1)

    def renew(self, view: Json, names: Names) -> str | None:
        """Take what is asked now; if that ends an answer under way, the reason."""
        decision, offers = view["decision"], view["offers"]
        moves = [*(decision["moves"] if decision else ()), *(form for offer in offers for form in offer["moves"])]
        self.names = names
        if moves == self.moves:
            return None
        before, begun, form = self._decision, self.begun, self._form
        self.moves = moves
        self._decision = decision["id"] if decision else None
        self._optional = sum(len(offer["moves"]) for offer in offers)
        self.kind = decision["kind"] if decision else None
        if form is not None and form in moves and begun:
            return None  # something else was added or went away: the answer goes on
        self._restart()
        if not begun:
            return None
        closed = before is not None and before != self._decision
        return "That question is closed." if closed else "What you may do has changed."

    def _restart(self) -> None:
        """Ask from the beginning; a question with one kind of answer needs no menu."""
        self._form, self._given = None, {}
        if len(self.moves) == 1 and self.asks and self._left(self.moves[0]):
            self._choose(self.moves[0])

    def _choose(self, form: Json) -> None:
        self._form = form
        self._given = {name: only[0] for name, field in form["fields"].items() if (only := forms.forced(field))}

    def _left(self, form: Json) -> list[str]:
        """The fields of a form that leave a choice."""
        return [name for name, field in form["fields"].items() if not forms.forced(field)]

    @property
    def _asking(self) -> str | None:
        """The field that is asked for now."""
        if self._form is None:
            return None
        return next((name for name in self._form["fields"] if name not in self._given), None)

    def menu(self) -> list[str]:
        """What there is to choose from: one line a move, or the choices of a field."""
        name = self._asking
        if self._form is not None and name is not None:
            return forms.choices(name, self._form["fields"][name], self.names)
        required = len(self.moves) - self._optional
        return [
            f"{number}  {_told(form)}" + ("  (any time)" if number > required else "")
            for number, form in enumerate(self.moves, 1)
        ]

    @property
    def in_rows(self) -> bool:
        """Whether the menu is one line each: moves are, cards stand side by side."""
        return self._asking is None

    def prompt(self) -> str:
        """What is asked for, in one line."""
        name = self._asking
        if self._form is not None and name is not None:
            return f"{words(self._form['type'])}: {forms.prompt(name, self._form['fields'][name])}"
        if not self.moves:
            return "waiting (or /help)"
        return f"{words(self.kind)}: your move (or /help)" if self.kind else "waiting; you may (or /help)"

    def enter(self, typed: str) -> Json | None:
        """Take a line; the move, if that completes it. BadInput says what would do."""
        if typed.lstrip().startswith("{"):
            return self._raw(typed)
        if self._form is None:
            if not self.moves:
                raise BadInput("Nothing is asked of you now.")
            self._choose(self._pick(typed))
        else:
            name = self._asking
            assert name is not None
            self._given[name] = forms.read(self._form["fields"][name], typed)
        return None if self._asking else self._done()

    def _pick(self, typed: str) -> Json:
        """The form of a number or of a move's name; of several forms of one name a number must say which."""
        token = typed.strip()
        if token.isdigit():
            return self.moves[place_of(f"#{token}", [form["type"] for form in self.moves])]
        found = [form for form in self.moves if words(form["type"]) == words(token.casefold())]
        if len(found) != 1:
            raise BadInput(f"Type a number from 1 to {len(self.moves)}.")
        return found[0]

    def _done(self) -> Json:
        assert self._form is not None
        fields = {name: self._given[name] for name in self._form["fields"]}
        move = {"type": self._form["type"], "decision": self._form["decision"], **fields}
        self._restart()
        return move

    def _raw(self, typed: str) -> Json:
        """A whole move as JSON, for scripts; the decision may be left out."""
        try:
            move = json.loads(typed)
        except ValueError:
            move = None
        if not isinstance(move, dict):
            raise BadInput("That is not a JSON object.")
        fitting = (form["decision"] for form in self.moves if form["type"] == move.get("type"))
        return {"decision": next(fitting, self._decision or ""), **move}

    def back(self) -> bool:
        """Take the last answer back; False if there is none."""
        if self._form is None:
            return False
        typed = [name for name in self._left(self._form) if name in self._given]
        if typed:
            del self._given[typed[-1]]
            return True
        alone = len(self.moves) == 1
        self._restart()
        return not alone

    def given(self) -> Mapping[str, Any]:
        """What was answered so far, by field."""
        return dict(self._given)


def _told(form: Json) -> str:
    fields = ", ".join(forms.summary(name, field) for name, field in form["fields"].items())
    return words(form["type"]) + (f"  {fields}" if fields else "")
