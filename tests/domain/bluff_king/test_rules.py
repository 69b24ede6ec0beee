"""The cases of the rules of Bluff King, one by one, and the rulings beside them."""

import pytest

from domain import entropy
from domain.bluff_king import BLUFF_KING
from domain.bluff_king.cards import deck
from domain.bluff_king.events import CardsClaimed, Challenged, LeadPassed, PileTaken, RoundSettled
from domain.bluff_king.moves import Lead
from domain.bluff_king.state import BluffKingOptions
from domain.errors import Refused
from domain.moves import Move
from domain.observers import SPECTATOR, at_seat
from domain.ruleset import Moment, Table
from domain.votes import VoteCast, VoteClosed
from tests.domain.bluff_king.table import CALL, PASS, A, B, C, D, Play, add, cards, lead


@pytest.mark.parametrize(
    ("laid", "rank", "truthful"),
    [("7S 7H JOKER", "7", True), ("JOKER JOKER", "K", True), ("7S 7H 8S", "7", False)],
)
def test_case_1_a_claim_is_true_if_every_card_is_of_the_rank_or_a_joker(laid: str, rank: str, truthful: bool) -> None:
    play = Play(f"{laid} 2S", "AS AH", "AD AC").when(A, lead(laid, rank)).when(B, CALL)
    judged = play.one(Challenged)
    assert judged.truthful is truthful
    assert judged.opens[0].value == tuple(sorted(cards(laid)))
    assert play.one(PileTaken).seat == (B if truthful else A)
    assert play.one(LeadPassed).seat == (A if truthful else B)


def test_case_2_only_the_newest_set_counts_and_the_loser_takes_the_whole_pile() -> None:
    play = Play("2S 3S 4S", "5S 6S", "AS AH").when(A, lead("2S 3S", "5")).when(B, add("5S")).when(C, CALL)
    assert play.one(Challenged).truthful is True
    taken = play.one(PileTaken)
    assert (taken.seat, taken.cards.value) == (C, ("2S", "3S", "5S"))
    assert play.one(LeadPassed).seat == B


def test_case_3_a_pass_is_not_permanent_after_an_add_everybody_is_asked_again() -> None:
    play = Play("2S 2H", "3S 3H", "4S 4H", "5S 5H").when(A, lead("2S", "2")).when(B, PASS).when(C, add("4S"))
    order = []
    while play.asked():
        order.append(play.asked()[0])
        if order[-1] == B:
            break
        play.when(order[-1], PASS)
    assert order == [D, A, B]


def test_case_4_all_pass_the_pile_is_discarded_unseen_and_the_last_to_lay_leads_any_rank() -> None:
    play = Play("2S 2H", "3S 3H", "4S 4H").when(A, lead("2S", "2")).when(B, PASS).when(C, PASS)
    settled = play.one(RoundSettled)
    assert settled.discarded == 1
    assert not settled.opens
    assert play.asked() == [A]
    assert play.known_to(at_seat(B)).discarded.known == ()
    assert play.known_to(at_seat(A)).discarded.known == ("2S",)
    play.when(A, lead("2H", "K"))
    assert play.one(CardsClaimed).rank == "K"


def test_case_5_the_last_cards_as_a_lie_are_taken_back_and_the_challenger_leads() -> None:
    play = Play("2S 3S", "4S 4H").when(A, lead("2S 3S", "2")).when(B, CALL)
    assert play.one(PileTaken).seat == A
    assert play.asked() == [B]
    assert BLUFF_KING.result(play.state) is None
    assert play.state.emptied == ()


def test_case_6_the_last_cards_laid_truly_win_after_a_challenge() -> None:
    play = Play("2S 2H", "4S 4H", "5S").when(A, lead("2S 2H", "2")).when(B, CALL)
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert (result.reason, result.winners) == ("emptied", (A,))
    assert [r.rank for r in result.ranking] == [1, 3, 2]


def test_case_6_the_last_cards_unchallenged_win_at_settle() -> None:
    play = Play("2S 2H", "4S 4H", "5S").when(A, lead("2S 2H", "2")).when(B, PASS).when(C, PASS)
    assert play.types() == ["passed", "round_settled"]
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert result.winners == (A,)


def test_case_7_two_empty_hands_and_a_true_last_set_the_first_to_empty_wins() -> None:
    play = Play("2S", "2H", "5S 5H").when(A, lead("2S", "2")).when(B, add("2H")).when(C, CALL)
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert result.winners == (A,)
    assert [(r.seat, r.rank, r.score) for r in result.ranking] == [(A, 1, 0), (B, 2, 0), (C, 3, 4)]


