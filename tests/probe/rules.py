"""The rules of the probe: the whole ruleset contract.

Two to four smugglers get rid of their cards. In turn one fetches two cards, buries one in a chest (and then
draws), swaps one for an unseen card in a chest, slips one to another seat (which drops one), declares cards
face down (all others may doubt it), or lays a run face up. Anybody may salvage the end of the row whenever.
The first empty hand wins.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from domain.decisions import Decision, answered
from domain.entropy import Draws, Rng, shuffled
from domain.errors import Corrupt, Refused
from domain.events import Event, Open, Seal
from domain.forms import Field, Form, Multiset, OneOf, Range, Run
from domain.hands import Hand
from domain.moves import Challenge, Move, Pass
from domain.multisets import Cards, multiset
from domain.observers import Observer
from domain.results import Rank, Result, ranked
from domain.ruleset import Batch, Explanation, Moment, Options, RulesetInfo, Table
from tests.probe import events as e
from tests.probe import view, worlds
from tests.probe.folding import evolve
from tests.probe.moves import HIGH, WILD, Bury, Declare, Drop, Fetch, Lay, Salvage, Slip, Swap
from tests.probe.state import DECK, ROW_FULL, State, number, result, truthful
from tests.probe.view import TableView

TURN = (Fetch, Bury, Swap, Slip, Declare, Lay)


class ProbeOptions(Options, frozen=True):
    """`max_turns` ends a game that nobody wins; `hand` is how many cards each is dealt."""

    max_turns: Annotated[int, Meta(ge=1, le=500)] = 60
    hand: Annotated[int, Meta(ge=1, le=8)] = 5


class Probe:
    """The ruleset. Nothing is kept in it: a game is its log."""

    def __init__(self) -> None:
        self.info = RulesetInfo(
            key="probe",
            title="Probe",
            rules_version=1,
            seats=(2, 4),
            options=ProbeOptions,
            moves=(*TURN, Drop, Salvage, Challenge, Pass),
            events=e.EVENTS,
            table=TableView,
            bots={"novice": self._novice, "standard": self._standard},
            vocabulary=frozenset(DECK),
            challenge_events=(e.CargoChallenged.type,),
            most_events=12_000,
        )

    def options(self, seats: int, given: Options) -> Options:
        """The options in force: at four seats not everybody can be dealt eight."""
        most = (len(DECK) - 1) // seats
        if isinstance(given, ProbeOptions) and given.hand > most:
            raise Refused("options_out_of_range", hand_at_most=most)
        return given

    def initial(self, table: Table) -> State:
        """Empty hands, and nothing on the table."""
        return State((Hand(),) * table.seats, table.options.max_turns, table.options.hand)

    def setup(self, table: Table, moment: Moment) -> list[Event]:
        """Shuffle, deal, draw who begins."""
        batch = Batch(evolve, self.initial(table), moment.version)
        batch.add(_shuffle(moment.draws, "deck", DECK))
        for seat in range(table.seats):
            cards = multiset((batch.state.pile or ())[: table.options.hand])
            batch.add(e.HandDealt(seat=seat, count=len(cards), cards=Seal((seat,), cards)))
        batch.add(e.FirstSeatDrawn(seat=moment.draws("first").randrange(table.seats)))
        return batch.events

    def evolve(self, state: State, event: Event) -> State:
        """The state after `event`."""
        return evolve(state, event)

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it goes on."""
        return result(state)

    def standing(self, state: State) -> tuple[Rank, ...]:
        """Fewer cards are better."""
        scores = [hand.count for hand in state.hands]
        return ranked(scores, scores)

    def redeal(self, fold: State, seat: int, rng: Rng) -> State:
        """A full state that fits what `seat` knows."""
        return worlds.redeal(fold, seat, rng)

    def check(self, state: State) -> None:
        """Raise `Corrupt` if a card appeared or vanished."""
        worlds.check(state)

    def move_of(self, event: Event) -> Move:
        """The move in the first event of a batch."""
        return e.move_of(event)

    # --- what is asked ------------------------------------------------------------------------------------

    def decisions(self, state: State) -> tuple[Decision, ...]:
        """The votes, the drop or the turn, and to everybody the offer to salvage."""
        if state.acting is None or result(state):
            return ()
        asked: tuple[Decision, ...]
        if state.claim is not None:
            asked = state.claim.window.decisions(("vote", state.claim.v))
        elif state.dropping is not None:
            asked = (Decision(state.dropping, "drop", ("drop", state.turn), (Drop,)),)
        else:
            asked = (Decision(state.acting, "turn", ("turn", state.turn), TURN),)
        if len(state.row) < 2:
            return asked
        key = ("row", state.row_v)
        seats = range(len(state.hands))
        offers = [Decision(seat, "row", key, (Salvage,), required=False, name="row") for seat in seats]
        return (*asked, *offers)

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        """The legal moves."""
        if decision.vote:
            return (Form(Challenge), Form(Pass))
        if decision.kind == "row":
            return (Form(Salvage, {"count": Range(1, len(state.row) - 1)}),)
        hand = state.hands[decision.seat].known
        card = OneOf(tuple(sorted(set(hand))))
        if decision.kind == "drop":
            return (Form(Drop, {"card": card}),)
        return _turn_forms(state, decision.seat, hand, card)

    def default_move(self, state: State, decision: Decision) -> Move:
        """Pass, drop the first card, fetch; of an offer as little as may be."""
        if decision.vote:
            return Pass()
        if decision.kind == "row":
            return Salvage(1)
        return Drop(state.hands[decision.seat].known[0]) if decision.kind == "drop" else Fetch()

    # --- what follows -------------------------------------------------------------------------------------

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        """Everything that follows from a move."""
        asked = answered(self.decisions(state), seat, move)
        if not any(form.contains(move) for form in self.forms(state, asked)):
            raise Refused("illegal_move", reason="not_in_a_form")
        batch = Batch(evolve, state, moment.version)
        batch.add(*_first_events(state, seat, move, moment.version))
        for _ in range({Fetch: 2, Bury: 1}.get(type(move), 0)):
            _draw(batch, seat, moment.draws)
        if isinstance(move, (Challenge, Pass)):
            _resolve(batch)
        if isinstance(move, Lay) and len(batch.state.row) >= ROW_FULL:
            batch.add(e.RowSwept(count=len(batch.state.row)))
        if not isinstance(move, Salvage) and not batch.state.busy:
            batch.add(e.TurnEnded(next=((batch.state.acting or 0) + 1) % len(state.hands)))
        return batch.events

    # --- what is seen -------------------------------------------------------------------------------------

    def view(self, state: State, observer: Observer, over: bool = False) -> TableView:
        """The table, of the observer's own fold."""
        return view.view(state, over)

    def explain(self, events: tuple[Event, ...], v: int) -> Explanation:
        """The challenge of version `v`."""
        at = {event.v: event for event in events}
        event = at.get(v)
        if not isinstance(event, e.CargoChallenged):
            raise Corrupt(f"version {v} resolves no challenge")
        claim_v, cards = event.opens[0].v, tuple(event.opens[0].value)
        claim = at.get(claim_v)
        claimed = claim.number if isinstance(claim, e.CargoDeclared) else None
        earlier = [past for past in events if past.v < claim_v]
        return Explanation(
            v=v,
            claimant=event.claimant,
            challenger=event.challenger,
            claim={"number": claimed, "count": len(cards)},
            revealed=cards,
            truthful=event.truthful,
            claim_v=claim_v,
            provenance=tuple([_origin(earlier, event.claimant, card) for card in cards]),
        )

    # --- bots ---------------------------------------------------------------------------------------------

    def _novice(self, fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
        return worlds.novice(self.forms(fold, decision), rng)

    def _standard(self, fold: State, seat: int, decision: Decision, rng: Rng) -> Move:
        return worlds.standard(fold, seat, decision, self.forms(fold, decision), rng)


def _turn_forms(state: State, seat: int, hand: Cards, card: OneOf) -> tuple[Form, ...]:
    empty = tuple([i for i, chest in enumerate(state.chests) if not chest.full])
    full = tuple([i for i, chest in enumerate(state.chests) if chest.full])
    others = tuple([other for other in range(len(state.hands)) if other != seat])
    declared: Mapping[str, Field] = {"cards": Multiset(hand, 1, min(3, len(hand))), "number": Range(1, HIGH)}
    forms = [Form(Fetch), Form(Slip, {"card": card, "to": OneOf(others)}), Form(Declare, declared)]
    if empty:
        forms.append(Form(Bury, {"chest": OneOf(empty), "card": card}))
    if full:
        forms.append(Form(Swap, {"chest": OneOf(full), "card": card}))
    run = _run(state, hand)
    # A keg alone starts nothing that its neighbour could not start as well.
    if any(n >= (run.up or 0) or n <= (run.down or 0) for _, n in run.held):
        forms.append(Form(Lay, {"cards": run}))
    return tuple(forms)


def _run(state: State, hand: Cards) -> Run:
    held = tuple([(card, n) for card in sorted(set(hand)) if (n := number(card)) is not None])
    wild = WILD if WILD in hand else None
    if not state.row:
        return Run(held, wild, up=1, down=HIGH, low=1, high=HIGH)
    last = state.row[-1]
    end = number(last) or 0 if isinstance(last, str) else last.number
    return Run(held, wild, up=end + 1, down=end - 1, low=1, high=HIGH)


def _shuffle(draws: Draws, label: str, cards: Cards) -> Event:
    order = shuffled(draws(label), cards)
    return e.PileShuffled(count=len(order), order=Seal((), order))


def _first_events(state: State, seat: int, move: Move, version: int) -> list[Event]:
    """The event that carries the whole move; with the last vote, also the end of the window."""
    claim = state.claim
    if claim is not None and not isinstance(move, Salvage):
        return claim.window.answer(seat, move, version)
    return [_recorded(state, seat, move)]


def _recorded(state: State, seat: int, move: Move) -> Event:
    mine = (seat,)
    match move:
        case Fetch():
            return e.CardFetched(seat=seat)
        case Bury(chest=chest, card=card):
            return e.CardBuried(seat=seat, chest=chest, card=Seal(mine, card))
        case Swap(chest=chest, card=card):
            out = Seal(mine, state.chests[chest].card)
            return e.CardSwapped(seat=seat, chest=chest, card_in=Seal(mine, card), card_out=out)
        case Slip(card=card, to=to):
            return e.CardSlipped(seat=seat, to=to, card=Seal((seat, to), card))
        case Drop(card=card):
            return e.CardDropped(seat=seat, card=Seal(mine, card))
        case Declare(cards=cards, number=claimed):
            sealed = Seal(mine, multiset(cards))
            return e.CargoDeclared(seat=seat, count=len(cards), number=claimed, cards=sealed)
        case Lay(cards=laid):
            return e.CardsLaid(seat=seat, cards=laid)
        case Salvage(count=count):
            return e.CardsSalvaged(seat=seat, count=count)
    raise Refused("illegal_move", reason="not_a_move")


def _draw(batch: Batch[State], seat: int, draws: Draws) -> None:
    """One card to `seat`; an empty pile is first replaced by the shuffled discards. With neither, nothing."""
    state = batch.state
    if not state.pile_count and state.discard.count:
        batch.add(_shuffle(draws, f"pile:{state.renewals}", state.discard.known))
    if batch.state.pile:
        batch.add(e.CardDrawn(seat=seat, card=Seal((seat,), batch.state.pile[0])))


def _resolve(batch: Batch[State]) -> None:
    """Once the window is closed: who was right takes nothing."""
    claim = batch.state.claim
    if claim is None or claim.window.asked:
        return
    closed = batch.events[-1]
    challenger = getattr(closed, "challenger", None)
    if challenger is None:
        batch.add(e.CargoStood(seat=claim.seat))
        return
    cards = claim.cards or ()
    true = truthful(cards, claim.number)
    batch.add(
        e.CargoChallenged(
            challenger=challenger,
            claimant=claim.seat,
            truthful=true,
            loser=challenger if true else claim.seat,
            opens=(Open(claim.v, "cards", cards),),
        )
    )
    if not true:
        batch.add(e.HandShown(seat=claim.seat, cards=batch.state.hands[claim.seat].known))


def _origin(events: list[Event], seat: int, card: str) -> Mapping[str, Any]:
    """How `card` last came to the hand of `seat` before these events ended, as far as they tell."""
    for event in reversed(events):
        if card in _gained(event, seat):
            return {"card": card, "v": event.v, "how": event.type}
    return {"card": card, "v": None, "how": None}


def _gained(event: Event, seat: int) -> Cards:
    match event:
        case e.HandDealt(cards=Seal(value=tuple(cards))) if event.seat == seat:
            return cards
        case e.CardDrawn(card=Seal(value=str(card))) | e.CardSwapped(card_out=Seal(value=str(card))) if (
            event.seat == seat
        ):
            return (card,)
        case e.CardSlipped(card=Seal(value=str(card))) if event.to == seat:
            return (card,)
        case e.CargoChallenged() if event.loser == seat:
            return tuple(event.opens[0].value)
    return ()


PROBE = Probe()
