"""Time and haste around a table, over HTTP: votes that never come, and bags that are taken while others think."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from tests.e2e.client import OVER, Client, Json, code_of
from tests.e2e.conftest import Join
from tests.e2e.playing import a_move, runs

HASTE = {"vote_ms": 1000, "grace_ms": 0}
HUNG_S = 30
RACES = 12


class Table:
    """People who play one game, each answering when the test says so."""

    def __init__(self, join: Join, seats: int, seed: int, **wanted: object) -> None:
        self.rng = Random(seed)
        self.players = [join(f"Player {seat}") for seat in range(seats)]
        host, *others = self.players
        self.game = host.create(seats=seats, auto_start=True, **wanted)
        for other in others:
            other.sit(self.game)

    def view(self) -> Json:
        return self.players[0].view(self.game)

    def asked(self) -> list[Client]:
        return [self.players[one["seat"]] for one in self.view()["asked"]]

    def question(self, player: Client) -> Json:
        found = player.question(self.game)
        assert found
        return found

    def until(self, fits: Callable[[Json], bool], most: int = 400) -> Json:
        """Play on, laying what can be laid and doubting nothing, until the view of it is like that."""
        for _ in range(most):
            view = self.view()
            if fits(view):
                return view
            assert view["status"] not in OVER, "the game was over first"
            player = self.asked()[0]
            move = self.careful(self.question(player))
            assert player.move(self.game, move).status_code == 201, move
        raise AssertionError(f"not in {most} moves")

    def careful(self, question: Json) -> Json:
        """The longest play there is that leaves cards in the hand, or else anything that ends nothing."""
        forms = {form["type"]: form for form in question["moves"]}
        if "pass" in forms:
            return {"type": "pass", "decision": question["id"]}
        if "place_bags" in forms:
            places = [form for form in question["moves"] if form["type"] == "place_bags"]
            form, cards = max(((f, run) for f in places for run in runs(f["fields"]["cards"])), key=lambda p: len(p[1]))
            belt = self.rng.choice(form["fields"]["belt"]["values"])
            return {"type": "place_bags", "decision": question["id"], "belt": belt, "cards": cards, "end_turn": True}
        quiet = [form for form in question["moves"] if form["type"] in ("define", "peek", "end_turn", "lead")]
        return a_move({**question, "moves": quiet or question["moves"]}, self.rng, bold=0)

    def wait_for(self, kind: str, after: str, seconds: float = 30) -> list[Json]:
        """The events after a place, up to the batch with one of this type; they are waited for by long poll."""
        seen: list[Json] = []
        for event in self.players[0].follow(self.game, after=after, seconds=seconds):
            seen.append(event)
            if event["left"] == 0 and any(one["type"] == kind for one in seen):
                return seen
        raise AssertionError(f"over, and no {kind}")


VOTES = [
    pytest.param({"ruleset": "bluff_king", "options": {"adding": "after_no_challenge"}}, id="bluff_king"),
    pytest.param({"ruleset": "captain_bluff"}, id="captain_bluff"),
]


def voting(view: Json) -> bool:
    return bool(view["asked"]) and view["asked"][0]["kind"] == "vote"


@pytest.mark.slow
@pytest.mark.parametrize("wanted", VOTES)
def test_a_vote_that_does_not_come_in_time_is_a_pass_and_the_game_goes_on(join: Join, wanted: Json) -> None:
    table = Table(join, 3, 1, clock=HASTE, **wanted)
    view = table.until(voting)
    late = {one["seat"] for one in view["asked"]}
    questions = {seat: table.question(table.players[seat]) for seat in late}
    seen = table.wait_for("vote_closed", view["cursor"])
    cast = [event for event in seen if event["type"] == "vote_cast"]
    assert {event["seat"] for event in cast} == late
    assert {event["by"] for event in cast} == {"clock"}
    closed = next(event for event in seen if event["type"] == "vote_closed")
    assert closed["data"]["challenger"] is None
    assert {opened["value"] for opened in closed["opens"]} == {"pass"}
    for seat, question in questions.items():
        vote = {"type": "challenge", "decision": question["id"]}
        assert code_of(table.players[seat].move(table.game, vote)) in ("decision_closed", "not_asked")
    table.until(lambda now: now["version"] > closed["v"] + 2)


@pytest.mark.slow
@pytest.mark.parametrize("wanted", VOTES)
def test_a_challenge_counts_when_the_other_votes_do_not_come(join: Join, wanted: Json) -> None:
    """Nobody learns of it before the time of the others is up."""
    table = Table(join, 3, 2, clock=HASTE, **wanted)
    view = table.until(voting)
    first, last = sorted(one["seat"] for one in view["asked"])
    challenge = {"type": "challenge", "decision": table.question(table.players[last])["id"]}
    receipt = table.players[last].move(table.game, challenge).json()
    assert [event["type"] for event in receipt["events"]] == ["vote_cast"]
    (hers,) = table.players[first].log(table.game, after=view["cursor"])[:1]
    assert (hers["type"], hers["opened"]) == ("vote_cast", {})
    seen = table.wait_for("vote_closed", receipt["cursor"])
    closed = next(event for event in seen if event["type"] == "vote_closed")
    assert closed["data"]["challenger"] == last
    assert [(event["seat"], event["by"]) for event in seen if event["type"] == "vote_cast"] == [(first, "clock")]
    assert {opened["value"] for opened in closed["opens"]} == {"challenge", "pass"}
    judged = next(event for event in seen if event["type"] == "challenged")
    assert judged["data"]["challenger"] == last
    assert judged["opens"], "what was claimed is shown"


# --- bags that are taken back out of turn ------------------------------------------------------------------------


def thinking_beside_bags(view: Json) -> bool:
    """Somebody has a turn to think about, and on a belt lie bags that may be taken."""
    return bool(view["offers"]) and view["asked"][0]["kind"] == "turn"


def belt_of(view: Json, offer: Json) -> Json:
    (form,) = offer["moves"]
    belt: Json = view["table"]["belts"][form["fields"]["belt"]["values"][0]]
    return belt


def take(offer: Json, count: int | None = None) -> Json:
    (form,) = offer["moves"]
    fields = form["fields"]
    most = fields["count"]["max"] if count is None else count
    return {"type": "recover", "decision": offer["id"], "belt": fields["belt"]["values"][0], "count": most}


@pytest.mark.slow
def test_bags_are_taken_out_of_turn_while_another_seat_thinks(join: Join) -> None:
    table = Table(join, 2, 3, ruleset="captain_bluff")
    table.until(thinking_beside_bags)
    (thinker,) = table.asked()
    other = next(player for player in table.players if player is not thinker)
    question = table.question(thinker)
    view = other.view(table.game)
    assert view["decision"] is None
    offer = view["offers"][0]
    belt = belt_of(view, offer)
    receipt = other.move(table.game, take(offer, 1))
    assert receipt.status_code == 201, receipt.text
    (event,) = receipt.json()["events"]
    assert event["type"] == "bags_recovered"
    assert event["data"]["cards"] == belt["cards"][-1:]
    after = other.view(table.game)
    assert after["table"]["belts"][belt["belt"]]["cards"] == belt["cards"][:-1]
    assert sorted(after["table"]["hands"][event["seat"]]["cards"]) == sorted(
        [*view["table"]["hands"][event["seat"]]["cards"], *event["data"]["cards"]]
    )
    # The belt is another one now; where nothing is left to take anywhere, this seat is offered nothing at all.
    gone = "decision_closed" if after["offers"] else "not_asked"
    assert code_of(other.move(table.game, take(offer, 1))) == gone
    assert table.question(thinker)["id"] == question["id"], "whose turn it is is asked the same as before"
    assert thinker.move(table.game, table.careful(table.question(thinker))).status_code == 201
    assert thinker.view(table.game)["version"] > after["version"]


@pytest.mark.slow
def test_of_two_who_want_the_same_bags_exactly_one_gets_them(join: Join) -> None:
    table = Table(join, 2, 4, ruleset="captain_bluff")
    winners, codes = Counter[int](), Counter[str]()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(RACES):
            before = table.until(thinking_beside_bags)
            views = [player.view(table.game) for player in table.players]
            offers = [view["offers"][0] for view in views]
            assert offers[0] == offers[1], "all are offered the same"
            start = Barrier(2)

            def grab(player: Client, offer: Json, start: Barrier = start):
                start.wait(HUNG_S)
                return player.move(table.game, take(offer))

            answers = list(pool.map(grab, table.players, offers))
            assert sorted(answer.status_code for answer in answers) == [201, 409], [a.text for a in answers]
            winner = next(seat for seat, answer in enumerate(answers) if answer.status_code == 201)
            codes[code_of(answers[1 - winner])] += 1
            winners[winner] += 1
            events = table.players[0].log(table.game, after=before["cursor"])
            assert [(event["type"], event["seat"]) for event in events] == [("bags_recovered", winner)]
            taken = len(events[0]["data"]["cards"])
            counts = [hand["count"] for hand in table.view()["table"]["hands"]]
            held = [hand["count"] for hand in before["table"]["hands"]]
            assert counts[winner] == held[winner] + taken
            assert counts[1 - winner] == held[1 - winner]
    print(f"{dict(winners)}; refused with {dict(codes)}")
    assert set(codes) <= {"decision_closed", "nothing_to_recover", "not_asked"}


@pytest.mark.slow
def test_a_move_and_a_recovery_at_once_are_both_played_in_one_order_or_the_other(join: Join) -> None:
    table = Table(join, 2, 5, ruleset="captain_bluff")
    orders = Counter[str]()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(RACES):
            before = table.until(thinking_beside_bags)
            (thinker,) = table.asked()
            other = next(player for player in table.players if player is not thinker)
            question, offer = table.question(thinker), other.view(table.game)["offers"][0]
            (look,) = [form for form in question["moves"] if form["type"] == "peek"]
            peek = a_move({**question, "moves": [look]}, table.rng)
            start = Barrier(2)

            def send(player: Client, move: Json, start: Barrier = start):
                start.wait(HUNG_S)
                return player.move(table.game, move)

            answers = list(pool.map(send, (thinker, other), (peek, take(offer))))
            assert [answer.status_code for answer in answers] == [201, 201], [answer.text for answer in answers]
            events = [event["type"] for event in other.log(table.game, after=before["cursor"])]
            assert sorted(set(events) - {"turn_ended"}) == ["bags_recovered", "origin_peeked"]
            orders[events[0]] += 1
    print(dict(orders))
