"""The rules of Bluff King: what is asked, what is legal, what follows."""

from msgspec.structs import replace

from domain.bluff_king import bots, view
from domain.bluff_king.cards import CARDS, JOKER, RANK_OF, RANKS, SUITS, deck, fits
from domain.bluff_king.events import (
    EVENTS,
    CardsClaimed,
    Challenged,
    HandDealt,
    LeadDrawn,
    LeadPassed,
    Passed,
    PileTaken,
    RoundSettled,
)
from domain.bluff_king.explain import explain
from domain.bluff_king.moves import Add, Lead
from domain.bluff_king.redeal import check, redeal
from domain.bluff_king.refusals import REFUSALS
from domain.bluff_king.state import BluffKingOptions, State, evolve, responders
from domain.bluff_king.view import TableView
from domain.decisions import Decision, answered
from domain.entropy import Rng, shuffled
from domain.errors import Corrupt, Refused
from domain.events import Event, Open, Seal
from domain.forms import Form, Multiset, OneOf
from domain.hands import Hand
from domain.moves import Challenge, Move, Pass
from domain.multisets import Cards, contains, multiset
from domain.observers import Observer
from domain.results import Rank, Result, ranked
from domain.ruleset import Batch, Explanation, Moment, Options, RulesetInfo, Table
from domain.votes import VoteClosed, move_of

_ANSWERS: dict[str, tuple[type[Move], ...]] = {
    "lead": (Lead,),
    "respond": (Challenge, Add, Pass),
    "add": (Add, Pass),
}


class BluffKing:
    """The ruleset. Rules: bluff_king."""

    info = RulesetInfo(
        key="bluff_king",
        title="Bluff King",
        rules_version=1,
        seats=(2, 8),
        options=BluffKingOptions,
        moves=(Lead, Add, Challenge, Pass),
        events=EVENTS,
        table=TableView,
        bots={"novice": bots.novice, "standard": bots.standard},
        vocabulary=frozenset(CARDS),
        challenge_events=(Challenged.type,),
        refusals=REFUSALS,
    )

    def options(self, seats: int, given: Options) -> BluffKingOptions:
        """One deck for 2 to 4 seats, two for more, unless the table chose (R1)."""
        chosen = given if isinstance(given, BluffKingOptions) else BluffKingOptions()
        return replace(chosen, decks=chosen.decks or (1 if seats <= 4 else 2))

    def initial(self, table: Table) -> State:
        """An empty table."""
        return State(options=table.options, hands=(Hand(),) * table.seats)

    def setup(self, table: Table, moment: Moment) -> list[Event]:
        """Draw the first lead, shuffle, deal everything one by one from that seat on (Setup)."""
        first = moment.draws("lead").randrange(table.seats)
        cards = shuffled(moment.draws("deal"), deck(table.options.decks))
        events: list[Event] = [LeadDrawn(seat=first)]
        for step in range(table.seats):
            seat = (first + step) % table.seats
            hand = multiset(cards[step :: table.seats])
            events.append(HandDealt(seat=seat, count=len(hand), cards=Seal((seat,), hand)))
        return events

    def evolve(self, state: State, event: Event) -> State:
        """The table after `event`."""
        return evolve(state, event)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The lead, the next answer, or the vote of everybody with cards but the claimant."""
        if state.window is not None:
            return state.window.decisions(("vote", state.claims))
        if state.phase == "between":
            return ()
        key = (state.phase, state.claims, state.passes)
        return (Decision(state.turn, state.phase, key, _ANSWERS[state.phase]),)

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        """The legal answers of the asked seat."""
        if decision.vote:
            return (_CHALLENGE, _PASS)
        hand = state.hands[decision.seat]
        cards = Multiset(hand.known, 1, hand.count)
        if decision.kind == "lead":
            return (Form(Lead, {"cards": cards, "rank": _ANY_RANK}),)
        add = Form(Add, {"cards": cards})
        return (_CHALLENGE, add, _PASS) if decision.kind == "respond" else (add, _PASS)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        """The move and everything that follows from it."""
        batch = Batch(evolve, state, moment.version)
        if state.window is not None:
            batch.add(*state.window.answer(seat, move, moment.version))
            closed = batch.events[-1]
            if isinstance(closed, VoteClosed) and closed.challenger is not None:
                _resolve(batch, closed.challenger)
            return batch.events
        answered(self.decisions(state), seat, move)
        if isinstance(move, Lead):
            if move.rank not in RANKS:
                raise Refused("unknown_rank", ranks=RANKS)
            _claim(batch, seat, move.cards, move.rank, added=False)
        elif isinstance(move, Add):
            _claim(batch, seat, move.cards, state.rank or "", added=True)
        elif isinstance(move, Challenge):
            _resolve(batch, seat)
        else:
            batch.add(Passed(seat=seat))
            if state.passes + 1 == len(responders(state, state.pile[-1].seat)):
                _settle(batch)
        return batch.events

    def move_of(self, event: Event) -> Move:
        """The move in the first event of a batch, once opened."""
        match event:
            case CardsClaimed(added=False):
                return Lead(event.cards.value or (), event.rank)
            case CardsClaimed():
                return Add(event.cards.value or ())
            case Passed():
                return Pass()
            case Challenged():
                return Challenge()
        vote = move_of(event)
        if vote is None:
            raise Corrupt(f"{event.type} holds no move")
        return vote

    def default_move(self, state: State, decision: Decision) -> Move:
        """Lead one card of the commonest rank, truly; let everything else pass (Default move)."""
        if decision.kind != "lead":
            return Pass()
        hand = state.hands[decision.seat].known
        ranks = [RANK_OF[card] for card in hand if card != JOKER]
        if not ranks:
            return Lead((JOKER,), "A")
        rank = max(RANKS, key=ranks.count)
        card = next(rank + suit for suit in SUITS if rank + suit in hand)
        return Lead((card,), rank)

    def view(self, state: State, observer: Observer, over: bool = False) -> TableView:
        """The table as the observer's fold knows it."""
        return view.view(state, observer, over)

    def result(self, state: State) -> Result | None:
        """An empty hand wins once a challenge or a settle is over; then the guard (Victory, R3, R4)."""
        if state.phase != "between" or state.pile:
            return None
        if state.emptied:
            winner = state.emptied[0]
            worth = [(seat != winner, hand.count) for seat, hand in enumerate(state.hands)]
            return Result("emptied", ranked(_counts(state), worth), (winner,))
        if state.claims >= state.options.max_turns:
            ranking = self.standing(state)
            return Result("turn_limit", ranking, tuple([r.seat for r in ranking if r.rank == 1]))
        return None

    def standing(self, state: State) -> tuple[Rank, ...]:
        """Fewer cards rank higher."""
        return ranked(_counts(state), _counts(state))

    def redeal(self, fold: State, seat: int, rng: Rng) -> State:
        """A full table that fits the fold of `seat`."""
        return redeal(fold, rng)

    def explain(self, events: tuple[Event, ...], v: int) -> Explanation:
        """The challenge of version `v`."""
        return explain(events, v)

    def check(self, state: State) -> None:
        """No card appears or vanishes."""
        check(state)


