"""Legal moves, and playing."""

import pytest

from tests.api.client import Client, filled, problem
from tests.waiting import until


@pytest.fixture
def turns(ann: Client, bob: Client, table: str) -> tuple[Client, Client]:
    """Who is asked first, and who is not."""
    return (ann, bob) if ann.view(table)["decision"] else (bob, ann)


def lead(client: Client, game: str) -> dict:
    """A lead of one card, named truly."""
    decision = client.view(game)["decision"]
    card = decision["moves"][0]["fields"]["cards"]["from"][0]
    return {"type": "lead", "decision": decision["id"], "cards": [card], "rank": "A"}


def test_the_legal_moves_stand_in_the_view_and_alone(turns, table: str):
    first, second = turns
    view = first.view(table)
    alone = first.get(f"/v1/games/{table}/moves")
    assert alone.json["decision"] == view["decision"]
    assert {form["decision"] for form in view["decision"]["moves"]} == {view["decision"]["id"]}
    assert second.get(f"/v1/games/{table}/moves").json["decision"] is None
    tag = alone.headers["ETag"]
    assert first.get(f"/v1/games/{table}/moves", headers={"If-None-Match": tag}).status_code == 304


def test_a_move_answers_with_a_receipt_for_the_eyes_of_the_mover(turns, table: str, version):
    first, second = turns
    move = lead(first, table)
    played = first.post(f"/v1/games/{table}/moves", move)
    assert played.status_code == 201
    receipt = played.json
    assert (receipt["game"], receipt["from"], receipt["to"]) == (table, version(table), version(table))
    assert receipt["hash"].startswith(receipt["cursor"].partition("-")[2])
    assert receipt["events"][0]["opened"]["cards"]["value"] == move["cards"]
    seen = second.get(f"/v1/games/{table}/events?after={receipt['from'] - 1}").json["items"]
    assert seen[0]["opened"] == {}
    assert seen[0]["hash"] == receipt["events"][0]["hash"]


def test_a_move_sent_twice_is_played_once(turns, table: str, version):
    first, _ = turns
    move = lead(first, table)
    assert first.post(f"/v1/games/{table}/moves", move).status_code == 201
    before = version(table)
    problem(first.post(f"/v1/games/{table}/moves", move), 409, "not_asked")
    assert version(table) == before


def test_a_move_out_of_turn_is_refused(turns, table: str, version):
    first, second = turns
    before = version(table)
    move = {"type": "challenge", "decision": first.view(table)["decision"]["id"]}
    for _ in range(2):
        wrong = problem(second.post(f"/v1/games/{table}/moves", move), 409, "not_asked")
        assert wrong["asked"] == [first.view(table)["observer"]["seat"]]
    assert version(table) == before


def test_a_move_to_an_old_decision_is_refused(turns, table: str, version):
    first, second = turns
    old = lead(first, table)
    first.post(f"/v1/games/{table}/moves", old)
    second.post(f"/v1/games/{table}/moves", {"type": "pass", "decision": second.view(table)["decision"]["id"]})
    now = first.view(table)["decision"]["id"]
    before = version(table)
    for _ in range(2):
        wrong = problem(first.post(f"/v1/games/{table}/moves", old), 409, "decision_closed")
        assert wrong["open"] == [now]
    assert version(table) == before


def test_a_card_not_held_and_a_card_named_twice_are_refused(turns, table: str, version):
    first, second = turns
    move = lead(first, table)
    hers = {hand["seat"]: hand.get("cards") for hand in second.view(table)["table"]["hands"]}
    other = next(card for cards in hers.values() if cards for card in cards if card != "JOKER")
    once = next(c for c in first.view(table)["decision"]["moves"][0]["fields"]["cards"]["from"] if c != "JOKER")
    before = version(table)
    for cards in ([other], [once, once]):
        for _ in range(2):
            problem(first.post(f"/v1/games/{table}/moves", {**move, "cards": cards}), 409, "card_not_held")
    assert version(table) == before


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"type": None}, "/type"),
        ({"type": "castle"}, "/type"),
        ({"type": ["lead"]}, "/type"),
        ({"decision": None}, "/decision"),
        ({"decision": 7}, "/decision"),
        ({"decision": ""}, "/decision"),
        ({"cards": None}, "/cards"),
        ({"cards": []}, "/cards"),
        ({"cards": "AS"}, "/cards"),
        ({"cards": ["AS"] * 109}, "/cards"),
        ({"cards": ["XX"]}, "/cards/0"),
        ({"cards": ["AS", 5]}, "/cards/1"),
        ({"rank": "JOKER"}, "/rank"),
        ({"rank": 7}, "/rank"),
        ({"seat": 1}, "/seat"),
        ({"a/b~": 1}, "/a~1b~0"),
    ],
)
def test_another_shape_is_refused_with_a_pointer(turns, table: str, version, change, pointer):
    first, _ = turns
    move = {key: value for key, value in {**lead(first, table), **change}.items() if value is not None}
    before = version(table)
    for _ in range(2):
        wrong = problem(first.post(f"/v1/games/{table}/moves", move), 422, "validation_failed")
        assert [error["pointer"] for error in wrong["errors"]] == [pointer]
    assert version(table) == before


