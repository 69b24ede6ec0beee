"""What an observer sees of a table of Captain Bluff."""

from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from domain.captain_bluff.belts import Belt, Origin, read
from domain.captain_bluff.cards import BAGS, CITIES, REVERSE
from domain.captain_bluff.moves import Card, Declared, Placed, World
from domain.captain_bluff.state import Question, State
from domain.hands import SeatHandView
from domain.observers import Observer
from domain.values import Value

if TYPE_CHECKING:
    City = str
    FaceUp = str
else:
    # To a type checker these are strings; the schema names every one of them.
    City = Literal[CITIES]
    FaceUp = Literal[(*BAGS, REVERSE)]

Direction = Literal["up", "down"]
_DIRECTIONS: dict[int, Direction | None] = {1: "up", -1: "down", 0: None}


class OriginView(Value, frozen=True):
    """The face-down card above a belt: `card` is null unless you know it, `seen_by` are the seats that know it.

    These laid it or looked at it, or all saw it when the belt was challenged.
    """

    card: Card | None
    seen_by: tuple[int, ...]


class WorldView(Value, frozen=True):
    """An Around the World on a belt: the `card`, which stands for a bag of the number `number`."""

    card: World
    number: int


class BeltView(Value, frozen=True):
    """One belt.

    - `belt`: its number, from 0.
    - `origin`: the card above it, which says its true city; null if the belt is free.
    - `cards`: the cards on it, from its start on. An Around the World is an object.
    - `city`: the city of the bags on it, as all are said to be of; null without a bag.
    - `direction`: whether the next number must be higher (`up`) or lower (`down`); null while either may come.
    - `recoverable`: how many bags may be taken back from its end, unless there is a vote on it.
    """

    belt: int
    origin: OriginView | None
    cards: tuple[FaceUp | WorldView, ...]
    city: City | None
    direction: Direction | None
    recoverable: int


class HandView(SeatHandView[Card], frozen=True):
    __doc__ = SeatHandView.__doc__


class DiscardPileView(Value, frozen=True):
    """The discard pile, of `count` cards: `cards` if you know them all, else `known`, those that you know."""

    count: int
    cards: tuple[Card, ...] | UnsetType = UNSET
    known: tuple[Card, ...] | UnsetType = UNSET


class VoteView(Value, frozen=True):
    """A vote on the newest play of the seat `claimant`, on the belt of the number `belt`.

    `asked` are the seats that vote, from the claimant's left on; `waiting` those of them that have not voted yet.
    """

    belt: int
    claimant: int
    asked: tuple[int, ...]
    waiting: tuple[int, ...]


class TableView(Value, frozen=True):
    """A table of Captain Bluff.

    - `phase`: what is waited for. `setup`: the origin cards before the first turn. `turn`: a move of the seat whose
      turn it is. `vote`: the votes on its play. `over`: nothing any more.
    - `turn`: the seat that lays an origin card, or whose turn it is; null when the game is over.
    - `turns`: how many turns have ended.
    - `acted`: whether the action of this turn is done; `airport_played`: whether its Airport card is.
    - `to_define`: how many origin cards are to be laid before the first turn.
    - `belts`: the belts, by number.
    - `hands`: the hand of each seat, by seat.
    - `draw_pile`: how many cards can be drawn.
    - `discard_pile`: what was discarded.
    - `unused`: how many cards stay out of the game; nobody sees them.
    - `vote`: the vote that is going on; null if there is none.
    """

    phase: Literal["setup", "turn", "vote", "over"]
    turn: int | None
    turns: int
    acted: bool
    airport_played: bool
    to_define: int
    belts: tuple[BeltView, ...]
    hands: tuple[HandView, ...]
    draw_pile: int
    discard_pile: DiscardPileView
    unused: int
    vote: VoteView | None


def view(state: State, observer: Observer, over: bool = False) -> TableView:
    """The table: counts of everything, cards where the observer's fold knows them."""
    discard = state.discard
    return TableView(
        phase="over" if over else state.phase,
        turn=None if over else state.turn,
        turns=state.turns,
        acted=state.acted,
        airport_played=state.airport,
        to_define=state.to_define,
        belts=tuple([_belt(number, belt) for number, belt in enumerate(state.belts)]),
        hands=HandView.by_seat(state.hands),
        draw_pile=state.draw.count,
        discard_pile=DiscardPileView(discard.count, discard.known)
        if discard.whole
        else DiscardPileView(discard.count, known=discard.known),
        unused=state.unused.count,
        vote=_vote(state.question) if state.question and not over else None,
    )


def _belt(number: int, belt: Belt) -> BeltView:
    reading = read(belt.row)
    cards = tuple([_placed(card) for card in belt.row])
    direction = _DIRECTIONS[reading.direction]
    return BeltView(number, _origin(belt.origin), cards, reading.city, direction, reading.recoverable)


def _placed(card: Placed) -> str | WorldView:
    return WorldView(card.card, card.number) if isinstance(card, Declared) else card


def _origin(origin: Origin | None) -> OriginView | None:
    return OriginView(origin.card, origin.seen) if origin else None


def _vote(question: Question) -> VoteView:
    window = question.window
    return VoteView(question.belt, window.claimant, window.asked, window.waiting)
