"""What each seat of the probe knows after its hard moves; and what a redealt world keeps."""

from collections import Counter
from typing import Any

import pytest
from msgspec import to_builtins

from domain.commands import Play
from domain.errors import Corrupt
from domain.events import redact
from domain.hands import Hand
from domain.laws.play import random_game
from domain.moves import Challenge, Pass
from domain.observers import EVERYTHING, SPECTATOR, at_seat
from domain.registry import Registry
from tests.domain.tables import Given, playing, rng
from tests.probe import PROBE
from tests.probe.moves import Bury, Declare, Drop, Fetch, Slip, Swap
from tests.probe.state import DECK, State, known_cards, truthful
from tests.probe.view import HandView


def hand(table: Given, seat: int) -> tuple[str, ...]:
    known: tuple[str, ...] = table.game.table.hands[seat].known
    return known


def seen(table: Given, seat: int | None) -> State:
    """The table as a seat, or a spectator, knows it."""
    state: State = table.fold_of(SPECTATOR if seat is None else at_seat(seat)).table
    return state


def buried() -> tuple[Given, int, str]:
    """A game of three in which the seat on turn has buried a card: that seat, and the card."""
    table = playing(3)
    seat, card = table.acting, hand(table, table.acting)[0]
    return table.plays(seat, Bury(1, card)), seat, card


def test_a_buried_card_is_known_to_who_laid_it_only() -> None:
    table, seat, card = buried()
    others = [None, *({0, 1, 2} - {seat})]
    assert seen(table, seat).chests[1].card == card
    assert {seen(table, other).chests[1].card for other in others} == {None}
    assert all(seen(table, other).chests[1].full for other in others)


def swapped() -> tuple[Given, int, int, int, str, str]:
    """Then the next seat has swapped it: who laid it, who swapped, the third; the card out and the card in."""
    table, layer, out = buried()
    swapper, third = (layer + 1) % 3, (layer + 2) % 3
    card = hand(table, swapper)[0]
    return table.plays(swapper, Swap(1, card)), layer, swapper, third, out, card


def test_who_swaps_learns_the_card_and_knows_the_new_one() -> None:
    table, _, swapper, _, out, card = swapped()
    assert out in seen(table, swapper).hands[swapper].known
    assert seen(table, swapper).chests[1].card == card


def test_who_laid_a_card_knows_where_it_went_and_not_what_came() -> None:
    table, layer, swapper, _, out, _ = swapped()
    assert seen(table, layer).hands[swapper] == Hand(5, (out,))
    assert seen(table, layer).chests[1].card is None


def test_to_all_others_a_swap_is_two_unseen_cards() -> None:
    table, _, swapper, third, _, _ = swapped()
    for observer in (third, None):
        assert seen(table, observer).hands[swapper] == Hand(5)
        assert seen(table, observer).chests[1].card is None


def slipped() -> tuple[Given, int, int, int, str]:
    """A card was passed face down: who passed, who received, the third, the card."""
    table = playing(3)
    seat, to, third = table.acting, (table.acting + 2) % 3, (table.acting + 1) % 3
    card = hand(table, seat)[0]
    return table.plays(seat, Slip(card, to)), seat, to, third, card


def test_a_slipped_card_is_known_to_both_and_to_nobody_else() -> None:
    table, seat, to, third, card = slipped()
    assert seen(table, seat).hands[to] == Hand(6, (card,))
    assert card in seen(table, to).hands[to].known
    assert seen(table, third).hands[to] == Hand(6)


def test_who_was_slipped_a_card_is_asked_out_of_turn() -> None:
    table, seat, to, _, _ = slipped()
    assert [(a.decision.seat, a.decision.kind) for a in table.game.asked] == [(to, "drop")]
    table.refuses(Play(seat, "8", Fetch()), "not_asked", asked=[to])


def test_a_mark_lapses_when_a_card_is_dropped_unseen() -> None:
    table, seat, to, _, card = slipped()
    kept = next(other for other in hand(table, to) if other != card)
    table.plays(to, Drop(kept))
    assert seen(table, seat).hands[to] == Hand(5)
    assert seen(table, to).discard == Hand(1, (kept,))


def declared(lie: bool) -> Given:
    """A claim of one card by the seat on turn that is a lie or not."""
    table = playing(3)
    while True:
        seat = table.acting
        cards = [card for card in hand(table, seat) if truthful((card,), 7) is not lie]
        if cards:
            return table.plays(seat, Declare((cards[0],), 7))
        table.plays(seat, Fetch())


def challenged(lie: bool) -> Given:
    """The claim, doubted by the seat at the claimant's left."""
    table = declared(lie)
    first, second = [a.decision.seat for a in table.game.asked]
    return table.plays(second, Pass()).plays(first, Challenge())


