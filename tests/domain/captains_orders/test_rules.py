"""The cases of the rules of Captain's Orders, one by one, and the rulings beside them."""

import pytest

from domain import entropy
from domain.captains_orders import CAPTAINS_ORDERS
from domain.captains_orders.cards import CARDS, DECK, points
from domain.captains_orders.events import HandDealt, OrderBelayed, OrderExpired, RoundStarted
from domain.captains_orders.state import CaptainsOrdersOptions
from domain.commands import Create
from domain.decide import decide
from domain.errors import Refused
from domain.game import Game
from domain.moves import Move
from domain.results import Result
from domain.ruleset import Moment, Table
from tests.domain.captains_orders.table import (
    A,
    B,
    C,
    D,
    Play,
    accuse,
    asking,
    belay,
    discard,
    follow,
    give,
    order,
    passing,
)


def result_of(play: Play) -> Result:
    result = CAPTAINS_ORDERS.result(play.state)
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("rank", "hand", "may_follow", "may_belay"),
    [
        (6, "6 9", ("R6", "R9"), None),
        (6, "2 3", None, ("R2", "R3")),
        (6, "2 3 6 6 9", ("R6", "R9"), ("R2", "R3")),
        (1, "2 10", ("R2", "R10"), None),
    ],
)
def test_case_1_follow_with_the_orders_rank_or_higher_and_belay_with_a_lower_one(
    rank: int, hand: str, may_follow: tuple[str, ...] | None, may_belay: tuple[str, ...] | None
) -> None:
    offered = Play(f"{rank} 7", hand, "8 8", "9 9").when(A, order(rank)).offered()
    assert offered.get("follow") == (may_follow and {"card": may_follow})
    assert offered.get("belay") == (may_belay and {"card": may_belay})
    assert offered["accuse"] == {"seat": (A, C, D)}


def test_case_2_a_belayed_order_starts_the_circle_again_and_the_old_owner_answers_too() -> None:
    play = Play("7 8 8", "7 9 9", "4 5 5", "10 10 10").when(A, order(7)).when(B, follow(7)).when(C, belay(4))
    belayed = play.one(OrderBelayed)
    assert (belayed.card, belayed.replaced) == ("R4", "R7")
    assert "R7" in play.state.discarded.known
    play.when(D, follow(10))
    assert play.asked() == (A, "order")
    play.when(A, follow(8))
    assert play.asked() == (B, "order")
    play.when(B, follow(9))
    assert play.types() == ["order_followed", "order_expired"]
    assert (play.one(OrderExpired).seat, play.one(OrderExpired).card) == (C, "R4")
    assert play.asked() == (D, "turn")
    assert set(play.offered()) == {"play_order", "pass_card", "ask_card", "accuse"}


def test_case_3_an_order_gone_full_circle_is_the_owners_whole_turn() -> None:
    play = Play("3 8", "7 9", "4 5", "6 10").when(A, order(3)).when(B, follow(7)).when(C, follow(4)).when(D, follow(6))
    assert play.types() == ["order_followed", "order_expired"]
    assert play.asked() == (B, "turn")
    assert play.state.order is None
    assert play.state.hands[A].known == ("R4", "R6", "R7", "R8")
    assert play.state.turns == 4


def test_case_4_the_last_card_a_1_as_an_order_wins() -> None:
    play = Play("1", "2 9", "3 9", "4 9").when(A, order(1))
    assert play.types()[:3] == ["order_played", "round_ended", "round_started"]
    ended = play.ended
    assert (ended.reason, ended.last_card, ended.captains, ended.winners) == ("emptied", "R1", (A,), (A,))
    assert play.state.wins == (1, 0, 0, 0)


def test_case_4_a_tie_for_the_lowest_is_enough() -> None:
    play = Play("3", "3 9", "4 9", "5 9").when(A, passing(3, C))
    ended = play.ended
    assert (ended.captains, ended.winners) == ((A, B), (A,))


def test_r8_a_right_last_card_passes_to_nobody() -> None:
    play = Play("3", "3 9", "4 9", "5 9").when(A, passing(3, C))
    assert play.ended.hands == ((), ("R3", "R9"), ("R4", "R9"), ("R5", "R9"))
    assert play.ended.points == (0, 12, 13, 14)


