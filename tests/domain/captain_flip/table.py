"""Tables of Captain Flip as given events, for tests that read: given these boards / when a move / then events."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.captain_flip import CAPTAIN_FLIP
from domain.captain_flip.boards import BOARDS
from domain.captain_flip.events import BagShuffled, BonusTaken, CoinsTaken, FlagDrawn, MapTaken, TileDrawn, TilePlaced
from domain.captain_flip.moves import FlipNeighbour, FlipTile, PlaceTile
from domain.captain_flip.state import CaptainFlipOptions, State
from domain.captain_flip.tiles import COPIES, FACES, PAIR_OF, PAIRS, PAIRS_WITH
from domain.events import Event, Seal, redact
from domain.moves import Move
from domain.observers import Observer
from domain.ruleset import Moment, Table

E = TypeVar("E", bound=Event)
Given = Mapping[int, str]
"""A board: for each column its tiles from the bottom up, `face` or `face/back`."""

A, B, C, D, LAST = range(5)
FLIP = FlipTile()


def place(column: int) -> PlaceTile:
    return PlaceTile(column)


def flip(column: int, row: int) -> FlipNeighbour:
    return FlipNeighbour(column, row)


class Play:
    """A table after some events, with all that happened on it. The first seat is asked, with the tile `drawn`.

    The tiles that are named are on the boards, drawn and next in the bag; backs that are not named are found for
    them, and all other tiles lie below, unless the bag is to be `empty` after those named.
    """

    def __init__(  # one argument for each thing that may lie on the table
        self,
        *boards: Given,
        board: str = "A",
        drawn: str = "lookout",
        bag: str = "",
        coins: Sequence[int] = (),
        chart: int | None = None,
        turn: int = A,
        flag: int = A,
        empty: bool = False,
    ) -> None:
        self.name = board
        self.state: State = CAPTAIN_FLIP.initial(Table(len(boards), CaptainFlipOptions(board=board)))
        self.log: list[Event] = []
        self.happened: list[Event] = []
        self._left = Counter(dict.fromkeys(PAIRS, COPIES))
        tiles = [(s, c, t) for s, given in enumerate(boards) for c, text in given.items() for t in text.split()]
        named = [*(tile for _, _, tile in tiles), drawn, *bag.split()]
        order = self._completed(named)
        order += [f"{one}/{other}" for one, other in self._left.elements()]
        self._fold([FlagDrawn(seat=flag), BagShuffled(order=Seal((), tuple(order)))])
        for seat, column, _ in tiles:
            self._lay(seat, column)
        self._fold([CoinsTaken(seat=seat, count=count, why="cook") for seat, count in enumerate(coins)])
        if chart is not None:
            self._fold([MapTaken(seat=chart)])
        self._fold([self._draw(turn)])
        if empty:
            last = len(bag.split())
            self.state = replace(self.state, bag=(self.state.bag or ())[:last], left=last)

    def _completed(self, named: list[str]) -> list[str]:
        """The tiles named, each with a back: first those that name one, then any that is left."""
        for tile in named:
            if "/" in tile:
                self._left[PAIR_OF[FACES[tile]]] -= 1
        assert not any(count < 0 for count in self._left.values()), "there are only two tiles of each pair"
        return [tile if "/" in tile else f"{tile}/{self._any_back(tile)}" for tile in named]

    def _any_back(self, face: str) -> str:
        pair = max(PAIRS_WITH[face], key=lambda pair: self._left[pair])
        self._left[pair] -= 1
        return pair[0] if pair[1] == face else pair[1]

    def _draw(self, seat: int) -> Event:
        face, back = FACES[(self.state.bag or ("",))[0]]
        return TileDrawn(seat=seat, face=face, back=Seal((), back))

    def _lay(self, seat: int, column: int) -> None:
        """A tile goes where it belongs, without its effect; a completed column has given its bonus already."""
        self._fold([self._draw(seat)])
        spaces = BOARDS[self.name][column]
        row = spaces.low + len(self.state.captains[seat].columns[column])
        self._fold([TilePlaced(seat=seat, column=column, row=row, face="laid", paid=0)])
        if column in self.state.bonuses and spaces.bonus:
            count = {"race": spaces.bonus.later, "map": 0}.get(spaces.bonus.kind, spaces.bonus.first)
            self._fold([BonusTaken(seat=seat, column=column, bonus=spaces.bonus.kind, count=count)])

    def _fold(self, events: Sequence[Event]) -> None:
        self.happened = [replace(e, v=len(self.log) + i + 1) for i, e in enumerate(events)]
        for event in self.happened:
            self.state = CAPTAIN_FLIP.evolve(self.state, event)
        self.log += self.happened

    def when(self, seat: int, *moves: Move) -> "Play":
        """`seat` makes these moves; `happened` holds the events of all of them."""
        happened: list[Event] = []
        for move in moves:
            self._fold(CAPTAIN_FLIP.decide(self.state, seat, move, Moment(len(self.log) + 1, no_draws)))
            happened += self.happened
        self.happened = happened
        return self

    def types(self) -> list[str]:
        return [event.type for event in self.happened]

    def told(self, kind: type[E]) -> list[E]:
        """The events of this kind that the last moves made."""
        return [event for event in self.happened if isinstance(event, kind)]

    def one(self, kind: type[E]) -> E:
        (found,) = self.told(kind)
        return found

    def taken(self) -> list[tuple[str, int]]:
        """What for and how many coins were taken in the last moves, in order."""
        found = []
        for event in self.happened:
            if isinstance(event, CoinsTaken):
                found.append((event.why, event.count))
            elif isinstance(event, BonusTaken):
                found.append((event.bonus, event.count))
        return found

    def coins(self, seat: int = A) -> int:
        return self.state.captains[seat].purse.coins

    def asked(self) -> list[tuple[int, str]]:
        return [(decision.seat, decision.kind) for decision in CAPTAIN_FLIP.decisions(self.state)]

    def faces(self, seat: int, column: int) -> list[str]:
        return [tile.face for tile in self.state.captains[seat].columns[column]]

    def known_to(self, observer: Observer) -> State:
        """The observer's own fold of the same log."""
        state = CAPTAIN_FLIP.initial(Table(len(self.state.captains), self.state.options))
        for event in self.log:
            state = CAPTAIN_FLIP.evolve(state, redact(event, observer))
        return state


def no_draws(label: str) -> Any:
    raise AssertionError(f"Captain Flip draws nothing after the bag was filled, but {label}")
