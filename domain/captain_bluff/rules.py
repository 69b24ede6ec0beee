"""The rules of Captain Bluff: what is asked, what is legal, what follows."""

from typing import cast

from domain.captain_bluff import bots, events, view
from domain.captain_bluff.actions import HANDLERS, SETUP
from domain.captain_bluff.belts import Origin, read
from domain.captain_bluff.cards import (
    AIRPORT,
    AIRPORT_COUNTS,
    BAGS,
    CARDS,
    CITIES,
    CITY_OF,
    NUMBER_OF,
    airport_each,
    bags_each,
    origins_each,
)
from domain.captain_bluff.explain import explain
from domain.captain_bluff.forms import VOTE, recover_forms, setup_forms, turn_forms
from domain.captain_bluff.legality import (
    belt_at,
)
from domain.captain_bluff.moves import (
    TURN,
    Define,
    EndTurn,
    Peek,
    Recover,
)
from domain.captain_bluff.redeal import check, redeal
from domain.captain_bluff.refusals import REFUSALS
from domain.captain_bluff.state import CaptainBluffOptions, Question, State, evolve
from domain.captain_bluff.view import TableView
from domain.decisions import Decision
from domain.entropy import Rng, shuffled
from domain.errors import Refused
from domain.events import Event, Open, Seal
from domain.forms import Form
from domain.hands import Hand
from domain.moves import Challenge, Move, Pass
from domain.multisets import Cards, multiset
from domain.observers import Observer
from domain.results import Rank, Result, ranked
from domain.ruleset import Batch, Explanation, Moment, Options, RulesetInfo, Table
from domain.votes import VoteClosed


class CaptainBluff:
    """The ruleset. Rules: captain_bluff."""

    info = RulesetInfo(
        key="captain_bluff",
        title="Captain Bluff",
        rules_version=1,
        seats=(2, 5),
        options=CaptainBluffOptions,
        moves=(*TURN, Recover, Challenge, Pass),
        events=events.EVENTS,
        table=TableView,
        bots={"novice": bots.novice, "standard": bots.standard},
        vocabulary=frozenset(CARDS),
        challenge_events=(events.Challenged.type,),
        most_events=500_000,
        refusals=REFUSALS,
    )

    def options(self, seats: int, given: Options) -> Options:
        """The options as given: they fit every number of seats."""
        return given

    def initial(self, table: Table) -> State:
        """An empty table."""
        seats = table.seats
        return State(options=table.options, hands=(Hand(),) * seats, to_define=seats * origins_each(seats))

    def setup(self, table: Table, moment: Moment) -> list[Event]:
        """Draw the first seat, shuffle bags and Airport cards, deal both one by one from that seat on (Setup, R3)."""
        seats = table.seats
        first = moment.draws("first").randrange(seats)
        bags = shuffled(moment.draws("bags"), BAGS)
        airport = shuffled(moment.draws("airport"), AIRPORT)
        dealt, dealt_airport = seats * bags_each(seats), seats * airport_each(seats)
        draw, unused = bags[dealt:], airport[dealt_airport:]
        made: list[Event] = [
            events.PilesShuffled(draw=len(draw), unused=len(unused), order=Seal((), (*draw, *unused))),
            events.FirstSeatDrawn(seat=first),
        ]
        for step in range(seats):
            seat = (first + step) % seats
            hand = multiset((*bags[step:dealt:seats], *airport[step:dealt_airport:seats]))
            made.append(events.HandDealt(seat=seat, count=len(hand), cards=Seal((seat,), hand)))
        return made

    def evolve(self, state: State, event: Event) -> State:
        """The table after `event`."""
        return evolve(state, event)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The origin card to lay, the votes or the turn; to everybody the offers to recover bags (R9)."""
        if _over(state):
            return ()
        question = state.question
        if question is not None:
            asked = question.window.decisions(("vote", question.v))
        elif state.to_define:
            return (Decision(state.turn, "setup", ("setup", state.to_define), (Define,)),)
        else:
            key = ("turn", state.turns, int(state.acted), int(state.airport))
            asked = (Decision(state.turn, "turn", key, TURN),)
        return (*asked, *_offers(state))

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        """The legal answers of the asked seat."""
        if decision.vote:
            return VOTE
        if decision.kind == "recover":
            belt = cast(int, decision.key[1])
            return recover_forms(belt, read(state.belts[belt].row).recoverable)
        if decision.kind == "setup":
            return setup_forms(state, decision.seat)
        return turn_forms(state, decision.seat)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        """The move and everything that follows from it."""
        batch = Batch(evolve, state, moment.version)
        if _over(state):
            raise Refused("not_asked", asked=[])
        if isinstance(move, Recover):
            _recover(batch, seat, move)
        elif state.question is not None:
            batch.add(*state.question.window.answer(seat, move, moment.version))
            closed = batch.events[-1]
            if isinstance(closed, VoteClosed):
                if closed.challenger is not None:
                    _judge(batch, state.question, closed.challenger)
                _go_on(batch)
        else:
            if seat != state.turn:
                raise Refused("not_asked", asked=[state.turn])
            handler = SETUP.get(type(move)) if state.to_define else HANDLERS.get(type(move))
            if handler is None:
                moves = (Define,) if state.to_define else TURN
                raise Refused("illegal_move", reason="not_an_answer", moves=[m.type for m in moves])
            handler(batch, seat, move, moment)
            _go_on(batch)
        return batch.events

    def move_of(self, event: Event) -> Move:
        """The move in the first event of a batch, once opened."""
        return events.move_of(event)

    def default_move(self, state: State, decision: Decision) -> Move:
        """Pass; lay the lowest bag; end the turn, peek, or define with the highest bag (Default move)."""
        if decision.vote:
            return Pass()
        if decision.kind == "recover":
            return Recover(cast(int, decision.key[1]), 1)
        hand = state.hands[decision.seat].known
        free = next((i for i, belt in enumerate(state.belts) if belt.origin is None), 0)
        if decision.kind == "setup":
            return Define(free, min(hand, key=_lowest_first))
        if state.acted:
            return EndTurn()
        lying = next((i for i, belt in enumerate(state.belts) if belt.origin is not None), None)
        return Peek(lying) if lying is not None else Define(free, min(hand, key=_highest_first))

    def view(self, state: State, observer: Observer, over: bool = False) -> TableView:
        """The table as the observer's fold knows it."""
        return view.view(state, observer, over)

    def result(self, state: State) -> Result | None:
        """A seat without cards wins once its play is not challenged any more; then the guard (Win, R11)."""
        if not _over(state):
            return None
        counts = [hand.count for hand in state.hands]
        ranking = self.standing(state)
        if 0 in counts:
            return Result("emptied", ranking, (counts.index(0),))
        return Result("turn_limit", ranking, tuple([r.seat for r in ranking if r.rank == 1]))

    def standing(self, state: State) -> tuple[Rank, ...]:
        """Fewer cards rank higher."""
        counts = [hand.count for hand in state.hands]
        return ranked(counts, counts)

    def redeal(self, fold: State, seat: int, rng: Rng) -> State:
        """A full table that fits the fold of `seat`."""
        return redeal(fold, rng)

    def explain(self, events: tuple[Event, ...], v: int) -> Explanation:
        """The challenge of version `v`."""
        return explain(events, v)

    def check(self, state: State) -> None:
        """No card appears or vanishes."""
        check(state)