def test_a_liar_takes_the_cards_back_and_shows_the_whole_hand() -> None:
    table = challenged(lie=True)
    assert table.types == ["vote_cast", "vote_closed", "cargo_challenged", "hand_shown", "turn_ended"]
    claimant = table.batch[2].claimant
    assert seen(table, None).hands[claimant] == table.game.table.hands[claimant]


def test_who_doubts_the_truth_takes_the_cards_and_all_know_which() -> None:
    table = challenged(lie=False)
    event: Any = table.batch[2]
    assert (event.truthful, event.loser) == (True, event.challenger)
    assert seen(table, None).hands[event.loser].known == event.opens[0].value


def test_a_claim_that_nobody_doubts_is_never_shown() -> None:
    table = declared(lie=True)
    for seat in [a.decision.seat for a in table.game.asked]:
        table.plays(seat, Pass())
    assert seen(table, None).discard == Hand(1)


@pytest.mark.parametrize("lie", [True, False])
def test_a_challenge_is_explained(lie: bool) -> None:
    table = challenged(lie)
    story = PROBE.explain(tuple(table.log), next(e.v for e in table.batch if e.type == "cargo_challenged"))
    assert (story.truthful, story.claim) == (not lie, {"number": 7, "count": 1})
    assert [origin["card"] for origin in story.provenance] == list(story.revealed)
    assert {origin["how"] for origin in story.provenance} <= {"hand_dealt", "card_drawn"}


def test_an_explanation_for_others_tells_of_no_card_that_they_did_not_see_come() -> None:
    table = challenged(lie=True)
    read = tuple([redact(event, SPECTATOR) for event in table.log])
    story = PROBE.explain(read, next(e.v for e in table.batch if e.type == "cargo_challenged"))
    assert [origin["how"] for origin in story.provenance] == [None]


def test_only_a_challenge_is_explained() -> None:
    with pytest.raises(Corrupt):
        PROBE.explain(tuple(playing().log), 4)


def test_an_unopened_event_holds_no_move() -> None:
    table, *_ = slipped()
    assert isinstance(PROBE.move_of(table.batch[0]), Slip)
    with pytest.raises(Corrupt):
        PROBE.move_of(redact(table.batch[0], SPECTATOR))


def test_a_view_holds_what_its_fold_knows() -> None:
    table, layer, swapper, third, out, _ = swapped()
    view = PROBE.view(seen(table, layer), at_seat(layer))
    assert view.hands[swapper] == HandView(5, (out,))
    assert PROBE.view(seen(table, third), at_seat(third)).hands[swapper] == HandView(5, ())


def test_a_view_tells_that_a_seat_voted_and_not_what() -> None:
    table = declared(lie=True)
    voter = table.game.asked[0].decision.seat
    table.plays(voter, Challenge())
    view = PROBE.view(seen(table, None), SPECTATOR)
    assert view.claim is not None
    assert view.claim.voted == (voter,)
    assert "challenge" not in str(to_builtins(view))
    everything = PROBE.view(table.fold_of(EVERYTHING).table, EVERYTHING)
    assert everything.claim is not None
    assert everything.claim.cards


# --- redealt worlds -----------------------------------------------------------------------------------------


def test_every_place_of_an_unseen_card_takes_every_unseen_card() -> None:
    table, _, swapper, third, _, _ = swapped()
    fold = seen(table, third)
    unseen = Counter(DECK) - Counter(known_cards(fold))
    worlds = [PROBE.redeal(fold, third, rng(str(number))) for number in range(400)]
    assert {world.chests[1].card for world in worlds} == set(unseen)
    assert {card for world in worlds for card in world.hands[swapper].known} == set(unseen)
    assert {world.pile[0] for world in worlds if world.pile} == set(unseen)
    assert all(world.hands[third] == fold.hands[third] for world in worlds)


def test_unseen_votes_are_redealt_and_ones_own_is_kept() -> None:
    table = declared(lie=True)
    first, second = [a.decision.seat for a in table.game.asked]
    table.plays(first, Challenge())
    for seat, votes in ((first, {"challenge"}), (second, {"challenge", "pass"})):
        worlds = [PROBE.redeal(seen(table, seat), seat, rng(str(n))) for n in range(40)]
        assert {world.claim.window.cast[0].vote for world in worlds if world.claim} == votes


@pytest.mark.parametrize("level", ["novice", "standard"])
def test_a_bot_answers_legally_from_its_own_fold(level: str) -> None:
    registry = Registry([PROBE])
    for number in range(6):
        table = Given()
        for step in random_game(registry, "probe", f"bot-{number}"):
            table.log += step.decided.events
            table.game = step.decided.game
            for asked in table.game.asked if table.game.status == "playing" else ():
                seat = asked.decision.seat
                move = PROBE.info.bots[level](seen(table, seat), seat, asked.decision, rng(str(number)))
                assert any(form.contains(move) for form in PROBE.forms(table.game.table, asked.decision))
            if len(table.log) > 60:
                break
