"""The probe's events, and the moves that they record."""

from domain.errors import Corrupt
from domain.events import Event, Seal
from domain.moves import Move
from domain.multisets import Cards
from domain.votes import move_of as vote_of
from tests.probe.moves import Bury, Declare, Drop, Fetch, Laid, Lay, Salvage, Slip, Swap


class PileShuffled(Event, frozen=True, kw_only=True):
    """The draw pile: its order is sealed to nobody. After the first one, made of all discards."""

    count: int
    order: Seal[Cards]


class HandDealt(Event, frozen=True, kw_only=True):
    """The first `count` cards of the pile go to `seat`."""

    count: int
    cards: Seal[Cards]


class FirstSeatDrawn(Event, frozen=True, kw_only=True):
    """`seat` acts first."""


class CardFetched(Event, frozen=True, kw_only=True):
    """`seat` chose to draw; the card is an event of its own, since there may be none."""


class CardDrawn(Event, frozen=True, kw_only=True):
    """`seat` takes the top card of the pile."""

    card: Seal[str]


class CardBuried(Event, frozen=True, kw_only=True):
    """A card of `seat` lies face down in a chest."""

    chest: int
    card: Seal[str]


class CardSwapped(Event, frozen=True, kw_only=True):
    """A card of `seat` for the one in a chest, which nobody else sees."""

    chest: int
    card_in: Seal[str]
    card_out: Seal[str]


class CardSlipped(Event, frozen=True, kw_only=True):
    """A card of `seat` goes face down to the seat `to`: sealed to both."""

    to: int
    card: Seal[str]


class CardDropped(Event, frozen=True, kw_only=True):
    """A card of `seat` goes face down to the discards."""

    card: Seal[str]


class CargoDeclared(Event, frozen=True, kw_only=True):
    """`seat` played `count` cards face down, said to be no lower than `number`."""

    count: int
    number: int
    cards: Seal[Cards]


class CargoStood(Event, frozen=True, kw_only=True):
    """Nobody doubted `seat`: the cards go face down to the discards."""


class CargoChallenged(Event, frozen=True, kw_only=True):
    """The cards of a claim are shown, by opening their whole seal, and go to the hand of `loser`."""

    challenger: int
    claimant: int
    truthful: bool
    loser: int


class HandShown(Event, frozen=True, kw_only=True):
    """Who lied shows the whole hand. Its seals stay closed: they would tell where the cards came from."""

    reveals = frozenset({"cards"})
    cards: Cards


class CardsLaid(Event, frozen=True, kw_only=True):
    """`seat` laid cards of its hand face up at the end of the row."""

    reveals = frozenset({"cards"})
    cards: tuple[Laid, ...]


class RowSwept(Event, frozen=True, kw_only=True):
    """The row grew too long: its `count` cards, which all saw, go to the discards."""

    count: int


class CardsSalvaged(Event, frozen=True, kw_only=True):
    """`seat` took the last `count` cards of the row."""

    count: int


class TurnEnded(Event, frozen=True, kw_only=True):
    """The seat `next` acts now."""

    next: int


EVENTS: tuple[type[Event], ...] = (
    PileShuffled,
    HandDealt,
    FirstSeatDrawn,
    CardFetched,
    CardDrawn,
    CardBuried,
    CardSwapped,
    CardSlipped,
    CardDropped,
    CargoDeclared,
    CargoStood,
    CargoChallenged,
    HandShown,
    CardsLaid,
    RowSwept,
    CardsSalvaged,
    TurnEnded,
)


def move_of(event: Event) -> Move:
    """The move in the first event of a batch, once opened."""
    move: Move | None = None
    match event:
        case CardFetched():
            move = Fetch()
        case CardBuried(card=Seal(value=str(card))):
            move = Bury(event.chest, card)
        case CardSwapped(card_in=Seal(value=str(card))):
            move = Swap(event.chest, card)
        case CardSlipped(card=Seal(value=str(card))):
            move = Slip(card, event.to)
        case CardDropped(card=Seal(value=str(card))):
            move = Drop(card)
        case CargoDeclared(cards=Seal(value=tuple(cards))):
            move = Declare(cards, event.number)
        case CardsLaid():
            move = Lay(event.cards)
        case CardsSalvaged():
            move = Salvage(event.count)
        case _:
            move = vote_of(event)
    if move is None:
        raise Corrupt(f"{event.type} holds no move that could be read")
    return move