def test_case_4_a_wrong_last_card_counts_for_its_receiver_and_the_points_decide() -> None:
    play = Play("5", "6 7", "2 10 10", "8 9").when(A, passing(5, B))
    ended = play.ended
    assert ended.captains == (C,)
    assert ended.hands[B] == ("R5", "R6", "R7")
    assert ended.points == (0, 18, 22, 17)
    assert ended.winners == (B,)


def test_a_wrong_last_order_counts_for_nobody() -> None:
    play = Play("5", "6 7", "2 10 10", "8 9").when(A, order(5))
    assert play.ended.points == (0, 13, 22, 17)
    assert play.ended.winners == (D,)


def test_case_5_who_gives_its_last_lowest_card_when_asked_wins_before_any_discard() -> None:
    play = Play("9 10", "1", "3 9", "4 9").when(A, asking(B)).when(B, give(1))
    assert play.types()[:3] == ["card_given", "round_ended", "round_started"]
    assert play.ended.winners == (B,)
    assert play.ended.captains == (B,)
    assert play.state.discarded.count == 0
    assert play.asked()[1] == "turn"


def test_case_6_a_captain_who_accuses_cannot_win_and_neither_can_another_captain() -> None:
    play = Play("2 9", "10 10", "2 10", "3 4").when(A, accuse(B))
    assert (play.ended.captains, play.ended.winners) == ((A, C), (B,))
    play = Play("2 9", "5 6", "2 10", "3 9").when(A, accuse(B))
    assert (play.ended.captains, play.ended.winners) == ((A, C), (D,))


def test_case_6_a_captain_who_names_another_captain_fails_too() -> None:
    play = Play("2 9", "2 10", "5 6", "3 4").when(A, accuse(B))
    assert (play.ended.captains, play.ended.winners) == ((A, B), (C,))


def test_a_mutineer_who_names_one_of_two_captains_wins_alone() -> None:
    play = Play("9 9", "2 10", "2 10", "10 10").when(A, accuse(B))
    assert (play.ended.reason, play.ended.last_card) == ("accused", None)
    assert (play.ended.captains, play.ended.winners) == ((B, C), (A,))


def test_case_7_mutineers_tied_on_points_share_the_round_and_the_game_r7() -> None:
    play = Play("10 10", "4 5", "3 6", "1 8", wins_needed=1).when(A, accuse(B))
    assert play.types() == ["captain_accused", "round_ended"]
    assert play.ended.winners == (B, C)
    result = result_of(play)
    assert (result.reason, result.winners) == ("wins_reached", (B, C))
    assert [(r.rank, r.score) for r in result.ranking] == [(3, 0), (1, 1), (1, 1), (3, 0)]
    assert CAPTAINS_ORDERS.decisions(play.state) == ()


def test_case_7_a_wrong_accuser_with_the_most_points_gives_way_to_the_next() -> None:
    play = Play("10 10", "4 6", "3 6", "1 8").when(A, accuse(B))
    assert play.ended.points == (20, 10, 9, 9)
    assert play.ended.winners == (B,)


def test_case_8_nobody_wins_when_a_wrong_emptier_leaves_only_captains() -> None:
    play = Play("5", "2 9", "2 10", "2 8").when(A, passing(5, B))
    assert (play.ended.captains, play.ended.winners) == ((B, C, D), ())
    assert play.state.wins == (0, 0, 0, 0)
    assert play.one(RoundStarted).dealer == A
    assert play.asked() == (B, "turn")


def test_case_8_nobody_wins_when_a_captain_accuses_and_all_are_captains() -> None:
    play = Play("2 9", "2 9", "2 10", "2 8").when(A, accuse(C))
    assert (play.ended.captains, play.ended.winners) == ((A, B, C, D), ())
    assert play.one(RoundStarted).round == 2


@pytest.mark.parametrize("seats", [3, 9])
def test_case_9_three_or_nine_seats_are_refused(seats: int) -> None:
    create = Create("captains_orders", {}, seats, "P0", "5e" * 32)
    with pytest.raises(Refused) as refused:
        decide(CAPTAINS_ORDERS, Game(id="G"), create, 0)
    assert refused.value.code == "seats_out_of_range"
    assert refused.value.facts == {"min": 4, "max": 8}


