"""The contract that a game fulfils, in the Decider pattern: initial state, decide, evolve.

A ruleset is pure and knows nothing of seats' owners, clocks or storage. Its `evolve` works on partial knowledge: it
may store a sealed value and never branch on one, so every public consequence is an event of its own.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from domain.decisions import Decision
from domain.entropy import Draws, Rng
from domain.events import Event
from domain.forms import Form
from domain.moves import Move
from domain.observers import Observer
from domain.refusals import Refusal
from domain.results import Rank, Result
from domain.values import Value

S = TypeVar("S")

Bot = Callable[[Any, int, Decision, Rng], Move]
"""`bot(fold, seat, decision, rng) -> move`: a pure function of the seat's own fold. Bots are never asked offers."""


class Options(Value, frozen=True):
    """The base of a ruleset's options: one typed field each, with `msgspec.Meta` bounds and a default."""


class RulesetInfo(Value, frozen=True):
    """What a game declares of itself.

    `seats` are the fewest and the most; `options` is the class of its options; `moves` and `events` are all
    its own classes; `table` is the class of its views, which explains itself to clients by its docstring, as the
    classes of its fields do; `bots` maps a level to a bot; `vocabulary` are the names of hidden things (cards), for
    the canary scan of law 2; `challenge_events` are the event types that resolve a challenge; `most_events` bounds the
    length of any game, for law 6; `refusals` explains the codes that are its own.
    """

    key: str
    title: str
    rules_version: int
    seats: tuple[int, int]
    options: type[Options]
    moves: tuple[type[Move], ...]
    events: tuple[type[Event], ...]
    table: type[Value]
    bots: Mapping[str, Bot]
    vocabulary: frozenset[str] = frozenset()
    challenge_events: tuple[str, ...] = ()
    most_events: int = 100_000
    refusals: Mapping[str, Refusal] = {}


class Table(Value, frozen=True):
    """What a game is set up from: how many seats, and the options it is played with."""

    seats: int
    options: Any


class Moment:
    """What time and chance bring to a decision: the version its first event will have, and its draws."""

    __slots__ = ("draws", "version")

    def __init__(self, version: int, draws: Draws) -> None:
        self.version = version
        self.draws = draws


class Batch(Generic[S]):
    """Events in the making, each numbered as it is added; `state` is the state after them, folded when asked for."""

    __slots__ = ("_evolve", "_folded", "_state", "_version", "events")

    def __init__(self, evolve: Callable[[S, Event], S], state: S, version: int) -> None:
        self._evolve = evolve
        self._state = state
        self._version = version
        self._folded = 0
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        """Append `events`."""
        for event in events:
            self.events.append(numbered_as(event, self._version + len(self.events)))

    @property
    def state(self) -> S:
        """The state after all events so far."""
        while self._folded < len(self.events):
            self._state = self._evolve(self._state, self.events[self._folded])
            self._folded += 1
        return self._state


def numbered_as(event: Event, version: int) -> Event:
    """`event` with its version."""
    return event if event.v == version else msgspec.structs.replace(event, v=version)


class Explanation(Value, frozen=True):
    """A challenge, for an auditor: who claimed what, who called it, what was shown, and who was right.

    `provenance` tells for each revealed card how it came to the claimant, as far as the events given tell.
    """

    v: int
    claimant: int
    challenger: int
    claim: Mapping[str, Any]
    revealed: tuple[str, ...]
    truthful: bool
    claim_v: int
    provenance: tuple[Mapping[str, Any], ...] = ()


class Ruleset(Protocol):
    """A game. States are immutable values of its own; `Any` here, one class in each game."""

    @property
    def info(self) -> RulesetInfo:
        """What the game declares of itself."""
        ...

    def options(self, seats: int, given: Options) -> Options:
        """The options in force at `seats` seats: defaults filled in. `Refused` for a combination that cannot be."""
        ...

    def initial(self, table: Table) -> Any:
        """The state before the first event."""
        ...

    def setup(self, table: Table, moment: Moment) -> list[Event]:
        """The events that deal the game out; `draws` may be used here."""
        ...

    def evolve(self, state: Any, event: Event) -> Any:
        """The state after `event`, which carries its version. Total and pure, on full and on partial knowledge."""
        ...

    def decisions(self, state: Any) -> tuple[Decision, ...]:
        """Who is asked for what, from public knowledge only: equal in every fold."""
        ...

    def forms(self, state: Any, decision: Decision) -> tuple[Form, ...]:
        """The legal moves of `decision.seat`, from what that seat may know: equal in its fold and the full one."""
        ...

    def decide(self, state: Any, seat: int, move: Move, moment: Moment) -> list[Event]:
        """Everything that follows from a move, as one batch. The first event carries the whole move."""
        ...

    def move_of(self, event: Event) -> Move:
        """The move in the first event of a batch, once opened."""
        ...

    def default_move(self, state: Any, decision: Decision) -> Move:
        """What is played when the time for `decision` ran out: always legal, from that seat's knowledge only."""
        ...

    def view(self, state: Any, observer: Observer, over: bool = False) -> Value:
        """The table, an `info.table`: of the observer's own fold, nothing else.

        `over` says that the game is, however it came to that: then `phase` is `over`, and it is nobody's `turn`.
        """
        ...

    def result(self, state: Any) -> Result | None:
        """How the game ended, or None while it goes on."""
        ...

    def redeal(self, fold: Any, seat: int, rng: Rng) -> Any:
        """A full state that fits what `seat` knows, drawn at random: for law 2 and for bots."""
        ...

    def explain(self, events: tuple[Event, ...], v: int) -> Explanation:
        """The challenge that the event of version `v` resolved."""
        ...

    def standing(self, state: Any) -> tuple[Rank, ...]:
        """Every seat's rank and score as things are now, from public knowledge: for a game that ends early."""
        ...

    def check(self, state: Any) -> None:
        """Raise `Corrupt` if a full state breaks a law of the game: cards or tiles appear or vanish."""
        ...
