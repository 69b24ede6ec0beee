"""The events of Bluff King."""

from domain.events import Event, Seal
from domain.multisets import Cards


class LeadDrawn(Event, frozen=True, kw_only=True):
    """`seat` was drawn to be dealt the first card and to have the first lead."""


class HandDealt(Event, frozen=True, kw_only=True):
    """`seat` was dealt `count` cards, sealed to it."""

    count: int
    cards: Seal[Cards]


class CardsClaimed(Event, frozen=True, kw_only=True):
    """`seat` laid `count` cards face down as `rank`; `added` to a round that was running, or as its lead."""

    count: int
    rank: str
    added: bool
    cards: Seal[Cards]


class Passed(Event, frozen=True, kw_only=True):
    """`seat` let the claim stand and added nothing."""


class Challenged(Event, frozen=True, kw_only=True):
    """The newest set was shown to all (it is opened here) and the claim judged."""

    challenger: int
    claimant: int
    truthful: bool


class PileTaken(Event, frozen=True, kw_only=True):
    """`seat` took the whole play area; as one sorted multiset, it does not tell who laid what."""

    count: int
    cards: Seal[Cards]


class RoundSettled(Event, frozen=True, kw_only=True):
    """Nobody answered the last claim: `discarded` cards left the game unseen."""

    discarded: int


class LeadPassed(Event, frozen=True, kw_only=True):
    """`seat` has the lead of the next round and names any rank."""


EVENTS: tuple[type[Event], ...] = (
    LeadDrawn,
    HandDealt,
    CardsClaimed,
    Passed,
    Challenged,
    PileTaken,
    RoundSettled,
    LeadPassed,
)