@pytest.mark.parametrize("options", [{"wins_needed": 0}, {"wins_needed": 6}, {"max_turns": 0}, {"max_turns": "9"}])
def test_options_out_of_bounds_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        decide(CAPTAINS_ORDERS, Game(id="G"), Create("captains_orders", options, 4, "P0", "5e" * 32), 0)
    assert refused.value.code == "options_out_of_range"


def test_the_deck_is_a_pairs_deck() -> None:
    assert len(DECK) == 55
    assert points(DECK) == 385
    assert [DECK.count(card) for card in CARDS] == list(range(1, 11))


@pytest.mark.parametrize("seats", [4, 8])
def test_r1_six_cards_each_from_the_dealers_left_and_the_rest_stays_out(seats: int) -> None:
    events = CAPTAINS_ORDERS.setup(Table(seats, CaptainsOrdersOptions()), Moment(7, entropy.provable(bytes(range(32)))))
    started, *dealt = events
    assert isinstance(started, RoundStarted)
    assert [e.seat for e in dealt] == [(started.dealer + 1 + i) % seats for i in range(seats)]
    held = [card for e in dealt if isinstance(e, HandDealt) for card in e.cards.value or ()]
    assert len(held) == 6 * seats
    assert all(held.count(card) <= DECK.count(card) for card in CARDS)
    state = CAPTAINS_ORDERS.initial(Table(seats, CaptainsOrdersOptions()))
    for event in events:
        state = CAPTAINS_ORDERS.evolve(state, event)
    assert state.undealt == 55 - 6 * seats
    assert CAPTAINS_ORDERS.decisions(state)[0].seat == (started.dealer + 1) % seats


def test_each_round_is_a_new_draw_and_the_deal_passes_left() -> None:
    labels = []

    def draws(label: str) -> entropy.Rng:
        labels.append(label)
        return entropy.provable(bytes(32))(label)

    CAPTAINS_ORDERS.setup(Table(4, CaptainsOrdersOptions()), Moment(1, draws))
    play = Play("9 9", "2 10", "3 10", "10 10")
    events = CAPTAINS_ORDERS.decide(play.state, A, accuse(B), Moment(6, draws))
    assert labels == ["dealer", "deal 1", "deal 2"]
    assert [e.type for e in events] == ["captain_accused", "round_ended", "round_started", *["hand_dealt"] * 4]
    assert [e.dealer for e in events if isinstance(e, RoundStarted)] == [A]


def test_r2_order_discards_and_undealt_cards_make_no_captain() -> None:
    play = Play("1 9", "5 9", "6 9", "7 9").when(A, order(1)).when(B, accuse(A))
    assert play.ended.captains == (B,)
    assert play.ended.winners == (D,)


def test_r3_the_received_card_itself_may_be_discarded() -> None:
    play = Play("1 9", "5 8", "6 9", "7 9").when(A, passing(1, C))
    assert play.asked() == (C, "discard")
    assert play.offered() == {"discard": {"card": ("R1", "R6", "R9")}}
    play.when(C, discard(1))
    assert play.types() == ["card_discarded"]
    assert play.asked() == (B, "turn")


def test_after_ask_and_discard_the_seat_left_of_the_asker_acts() -> None:
    play = Play("4 9", "5 8", "6 9", "7 9").when(A, asking(D))
    assert play.asked() == (D, "give")
    play.when(D, give(7))
    assert play.asked() == (A, "discard")
    play.when(A, discard(4))
    assert play.asked() == (B, "turn")
    assert play.state.turns == 1


@pytest.mark.parametrize("how", ["order", "belay", "pass", "follow", "give"])
def test_r4_emptying_ends_the_round_whatever_the_way(how: str) -> None:
    if how == "order":
        play = Play("5", "2 9", "3 9", "4 9").when(A, order(5))
    elif how == "pass":
        play = Play("5", "2 9", "3 9", "4 9").when(A, passing(5, B))
    elif how == "belay":
        play = Play("6 9", "5", "3 9", "4 9").when(A, order(6)).when(B, belay(5))
    elif how == "follow":
        play = Play("6 9", "7", "3 9", "4 9").when(A, order(6)).when(B, follow(7))
    else:
        play = Play("6 9", "7", "3 9", "4 9").when(A, asking(B)).when(B, give(7))
    assert play.ended.reason == "emptied"
    assert "card_discarded" not in play.types()
    assert "order_expired" not in play.types()
    assert sorted(len(hand) == 0 for hand in play.ended.hands) == [False, False, False, True]