def _over(state: State) -> bool:
    """Whether somebody has won or the guard has struck; never while a play may be challenged."""
    if state.to_define or state.question is not None:
        return False
    return state.turns >= state.options.max_turns or any(not hand.count for hand in state.hands)


def _offers(state: State) -> list[Decision]:
    """To each seat, for each belt whose last bags may be taken: not while its newest play may be challenged (R9)."""
    offers: list[Decision] = []
    asked = None if state.question is None else state.question.belt
    for number, belt in enumerate(state.belts):
        if belt.row and number != asked and read(belt.row).recoverable:
            key, name = ("recover", number, belt.changes), f"recover-{number}"
            seats = range(len(state.hands))
            offers += [Decision(seat, "recover", key, (Recover,), False, False, name) for seat in seats]
    return offers


def _lowest_first(card: str) -> tuple[int, int]:
    """Bags by number, then by city; Airport cards after them."""
    if card in NUMBER_OF:
        return NUMBER_OF[card], CITIES.index(CITY_OF[card])
    return 100 + list(AIRPORT_COUNTS).index(card), 0


def _highest_first(card: str) -> tuple[int, int]:
    """Bags by number downwards, then by city; Airport cards after them, in the order of their list."""
    number, city = _lowest_first(card)
    return (-number if card in NUMBER_OF else number), city


# --- what follows ------------------------------------------------------------------------------------------------


def _recover(batch: Batch[State], seat: int, move: Recover) -> None:
    """Bags from the end of a belt, by anybody, at any time after the setup (Recovery, R9)."""
    state = batch.state
    belt = belt_at(state, move.belt)
    if state.question is not None and state.question.belt == move.belt:
        raise Refused("belt_in_question", belt=move.belt)
    most = read(belt.row).recoverable
    if not most:
        raise Refused("nothing_to_recover", belts=[i for i, b in enumerate(state.belts) if read(b.row).recoverable])
    if not 1 <= move.count <= most:
        raise Refused("wrong_number_of_bags", min=1, max=most)
    cards = cast(Cards, belt.row[-move.count :])
    batch.add(events.BagsRecovered(seat=seat, belt=move.belt, cards=cards))


def _judge(batch: Batch[State], question: Question, challenger: int) -> None:
    """Show the origin card; who was wrong takes the belt (Challenge, R8)."""
    accused = question.window.claimant
    belt = batch.state.belts[question.belt]
    origin = cast(Origin, belt.origin)
    truthful = CITY_OF.get(cast(str, origin.card)) == read(belt.row).city
    batch.add(
        events.Challenged(
            seat=challenger,
            challenger=challenger,
            accused=accused,
            belt=question.belt,
            truthful=truthful,
            opens=(Open(origin.v, origin.field, origin.card),),
        ),
        events.BeltTaken(seat=challenger if truthful else accused, belt=question.belt),
    )


def _go_on(batch: Batch[State]) -> None:
    """The turn ends when its action is done and nothing is left or wanted (R4); a seat that has won needs no end."""
    state = batch.state
    if state.question is None and state.acted and (state.airport or state.ending) and not _over(state):
        batch.add(events.TurnEnded(seat=state.turn))


CAPTAIN_BLUFF = CaptainBluff()
