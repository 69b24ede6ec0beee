"""Given, when, then: games of the probe, driven by commands and a hand-set clock."""

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from domain import canonical, sealing
from domain.commands import Command, Create, Play, Sit, Start, Timeout
from domain.decide import decide
from domain.decisions import Asked
from domain.entropy import Stream
from domain.errors import Refused
from domain.events import Codec, Event, redact
from domain.game import Game, fold
from domain.lifecycle import SHARED, Clock
from domain.moves import Move
from domain.observers import Observer
from tests.probe import PROBE
from tests.probe.moves import Fetch, Lay
from tests.probe.state import number

SEED = "5e" * 32
CODEC = Codec([*SHARED, *PROBE.info.events])
START = 1_790_000_000_000

Line = tuple[dict[str, Any], dict[str, dict[str, Any]]]


def rng(label: str = "test") -> Stream:
    """Numbers that are the same in each run."""
    return Stream(b"\x07" * 32, label)


class Given:
    """A game in the making; `now` is its time in ms, `log` all its events, `batch` the last batch."""

    def __init__(self, game: str = "G") -> None:
        self.game = Game(id=game)
        self.now = START
        self.log: list[Event] = []
        self.batch: tuple[Event, ...] = ()

    def when(self, *commands: Command) -> "Given":
        """The commands, one after the other, at the time `now`."""
        for command in commands:
            decided = decide(PROBE, self.game, command, self.now)
            self.game, self.batch = decided.game, decided.events
            self.log += decided.events
        return self

    def plays(self, seat: int, move: Move) -> "Given":
        """`seat` answers with `move` whatever it is asked that takes such a move."""
        by: Literal["player", "bot"] = "bot" if self.game.seats[seat].controller == "bot" else "player"
        return self.when(Play(seat, self.asked(seat, move).id, move, by))

    def asked(self, seat: int, move: Move | type[Move]) -> Asked:
        """The open decision of `seat` that a move of this class answers."""
        cls = move if isinstance(move, type) else type(move)
        return next(a for a in self.game.open_for(seat) if cls in a.decision.moves)

    def later(self, ms: int) -> "Given":
        """`ms` pass."""
        self.now += ms
        return self

    def overdue(self) -> "Given":
        """Time passes until the first duty is due."""
        self.now = min(self.game.enforced(a) for a in self.game.asked if a.decision.required)
        return self

    def times_out(self) -> "Given":
        """The first duty is due, and the clock plays."""
        return self.overdue().when(Timeout())

    def refuses(self, command: Command, code: str, **facts: object) -> None:
        """The command is refused with `code` and at least these facts, and nothing changes."""
        before = self.game
        with pytest.raises(Refused) as refused:
            decide(PROBE, self.game, command, self.now)
        assert refused.value.code == code
        assert refused.value.facts | facts == refused.value.facts
        assert self.game is before

    @property
    def acting(self) -> int:
        """The seat whose turn it is."""
        seat: int = self.game.table.acting
        return seat

    @property
    def types(self) -> list[str]:
        """The types of the events of the last batch."""
        return [event.type for event in self.batch]

    def fold_of(self, observer: Observer) -> Game:
        """What `observer` makes of what it may read."""
        return fold(PROBE, Game(id=self.game.id), [redact(event, observer) for event in self.log])


def created(seats: int = 2, **settings: Any) -> Given:
    """A lobby of the player P0 at seat 0."""
    command = {"options": {}, "host": "P0", "server_seed": SEED, "clock": Clock(), **settings}
    return Given().when(Create(ruleset="probe", seats=seats, **command))


def seated(seats: int = 2, **settings: Any) -> Given:
    """A lobby in which P0, P1 ... have taken all seats."""
    return created(seats, **settings).when(*[Sit(f"P{seat}") for seat in range(1, seats)])


def playing(seats: int = 2, **settings: Any) -> Given:
    """A game that has just started, with a player at each seat."""
    return seated(seats, **settings).when(Start("P0"))


def with_a_row(table: Given) -> Given:
    """The game, once two cards have been laid: the end of the row is now offered to every seat."""
    while True:
        hand = table.game.table.hands[table.acting].known
        pairs = [(low, high) for low in hand for high in hand if (number(low) or 9) + 1 == number(high)]
        if pairs:
            return table.plays(table.acting, Lay(pairs[0]))
        table.plays(table.acting, Fetch())


def sealed(game: str, events: Sequence[Event], seed: str = SEED) -> list[sealing.SealedRecord]:
    """The records of a whole log."""
    return sealing.seal(game, seed, events, [sealing.genesis(game)])


def lines(game: str, events: Sequence[Event]) -> list[Line]:
    """Every record and its secrets, as read back from bytes."""
    return [(canonical.loads(one.record), canonical.loads(one.secrets or b"{}")) for one in sealed(game, events)]
