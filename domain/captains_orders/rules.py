"""The rules of Captain's Orders: what is asked, what is legal, what follows."""

from domain.captains_orders import bots, judge, view
from domain.captains_orders.cards import CARDS, DEALT, DECK, RANK_OF, by_rank
from domain.captains_orders.events import (
    EVENTS,
    CaptainAccused,
    CardAsked,
    CardDiscarded,
    CardGiven,
    CardPassed,
    HandDealt,
    OrderBelayed,
    OrderExpired,
    OrderFollowed,
    OrderPlayed,
    RoundStarted,
)
from domain.captains_orders.explain import explain
from domain.captains_orders.moves import Accuse, AskCard, Belay, Discard, Follow, Give, PassCard, PlayOrder
from domain.captains_orders.redeal import check, redeal
from domain.captains_orders.refusals import REFUSALS
from domain.captains_orders.state import CaptainsOrdersOptions, Order, State, evolve
from domain.captains_orders.view import TableView
from domain.decisions import Decision, answered
from domain.entropy import Draws, Rng, shuffled
from domain.errors import Corrupt, Refused
from domain.events import Event, Seal
from domain.forms import Form, OneOf
from domain.hands import Hand
from domain.moves import Move
from domain.multisets import Cards, multiset
from domain.observers import Observer
from domain.results import Rank, Result, ranked
from domain.ruleset import Batch, Explanation, Moment, Options, RulesetInfo, Table

_ANSWERS: dict[str, tuple[type[Move], ...]] = {
    "turn": (PlayOrder, PassCard, AskCard, Accuse),
    "order": (Follow, Belay, Accuse),
    "give": (Give,),
    "discard": (Discard,),
}


class CaptainsOrders:
    """The ruleset. Rules: captains_orders."""

    info = RulesetInfo(
        key="captains_orders",
        title="Captain's Orders",
        rules_version=1,
        seats=(4, 8),
        options=CaptainsOrdersOptions,
        moves=(PlayOrder, PassCard, AskCard, Give, Discard, Follow, Belay, Accuse),
        events=EVENTS,
        table=TableView,
        bots={"novice": bots.novice, "standard": bots.standard},
        vocabulary=frozenset(CARDS),
        challenge_events=(CaptainAccused.type,),
        refusals=REFUSALS,
    )

    def options(self, seats: int, given: Options) -> CaptainsOrdersOptions:
        """As given: there is no combination that cannot be."""
        return given if isinstance(given, CaptainsOrdersOptions) else CaptainsOrdersOptions()

    def initial(self, table: Table) -> State:
        """An empty table."""
        return State(options=table.options, hands=(Hand(),) * table.seats, wins=(0,) * table.seats)

    def setup(self, table: Table, moment: Moment) -> list[Event]:
        """The first dealer is random; then the first deal (Each round)."""
        return _deal(table.seats, 1, moment.draws("dealer").randrange(table.seats), moment.draws)

    def evolve(self, state: State, event: Event) -> State:
        """The table after `event`."""
        return evolve(state, event)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """One seat is asked: for its turn, for the card that it was asked for, or for a discard."""
        if state.phase == "between" or self.result(state) is not None:
            return ()
        return (Decision(state.asked, state.phase, (state.phase, state.turns), _ANSWERS[state.phase]),)

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        """The legal answers of the asked seat."""
        seat = decision.seat
        cards = by_rank(state.hands[seat].known)
        if decision.kind == "give":
            return (Form(Give, {"card": OneOf(cards)}),)
        if decision.kind == "discard":
            return (Form(Discard, {"card": OneOf(cards)}),)
        others = OneOf(_others(state, seat))
        accuse = Form(Accuse, {"seat": others})
        if state.order is None:
            held = OneOf(cards)
            return (
                Form(PlayOrder, {"card": held}),
                Form(PassCard, {"card": held, "to": others}),
                Form(AskCard, {"of": others}),
                accuse,
            )
        below, above = _split(cards, state.order)
        follow = (Form(Follow, {"card": OneOf(above)}),) if above else ()
        belay = (Form(Belay, {"card": OneOf(below)}),) if below else ()
        return (*follow, *belay, accuse)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        """The move and everything that follows from it."""
        answered(self.decisions(state), seat, move)
        batch = Batch(evolve, state, moment.version)
        batch.add(_made(state, seat, move))
        if isinstance(move, Accuse):
            batch.add(judge.by_accusation(_hands(batch.state), seat, move.seat))
            _go_on(batch, moment.draws)
        elif batch.state.hands[seat].count == 0:
            batch.add(judge.by_emptying(_hands(batch.state), seat, _card(move), _receiver(batch.events[0])))
            _go_on(batch, moment.draws)
        else:
            order = batch.state.order
            if order is not None and order.seat == batch.state.turn:
                batch.add(OrderExpired(seat=order.seat, card=order.card))
        return batch.events

    def move_of(self, event: Event) -> Move:
        """The move in the first event of a batch, once opened."""
        match event:
            case OrderPlayed():
                return PlayOrder(event.card)
            case OrderBelayed():
                return Belay(event.card)
            case CardAsked():
                return AskCard(event.of)
            case CaptainAccused():
                return Accuse(event.accused)
        return _sealed_move(event)

    def default_move(self, state: State, decision: Decision) -> Move:
        """Ask the left, follow as low or belay as high as may be; give and discard the highest (Default move)."""
        seat = decision.seat
        cards = by_rank(state.hands[seat].known)
        if decision.kind == "give":
            return Give(cards[-1])
        if decision.kind == "discard":
            return Discard(cards[-1])
        if state.order is None:
            return AskCard(state.left_of(seat))
        below, above = _split(cards, state.order)
        return Follow(above[0]) if above else Belay(below[-1])

    def view(self, state: State, observer: Observer, over: bool = False) -> TableView:
        """The table as the observer's fold knows it."""
        return view.view(state, observer, over)

    def result(self, state: State) -> Result | None:
        """Enough round wins, shared if several get there at once (R7); then the guard, once no card is owed (R9)."""
        if state.phase == "between" and max(state.wins) >= state.options.wins_needed:
            winners = [seat for seat, won in enumerate(state.wins) if won >= state.options.wins_needed]
            return Result("wins_reached", self.standing(state), tuple(winners))
        if state.turns >= state.options.max_turns and state.phase not in ("give", "discard"):
            ranking = self.standing(state)
            return Result("turn_limit", ranking, tuple([r.seat for r in ranking if r.rank == 1]))
        return None

    def standing(self, state: State) -> tuple[Rank, ...]:
        """More round wins rank higher."""
        return ranked(state.wins, [-won for won in state.wins])

    def redeal(self, fold: State, seat: int, rng: Rng) -> State:
        """A full table that fits the fold of `seat`."""
        return redeal(fold, rng)

    def explain(self, events: tuple[Event, ...], v: int) -> Explanation:
        """The accusation of version `v`."""
        return explain(events, v)

    def check(self, state: State) -> None:
        """No card appears or vanishes."""
        check(state)


