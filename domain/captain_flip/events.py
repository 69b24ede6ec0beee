"""The events of Captain Flip."""

from domain.events import Event, Seal
from domain.values import Value


class Line(Value, frozen=True):
    """One line of the final scoring: what for, how many coins, and which column or tile it came from."""

    why: str
    count: int
    column: int | None = None
    row: int | None = None


class FlagDrawn(Event, frozen=True, kw_only=True):
    """`seat` was drawn to hold the Pirate Flag and begins."""


class BagShuffled(Event, frozen=True, kw_only=True):
    """All tiles are in the bag: in which order they will be drawn, and which face is seen, is sealed to nobody."""

    order: Seal[tuple[str, ...]]


class TileDrawn(Event, frozen=True, kw_only=True):
    """`seat` drew a tile and sees one face of it, as everybody does; its back is sealed to nobody."""

    reveals = frozenset({"face"})
    face: str
    back: Seal[str]


class TileFlipped(Event, frozen=True, kw_only=True):
    """`seat` turned its drawn tile: the back is opened here and is the face now."""

    face: str


class TilePlaced(Event, frozen=True, kw_only=True):
    """`seat` put its drawn tile on the lowest empty space of a column, and paid what the space costs."""

    column: int
    row: int
    face: str
    paid: int


class NeighbourFlipped(Event, frozen=True, kw_only=True):
    """A monkey of `seat` turned the tile at `column`, `row`: its back is opened here, unless it was public before."""

    column: int
    row: int
    face: str


class CoinsTaken(Event, frozen=True, kw_only=True):
    """`seat` took `count` coins for a character (`why` names it) or for holding the Map (`map`)."""

    count: int
    why: str


class MapTaken(Event, frozen=True, kw_only=True):
    """`seat` has the Map now."""


class BonusTaken(Event, frozen=True, kw_only=True):
    """`seat` took the bonus of a completed column, `count` coins of it; `bonus` is its kind."""

    column: int
    bonus: str
    count: int


class EndTriggered(Event, frozen=True, kw_only=True):
    """`seat` is the first to have completed four columns: the round is played to its end."""


class TurnEnded(Event, frozen=True, kw_only=True):
    """The turn of `seat` is over."""


class Scored(Event, frozen=True, kw_only=True):
    """The end effects of `seat`, line by line: with its coins so far they make its final coins."""

    lines: tuple[Line, ...]


EVENTS: tuple[type[Event], ...] = (
    FlagDrawn,
    BagShuffled,
    TileDrawn,
    TileFlipped,
    TilePlaced,
    NeighbourFlipped,
    CoinsTaken,
    MapTaken,
    BonusTaken,
    EndTriggered,
    TurnEnded,
    Scored,
)
