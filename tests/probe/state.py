"""The probe's cards and its state, as any observer may know it."""

from msgspec.structs import replace

from domain.events import Event
from domain.hands import Hand
from domain.multisets import Cards, multiset
from domain.results import Result, ranked
from domain.values import Value
from domain.votes import Window
from tests.probe.moves import HIGH, WILD, Laid

SUITS = ("GULL", "TERN", "SKUA")
DECK: Cards = (*(f"{suit}-{n}" for suit in SUITS for n in range(1, HIGH + 1)), *[WILD] * 4)
"""25 cards, in the order before shuffling: three suits of 1 to 7, and four kegs."""

CHESTS = 3
ROW_FULL = 8
"""A row of so many cards is swept into the discards."""


def number(card: str) -> int | None:
    """The number of a card; None for a keg."""
    return None if card == WILD else int(card.rpartition("-")[2])


def truthful(cards: Cards, claimed: int) -> bool:
    """Whether no card of a claim is lower than the number claimed; a keg is whatever one likes."""
    return all((n := number(card)) is None or n >= claimed for card in cards)


class Chest(Value, frozen=True):
    """A place for one face-down card: whether one lies there, and which, to whom laid it."""

    full: bool = False
    card: str | None = None


class Claim(Value, frozen=True):
    """Cards played face down, said to be no lower than `number`, and the window of who doubts it."""

    seat: int
    v: int
    count: int
    number: int
    cards: Cards | None
    window: Window


class State(Value, frozen=True):
    """The table. `pile` is the order of the draw pile, known to nobody at the table.

    `row_v` is the version of its last change; `dropping` the seat that was slipped a card, and owes a drop.
    """

    hands: tuple[Hand, ...]
    max_turns: int
    hand: int
    pile_count: int = 0
    pile: Cards | None = ()
    renewals: int = 0
    discard: Hand = Hand()
    chests: tuple[Chest, ...] = (Chest(),) * CHESTS
    row: tuple[Laid, ...] = ()
    row_v: int = 0
    claim: Claim | None = None
    dropping: int | None = None
    turn: int = 0
    acting: int | None = None

    @property
    def busy(self) -> bool:
        """Whether something must be resolved before the turn can end."""
        return self.claim is not None or self.dropping is not None

    def lose(self, seat: int, count: int, cards: Cards | None) -> "State":
        """`seat` has `count` cards less; which, where that is known."""
        return self._with_hand(seat, self.hands[seat].lose(count, cards))

    def gain(self, seat: int, count: int, cards: Cards | None) -> "State":
        """`seat` has `count` cards more; which, where that is known."""
        return self._with_hand(seat, self.hands[seat].gain(count, cards or ()))

    def _with_hand(self, seat: int, hand: Hand) -> "State":
        return replace(self, hands=tuple([hand if i == seat else h for i, h in enumerate(self.hands)]))

    def discarded(self, count: int, cards: Cards | None) -> "State":
        """`count` cards more among the discards; which, where that is known."""
        return replace(self, discard=self.discard.gain(count, cards or ()))

    def drawn(self, count: int) -> "State":
        """The draw pile without its first `count` cards."""
        pile = None if self.pile is None else self.pile[count:]
        return replace(self, pile=pile, pile_count=self.pile_count - count)

    def with_chest(self, chest: int, card: str | None) -> "State":
        """`card` lies in `chest`, face down."""
        laid = Chest(True, card)
        return replace(self, chests=tuple([laid if i == chest else c for i, c in enumerate(self.chests)]))

    def with_row(self, row: tuple[Laid, ...], event: Event) -> "State":
        """Another row, as of `event`."""
        return replace(self, row=row, row_v=event.v)


def result(state: State) -> Result | None:
    """Seats without cards win; at the turn limit those with the fewest. Looked at between turns only."""
    if state.busy or state.acting is None:
        return None
    scores = [hand.count for hand in state.hands]
    ranking = ranked(scores, scores)
    if 0 in scores:
        return Result("emptied", ranking, tuple([seat for seat, count in enumerate(scores) if not count]))
    if state.turn >= state.max_turns:
        return Result("turn_limit", ranking, tuple([r.seat for r in ranking if r.rank == 1]))
    return None


def known_cards(state: State) -> list[str]:
    """Every card whose place is known, wherever it lies: in a full state the whole deck."""
    places = [card for hand in (*state.hands, state.discard) for card in hand.known]
    places += [card.card if not isinstance(card, str) else card for card in state.row]
    places += [chest.card for chest in state.chests if chest.card is not None]
    places += state.claim.cards or () if state.claim else ()
    return places + list(state.pile or ())


def plain(cards: tuple[Laid, ...]) -> Cards:
    """The cards of a run, as they are held."""
    return multiset(card if isinstance(card, str) else card.card for card in cards)