def test_case_7_two_empty_hands_and_a_false_last_set_the_first_still_wins() -> None:
    play = Play("2S", "3H", "5S 5H").when(A, lead("2S", "2")).when(B, add("3H")).when(C, CALL)
    assert play.one(PileTaken).seat == B
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert result.winners == (A,)
    assert [r.rank for r in result.ranking] == [1, 2, 2]


def test_seats_that_emptied_later_share_the_rank_of_no_cards() -> None:
    play = Play("2S", "2H", "2D", "9S 9H").when(A, lead("2S", "2")).when(B, add("2H")).when(C, add("2D"))
    play.when(D, PASS)
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert [r.rank for r in result.ranking] == [1, 2, 2, 4]


@pytest.mark.parametrize("order", [(B, C, D), (D, C, B), (C, D, B)])
def test_case_8_the_challenger_is_nearest_to_the_claimants_left_whatever_the_order_of_arrival(
    order: tuple[int, ...],
) -> None:
    play = Play("2S 2H", "3S", "4S", "5S", adding="after_no_challenge").when(A, lead("2S", "2"))
    assert play.asked() == [B, C, D]
    votes: dict[int, Move] = {B: PASS, C: CALL, D: CALL}
    for seat in order:
        play.when(seat, votes[seat])
        if seat != order[-1]:
            assert play.types() == ["vote_cast"]
            assert all(b.vote is None for b in play.known_to(SPECTATOR).window.cast)
    closed = play.one(VoteClosed)
    assert closed.challenger == C
    assert {o.value for o in closed.opens} == {"pass", "challenge"}
    assert play.one(Challenged).challenger == C


def test_case_8_nobody_challenged_the_others_add_or_pass_in_turn() -> None:
    play = Play("2S 2H", "3S 3H", "4S 4H", adding="after_no_challenge").when(A, lead("2S", "2"))
    play.when(C, PASS).when(B, PASS)
    assert play.one(VoteClosed).challenger is None
    assert [d.kind for d in BLUFF_KING.decisions(play.state)] == ["add"]
    play.when(B, add("3S"))
    assert play.asked() == [C, A]
    assert {d.kind for d in BLUFF_KING.decisions(play.state)} == {"vote"}


def test_case_9_with_nobody_left_to_answer_the_round_settles_at_once() -> None:
    play = Play("2S", "3S 3H").when(A, lead("2S", "2")).when(B, add("3S 3H"))
    assert play.types() == ["cards_claimed", "round_settled"]
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert result.winners == (A,)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (lead("", "2"), "no_cards"),
        (lead("9C", "2"), "card_not_held"),
        (lead("2S 2S", "2"), "card_not_held"),
        (lead("2S", "JOKER"), "unknown_rank"),
        (add("2S"), "illegal_move"),
        (CALL, "illegal_move"),
        (PASS, "illegal_move"),
    ],
)
def test_case_10_what_cannot_be_led_is_refused(move: Move, code: str) -> None:
    play = Play("2S 2H", "3S 3H")
    with pytest.raises(Refused) as refused:
        play.when(A, move)
    assert refused.value.code == code


def test_case_10_an_add_cannot_name_a_rank_and_follows_the_rounds() -> None:
    play = Play("2S 2H", "3S 3H").when(A, lead("2S", "9")).when(B, add("3S"))
    assert play.one(CardsClaimed).rank == "9"
    assert play.one(CardsClaimed).added is True
    with pytest.raises(Refused):
        play.when(A, lead("2H", "3"))


def test_a_move_out_of_turn_is_refused_and_names_who_is_asked() -> None:
    with pytest.raises(Refused) as refused:
        Play("2S 2H", "3S 3H").when(B, lead("3S", "3"))
    assert refused.value.code == "not_asked"
    assert refused.value.facts == {"asked": [A]}


def test_a_claim_of_more_cards_than_exist_is_legal() -> None:
    play = Play("2S 3S 4S 5S 6S 7S 8S 9S 10S", "AS AH").when(A, lead("2S 3S 4S 5S 6S 7S 8S 9S 10S", "A"))
    assert play.one(CardsClaimed).count == 9


def test_r2_a_seat_without_cards_is_asked_nothing() -> None:
    play = Play("2S", "3S 3H", "4S 4H").when(A, lead("2S", "2")).when(B, add("3S"))
    assert play.asked() == [C]
    play.when(C, PASS)
    assert play.types() == ["passed", "round_settled"]


def test_the_turn_limit_ends_the_game_once_the_round_is_resolved() -> None:
    play = Play("2S 2H", "3S 3H 3D", max_turns=1).when(A, lead("2S", "2"))
    assert BLUFF_KING.result(play.state) is None
    play.when(B, PASS)
    result = BLUFF_KING.result(play.state)
    assert result is not None
    assert (result.reason, result.winners) == ("turn_limit", (A,))


