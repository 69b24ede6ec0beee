"""The events of Captain's Orders."""

from typing import Literal

from domain.events import Event, Seal
from domain.multisets import Cards


class RoundStarted(Event, frozen=True, kw_only=True):
    """Round `round` begins with a fresh deck; the seat left of `dealer` acts first."""

    round: int
    dealer: int


class HandDealt(Event, frozen=True, kw_only=True):
    """`seat` was dealt `count` cards, sealed to it."""

    round: int
    count: int
    cards: Seal[Cards]


class OrderPlayed(Event, frozen=True, kw_only=True):
    """`seat` laid `card` face up and owns this Order."""

    reveals = frozenset({"card"})
    card: str


class OrderBelayed(Event, frozen=True, kw_only=True):
    """`seat` laid `card`, a lower one; the Order `replaced` is discarded, and all must answer the new one."""

    reveals = frozenset({"card"})
    card: str
    replaced: str


class OrderExpired(Event, frozen=True, kw_only=True):
    """The Order came back to its owner `seat` and is discarded; that was the owner's turn."""

    card: str


class CardPassed(Event, frozen=True, kw_only=True):
    """`seat` gave a card face down to the seat `to`: sealed to both."""

    to: int
    card: Seal[str]


class CardAsked(Event, frozen=True, kw_only=True):
    """`seat` asked the seat `of` for a card."""

    of: int


class CardGiven(Event, frozen=True, kw_only=True):
    """`seat` gave a card face down to the seat `to`, which had asked: sealed to both."""

    to: int
    card: Seal[str]


class CardDiscarded(Event, frozen=True, kw_only=True):
    """`seat` laid a card away face down: sealed to it."""

    card: Seal[str]


class OrderFollowed(Event, frozen=True, kw_only=True):
    """`seat` gave a card of the Order's rank or higher face down to its `owner`: sealed to both."""

    owner: int
    card: Seal[str]


class CaptainAccused(Event, frozen=True, kw_only=True):
    """`seat` said that the seat `accused` is a Captain."""

    accused: int


class RoundEnded(Event, frozen=True, kw_only=True):
    """All hands are shown. `captains` hold the lowest rank; `points` are the hands' sums; who won, if anybody.

    Plain values: to open the round's seals would tell what was discarded and who passed what on as well.
    """

    reveals = frozenset({"last_card", "captains", "hands", "points", "winners"})
    reason: Literal["emptied", "accused"]
    last_card: str | None
    captains: tuple[int, ...]
    hands: tuple[Cards, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


EVENTS: tuple[type[Event], ...] = (
    RoundStarted,
    HandDealt,
    OrderPlayed,
    OrderBelayed,
    OrderExpired,
    CardPassed,
    CardAsked,
    CardGiven,
    CardDiscarded,
    OrderFollowed,
    CaptainAccused,
    RoundEnded,
)
