"""The events of Captain Bluff, and the moves that they record."""

from domain.captain_bluff.cards import DELAYED, NOTICE, REVERSE, WORLD
from domain.captain_bluff.moves import (
    Change,
    Close,
    Declared,
    Define,
    EndTurn,
    Peek,
    PlaceBags,
    PlayAroundTheWorld,
    PlayDelayedFlight,
    PlayNoticeBoard,
    PlayReverse,
    Recover,
)
from domain.errors import Corrupt
from domain.events import Event, Seal
from domain.moves import Move
from domain.multisets import Cards
from domain.votes import move_of as vote_of


class PilesShuffled(Event, frozen=True, kw_only=True):
    """After the deal `draw` bags are the draw pile, and `unused` Airport cards are out of the game.

    `order` is both, one after the other, the top card first: sealed to nobody.
    """

    draw: int
    unused: int
    order: Seal[Cards]


class FirstSeatDrawn(Event, frozen=True, kw_only=True):
    """`seat` lays the first origin card and has the first turn."""


class HandDealt(Event, frozen=True, kw_only=True):
    """`seat` was dealt `count` cards, bags and Airport cards."""

    count: int
    cards: Seal[Cards]


class OriginDefined(Event, frozen=True, kw_only=True):
    """`seat` laid a card face down above a belt that had none."""

    belt: int
    end_turn: bool
    card: Seal[str]


class CardDrawn(Event, frozen=True, kw_only=True):
    """`seat` took the top card of the draw pile."""

    card: Seal[str]


class BagsPlaced(Event, frozen=True, kw_only=True):
    """`seat` laid a run of cards face up at the end of a belt."""

    reveals = frozenset({"cards"})
    belt: int
    cards: tuple[str | Declared, ...]
    end_turn: bool


class OriginPeeked(Event, frozen=True, kw_only=True):
    """`seat` looked at an origin card. `end_turn` is null where a Notice Board showed it."""

    belt: int
    end_turn: bool | None
    card: Seal[str]


class OriginChanged(Event, frozen=True, kw_only=True):
    """`seat` took an origin card, unseen, and laid one of its hand in its place."""

    belt: int
    end_turn: bool
    card_in: Seal[str]
    card_out: Seal[str]


class BeltClosed(Event, frozen=True, kw_only=True):
    """`seat` discarded all cards of a belt; nobody saw the origin card."""

    belt: int
    end_turn: bool
    origin: Seal[str]


class AirportPlayed(Event, frozen=True, kw_only=True):
    """`seat` played an Airport card: on a belt (an Around the World with its number), or to look at `belts`."""

    reveals = frozenset({"card"})
    card: str
    belt: int | None = None
    number: int | None = None
    belts: tuple[int, ...] = ()


class Challenged(Event, frozen=True, kw_only=True):
    """The origin card of a belt was shown to all (its seal is opened here) and the play judged."""

    challenger: int
    accused: int
    belt: int
    truthful: bool


class BeltTaken(Event, frozen=True, kw_only=True):
    """`seat` took every card of a belt, the origin card too; all saw them."""

    belt: int


class BagsRecovered(Event, frozen=True, kw_only=True):
    """`seat` took these last bags of a belt, in the order in which they lay."""

    belt: int
    cards: Cards


class DrawPileRenewed(Event, frozen=True, kw_only=True):
    """A card must be drawn and there was none: the `count` discards were shuffled. The order is sealed to nobody."""

    count: int
    order: Seal[Cards]


class TurnEnded(Event, frozen=True, kw_only=True):
    """The turn of `seat` is over; the next seat has its own."""


EVENTS: tuple[type[Event], ...] = (
    PilesShuffled,
    FirstSeatDrawn,
    HandDealt,
    OriginDefined,
    CardDrawn,
    BagsPlaced,
    OriginPeeked,
    OriginChanged,
    BeltClosed,
    AirportPlayed,
    Challenged,
    BeltTaken,
    BagsRecovered,
    DrawPileRenewed,
    TurnEnded,
)


def move_of(event: Event) -> Move:
    """The move in the first event of a batch, once opened."""
    move = _action_of(event)
    if move is None and isinstance(event, AirportPlayed):
        move = _airport_of(event)
    if move is None:
        move = vote_of(event)
    if move is None:
        raise Corrupt(f"{event.type} holds no move that could be read")
    return move


def _action_of(event: Event) -> Move | None:
    match event:
        case BagsPlaced():
            return PlaceBags(event.belt, event.cards, event.end_turn)
        case OriginDefined(card=Seal(value=str(card))):
            return Define(event.belt, card, event.end_turn)
        case OriginPeeked(end_turn=bool(end_turn)):
            return Peek(event.belt, end_turn)
        case OriginChanged(card_in=Seal(value=str(card))):
            return Change(event.belt, card, event.end_turn)
        case BeltClosed():
            return Close(event.belt, event.end_turn)
        case BagsRecovered():
            return Recover(event.belt, len(event.cards))
        case TurnEnded():
            return EndTurn()
    return None


def _airport_of(event: AirportPlayed) -> Move | None:
    match event:
        case AirportPlayed(card=card, belt=int(belt), number=int(number)) if card == WORLD:
            return PlayAroundTheWorld(belt, number)
        case AirportPlayed(card=card, belt=int(belt)) if card == REVERSE:
            return PlayReverse(belt)
        case AirportPlayed(card=card) if card == NOTICE:
            return PlayNoticeBoard(event.belts)
        case AirportPlayed(card=card) if card == DELAYED:
            return PlayDelayedFlight()
    return None
