"""The moves of Captain Flip."""

from typing import Annotated

from msgspec import Meta

from domain.moves import Move

ColumnNumber = Annotated[int, Meta(ge=0, le=4)]
Row = Annotated[int, Meta(ge=0, le=4)]


class FlipTile(Move, frozen=True):
    """Turn the drawn tile over; then it must be kept. Rules: captain_flip, Play."""


class PlaceTile(Move, frozen=True):
    """Keep the drawn tile and put it on the lowest empty space of `column`. Rules: captain_flip, Play."""

    column: ColumnNumber


class FlipNeighbour(Move, frozen=True):
    """The monkey turns over the tile at `column`, `row`, next to it. Rules: captain_flip, Play."""

    column: ColumnNumber
    row: Row
