"""What an observer sees of a table of the probe."""

from msgspec import UNSET, UnsetType

from domain.hands import Hand
from domain.values import Value
from tests.probe.moves import WILD, Wild
from tests.probe.state import Claim, State


class HandView(Value, frozen=True):
    """A hand of `count` cards, of which the `known` ones are known."""

    count: int
    known: tuple[str, ...]


class ChestView(Value, frozen=True):
    """Whether a card lies in a chest (`full`), and which `card`: null unless it is known."""

    full: bool
    card: str | None


class KegView(Value, frozen=True):
    """A keg in the row: the `card`, in the place of the `number`."""

    card: str
    number: int


class ClaimView(Value, frozen=True):
    """The claim that is voted on: `count` cards of `seat`, said to be no lower than `number`.

    `cards` are there only where they are known; `voted` are the seats that have voted.
    """

    seat: int
    count: int
    number: int
    voted: tuple[int, ...]
    cards: tuple[str, ...] | UnsetType = UNSET


class TableView(Value, frozen=True):
    """A table of the probe.

    `turn` is the seat whose turn it is, null when the game is over; `turns` counts turns. `hands` are by seat;
    `discard` are the discards; `pile` counts the cards of the draw pile; `chests` are the chests; `row` is the row,
    face up; `claim` is null unless one is voted on; `dropping` is the seat that must drop a card, or null.
    """

    turn: int | None
    turns: int
    hands: tuple[HandView, ...]
    discard: HandView
    pile: int
    chests: tuple[ChestView, ...]
    row: tuple[str | KegView, ...]
    claim: ClaimView | None
    dropping: int | None


def view(state: State, over: bool) -> TableView:
    """The table of a fold."""
    return TableView(
        turn=None if over else state.acting,
        turns=state.turn,
        hands=tuple([_hand(hand) for hand in state.hands]),
        discard=_hand(state.discard),
        pile=state.pile_count,
        chests=tuple([ChestView(chest.full, chest.card) for chest in state.chests]),
        row=tuple([KegView(WILD, card.number) if isinstance(card, Wild) else card for card in state.row]),
        claim=None if state.claim is None or over else _claim(state.claim),
        dropping=None if over else state.dropping,
    )


def _hand(hand: Hand) -> HandView:
    return HandView(hand.count, hand.known)


def _claim(claim: Claim) -> ClaimView:
    voted = tuple([ballot.seat for ballot in claim.window.cast])
    return ClaimView(claim.seat, claim.count, claim.number, voted, UNSET if claim.cards is None else claim.cards)
