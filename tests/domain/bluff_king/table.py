"""Tables of Bluff King as given events, for tests that read: given these hands / when a move / then events."""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.bluff_king import BLUFF_KING
from domain.bluff_king.events import HandDealt, LeadDrawn
from domain.bluff_king.moves import Add, Lead
from domain.bluff_king.state import BluffKingOptions, State
from domain.events import Event, Seal, redact
from domain.moves import Challenge, Move, Pass
from domain.multisets import multiset
from domain.observers import Observer
from domain.ruleset import Moment, Table

E = TypeVar("E", bound=Event)
A, B, C, D = range(4)
CALL, PASS = Challenge(), Pass()


def cards(text: str) -> tuple[str, ...]:
    """`"7S 7H JOKER"` as cards."""
    return tuple(text.split())


def lead(text: str, rank: str) -> Lead:
    return Lead(cards(text), rank)


def add(text: str) -> Add:
    return Add(cards(text))


class Play:
    """A table after some events, with all that happened on it."""

    def __init__(self, *hands: str, leader: int = A, adding: str = "immediate", **options: int) -> None:
        self.state: State = BLUFF_KING.initial(Table(len(hands), BluffKingOptions(decks=1, adding=adding, **options)))
        self.log: list[Event] = []
        self.happened: list[Event] = []
        dealt = [
            HandDealt(seat=s, count=len(cards(h)), cards=Seal((s,), multiset(cards(h)))) for s, h in enumerate(hands)
        ]
        self._fold([LeadDrawn(seat=leader), *dealt])

    def _fold(self, events: Sequence[Event]) -> None:
        self.happened = [replace(e, v=len(self.log) + i + 1) for i, e in enumerate(events)]
        for event in self.happened:
            self.state = BLUFF_KING.evolve(self.state, event)
        self.log += self.happened

    def when(self, seat: int, move: Move) -> "Play":
        """`seat` makes `move`; `happened` holds its events."""
        self._fold(BLUFF_KING.decide(self.state, seat, move, Moment(len(self.log) + 1, no_draws)))
        return self

    def types(self) -> list[str]:
        return [event.type for event in self.happened]

    def one(self, kind: type[E]) -> E:
        """The one event of this kind that the last move made."""
        (found,) = [event for event in self.happened if isinstance(event, kind)]
        return found

    def asked(self) -> list[int]:
        return [decision.seat for decision in BLUFF_KING.decisions(self.state)]

    def counts(self) -> list[int]:
        return [hand.count for hand in self.state.hands]

    def known_to(self, observer: Observer) -> State:
        """The observer's own fold of the same log."""
        state = BLUFF_KING.initial(Table(len(self.state.hands), self.state.options))
        for event in self.log:
            state = BLUFF_KING.evolve(state, redact(event, observer))
        return state


def no_draws(label: str) -> Any:
    raise AssertionError(f"Bluff King draws nothing after the deal, but {label}")
