"""Tables of Captain's Orders as given events, for tests that read: given these hands / when a move / then events."""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.captains_orders import CAPTAINS_ORDERS
from domain.captains_orders.events import HandDealt, RoundEnded, RoundStarted
from domain.captains_orders.moves import Accuse, AskCard, Belay, Discard, Follow, Give, PassCard, PlayOrder
from domain.captains_orders.state import CaptainsOrdersOptions, State
from domain.entropy import provable
from domain.events import Event, Seal, redact
from domain.moves import Move
from domain.multisets import multiset
from domain.observers import Observer
from domain.ruleset import Moment, Table

E = TypeVar("E", bound=Event)
A, B, C, D = range(4)


def cards(text: str) -> tuple[str, ...]:
    """`"1 5 10"` as cards."""
    return tuple([f"R{rank}" for rank in text.split()])


def order(rank: int) -> PlayOrder:
    return PlayOrder(f"R{rank}")


def passing(rank: int, to: int) -> PassCard:
    return PassCard(f"R{rank}", to)


def asking(of: int) -> AskCard:
    return AskCard(of)


def give(rank: int) -> Give:
    return Give(f"R{rank}")


def discard(rank: int) -> Discard:
    return Discard(f"R{rank}")


def follow(rank: int) -> Follow:
    return Follow(f"R{rank}")


def belay(rank: int) -> Belay:
    return Belay(f"R{rank}")


def accuse(seat: int) -> Accuse:
    return Accuse(seat)


class Play:
    """A table after some events, with all that happened on it. Seat A acts first in round 1."""

    def __init__(self, *hands: str, **options: int) -> None:
        self.options = CaptainsOrdersOptions(**options)
        self.state: State = CAPTAINS_ORDERS.initial(Table(len(hands), self.options))
        self.log: list[Event] = []
        self.happened: list[Event] = []
        self.deal(*hands)

    def deal(self, *hands: str, round: int = 1, dealer: int | None = None) -> "Play":
        """Begin a round with these hands; the dealer is the last seat unless named."""
        dealer = len(hands) - 1 if dealer is None else dealer
        held = [multiset(cards(hand)) for hand in hands]
        dealt = [HandDealt(seat=s, round=round, count=len(h), cards=Seal((s,), h)) for s, h in enumerate(held)]
        self._fold([RoundStarted(round=round, dealer=dealer), *dealt])
        return self

    def _fold(self, events: Sequence[Event]) -> None:
        self.happened = [replace(e, v=len(self.log) + i + 1) for i, e in enumerate(events)]
        for event in self.happened:
            self.state = CAPTAINS_ORDERS.evolve(self.state, event)
        self.log += self.happened

    def when(self, seat: int, move: Move) -> "Play":
        """`seat` makes `move`; `happened` holds its events."""
        self._fold(CAPTAINS_ORDERS.decide(self.state, seat, move, Moment(len(self.log) + 1, provable(bytes(32)))))
        return self

    def types(self) -> list[str]:
        return [event.type for event in self.happened]

    def one(self, kind: type[E]) -> E:
        """The one event of this kind that the last move made."""
        (found,) = [event for event in self.happened if isinstance(event, kind)]
        return found

    @property
    def ended(self) -> RoundEnded:
        """How the last move ended the round."""
        return self.one(RoundEnded)

    def asked(self) -> tuple[int, str]:
        """Who is asked, and for what."""
        (decision,) = CAPTAINS_ORDERS.decisions(self.state)
        return decision.seat, decision.kind

    def offered(self) -> dict[str, Any]:
        """The forms of the seat that is asked: field values by move type and field name."""
        (decision,) = CAPTAINS_ORDERS.decisions(self.state)
        forms = CAPTAINS_ORDERS.forms(self.state, decision)
        return {f.move.type: {name: field.values for name, field in f.fields.items()} for f in forms}

    def default(self) -> Move:
        """What is played for the seat that is asked, when its time runs out."""
        (decision,) = CAPTAINS_ORDERS.decisions(self.state)
        return CAPTAINS_ORDERS.default_move(self.state, decision)

    def known_to(self, observer: Observer) -> State:
        """The observer's own fold of the same log."""
        state = CAPTAINS_ORDERS.initial(Table(len(self.state.hands), self.options))
        for event in self.log:
            state = CAPTAINS_ORDERS.evolve(state, redact(event, observer))
        return state
