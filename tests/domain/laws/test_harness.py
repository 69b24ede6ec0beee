"""The laws bite: each way to break one, planted into the probe, is found."""

import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.decisions import Decision
from domain.entropy import Rng
from domain.events import Event, Seal
from domain.forms import Form, Range
from domain.hands import Hand
from domain.laws import LawBroken, check_games
from domain.laws.knowledge import difference, names_in
from domain.moves import Move
from domain.registry import Registry
from domain.results import Result
from domain.ruleset import Moment
from tests.probe import PROBE, Probe
from tests.probe import events as e
from tests.probe.moves import Drop, Salvage, Slip, Swap
from tests.probe.state import State


def changed(events: list[Event], kind: type[Event], change: Callable[[Any], Event]) -> list[Event]:
    """The events with those of one class changed."""
    return [change(event) if isinstance(event, kind) else event for event in events]


class Decides(Probe):
    """Rules whose decisions are changed by `bend(state, events)`."""

    def bend(self, state: State, events: list[Event]) -> list[Event]:
        raise NotImplementedError

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        return self.bend(state, super().decide(state, seat, move, moment))


class SealsToTheWrongSeat(Decides):
    """A dropped card can be read by the next seat only, so that nobody's own fold knows its own hand."""

    def bend(self, state: State, events: list[Event]) -> list[Event]:
        seats = len(state.hands)
        return changed(events, e.CardDropped, lambda x: replace(x, card=Seal(((x.seat + 1) % seats,), x.card.value)))


class TellsByACount(Decides):
    """How many turns are passed on depends on the card that was fetched."""

    def bend(self, state: State, events: list[Event]) -> list[Event]:
        keg = any(isinstance(x, e.CardDrawn) and x.card.value.startswith("GULL") for x in events)
        seats = len(state.hands)
        return changed(events, e.TurnEnded, lambda x: replace(x, next=(x.next + keg) % seats))


class TellsByRefusing(Probe):
    """A swap is refused by the card that lies unseen in the chest."""

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        if isinstance(move, Swap) and move.chest < 3 and (state.chests[move.chest].card or "").startswith("GULL"):
            move = Slip("", seat)
        return super().decide(state, seat, move, moment)


class NamesACard(Decides):
    """A public field names a card that not everybody knows, and no reveal is declared."""

    def bend(self, state: State, events: list[Event]) -> list[Event]:
        return changed(events, e.HandShown, lambda x: Undeclared(seat=x.seat, cards=x.cards))


class Undeclared(Event, frozen=True, kw_only=True):
    """A hand shown without saying so."""

    cards: tuple[str, ...]


class AsksByUnseenCards(Probe):
    """Who is asked depends on the order of the pile."""

    def decisions(self, state: State) -> tuple[Decision, ...]:
        asked = super().decisions(state)
        return asked if not state.pile or state.pile[0] != "KEG" else asked[:1]


class OffersByUnseenCards(Probe):
    """The forms depend on what others hold."""

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        forms = super().forms(state, decision)
        other = state.hands[decision.seat - 1].known
        return forms[::-1] if "KEG" in other else forms


class DefaultsByUnseenCards(Probe):
    """The default move depends on the order of the pile."""

    def default_move(self, state: State, decision: Decision) -> Move:
        if decision.kind == "drop" and state.pile and state.pile[0] > "M":
            return Drop(state.hands[decision.seat].known[-1])
        return super().default_move(state, decision)


class OffersTooMuch(Probe):
    """The offer to salvage reaches too far."""

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        if decision.kind == "row":
            return (Form(Salvage, {"count": Range(1, len(state.row) + 1)}),)
        return super().forms(state, decision)

    def decide(self, state: State, seat: int, move: Move, moment: Moment) -> list[Event]:
        return PROBE.decide(state, seat, move, moment)


class OffersTooLittle(OffersTooMuch):
    """The offer to salvage does not reach far enough."""

    def forms(self, state: State, decision: Decision) -> tuple[Form, ...]:
        if decision.kind == "row":
            return (Form(Salvage, {"count": Range(1, 1)}),)
        return Probe.forms(self, state, decision)


class ForgetsTheMove(Probe):
    """The move that is read back is another one."""

    def move_of(self, event: Event) -> Move:
        move = super().move_of(event)
        return Salvage(1) if isinstance(move, Salvage) else move


