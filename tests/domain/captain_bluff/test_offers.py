"""Recovery through the aggregate: offers out of turn, which cross with other answers. Rules: captain_bluff R9."""

from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_bluff.moves import Peek, Recover
from domain.commands import Leave, Timeout
from domain.commands import Play as Answer
from domain.decide import decide
from domain.decisions import Asked, ask
from domain.errors import Refused
from domain.game import Game, Seat
from domain.moves import Move
from tests.domain.captain_bluff.table import CALL, PASS, A, B, C, Play, place

BELTS = {0: ("HNL-1", "HKG-3 HKG-4 HKG-5"), 2: ("HNL-2", "SFO-5 SFO-6 SFO-7")}


class Given:
    """A running game of three players at a table, version 10."""

    def __init__(self, play: Play) -> None:
        seats = tuple([Seat(player=f"P{i}", controller="player") for i in range(len(play.state.hands))])
        asked = ask(CAPTAIN_BLUFF.decisions(play.state), (), 10, 0)
        self.game = Game(
            id="G", version=10, ruleset="captain_bluff", status="playing", seats=seats, seed="5e" * 32,
            table=play.state, asked=asked,
        )  # fmt: skip

    def ids(self, seat: int) -> dict[str, str]:
        """The ids of what is asked of a seat and offered to it, by name."""
        return {asked.decision.name or asked.decision.kind: asked.id for asked in self.game.open_for(seat)}

    def when(self, seat: int, decision: str, move: Move) -> list[str]:
        """The types of the events that the answer makes."""
        decided = decide(CAPTAIN_BLUFF, self.game, Answer(seat, decision, move), 1000)
        self.game = decided.game
        return [event.type for event in decided.events]

    def refuses(self, seat: int, decision: str, move: Move) -> Refused:
        try:
            decide(CAPTAIN_BLUFF, self.game, Answer(seat, decision, move), 1000)
        except Refused as refused:
            return refused
        raise AssertionError(f"{move.type} was not refused")


def table() -> Given:
    return Given(Play("HKG-9 SFO-1 REVERSE", "SFO-2 SFO-3", "SFO-4 SFO-8", belts=BELTS))


def test_an_offer_is_used_while_another_seat_thinks_and_changes_no_duty() -> None:
    given = table()
    before = given.ids(A)
    assert given.when(C, given.ids(C)["recover-0"], Recover(0, 2)) == ["bags_recovered"]
    assert given.ids(A)["turn"] == before["turn"]
    assert given.ids(A)["recover-2"] == before["recover-2"]
    assert "recover-0" not in given.ids(A)
    assert given.when(A, before["turn"], Peek(0)) == ["origin_peeked", "turn_ended"]


def test_of_two_that_want_the_same_bags_the_first_gets_them_and_the_other_is_told() -> None:
    given = table()
    wanted = given.ids(B)["recover-2"]
    given.when(C, given.ids(C)["recover-2"], Recover(2, 1))
    refused = given.refuses(B, wanted, Recover(2, 1))
    assert refused.code == "decision_closed"
    assert given.ids(B)["recover-2"] == "11-recover-2"
    assert given.ids(B)["recover-0"] == "10-recover-0"


def test_an_offer_used_twice_is_refused() -> None:
    given = table()
    used = given.ids(B)["recover-2"]
    given.when(B, used, Recover(2, 1))
    assert given.refuses(B, used, Recover(2, 1)).code == "decision_closed"


def test_an_offer_of_one_belt_takes_no_bags_of_another() -> None:
    given = table()
    refused = given.refuses(B, given.ids(B)["recover-0"], Recover(2, 1))
    assert (refused.code, refused.facts["reason"]) == ("illegal_move", "answers_another_decision")
    assert refused.facts["decision"] == given.ids(B)["recover-2"]
    assert given.refuses(B, given.ids(B)["recover-0"], Recover(0, 3)).code == "wrong_number_of_bags"


def test_an_offer_that_was_taken_while_votes_were_out_leaves_the_votes_as_they_are() -> None:
    given = table()
    given.when(A, given.ids(A)["turn"], place(0, "HKG-9"))
    votes = {seat: given.ids(seat)["vote"] for seat in (B, C)}
    assert set(given.ids(B)) == {"vote", "recover-2"}
    given.when(B, given.ids(B)["recover-2"], Recover(2, 1))
    given.when(A, given.ids(A)["recover-2"], Recover(2, 1))
    assert {seat: given.ids(seat)["vote"] for seat in (B, C)} == votes
    given.when(C, votes[C], PASS)
    types = given.when(B, votes[B], CALL)
    assert types == ["vote_cast", "vote_closed", "challenged", "belt_taken", "turn_ended"]


def test_offers_have_no_clock() -> None:
    given = table()

    def offers(asked: tuple[Asked, ...]) -> set[str]:
        return {one.id for one in asked if not one.decision.required}

    before = offers(given.game.asked)
    late = given.game.enforced(given.game.open_for(A)[0])
    decided = decide(CAPTAIN_BLUFF, given.game, Timeout(), late)
    assert [event.type for event in decided.events] == ["origin_peeked", "turn_ended"]
    assert offers(decided.game.asked) == before
    recovered = decide(CAPTAIN_BLUFF, given.game, Answer(B, given.ids(B)["recover-2"], Recover(2, 1)), late * 9)
    assert recovered.events[0].type == "bags_recovered"


def test_votes_that_nobody_gave_in_time_are_passes_in_one_batch() -> None:
    given = table()
    given.when(A, given.ids(A)["turn"], place(0, "HKG-9"))
    late = given.game.enforced(given.game.open_for(B)[0])
    decided = decide(CAPTAIN_BLUFF, given.game, Timeout(), late)
    assert [event.type for event in decided.events] == ["vote_cast", "vote_cast", "vote_closed", "turn_ended"]


def test_who_resigns_at_a_table_of_two_loses_whatever_the_hands_hold() -> None:
    given = Given(Play("HKG-9", "SFO-2 SFO-3", belts=BELTS))
    ended = decide(CAPTAIN_BLUFF, given.game, Leave("P0"), 1000).game.result
    assert ended is not None
    assert (ended.reason, ended.winners) == ("resigned", (B,))