def test_r5_declaring_is_automatic_with_a_followed_last_card() -> None:
    play = Play("2 9", "2", "3 9", "4 9").when(A, order(2)).when(B, follow(2))
    assert play.ended.winners == (B,)
    assert play.ended.captains == (B,)


def test_r6_points_leave_out_captains_a_failed_accuser_and_the_empty_seat() -> None:
    play = Play("9", "1 10 10 10", "5 6", "5 5").when(A, passing(9, D))
    assert play.ended.points == (0, 31, 11, 19)
    assert play.ended.winners == (D,)


def test_round_wins_are_kept_from_round_to_round_and_rank_the_seats() -> None:
    play = Play("9 9", "2 10", "3 10", "10 10").when(A, accuse(B))
    play.deal("9 9", "10 10", "3 10", "2 10", round=2, dealer=D).when(A, accuse(D))
    assert play.state.wins == (2, 0, 0, 0)
    assert CAPTAINS_ORDERS.result(play.state) is None
    play.deal("9 9", "10 10", "3 10", "2 10", round=3, dealer=D).when(A, accuse(D))
    result = result_of(play)
    assert (result.reason, result.winners) == ("wins_reached", (A,))
    assert [(r.seat, r.rank, r.score) for r in result.ranking] == [(A, 1, 3), (B, 2, 0), (C, 2, 0), (D, 2, 0)]


def test_r9_the_turn_limit_does_not_score_the_running_round() -> None:
    play = Play("7 8", "7 9", "8 8", "9 9", max_turns=2).when(A, order(7))
    assert CAPTAINS_ORDERS.result(play.state) is None
    play.when(B, follow(7))
    result = result_of(play)
    assert (result.reason, result.winners) == ("turn_limit", (A, B, C, D))
    assert CAPTAINS_ORDERS.decisions(play.state) == ()


def test_r9_the_turn_limit_waits_for_the_discard_that_is_owed() -> None:
    play = Play("7 8", "7 9", "8 8", "9 9", max_turns=1).when(A, asking(B))
    assert CAPTAINS_ORDERS.result(play.state) is None
    play.when(B, give(9))
    assert play.asked() == (A, "discard")
    play.when(A, discard(9))
    assert result_of(play).reason == "turn_limit"


def test_r9_a_round_that_ends_with_the_last_turn_is_scored_and_a_win_takes_precedence() -> None:
    play = Play("9 9", "2 10", "3 10", "10 10", max_turns=1, wins_needed=2).when(A, accuse(B))
    assert play.types() == ["captain_accused", "round_ended"]
    assert (result_of(play).reason, result_of(play).winners) == ("turn_limit", (A,))
    play = Play("9 9", "2 10", "3 10", "10 10", max_turns=1, wins_needed=1).when(A, accuse(B))
    assert result_of(play).reason == "wins_reached"


def test_give_discard_and_an_expired_order_are_no_turns() -> None:
    play = Play("7 8", "7 9", "8 8", "9 9").when(A, asking(B)).when(B, give(9)).when(A, discard(7))
    assert play.state.turns == 1


@pytest.mark.parametrize(
    ("hand", "default"),
    [("2 6 9", follow(6)), ("2 7 9", follow(7)), ("2 3 3", belay(3)), ("6 6", follow(6))],
)
def test_the_default_under_an_order_is_to_follow_low_or_else_to_belay_high(hand: str, default: Move) -> None:
    assert Play("6 7", hand, "8 8", "9 9").when(A, order(6)).default() == default


def test_the_default_without_an_order_asks_the_left_and_gives_and_discards_the_highest() -> None:
    play = Play("2 6 9", "3 10 8", "8 8", "9 9")
    assert play.default() == asking(B)
    play.when(A, play.default())
    assert play.default() == give(10)
    play.when(B, play.default())
    assert play.default() == discard(10)
    assert Play("2", "3", "8", "9 9").deal("2", "3", "8", "9 9", round=2, dealer=C).default() == asking(A)
