"""What a seat does in its turn of Captain Bluff: the actions, the Airport cards, and the draws that follow."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from domain.captain_bluff import events
from domain.captain_bluff.belts import Origin, read
from domain.captain_bluff.cards import DELAYED, NOTICE, REVERSE, WORLD
from domain.captain_bluff.legality import (
    belt_at,
    check_number,
    check_order,
    check_place,
    may_act,
    may_play_airport,
    must_be_free,
    must_carry,
    must_hold,
    origin_of,
)
from domain.captain_bluff.moves import (
    Change,
    Close,
    Define,
    EndTurn,
    Peek,
    PlaceBags,
    PlayAroundTheWorld,
    PlayDelayedFlight,
    PlayNoticeBoard,
    PlayReverse,
)
from domain.captain_bluff.state import FEW, State, delayed_draws
from domain.entropy import shuffled
from domain.errors import Refused
from domain.events import Seal
from domain.moves import Move
from domain.multisets import Cards
from domain.ruleset import Batch, Moment

# --- actions -----------------------------------------------------------------------------------------------------


def _setup(batch: Batch[State], seat: int, move: Define, moment: Moment) -> None:
    """An origin card before the first turn: nothing is drawn, and there is no turn to keep open (Setup)."""
    if not move.end_turn:
        raise Refused("no_turn_yet", end_turn=True)
    _lay_origin(batch, seat, move)


def _lay_origin(batch: Batch[State], seat: int, move: Define) -> None:
    must_be_free(batch.state, move.belt)
    must_hold(batch.state, seat, (move.card,))
    batch.add(events.OriginDefined(seat=seat, belt=move.belt, end_turn=move.end_turn, card=Seal((seat,), move.card)))


def _place(batch: Batch[State], seat: int, move: PlaceBags, moment: Moment) -> None:
    check_place(batch.state, seat, move.belt, move.cards)
    batch.add(events.BagsPlaced(seat=seat, belt=move.belt, cards=move.cards, end_turn=move.end_turn))


def _define(batch: Batch[State], seat: int, move: Define, moment: Moment) -> None:
    may_act(batch.state)
    _lay_origin(batch, seat, move)
    _draw(batch, seat, moment)


def _peek(batch: Batch[State], seat: int, move: Peek, moment: Moment) -> None:
    may_act(batch.state)
    card = origin_of(batch.state, move.belt).card
    batch.add(events.OriginPeeked(seat=seat, belt=move.belt, end_turn=move.end_turn, card=Seal((seat,), card)))


def _change(batch: Batch[State], seat: int, move: Change, moment: Moment) -> None:
    may_act(batch.state)
    belt = must_carry(batch.state, move.belt)
    must_hold(batch.state, seat, (move.card,))
    batch.add(
        events.OriginChanged(
            seat=seat,
            belt=move.belt,
            end_turn=move.end_turn,
            card_in=Seal((seat,), move.card),
            card_out=Seal((seat,), cast(Origin, belt.origin).card),
        )
    )


def _close(batch: Batch[State], seat: int, move: Close, moment: Moment) -> None:
    may_act(batch.state)
    origin = cast(Origin, must_carry(batch.state, move.belt).origin)
    batch.add(events.BeltClosed(seat=seat, belt=move.belt, end_turn=move.end_turn, origin=Seal((), origin.card)))


def _end_turn(batch: Batch[State], seat: int, move: EndTurn, moment: Moment) -> None:
    if not batch.state.acted:
        raise Refused("action_missing", min=1)
    batch.add(events.TurnEnded(seat=seat))


# --- Airport cards -----------------------------------------------------------------------------------------------


def _world(batch: Batch[State], seat: int, move: PlayAroundTheWorld, moment: Moment) -> None:
    may_play_airport(batch.state, seat, WORLD)
    check_number(move.number)
    check_order(read(must_carry(batch.state, move.belt).row), [move.number])
    batch.add(events.AirportPlayed(seat=seat, card=WORLD, belt=move.belt, number=move.number))


def _reverse(batch: Batch[State], seat: int, move: PlayReverse, moment: Moment) -> None:
    state = batch.state
    may_play_airport(state, seat, REVERSE)
    if not read(belt_at(state, move.belt).row).direction:
        fixed = [i for i, belt in enumerate(state.belts) if read(belt.row).direction]
        # A recovery may have opened the direction while this was on its way (R9).
        raise Refused("illegal_move", reason="direction_not_fixed", belts=fixed)
    batch.add(events.AirportPlayed(seat=seat, card=REVERSE, belt=move.belt))


def _notice(batch: Batch[State], seat: int, move: PlayNoticeBoard, moment: Moment) -> None:
    state = batch.state
    may_play_airport(state, seat, NOTICE)
    count = min(2, sum(1 for belt in state.belts if belt.origin))
    if len(move.belts) != count:
        raise Refused("wrong_number_of_belts", exactly=count)
    if len(set(move.belts)) < count:
        raise Refused("belt_named_twice")
    shown = [(belt, origin_of(state, belt).card) for belt in move.belts]
    batch.add(events.AirportPlayed(seat=seat, card=NOTICE, belts=move.belts))
    for belt, card in shown:
        batch.add(events.OriginPeeked(seat=seat, belt=belt, end_turn=None, card=Seal((seat,), card)))


def _delayed(batch: Batch[State], seat: int, move: PlayDelayedFlight, moment: Moment) -> None:
    state = batch.state
    may_play_airport(state, seat, DELAYED)
    batch.add(events.AirportPlayed(seat=seat, card=DELAYED))
    few = [other for other in state.others(seat) if state.hands[other].count < FEW]
    # When the cards run out, the rest draw nothing: not even this card, which is discarded after the last draw.
    for other in few[: delayed_draws(state, seat)]:
        _draw(batch, other, moment)


# --- draws ---------------------------------------------------------------------------------------------------------


def _draw(batch: Batch[State], seat: int, moment: Moment) -> None:
    """The top card to `seat`; an empty pile is first renewed from the discards; with neither, nothing (R10)."""
    state = batch.state
    if not state.draw.count:
        if not state.discard.count:
            return
        order = shuffled(moment.draws(f"renewal:{state.renewals + 1}"), state.discard.known)
        batch.add(events.DrawPileRenewed(count=len(order), order=Seal((), order)))
    top = cast(Cards, batch.state.draw.order)[0]
    batch.add(events.CardDrawn(seat=seat, card=Seal((seat,), top)))


_Handler = Callable[[Batch[State], int, Any, Moment], None]

SETUP: Mapping[type[Move], _Handler] = {Define: _setup}
"""What is done with each move before the first turn."""

HANDLERS: Mapping[type[Move], _Handler] = {
    PlaceBags: _place,
    Define: _define,
    Peek: _peek,
    Change: _change,
    Close: _close,
    EndTurn: _end_turn,
    PlayAroundTheWorld: _world,
    PlayReverse: _reverse,
    PlayNoticeBoard: _notice,
    PlayDelayedFlight: _delayed,
}
"""What is done with each move of a turn."""
