"""Vote windows: several seats answer at once, and nobody sees an answer before all are in.

Rules: README, vote window. Each answer is sealed to its seat; the window closes when every asked seat has
answered; the challenger is the seat nearest to the claimant's left that answered `challenge`.
"""

from typing import Any

from domain.decisions import Decision
from domain.errors import Refused
from domain.events import Event, Open, Seal
from domain.moves import Challenge, Move, Pass
from domain.values import Value


class VoteCast(Event, frozen=True, kw_only=True):
    """`seat` answered; what it answered is sealed to it."""

    vote: Seal[str]


class VoteClosed(Event, frozen=True, kw_only=True):
    """The window is over; all votes are opened. `challenger` is a seat, or null if nobody challenged."""

    challenger: int | None


class Ballot(Value, frozen=True):
    """One answer: in which version it was cast, and what it is where that is known."""

    seat: int
    v: int
    vote: str | None


class Window(Value, frozen=True):
    """An open vote window: `asked` are the seats from the claimant's left on."""

    claimant: int
    asked: tuple[int, ...]
    cast: tuple[Ballot, ...] = ()

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have not answered yet."""
        answered = [ballot.seat for ballot in self.cast]
        return tuple([seat for seat in self.asked if seat not in answered])

    def decisions(self, key: tuple[int | str, ...]) -> tuple[Decision, ...]:
        """The question to each seat that has not answered."""
        return tuple([Decision(s, "vote", key, (Challenge, Pass), vote=True) for s in self.waiting])

    def evolve(self, event: VoteCast) -> "Window":
        """The window after `event`."""
        if event.seat is None:
            return self
        return Window(self.claimant, self.asked, (*self.cast, Ballot(event.seat, event.v, event.vote.value)))

    def answer(self, seat: int, move: Move, version: int) -> list[Event]:
        """The events of an answer, which will have version `version`; with the last, the window closes."""
        if seat not in self.waiting:
            raise Refused("not_asked", asked=sorted(self.waiting))
        if not isinstance(move, (Challenge, Pass)):
            raise Refused("illegal_move", reason="not_an_answer", moves=[Challenge.type, Pass.type])
        cast = VoteCast(seat=seat, vote=Seal((seat,), move.type))
        ballots = (*self.cast, Ballot(seat, version, move.type))
        if len(ballots) < len(self.asked):
            return [cast]
        votes = {ballot.seat: ballot.vote for ballot in ballots}
        challenger = next((s for s in self.asked if votes[s] == Challenge.type), None)
        opens = tuple([Open(ballot.v, "vote", ballot.vote) for ballot in ballots])
        return [cast, VoteClosed(challenger=challenger, opens=opens)]


def move_of(event: Event) -> Move | None:
    """The vote in a `vote_cast`, once opened; None for any other event or a sealed vote."""
    if not isinstance(event, VoteCast):
        return None
    answers: dict[Any, Move] = {Challenge.type: Challenge(), Pass.type: Pass()}
    return answers.get(event.vote.value)


def redealt(window: Window | None, choose: Any) -> Window | None:
    """The window with every unknown vote filled in by `choose() -> "challenge" | "pass"`."""
    if window is None:
        return None
    cast = [b if b.vote is not None else Ballot(b.seat, b.v, choose()) for b in window.cast]
    return Window(window.claimant, window.asked, tuple(cast))
