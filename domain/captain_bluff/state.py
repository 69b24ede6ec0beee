"""The table of Captain Bluff, and how events change it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, cast

from msgspec import Meta
from msgspec.structs import replace

from domain.captain_bluff import events as e
from domain.captain_bluff.belts import Belt, Origin, Row, plain
from domain.captain_bluff.cards import BELTS, DELAYED, NOTICE, REVERSE, WORLD
from domain.captain_bluff.moves import Declared
from domain.errors import Corrupt
from domain.events import Event
from domain.hands import Hand
from domain.multisets import Cards
from domain.ruleset import Options
from domain.values import Value
from domain.votes import VoteCast, VoteClosed, Window

FEW = 5
"""Who has fewer cards than this draws for a Delayed Flight."""


class CaptainBluffOptions(Options, frozen=True):
    """`max_turns` counts turns that ended."""

    max_turns: Annotated[int, Meta(ge=1, le=10_000)] = 1000


class Pile(Value, frozen=True):
    """Cards that lie face down in an order which nobody at the table knows, the top one first."""

    count: int = 0
    order: Cards | None = ()


class Question(Value, frozen=True):
    """The play that the others may challenge now: on which belt, by the event of which version, and their votes."""

    belt: int
    v: int
    window: Window


class State(Value, frozen=True):
    """The table. `to_define` counts the origin cards that are still to be laid before the first turn.

    `acted`, `airport` and `ending` tell of the running turn: the action is done, the Airport card is spent, the turn
    is to end when nothing is open. `delayed` counts the draws of a Delayed Flight that is being carried out.
    """

    options: CaptainBluffOptions
    hands: tuple[Hand, ...]
    to_define: int
    belts: tuple[Belt, ...] = (Belt(),) * BELTS
    draw: Pile = Pile()
    unused: Pile = Pile()
    discard: Hand = Hand()
    renewals: int = 0
    turn: int = 0
    turns: int = 0
    acted: bool = False
    airport: bool = False
    ending: bool = False
    question: Question | None = None
    delayed: int = 0

    @property
    def phase(self) -> Literal["setup", "vote", "turn"]:
        """What the table waits for."""
        return "setup" if self.to_define else "turn" if self.question is None else "vote"

    def others(self, seat: int) -> tuple[int, ...]:
        """The other seats from the left of `seat` on."""
        return (*range(seat + 1, len(self.hands)), *range(seat))

    def with_hand(self, seat: int, hand: Hand) -> tuple[Hand, ...]:
        """The hands with one of them changed."""
        return (*self.hands[:seat], hand, *self.hands[seat + 1 :])

    def with_belt(self, number: int, origin: Origin | None, row: Row) -> tuple[Belt, ...]:
        """The belts with one of them changed."""
        belts = self.belts
        return (*belts[:number], Belt(origin, row, belts[number].changes + 1), *belts[number + 1 :])


def evolve(state: State, event: Event) -> State:
    """The table after `event`; total on full and on partial knowledge."""
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise Corrupt(f"{event.type} is no event of captain_bluff")
    return handler(state, event)


def _one(card: str | None) -> Cards | None:
    return None if card is None else (card,)


def _shuffled(state: State, event: e.PilesShuffled) -> State:
    order = event.order.value
    if order is None:
        return replace(state, draw=Pile(event.draw, None), unused=Pile(event.unused, None))
    draw, unused = order[: event.draw], order[event.draw :]
    return replace(state, draw=Pile(event.draw, draw), unused=Pile(event.unused, unused))


def _first(state: State, event: e.FirstSeatDrawn) -> State:
    return replace(state, turn=cast(int, event.seat))


def _dealt(state: State, event: e.HandDealt) -> State:
    hand = Hand(event.count, event.cards.value or ())
    return replace(state, hands=state.with_hand(cast(int, event.seat), hand))


def _defined(state: State, event: e.OriginDefined) -> State:
    seat = cast(int, event.seat)
    card = event.card.value
    hands = state.with_hand(seat, state.hands[seat].lose(1, _one(card)))
    belts = state.with_belt(event.belt, Origin(event.v, "card", card, (seat,)), ())
    if state.to_define:
        following = (seat + 1) % len(hands)
        return replace(state, hands=hands, belts=belts, to_define=state.to_define - 1, turn=following)
    return replace(state, hands=hands, belts=belts, acted=True, ending=event.end_turn)


def _drawn(state: State, event: e.CardDrawn) -> State:
    seat = cast(int, event.seat)
    order = state.draw.order
    hand = state.hands[seat].gain(1, _one(event.card.value) or ())
    draw = Pile(state.draw.count - 1, None if order is None else order[1:])
    changes: dict[str, Any] = {}
    if state.delayed:
        changes["delayed"] = state.delayed - 1
        if state.delayed == 1:
            changes["discard"] = state.discard.gain(1, (DELAYED,))
    return replace(state, hands=state.with_hand(seat, hand), draw=draw, **changes)


def _placed(state: State, event: e.BagsPlaced) -> State:
    wild = any(isinstance(card, Declared) for card in event.cards)
    after = _laid(state, event, event.belt, event.cards)
    return replace(after, acted=True, ending=event.end_turn, airport=state.airport or wild)


def _laid(state: State, event: Event, number: int, cards: Row) -> State:
    """Cards with numbers lie on a belt, and all others may challenge."""
    seat = cast(int, event.seat)
    belt = state.belts[number]
    return replace(
        state,
        hands=state.with_hand(seat, state.hands[seat].lose(len(cards), plain(cards))),
        belts=state.with_belt(number, belt.origin, (*belt.row, *cards)),
        question=Question(number, event.v, Window(seat, state.others(seat))),
    )


def _peeked(state: State, event: e.OriginPeeked) -> State:
    seat = cast(int, event.seat)
    belt = state.belts[event.belt]
    origin = cast(Origin, belt.origin)
    card = origin.card if event.card.value is None else event.card.value
    seen = origin.seen if seat in origin.seen else (*origin.seen, seat)
    # The belt stays what it is: offers on it keep their ids.
    looked = replace(belt, origin=replace(origin, card=card, seen=seen))
    belts = (*state.belts[: event.belt], looked, *state.belts[event.belt + 1 :])
    if event.end_turn is None:
        return replace(state, belts=belts)
    return replace(state, belts=belts, acted=True, ending=event.end_turn)


def _changed(state: State, event: e.OriginChanged) -> State:
    seat = cast(int, event.seat)
    belt = state.belts[event.belt]
    # Who knew the old card knows, without being told, in which hand it is now.
    out = cast(Origin, belt.origin).card if event.card_out.value is None else event.card_out.value
    hand = state.hands[seat].lose(1, _one(event.card_in.value)).gain(1, _one(out) or ())
    origin = Origin(event.v, "card_in", event.card_in.value, (seat,))
    belts = state.with_belt(event.belt, origin, belt.row)
    return replace(state, hands=state.with_hand(seat, hand), belts=belts, acted=True, ending=event.end_turn)


def _closed(state: State, event: e.BeltClosed) -> State:
    belt = state.belts[event.belt]
    origin = cast(Origin, belt.origin).card if event.origin.value is None else event.origin.value
    discard = state.discard.gain(len(belt.row) + 1, (*plain(belt.row), *(_one(origin) or ())))
    belts = state.with_belt(event.belt, None, ())
    return replace(state, belts=belts, discard=discard, acted=True, ending=event.end_turn)


def _airport(state: State, event: e.AirportPlayed) -> State:
    state = replace(state, airport=True)
    if event.card == WORLD:
        declared = Declared(event.card, cast(int, event.number))
        return _laid(state, event, cast(int, event.belt), (declared,))
    seat = cast(int, event.seat)
    state = replace(state, hands=state.with_hand(seat, state.hands[seat].lose(1, (event.card,))))
    if event.card == REVERSE:
        belt = state.belts[cast(int, event.belt)]
        return replace(state, belts=state.with_belt(cast(int, event.belt), belt.origin, (*belt.row, REVERSE)))
    draws = delayed_draws(state, seat) if event.card != NOTICE else 0
    if draws:
        # It is discarded after the draws: a pile renewed by them does not hold it.
        return replace(state, delayed=draws)
    return replace(state, discard=state.discard.gain(1, (event.card,)))


def delayed_draws(state: State, seat: int) -> int:
    """How many cards are drawn for a Delayed Flight that `seat` plays."""
    few = sum(1 for other in state.others(seat) if state.hands[other].count < FEW)
    return min(few, state.draw.count + state.discard.count)


def _vote_cast(state: State, event: VoteCast) -> State:
    question = cast(Question, state.question)
    return replace(state, question=replace(question, window=question.window.evolve(event)))


def _vote_closed(state: State, event: VoteClosed) -> State:
    return replace(state, question=None)


def _challenged(state: State, event: e.Challenged) -> State:
    belt = state.belts[event.belt]
    shown = replace(cast(Origin, belt.origin), card=event.opens[0].value, seen=tuple(range(len(state.hands))))
    belts = (*state.belts[: event.belt], replace(belt, origin=shown), *state.belts[event.belt + 1 :])
    return replace(state, belts=belts)


def _taken(state: State, event: e.BeltTaken) -> State:
    seat = cast(int, event.seat)
    belt = state.belts[event.belt]
    cards = (*plain(belt.row), *(_one(cast(Origin, belt.origin).card) or ()))
    hand = state.hands[seat].gain(len(belt.row) + 1, cards)
    return replace(state, hands=state.with_hand(seat, hand), belts=state.with_belt(event.belt, None, ()))


def _recovered(state: State, event: e.BagsRecovered) -> State:
    seat = cast(int, event.seat)
    belt = state.belts[event.belt]
    hand = state.hands[seat].gain(len(event.cards), event.cards)
    belts = state.with_belt(event.belt, belt.origin, belt.row[: -len(event.cards)])
    return replace(state, hands=state.with_hand(seat, hand), belts=belts)


def _renewed(state: State, event: e.DrawPileRenewed) -> State:
    draw = Pile(event.count, event.order.value)
    return replace(state, draw=draw, discard=Hand(), renewals=state.renewals + 1)


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    following = (state.turn + 1) % len(state.hands)
    return replace(state, turn=following, turns=state.turns + 1, acted=False, airport=False, ending=False)


_HANDLERS: Mapping[type[Event], Callable[[State, Any], State]] = {
    e.PilesShuffled: _shuffled,
    e.FirstSeatDrawn: _first,
    e.HandDealt: _dealt,
    e.OriginDefined: _defined,
    e.CardDrawn: _drawn,
    e.BagsPlaced: _placed,
    e.OriginPeeked: _peeked,
    e.OriginChanged: _changed,
    e.BeltClosed: _closed,
    e.AirportPlayed: _airport,
    VoteCast: _vote_cast,
    VoteClosed: _vote_closed,
    e.Challenged: _challenged,
    e.BeltTaken: _taken,
    e.BagsRecovered: _recovered,
    e.DrawPileRenewed: _renewed,
    e.TurnEnded: _turn_ended,
}
