"""The probe's moves: every kind of form field occurs."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.moves import Move
from domain.values import Value

WILD = "KEG"
HIGH = 7

Number = Annotated[int, Meta(ge=1, le=HIGH)]
Count = Annotated[int, Meta(ge=1, le=50)]
Place = Annotated[int, Meta(ge=0, le=9)]


class Wild(Value, frozen=True):
    """A keg in a run: it takes the place of `number`."""

    card: Literal["KEG"]
    number: Number


Laid = str | Wild


class Fetch(Move, frozen=True):
    """Draw two cards, as far as there are any."""


class Bury(Move, frozen=True):
    """Lay `card` face down into the empty `chest` and draw one."""

    chest: Place
    card: str


class Swap(Move, frozen=True):
    """Take the card of `chest`, unseen, for `card`."""

    chest: Place
    card: str


class Slip(Move, frozen=True):
    """Pass `card` face down to the seat `to`, which must drop one of its own."""

    card: str
    to: Place


class Drop(Move, frozen=True):
    """Discard `card` face down."""

    card: str


class Declare(Move, frozen=True):
    """Play `cards` face down and say that none is lower than `number`."""

    cards: Annotated[tuple[str, ...], Meta(min_length=1, max_length=3)]
    number: Number


class Lay(Move, frozen=True):
    """Lay `cards` face up at the end of the row: a run that goes on where the row ends."""

    cards: Annotated[tuple[Laid, ...], Meta(min_length=1, max_length=HIGH)]


class Salvage(Move, frozen=True):
    """Take the last `count` cards of the row; anybody may, at any time."""

    count: Count
