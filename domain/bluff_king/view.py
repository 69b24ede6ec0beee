"""What an observer sees of a table of Bluff King."""

from typing import Literal, cast

from domain.bluff_king.moves import Card, Rank
from domain.bluff_king.state import State
from domain.hands import SeatHandView
from domain.observers import Observer
from domain.values import Value
from domain.votes import Window


class ClaimView(Value, frozen=True):
    """The newest claim: `seat` laid `count` cards and said that all of them are of `rank`."""

    seat: int
    count: int
    rank: Rank


class HandView(SeatHandView[Card], frozen=True):
    __doc__ = SeatHandView.__doc__


class LaidView(Value, frozen=True):
    """The `count` cards that `seat` laid at once; `cards` is null unless you laid them, or look as `all`."""

    seat: int
    count: int
    cards: tuple[Card, ...] | None


class VoteView(Value, frozen=True):
    """A vote on the newest claim, that of the seat `claimant`.

    `asked` are the seats that vote, from the claimant's left on; `waiting` those of them that have not voted yet.
    """

    claimant: int
    asked: tuple[int, ...]
    waiting: tuple[int, ...]


class TableView(Value, frozen=True):
    """A table of Bluff King.

    - `phase`: what is waited for. `lead`: a claim of any rank. `respond`: a challenge, more cards or a pass of the next
      seat. `vote`: the votes on a claim. `add`: more cards or a pass, once nobody challenged. `over`: nothing any more.
    - `turn`: the seat that is asked; null during a vote and when the game is over.
    - `rank`: the rank that is claimed in this round; null before the first claim.
    - `claim`: the newest claim of this round; null before the first.
    - `claims`: how many claims there were in this game.
    - `hands`: the hand of each seat, by seat.
    - `pile`: the sets of cards in the play area, the oldest first; `pile_count`: how many cards they are.
    - `discarded`: how many cards were discarded.
    - `vote`: the vote that is going on; null if there is none.
    - `emptied`: the seats without cards, in the order in which they got there.
    """

    phase: Literal["lead", "respond", "vote", "add", "over"]
    turn: int | None
    rank: Rank | None
    claim: ClaimView | None
    claims: int
    hands: tuple[HandView, ...]
    pile: tuple[LaidView, ...]
    pile_count: int
    discarded: int
    vote: VoteView | None
    emptied: tuple[int, ...]


def view(state: State, observer: Observer, over: bool = False) -> TableView:
    """The table: counts of everything, cards where the observer's fold knows them."""
    phase: Literal["lead", "respond", "vote", "add", "over"]
    # What is `between` a challenge or a settle and the next lead ends a batch only where it ends the game.
    phase = "over" if over or state.phase == "between" else state.phase
    newest = state.pile[-1] if state.pile else None
    return TableView(
        phase=phase,
        turn=state.turn if phase in ("lead", "respond", "add") else None,
        rank=state.rank,
        claim=ClaimView(newest.seat, newest.count, cast(str, state.rank)) if newest else None,
        claims=state.claims,
        hands=HandView.by_seat(state.hands),
        pile=tuple([LaidView(laid.seat, laid.count, laid.cards) for laid in state.pile]),
        pile_count=sum([laid.count for laid in state.pile]),
        discarded=state.discarded.count,
        vote=_vote(state.window) if state.window and phase != "over" else None,
        emptied=state.emptied,
    )


def _vote(window: Window) -> VoteView:
    return VoteView(window.claimant, window.asked, window.waiting)
