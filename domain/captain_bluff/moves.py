"""The moves of Captain Bluff."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from domain.captain_bluff.cards import BAGS, BELTS, CARDS, HIGH, LOW, WORLD
from domain.moves import Move
from domain.values import Value

if TYPE_CHECKING:
    Card = str
    Bag = str
    World = str
else:
    # To a type checker a card is a string; the move's schema names every one of them.
    Card = Literal[CARDS]
    Bag = Literal[BAGS]
    World = Literal[WORLD]

Place = Annotated[int, Meta(ge=0, le=BELTS - 1)]
Number = Annotated[int, Meta(ge=LOW, le=HIGH)]


class Declared(Value, frozen=True):
    """An Around the World on a belt, in the place of the bag `number`."""

    card: World
    number: Number


Placed = str | Declared
"""A card on a belt: a bag, an Around the World with its number, or a Reverse."""


class PlaceBags(Move, frozen=True):
    """Lay a closed run of bags face up, in this order, at the end of a belt. Rules: captain_bluff, Your turn."""

    belt: Place
    cards: Annotated[tuple[Bag | Declared, ...], Meta(min_length=1, max_length=HIGH)]
    end_turn: bool = True


class Define(Move, frozen=True):
    """Lay a card face down above a belt that has none, then draw one. Rules: captain_bluff, Your turn."""

    belt: Place
    card: Card
    end_turn: bool = True


class Peek(Move, frozen=True):
    """Look at the origin card of a belt. Rules: captain_bluff, Your turn."""

    belt: Place
    end_turn: bool = True


class Change(Move, frozen=True):
    """Take the origin card of a belt, unseen, for a card of the hand. Rules: captain_bluff, Your turn."""

    belt: Place
    card: Card
    end_turn: bool = True


class Close(Move, frozen=True):
    """Discard a belt's cards and its origin card, unseen. Rules: captain_bluff, Your turn."""

    belt: Place
    end_turn: bool = True


class EndTurn(Move, frozen=True):
    """Close a turn that was kept open. Rules: captain_bluff, ruling 4."""


class PlayAroundTheWorld(Move, frozen=True):
    """Lay an Around the World alone at the end of a belt, as a bag with this number."""

    belt: Place
    number: Number


class PlayReverse(Move, frozen=True):
    """Turn the direction of a belt. Rules: captain_bluff, ruling 7."""

    belt: Place


class PlayNoticeBoard(Move, frozen=True):
    """Look at two origin cards, or at as many as there are."""

    belts: Annotated[tuple[Place, ...], Meta(max_length=2)]


class PlayDelayedFlight(Move, frozen=True):
    """Every other seat with fewer than five cards draws one."""


class Recover(Move, frozen=True):
    """Take the last `count` bags of a belt. Anybody may, at any time. Rules: captain_bluff, ruling 9."""

    belt: Place
    count: Annotated[int, Meta(ge=1, le=HIGH - 1)]


ACTIONS: tuple[type[Move], ...] = (PlaceBags, Define, Peek, Change, Close)
AIRPORT_MOVES: tuple[type[Move], ...] = (PlayAroundTheWorld, PlayReverse, PlayNoticeBoard, PlayDelayedFlight)
TURN: tuple[type[Move], ...] = (*ACTIONS, EndTurn, *AIRPORT_MOVES)