def _deal(seats: int, number: int, dealer: int, draws: Draws) -> list[Event]:
    """A shuffled deck, six cards to each seat, one by one from the dealer's left (R1)."""
    cards = shuffled(draws(f"deal {number}"), DECK)
    events: list[Event] = [RoundStarted(round=number, dealer=dealer)]
    for step in range(seats):
        seat = (dealer + 1 + step) % seats
        hand = multiset(cards[step : seats * DEALT : seats])
        events.append(HandDealt(seat=seat, round=number, count=DEALT, cards=Seal((seat,), hand)))
    return events


def _others(state: State, seat: int) -> tuple[int, ...]:
    return (*range(seat), *range(seat + 1, len(state.hands)))


def _split(cards: Cards, order: Order) -> tuple[Cards, Cards]:
    """Of `cards` those that belay the Order, and those that follow it; each the lowest first."""
    rank = RANK_OF[order.card]
    below = tuple([card for card in cards if RANK_OF[card] < rank])
    return below, cards[len(below) :]


def _made(state: State, seat: int, move: Move) -> Event:
    """The event that carries the whole move; `Refused` if it may not be made."""
    match move:
        case PlayOrder(card):
            return OrderPlayed(seat=seat, card=_held(state, seat, card))
        case PassCard(card, to):
            pair = (seat, _other(state, seat, to))
            return CardPassed(seat=seat, to=to, card=Seal(pair, _held(state, seat, card)))
        case AskCard(of):
            return CardAsked(seat=seat, of=_other(state, seat, of))
        case Give(card):
            to = state.turn
            return CardGiven(seat=seat, to=to, card=Seal((seat, to), _held(state, seat, card)))
        case Discard(card):
            return CardDiscarded(seat=seat, card=Seal((seat,), _held(state, seat, card)))
        case Accuse(accused):
            return CaptainAccused(seat=seat, accused=_other(state, seat, accused))
    return _under_order(state, seat, move)


def _under_order(state: State, seat: int, move: Move) -> Event:
    """To follow or to belay. Rules: captains_orders, Turn under a standing Order."""
    order, card = state.order, _held(state, seat, _card(move))
    if order is None:
        raise AssertionError(f"{move.type} without an Order")
    below, above = _split(by_rank(state.hands[seat].known), order)
    if isinstance(move, Follow):
        if card not in above:
            raise Refused("follow_too_low", order=order.card, cards=above)
        return OrderFollowed(seat=seat, owner=order.seat, card=Seal((seat, order.seat), card))
    if card not in below:
        raise Refused("belay_too_high", order=order.card, cards=below)
    return OrderBelayed(seat=seat, card=card, replaced=order.card)


def _held(state: State, seat: int, card: str) -> str:
    hand = state.hands[seat].known
    if card not in hand:
        raise Refused("card_not_held", cards=by_rank(hand))
    return card


def _other(state: State, seat: int, target: int) -> int:
    """`target`, which must be another seat of the table."""
    if not 0 <= target < len(state.hands):
        raise Refused("seat_out_of_range", min=0, max=len(state.hands) - 1)
    if target == seat:
        raise Refused("target_oneself", seats=_others(state, seat))
    return target


def _sealed_move(event: Event) -> Move:
    """The move in an event whose card is sealed, once opened."""
    match event:
        case CardPassed(card=Seal(value=str(card))):
            return PassCard(card, event.to)
        case CardGiven(card=Seal(value=str(card))):
            return Give(card)
        case CardDiscarded(card=Seal(value=str(card))):
            return Discard(card)
        case OrderFollowed(card=Seal(value=str(card))):
            return Follow(card)
    raise Corrupt(f"{event.type} holds no move that could be read")


def _hands(state: State) -> tuple[Cards, ...]:
    return tuple([hand.known for hand in state.hands])


def _card(move: Move) -> str:
    card: str = getattr(move, "card", "")
    return card


def _receiver(event: Event) -> int | None:
    """Who got the card that `event` moved; None for a card laid as an Order."""
    match event:
        case CardPassed() | CardGiven():
            return event.to
        case OrderFollowed():
            return event.owner
    return None


def _go_on(batch: Batch[State], draws: Draws) -> None:
    """After a round the deal passes left, unless the game is over."""
    state = batch.state
    if CAPTAINS_ORDERS.result(state) is None:
        batch.add(*_deal(len(state.hands), state.round + 1, state.left_of(state.dealer), draws))


CAPTAINS_ORDERS = CaptainsOrders()