_ANY_RANK = OneOf(RANKS)
_CHALLENGE = Form(Challenge)
_PASS = Form(Pass)


def _counts(state: State) -> list[int]:
    return [hand.count for hand in state.hands]


def _claim(batch: Batch[State], seat: int, cards: Cards, rank: str, added: bool) -> None:
    if not cards:
        raise Refused("no_cards", min=1)
    if not contains(batch.state.hands[seat].known, cards):
        raise Refused("card_not_held", cards=list(batch.state.hands[seat].known))
    laid = Seal((seat,), multiset(cards))
    hands = batch.state.hands
    batch.add(CardsClaimed(seat=seat, count=len(cards), rank=rank, added=added, cards=laid))
    if not any(hand.count for other, hand in enumerate(hands) if other != seat):
        # Nobody is left to answer: the round settles at once (case 9).
        _settle(batch)


def _resolve(batch: Batch[State], challenger: int) -> None:
    """Show the newest set; who was wrong takes the play area (Challenge)."""
    state = batch.state
    newest = state.pile[-1]
    shown = newest.cards or ()
    truthful = all(fits(card, state.rank or "") for card in shown)
    judged = Challenged(
        seat=challenger,
        challenger=challenger,
        claimant=newest.seat,
        truthful=truthful,
        opens=(Open(newest.v, "cards", shown),),
    )
    taker, leader = (challenger, newest.seat) if truthful else (newest.seat, challenger)
    batch.add(judged)
    pile = batch.state.pile
    cards = multiset([card for laid in pile for card in laid.cards or ()])
    batch.add(PileTaken(seat=taker, count=len(cards), cards=Seal((taker,), cards)))
    _go_on(batch, leader)


def _settle(batch: Batch[State]) -> None:
    """Nobody answered: the play area is discarded and the last to lay keeps the lead (Settle)."""
    pile = batch.state.pile
    batch.add(RoundSettled(discarded=sum(laid.count for laid in pile)))
    _go_on(batch, pile[-1].seat)


def _go_on(batch: Batch[State], leader: int) -> None:
    if BLUFF_KING.result(batch.state) is None:
        batch.add(LeadPassed(seat=leader))


BLUFF_KING = BluffKing()