def test_the_turn_limit_is_shared_by_equal_hands_and_yields_to_a_normal_win() -> None:
    play = Play("2S 2H", "3S", max_turns=1).when(A, lead("2S", "2")).when(B, PASS)
    shared = BLUFF_KING.result(play.state)
    assert shared is not None
    assert shared.winners == (A, B)
    play = Play("2S", "3S 3H", max_turns=1).when(A, lead("2S", "2")).when(B, PASS)
    won = BLUFF_KING.result(play.state)
    assert won is not None
    assert won.reason == "emptied"


@pytest.mark.parametrize(
    ("hand", "default"),
    [
        ("3S 3H 2S JOKER", Lead(("3S",), "3")),
        ("KD AC 2S", Lead(("AC",), "A")),
        ("10C 10D 5S", Lead(("10D",), "10")),
        ("JOKER JOKER", Lead(("JOKER",), "A")),
    ],
)
def test_the_default_lead_is_one_card_of_the_commonest_rank_named_truly(hand: str, default: Move) -> None:
    play = Play(hand, "4S 4H")
    (decision,) = BLUFF_KING.decisions(play.state)
    assert BLUFF_KING.default_move(play.state, decision) == default


@pytest.mark.parametrize(("seats", "decks"), [(2, 1), (4, 1), (5, 2), (8, 2)])
def test_r1_one_deck_up_to_four_seats_two_for_more(seats: int, decks: int) -> None:
    assert BLUFF_KING.options(seats, BluffKingOptions()).decks == decks
    assert BLUFF_KING.options(seats, BluffKingOptions(decks=3 - decks)).decks == 3 - decks


def test_the_deal_goes_round_from_the_first_lead_who_gets_the_odd_cards() -> None:
    draws = entropy.provable(bytes(32))
    options = BLUFF_KING.options(4, BluffKingOptions())
    drawn, *dealt = BLUFF_KING.setup(Table(4, options), Moment(7, draws))
    assert [event.seat for event in dealt] == [((drawn.seat or 0) + i) % 4 for i in range(4)]
    assert [event.count for event in dealt] == [14, 14, 13, 13]
    assert sorted(c for e in dealt for c in e.cards.value) == sorted(deck(1))


def test_what_all_saw_go_into_a_hand_is_marked_there_until_that_hand_loses_an_unseen_card() -> None:
    play = Play("2S 3S 4S", "5S 6S", "AS AH", "KS KH").when(A, lead("2S 3S", "2")).when(B, CALL)
    assert play.known_to(at_seat(C)).hands[A].known == ("2S", "3S")
    assert play.known_to(SPECTATOR).hands[A].known == ("2S", "3S")
    play.when(B, lead("5S", "5")).when(C, PASS).when(D, PASS).when(A, add("4S"))
    assert play.known_to(at_seat(C)).hands[A].known == ()
    assert play.known_to(at_seat(A)).hands[A].known == ("2S", "3S")


def test_a_seat_knows_its_own_cards_in_the_pile_that_another_takes() -> None:
    play = Play("2S 3S", "5S 6S", "AS AH").when(A, lead("2S", "9")).when(B, add("5S")).when(C, CALL)
    assert play.one(PileTaken).seat == B
    assert play.known_to(at_seat(A)).hands[B].known == ("2S", "5S")
    assert play.known_to(at_seat(C)).hands[B].known == ("5S",)


def test_the_pile_taken_does_not_tell_who_laid_what() -> None:
    play = Play("2S 3S", "5S 6S", "AS AH").when(A, lead("3S", "9")).when(B, add("5S")).when(C, CALL)
    taken = play.one(PileTaken)
    assert taken.cards.to == (B,)
    assert taken.cards.value == ("3S", "5S")


def test_an_explanation_tells_claim_reveal_verdict_and_where_the_cards_came_from() -> None:
    play = Play("2S 3S 4S", "5S 6S", "AS AH").when(A, lead("2S 3S", "2")).when(B, CALL)
    play.when(B, lead("5S", "5")).when(C, PASS).when(A, add("2S")).when(B, CALL)
    judged = play.one(Challenged)
    told = BLUFF_KING.explain(tuple(play.log), judged.v)
    assert (told.claimant, told.challenger, told.truthful, told.revealed) == (A, B, False, ("2S",))
    assert told.claim == {"count": 1, "rank": "5"}
    taken = next(e for e in play.log if isinstance(e, PileTaken))
    assert told.provenance == ({"card": "2S", "v": taken.v, "by": "pile_taken"},)
    with pytest.raises(Refused):
        BLUFF_KING.explain(tuple(play.log), 1)


def test_a_vote_is_read_back_from_its_event_and_a_sealed_one_is_none() -> None:
    play = Play("2S 2H", "3S", "4S", adding="after_no_challenge").when(A, lead("2S", "2")).when(B, CALL)
    cast = play.one(VoteCast)
    assert BLUFF_KING.move_of(cast) == CALL
