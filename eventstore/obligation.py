"""Obligations: what a game owes, and their one canonical text."""

import re
from dataclasses import dataclass

from eventstore.commands import Command
from eventstore.keys import GAME_ID, shard_of

CLOCK = "clock"  # the one kind that is held back while downtime is to be credited; claim.lua knows it
_KIND = re.compile(r"[a-z][a-z_]*")
_MEMBER = re.compile(rf"({_KIND.pattern}):(\d*):({GAME_ID.pattern}):(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Obligation:
    """Something that a game owes: `kind` of work, for a seat or the whole game, because of one `decision`."""

    game: str
    kind: str
    seat: int | None
    decision: str

    def __post_init__(self) -> None:
        """ValueError if this could not be read back from its text."""
        if not _KIND.fullmatch(self.kind) or not GAME_ID.fullmatch(self.game):
            raise ValueError("an obligation needs a game id and a kind of a-z _")
        if self.seat is not None and self.seat < 0:
            raise ValueError("a seat is 0 or more")

    def print(self) -> str:
        """Give the text under which it is stored: equal exactly if the obligations are."""
        seat = "" if self.seat is None else self.seat
        return f"{self.kind}:{seat}:{self.game}:{self.decision}"

    @classmethod
    def parse(cls, member: str) -> "Obligation":
        """Read it back from `print`; ValueError if it is not such a text."""
        match = _MEMBER.fullmatch(member)
        if not match:
            raise ValueError("not an obligation")
        kind, seat, game, decision = match.groups()
        obligation = cls(game, kind, int(seat) if seat else None, decision)
        if obligation.print() != member:
            raise ValueError("not the canonical text of an obligation")
        return obligation

    @property
    def shard(self) -> int:
        """The shard of its game."""
        return shard_of(self.game)

    @property
    def command(self) -> Command:
        """The command of the append that fulfils it."""
        return Command.of_obligation(self.print())


@dataclass(frozen=True, slots=True)
class Due:
    """An obligation and the time from which it may be handed out, in ms of the store's clock."""

    obligation: Obligation
    at: int
