"""Events in pages and by long poll."""

import threading
import time

import pytest

from tests.api.client import Client, problem


def test_pages_follow_each_other_to_the_end_and_stop_at_batch_ends(ann: Client, bob: Client, table: str):
    whole = ann.get(f"/v1/games/{table}/events").json
    assert [event["v"] for event in whole["items"]] == list(range(1, len(whole["items"]) + 1))
    assert whole["next"] is None
    assert whole["cursor"] == ann.view(table)["cursor"]
    seen, address = [], f"/v1/games/{table}/events?limit=1"
    while address:
        page = ann.get(address)
        assert page.json["items"][-1]["left"] == 0
        assert ("Link" in page.headers) == (page.json["next"] is not None)
        seen += page.json["items"]
        address = page.json["next"]
    assert seen == whole["items"]


def test_a_cursor_or_a_bare_version_resumes(ann: Client, table: str):
    whole = ann.get(f"/v1/games/{table}/events").json["items"]
    end = next(event for event in whole if event["left"] == 0)
    for after in (end["v"], end["cursor"]):
        assert ann.get(f"/v1/games/{table}/events?after={after}").json["items"] == whole[end["v"] :]
    last = whole[-1]["cursor"]
    page = ann.get(f"/v1/games/{table}/events?after={last}").json
    assert page == {"items": [], "next": None, "cursor": last}


def test_a_cursor_of_another_history_is_told_to_resync(ann: Client, table: str):
    cursor = ann.view(table)["cursor"]
    version = cursor.partition("-")[0]
    for after in (f"{version}-00000000", "1-00000000", "999", "999-00000000"):
        for _ in range(2):
            assert problem(ann.get(f"/v1/games/{table}/events?after={after}"), 409, "resync")["cursor"] == cursor


@pytest.mark.parametrize("after", ["-1", "x", "1-", "1-xyz", "1-00000000-1", "1" * 30, "%E0"])
def test_what_is_no_cursor_is_refused(ann: Client, table: str, after: str):
    wrong = problem(ann.get(f"/v1/games/{table}/events?after={after}"), 422, "validation_failed")
    assert wrong["errors"][0]["parameter"] == "after"


def test_every_event_is_served_and_what_is_not_ours_stays_sealed(ann: Client, bob: Client, anybody: Client, table: str):
    pages = [client.get(f"/v1/games/{table}/events").json["items"] for client in (ann, bob, anybody)]
    for mine, theirs, nobodys in zip(*pages, strict=True):
        assert mine["hash"] == theirs["hash"] == nobodys["hash"]
        assert mine["seals"] == theirs["seals"] == nobodys["seals"]
        assert nobodys["opened"] == {}
    dealt = [[e["seat"] for e in page if e["type"] == "hand_dealt" and e["opened"]] for page in pages]
    assert dealt == [[0], [1], []]


def test_everything_is_open_when_the_game_is_over(ann: Client, bob: Client, anybody: Client, table: str):
    problem(ann.get(f"/v1/games/{table}/events?as=all"), 409, "game_not_over")
    bob.delete(f"/v1/games/{table}/seats/me")
    page = anybody.get(f"/v1/games/{table}/events?as=all").json["items"]
    assert page[0]["opened"]["server_seed"]["value"]
    assert all(set(event["opened"]) == set(event["seals"]) for event in page)


def test_a_long_poll_waits_for_the_next_event(ann: Client, bob: Client, table: str):
    cursor = ann.view(table)["cursor"]
    mover = ann if ann.view(table)["decision"] else bob
    found = []

    def poll() -> None:
        found.append(ann.get(f"/v1/games/{table}/events?after={cursor}", headers={"Prefer": "wait=20"}))

    waiting = threading.Thread(target=poll)
    began = time.monotonic()
    waiting.start()
    mover.act(table)
    waiting.join(timeout=15)
    assert time.monotonic() - began < 10
    assert [event["type"] for event in found[0].json["items"]] == ["cards_claimed"]
    assert found[0].headers["Preference-Applied"] == "wait=20"


def test_a_long_poll_with_nothing_to_tell_answers_an_empty_page(ann: Client, table: str):
    cursor = ann.view(table)["cursor"]
    page = ann.get(f"/v1/games/{table}/events?after={cursor}", headers={"Prefer": "respond-async, wait=1"})
    assert page.json == {"items": [], "next": None, "cursor": cursor}


def test_a_finished_game_keeps_nobody_waiting(ann: Client, bob: Client, table: str):
    bob.delete(f"/v1/games/{table}/seats/me")
    cursor = ann.view(table)["cursor"]
    began = time.monotonic()
    page = ann.get(f"/v1/games/{table}/events?after={cursor}", headers={"Prefer": "wait=20"})
    assert page.json["items"] == []
    assert time.monotonic() - began < 5