def test_a_move_that_is_no_answer_to_the_question_is_illegal(turns, table: str, version):
    first, _ = turns
    before = version(table)
    move = {"type": "pass", "decision": first.view(table)["decision"]["id"]}
    assert problem(first.post(f"/v1/games/{table}/moves", move), 409, "illegal_move")["moves"] == ["lead"]
    assert version(table) == before


def test_strangers_and_finished_games_take_no_move(turns, table: str, anybody: Client, version):
    first, second = turns
    move = lead(first, table)
    before = version(table)
    eve = anybody.join("Eve")
    for _ in range(2):
        problem(eve.post(f"/v1/games/{table}/moves", move), 403, "not_seated")
    assert version(table) == before
    second.delete(f"/v1/games/{table}/seats/me")
    after = version(table)
    for _ in range(2):
        problem(first.post(f"/v1/games/{table}/moves", move), 409, "game_over")
    assert version(table) == after


def test_in_the_lobby_nobody_is_asked(ann: Client, version):
    game = ann.game()
    before = version(game)
    problem(ann.post(f"/v1/games/{game}/moves", {"type": "pass", "decision": "1"}), 409, "not_asked")
    assert version(game) == before


def test_a_late_move_makes_the_server_play_the_default_first(ann: Client, bob: Client, opened):
    game = ann.game(auto_start=True, clock={"decision_ms": 1000, "grace_ms": 0})
    bob.post(f"/v1/games/{game}/seats", {})
    asked = opened.repository.game(game).game.asked[0]
    late = ann if asked.decision.seat == 0 else bob
    move = lead(late, game)
    until(lambda: opened.repository.now() > asked.since + 1010)
    wrong = late.post(f"/v1/games/{game}/moves", move)
    assert wrong.status_code == 409
    assert wrong.json["code"] in ("decision_closed", "not_asked")
    last = late.get(f"/v1/games/{game}/events").json["items"][-1]
    assert (last["by"], last["seat"]) == ("clock", asked.decision.seat)


def test_a_whole_game_is_played_by_forms_alone(ann: Client, bob: Client):
    """A client that knows no rules: it plays what the forms offer until there is a result."""
    game = ann.game(auto_start=True, options={"max_turns": 12})
    bob.post(f"/v1/games/{game}/seats", {})
    for _ in range(400):
        view = ann.view(game)
        if view["status"] == "finished":
            break
        mover = (ann, bob)[view["asked"][0]["seat"]]
        decision = mover.view(game)["decision"]
        assert mover.post(f"/v1/games/{game}/moves", filled(decision["moves"][-1])).status_code == 201
    assert view["result"]["reason"] in ("turn_limit", "emptied")
    assert view["asked"] == []
    assert view["decision"] is None


def test_a_seat_that_is_not_at_the_table_is_refused_with_those_that_are(anybody: Client, version):
    players = [anybody.join(name) for name in ("Ann", "Bob", "Cy", "Di")]
    game = players[0].game(ruleset="captains_orders", seats=4, auto_start=True)
    for player in players[1:]:
        player.post(f"/v1/games/{game}/seats", {})
    mover = players[players[0].view(game)["asked"][0]["seat"]]
    before = version(game)
    move = {"type": "accuse", "decision": mover.view(game)["decision"]["id"], "seat": 6}
    told = problem(mover.post(f"/v1/games/{game}/moves", move), 422, "seat_out_of_range")
    assert (told["min"], told["max"], version(game)) == (0, 3, before)
