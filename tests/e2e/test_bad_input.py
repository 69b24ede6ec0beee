"""Every refusal has a code, says what would be right, and appends nothing."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from tests.e2e import mischief
from tests.e2e.client import Client, Json, code_of
from tests.e2e.conftest import Join
from tests.e2e.instance import Instance
from tests.e2e.mischief import Bad
from tests.e2e.playing import a_move


@pytest.fixture
def table(captain: Instance, join: Join):
    """A running game for two, its version and head read from the store itself."""
    ann, bob = join("Ann"), join("Bob")
    game = ann.create(auto_start=True)
    bob.sit(game)
    with captain.store() as store:
        yield game, ann, bob, lambda wanted=game: store.log.head(wanted)


def refused(client: Client, requests: Iterable[Bad], head) -> set[str]:
    """Send each request twice: the right code both times, and the log as it was."""
    before = head()
    names = set()
    for bad in requests:
        for _ in range(2):
            answer = mischief.send(client, bad)
            assert code_of(answer) == bad.code, f"{bad.name}: {answer.status_code} {answer.text[:300]}"
        names.add(bad.name)
        assert head() == before, f"{bad.name} changed the log"
    return names


def hand_of(view: Json) -> list[str]:
    """The cards of the player whose view it is."""
    hand: list[str] = view["table"]["hands"][view["observer"]["seat"]]["cards"]
    return hand


def asked_first(game: str, *players: Client) -> list[Client]:
    """The players, the one who is asked first."""
    return sorted(players, key=lambda player: player.view(game)["decision"] is None)


def test_bodies_that_cannot_be_read(table) -> None:
    game, ann, _, head = table
    assert len(refused(ann, mischief.unreadable(game), head)) == 11


def test_moves_of_a_wrong_shape(table) -> None:
    game, ann, bob, head = table
    for player in asked_first(game, ann, bob):
        refused(player, mischief.misshapen_moves(game, ann.view(game)["cursor"].partition("-")[0]), head)


def test_wrong_answers_of_who_is_asked(table) -> None:
    game, ann, bob, head = table
    first, second = asked_first(game, ann, bob)
    view = first.view(game)
    lead = {"type": "lead", "decision": view["decision"]["id"], "cards": hand_of(view)[:1], "rank": "A"}
    refused(first, mischief.of_one_who_is_asked(game, view["decision"], hand_of(view), "1"), head)
    assert first.move(game, lead).status_code == 201
    view = second.view(game)
    add = {"type": "add", "decision": view["decision"]["id"], "cards": hand_of(view)[:1]}
    refused(second, mischief.of_one_who_is_asked(game, view["decision"], hand_of(view), lead["decision"]), head)
    assert second.move(game, add).status_code == 201, "what was refused did no harm"
    view = first.view(game)
    refused(first, mischief.of_one_who_is_asked(game, view["decision"], hand_of(view), lead["decision"]), head)


def test_moves_out_of_turn(table) -> None:
    game, ann, bob, head = table
    first, second = asked_first(game, ann, bob)
    asked = first.view(game)["decision"]["id"]
    refused(second, mischief.of_one_who_is_not_asked(game, asked, hand_of(second.view(game))), head)


def test_a_card_that_the_other_holds_is_refused_like_one_that_was_discarded(table) -> None:
    """The refusal may not tell where a card is."""
    game, ann, bob, head = table
    first, second = asked_first(game, ann, bob)
    decision = first.view(game)["decision"]["id"]
    hers = [card for card in hand_of(second.view(game)) if card != "JOKER"][:3]
    before = head()
    said = set()
    for card in hers:
        answer = first.move(game, {"type": "lead", "decision": decision, "cards": [card], "rank": "A"})
        assert code_of(answer) == "card_not_held"
        said.add(answer.text.replace(card, "CARD"))
    assert len(said) == 1
    assert head() == before


def test_strangers_wrong_tokens_and_no_tokens(table, join: Join) -> None:
    game, ann, _, head = table
    asked = ann.view(game)["cursor"].partition("-")[0]
    refused(join("Eve"), mischief.of_a_stranger(game, asked), head)
    refused(join(), mischief.of_the_unnamed(game, asked), head)
    refused(join(), mischief.without_a_token(game, asked), head)


def test_what_is_not_there(table) -> None:
    game, ann, _, head = table
    refused(ann, mischief.no_such_things(game), head)


def test_what_cannot_be_done_in_a_running_game(table) -> None:
    game, ann, _, head = table
    refused(ann, mischief.of_a_running_game(game), head)


def test_a_key_used_for_something_else(table) -> None:
    game, ann, bob, head = table
    first, _ = asked_first(game, ann, bob)
    view = first.view(game)
    key = {"headers": {"Idempotency-Key": "once"}}
    move = {"type": "lead", "decision": view["decision"]["id"], "cards": hand_of(view)[:1], "rank": "A"}
    played = first.move(game, move, **key)
    before = head()
    again = first.move(game, move, **key)
    assert (again.status_code, again.json()) == (played.status_code, played.json())
    assert again.headers["Idempotency-Replayed"] == "true"
    assert code_of(first.move(game, {**move, "rank": "2"}, **key)) == "key_reused"
    assert head() == before


def test_games_that_cannot_be_made(table) -> None:
    _, ann, _, head = table
    before = [one["id"] for one in ann.get("/games?seat=me")["items"]]
    refused(ann, mischief.bad_creations(), head)
    assert [one["id"] for one in ann.get("/games?seat=me")["items"]] == before


def test_seats_that_cannot_be_had(table, join: Join) -> None:
    _, ann, bob, head = table
    lobby = ann.create()
    refused(ann, mischief.bad_seats(lobby, taken=0), lambda: head(lobby))
    taken = Bad("a seat that is taken", "seat_taken", "POST", f"/games/{lobby}/seats", {"seat": 0})
    refused(bob, [taken, *mischief.of_a_stranger(lobby, "1")][:2], lambda: head(lobby))
    bob.sit(lobby)
    full = Bad("a full game", "game_full", "POST", f"/games/{lobby}/seats", {})
    refused(join("Eve"), [full], lambda: head(lobby))
    refused(bob, [Bad("not the host", "not_host", "POST", f"/games/{lobby}/start", {})], lambda: head(lobby))


def test_a_game_that_is_over(table) -> None:
    game, ann, bob, head = table
    first, second = asked_first(game, ann, bob)
    question = first.question(game)
    second.delete(f"/games/{game}/seats/me")
    refused(first, mischief.of_a_game_that_is_over(game), head)
    answer = first.move(game, a_move(question, Random(1)))
    assert code_of(answer) == "game_over"


def test_a_private_game_is_unknown_to_all_others(captain: Instance, join: Join) -> None:
    ann, eve, nobody = join("Ann"), join("Eve"), join()
    game = ann.create(bots=["novice"], visibility="private", auto_start=True, clock={"bot_pace_ms": 60_000})
    with captain.store() as store:
        before = store.log.head(game)
        for method, path, body in (
            ("GET", f"/games/{game}", None),
            ("GET", f"/games/{game}/events", None),
            ("GET", f"/games/{game}/moves", None),
            ("POST", f"/games/{game}/moves", {"type": "pass", "decision": "1"}),
            ("POST", f"/games/{game}/seats", {}),
            ("POST", f"/games/{game}/seats", {"bot": "novice"}),
            ("POST", f"/games/{game}/start", {}),
            ("PUT", f"/games/{game}/seats/me", {"controller": "player"}),
            ("DELETE", f"/games/{game}/seats/me", None),
        ):
            hidden = eve.send(method, path, body)
            missing = eve.send(method, path.replace(game, "01ARZ3NDEKTSV4RRFFQ69G5FAV"), body)
            assert code_of(hidden) == "unknown_game", (method, path)
            assert (hidden.status_code, hidden.json()) == (missing.status_code, missing.json()), "not to be told apart"
        assert code_of(nobody.send("GET", f"/games/{game}")) == "unknown_game"
        listed = [one["id"] for client in (eve, nobody) for one in client.get("/games?limit=200")["items"]]
        assert game not in listed
        assert store.log.head(game) == before
