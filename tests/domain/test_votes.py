"""Vote windows: being quick gives nothing, and nothing is seen before all are in."""

from itertools import permutations

import pytest

from domain.commands import Play
from domain.errors import Refused
from domain.events import Seal, redact
from domain.moves import Challenge, Move, Pass
from domain.observers import EVERYTHING, SPECTATOR, at_seat
from domain.ruleset import numbered_as
from domain.votes import Ballot, VoteCast, VoteClosed, Window, move_of, redealt
from tests.domain.tables import Given, playing
from tests.probe.moves import Declare, Fetch


def cast(window: Window, *answers: tuple[int, Move]) -> tuple[Window, list[list[str]], int | None]:
    """The window after these answers, the types of every batch, and the challenger."""
    version, batches, challenger = 10, [], None
    for seat, move in answers:
        events = window.answer(seat, move, version)
        batches.append([event.type for event in events])
        for event in events:
            if isinstance(event, VoteCast):
                window = window.evolve(numbered_as(event, version))
            if isinstance(event, VoteClosed):
                challenger = event.challenger
            version += 1
    return window, batches, challenger


@pytest.mark.parametrize("order", list(permutations((3, 0, 1))))
def test_the_challenger_is_nearest_to_the_left_whatever_the_order_of_arrival(order: tuple[int, ...]) -> None:
    votes: dict[int, Move] = {3: Pass(), 0: Challenge(), 1: Challenge()}
    _, _, challenger = cast(Window(2, (3, 0, 1)), *[(seat, votes[seat]) for seat in order])
    assert challenger == 0


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_nothing_comes_of_a_window_before_all_have_answered(order: tuple[int, ...]) -> None:
    _, batches, _ = cast(Window(0, (1, 2, 3)), *[(seat, Challenge()) for seat in order])
    assert batches == [["vote_cast"], ["vote_cast"], ["vote_cast", "vote_closed"]]


def test_nobody_challenges() -> None:
    _, _, challenger = cast(Window(0, (1, 2)), (2, Pass()), (1, Pass()))
    assert challenger is None


def test_the_last_answer_opens_every_vote() -> None:
    window, _, _ = cast(Window(0, (1, 2)), (2, Challenge()))
    closed = window.answer(1, Pass(), 20)[-1]
    assert [(o.v, o.field, o.value) for o in closed.opens] == [
        (10, "vote", "challenge"),
        (20, "vote", "pass"),
    ]


@pytest.mark.parametrize("seat", [0, 2])
def test_who_is_not_asked_or_has_answered_is_refused(seat: int) -> None:
    window, _, _ = cast(Window(0, (1, 2)), (2, Pass()))
    with pytest.raises(Refused) as refused:
        window.answer(seat, Challenge(), 12)
    assert (refused.value.code, refused.value.facts) == ("not_asked", {"asked": [1]})


def test_a_window_takes_votes_and_nothing_else() -> None:
    with pytest.raises(Refused) as refused:
        Window(0, (1, 2)).answer(1, Fetch(), 12)
    assert refused.value.facts == {"reason": "not_an_answer", "moves": ["challenge", "pass"]}


def test_a_vote_is_read_by_its_seat_only() -> None:
    vote = VoteCast(seat=1, v=3, vote=Seal((1,), "challenge"))
    seen = [move_of(redact(vote, who)) for who in (at_seat(1), EVERYTHING, at_seat(0), SPECTATOR)]
    assert seen == [Challenge(), Challenge(), None, None]


def test_a_window_counts_votes_that_it_cannot_read() -> None:
    window = Window(0, (1, 2)).evolve(VoteCast(seat=2, v=5, vote=Seal((2,))))
    assert window.waiting == (1,)
    assert window.cast == (Ballot(2, 5, None),)


def test_unseen_votes_are_redealt_and_seen_ones_kept() -> None:
    window = Window(0, (1, 2, 3), (Ballot(1, 5, None), Ballot(2, 6, "pass")))
    again = redealt(window, lambda: "challenge")
    assert again is not None
    assert again.cast == (Ballot(1, 5, "challenge"), Ballot(2, 6, "pass"))
    assert redealt(None, lambda: "pass") is None


# --- at a table ---------------------------------------------------------------------------------------------


def claimed(seats: int = 4, number: int = 7) -> Given:
    """A game in which the seat on turn has just declared one card."""
    table = playing(seats)
    return table.plays(table.acting, Declare(table.game.table.hands[table.acting].known[:1], number))


def test_all_others_are_asked_from_the_left_of_the_claimant_on() -> None:
    table = claimed()
    claimant = table.game.table.claim.seat
    assert [a.decision.seat for a in table.game.asked] == [(claimant + i) % 4 for i in (1, 2, 3)]


def test_the_claimant_is_not_asked() -> None:
    table = claimed()
    assert {a.decision.seat for a in table.game.asked} == set(range(4)) - {table.game.table.claim.seat}


def test_a_second_answer_is_refused() -> None:
    table = claimed()
    seat = table.game.asked[0].decision.seat
    old = table.game.asked[0]
    table.plays(seat, Pass())
    table.refuses(Play(seat, old.id, Challenge()), "not_asked")


def test_an_answer_tells_the_others_nothing_but_that_it_was_given() -> None:
    passing, doubting = claimed(), claimed()
    seat = passing.game.asked[0].decision.seat
    other = passing.game.asked[1].decision.seat
    passing.plays(seat, Pass())
    doubting.plays(seat, Challenge())
    assert passing.fold_of(at_seat(other)) == doubting.fold_of(at_seat(other))
    assert passing.fold_of(SPECTATOR) == doubting.fold_of(SPECTATOR)
    assert passing.fold_of(at_seat(seat)) != doubting.fold_of(at_seat(seat))


def test_the_window_closes_with_everything_that_follows_in_one_batch() -> None:
    table = claimed(seats=3)
    first, last = [a.decision.seat for a in table.game.asked]
    table.plays(last, Pass())
    assert table.types == ["vote_cast"]
    table.plays(first, Pass())
    assert table.types == ["vote_cast", "vote_closed", "cargo_stood", "turn_ended"]
    assert [event.left for event in table.batch] == [3, 2, 1, 0]


def test_one_deadline_is_shared_by_a_window() -> None:
    table = claimed()
    seat = table.game.asked[0].decision.seat
    deadlines = {table.game.deadline(a) for a in table.game.asked}
    table.later(5000).plays(seat, Pass())
    assert {table.game.deadline(a) for a in table.game.asked} == deadlines
    assert len(deadlines) == 1