class DecidesByChance(Decides):
    """A decision depends on how often one was asked for."""

    calls = 0

    def bend(self, state: State, events: list[Event]) -> list[Event]:
        DecidesByChance.calls += 1
        return changed(events, e.TurnEnded, lambda x: replace(x, next=self.calls % len(state.hands)))


class LosesACard(Probe):
    """A swept row vanishes."""

    def evolve(self, state: State, event: Event) -> State:
        after = super().evolve(state, event)
        return replace(after, discard=Hand()) if isinstance(event, e.CargoStood) else after


class RedealsLooselyAtOnce(Probe):
    """A world in which the seat's own hand is another one."""

    def redeal(self, fold: State, seat: int, rng: Rng) -> State:
        hands = [Hand(hand.count) for hand in fold.hands]
        return super().redeal(replace(fold, hands=tuple(hands)), seat, rng)


class RanksWrongly(Probe):
    """All seats are second."""

    def result(self, state: State) -> Result | None:
        found = super().result(state)
        return found and replace(found, ranking=tuple([replace(r, rank=2) for r in found.ranking]))


class GoesOnTooLong(Probe):
    """More events than it says."""

    def __init__(self) -> None:
        super().__init__()
        self.info = replace(self.info, most_events=20)


def test_the_probe_itself_holds() -> None:
    assert check_games(Registry([PROBE]), "probe", games=5).batches > 50


@pytest.mark.parametrize(
    ("laws", "broken"),
    [
        ({1}, SealsToTheWrongSeat),
        ({1, 2}, OffersByUnseenCards),
        ({1, 2}, AsksByUnseenCards),
        ({2}, TellsByACount),
        ({2}, NamesACard),
        ({2}, DefaultsByUnseenCards),
        ({2}, RedealsLooselyAtOnce),
        ({2, 3}, TellsByRefusing),
        ({2, 3}, OffersTooMuch),
        ({3}, OffersTooLittle),
        ({5}, ForgetsTheMove),
        ({5}, DecidesByChance),
        ({6}, LosesACard),
        ({6}, RanksWrongly),
        ({6}, GoesOnTooLong),
    ],
)
def test_a_ruleset_that_breaks_a_law_is_found(laws: set[int], broken: type[Probe]) -> None:
    rules = broken()
    rules.info = replace(rules.info, events=(*rules.info.events, Undeclared))
    with pytest.raises(LawBroken) as found:
        check_games(Registry([rules]), "probe", games=60)
    # Which of the laws that forbid it speaks first depends on the cards.
    assert found.value.law in laws, str(found.value)


def test_what_breaks_a_law_can_be_played_again() -> None:
    with pytest.raises(LawBroken) as found:
        check_games(Registry([GoesOnTooLong()]), "probe", games=5, seed="again")
    (note,) = found.value.__notes__
    assert re.fullmatch(r"probe, seed 'again-\d'", note)


# --- the comparison that law 1 rests on ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("partial", "full"),
    [
        (None, "A"),
        ((None, "B"), ("A", "B")),
        ({"a": None}, {"a": 1}),
        (Seal((1,)), Seal((1,), "A")),
        (Hand(2, ("A",)), Hand(2, ("A", "B"))),
        ((), ()),
    ],
)
def test_what_is_unknown_refines_to_anything(partial: Any, full: Any) -> None:
    assert difference(partial, full) is None


@pytest.mark.parametrize(
    ("partial", "full"),
    [
        ("A", "B"),
        ("A", None),
        ({1}, True),
        ((), ("A",)),
        (("A",), ("A", "B")),
        (("A", "B"), ("A",)),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"b": 2}, {"a": 2}),
        (Seal((1,)), Seal((2,), "A")),
        (Hand(1), Hand(2)),
        (Hand(1), Seal((1,))),
    ],
)
def test_what_is_known_must_be_so(partial: Any, full: Any) -> None:
    assert difference(partial, full) is not None


def test_names_are_found_wherever_they_stand() -> None:
    names = frozenset({"A", "B", "C"})
    assert names_in({"A": [1, ("x", Seal((1,), ("B",)))]}, names) == {"A", "B"}


def test_a_broken_law_crosses_from_a_worker_process_with_its_story() -> None:
    broken = pickle.loads(pickle.dumps(LawBroken(3, "offered and refused")))
    assert (broken.law, str(broken)) == (3, "law 3: offered and refused")
