"""Tables of Captain Bluff for tests that read: given these hands and belts / when a move / then events."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff.belts import Belt, Origin
from domain.captain_bluff.cards import WORLD
from domain.captain_bluff.moves import Change, Define, PlaceBags, Placed
from domain.captain_bluff.moves import Declared as _Declared
from domain.captain_bluff.state import CaptainBluffOptions, Pile, State
from domain.decisions import Decision
from domain.entropy import Stream
from domain.errors import Refused
from domain.events import Event, redact
from domain.hands import Hand
from domain.moves import Challenge, Move, Pass
from domain.multisets import multiset
from domain.observers import Observer
from domain.ruleset import Moment, Table

E = TypeVar("E", bound=Event)
A, B, C, D = range(4)
CALL, PASS = Challenge(), Pass()


def row(text: str) -> tuple[Placed, ...]:
    """`"HKG-3 *4 REVERSE"` as the cards of a belt: `*4` is an Around the World as 4."""
    return tuple([_Declared(WORLD, int(word[1:])) if word[0] == "*" else word for word in text.split()])


def place(belt: int, text: str, end_turn: bool = True) -> PlaceBags:
    return PlaceBags(belt, row(text), end_turn)


def define(belt: int, card: str, end_turn: bool = True) -> Define:
    return Define(belt, card, end_turn)


def change(belt: int, card: str, end_turn: bool = True) -> Change:
    return Change(belt, card, end_turn)


class Play:
    """A table in the middle of a game, with all that happened on it since: A has the turn.

    `belts` are number -> (origin card, what lies on it); nobody has seen the origins. Every observer's fold begins
    with what a stranger would know: its own hand only.
    """

    def __init__(
        self,
        *hands: str,
        belts: Mapping[int, tuple[str, str]] | None = None,
        draw: str = "SFO-17",
        discard: str = "",
        max_turns: int = 1000,
    ) -> None:
        origins = belts or {}
        self.start = State(
            options=CaptainBluffOptions(max_turns=max_turns),
            hands=tuple([Hand(len(h.split()), multiset(h.split())) for h in hands]),
            to_define=0,
            belts=tuple([_belt(*origins[i]) if i in origins else Belt() for i in range(6)]),
            draw=Pile(len(draw.split()), tuple(draw.split())),
            discard=Hand(len(discard.split()), multiset(discard.split())),
        )
        self.state = self.start
        self.log: list[Event] = []
        self.happened: list[Event] = []

    def _fold(self, events: Sequence[Event]) -> None:
        self.happened = [replace(event, v=len(self.log) + i + 1) for i, event in enumerate(events)]
        for event in self.happened:
            self.state = CAPTAIN_BLUFF.evolve(self.state, event)
        self.log += self.happened

    def when(self, seat: int, move: Move) -> "Play":
        """`seat` makes `move`; `happened` holds its events."""
        first = CAPTAIN_BLUFF.decide(self.state, seat, move, Moment(len(self.log) + 1, draws))
        assert CAPTAIN_BLUFF.move_of(first[0]) == move
        self._fold(first)
        return self

    def votes(self, *answers: Move) -> "Play":
        """All that are asked answer, from the claimant's left on."""
        assert self.state.question is not None
        for seat, answer in zip(self.state.question.window.asked, answers, strict=True):
            self.when(seat, answer)
        return self

    def types(self) -> list[str]:
        return [event.type for event in self.happened]

    def one(self, kind: type[E]) -> E:
        """The one event of this kind that the last move made."""
        (found,) = [event for event in self.happened if isinstance(event, kind)]
        return found

    def asked(self) -> list[int]:
        return [decision.seat for decision in CAPTAIN_BLUFF.decisions(self.state) if decision.required]

    def offers(self) -> list[Decision]:
        return [decision for decision in CAPTAIN_BLUFF.decisions(self.state) if not decision.required]

    def counts(self) -> list[int]:
        return [hand.count for hand in self.state.hands]

    def hand(self, seat: int) -> tuple[str, ...]:
        return self.state.hands[seat].known

    def known_to(self, observer: Observer) -> State:
        """The observer's own fold of what happened since."""
        start = self.start
        state = replace(
            start,
            hands=tuple([h if s == observer.seat else Hand(h.count) for s, h in enumerate(start.hands)]),
            belts=tuple([b if b.origin is None else replace(b, origin=_hidden(b.origin)) for b in start.belts]),
            draw=Pile(start.draw.count, None),
            discard=Hand(start.discard.count),
        )
        for event in self.log:
            state = CAPTAIN_BLUFF.evolve(state, redact(event, observer))
        return state


def _belt(origin: str, cards: str) -> Belt:
    return Belt(Origin(0, "card", origin, ()), row(cards))


def _hidden(origin: Origin) -> Origin:
    return replace(origin, card=None)


def draws(label: str) -> Any:
    return Stream(bytes(32), label)


def started(seats: int) -> tuple[State, list[Event]]:
    """A game as it is dealt, and the events of the deal."""
    table = Table(seats, CaptainBluffOptions())
    events = CAPTAIN_BLUFF.setup(table, Moment(1, draws))
    state = CAPTAIN_BLUFF.initial(table)
    for event in events:
        state = CAPTAIN_BLUFF.evolve(state, event)
    return state, events


OPEN = {0: ("HKG-17", "")}
"""One belt with an origin card and nothing on it."""


def refusal(play: Play, seat: int, move: Move) -> Refused:
    """The refusal of `move`, which changes nothing and which no form offers."""
    before = play.state
    with pytest.raises(Refused) as refused:
        play.when(seat, move)
    assert play.state is before
    for decision in CAPTAIN_BLUFF.decisions(play.state):
        if decision.seat == seat:
            assert not any(form.contains(move) for form in CAPTAIN_BLUFF.forms(play.state, decision))
    return refused.value


def offered(play: Play, seat: int, move: Move) -> bool:
    """Whether a form of `seat` holds `move`."""
    return any(
        form.contains(move)
        for decision in CAPTAIN_BLUFF.decisions(play.state)
        if decision.seat == seat
        for form in CAPTAIN_BLUFF.forms(play.state, decision)
    )
