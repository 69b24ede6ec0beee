"""Games as they were: byte for byte what each seat saw, and nothing more."""

import pytest

from eventstore.replay import MARK_EVERY
from tests.api.client import Client, filled, problem


@pytest.fixture
def played(ann: Client, bob: Client, anybody: Client):
    """A whole game of two, and what each reader saw live at each cursor."""
    game = ann.game(auto_start=True, options={"max_turns": 12})
    seen: dict[tuple[str, str], bytes] = {}

    def look() -> None:
        for who, client in (("0", ann), ("1", bob), ("spectator", anybody)):
            answer = client.get(f"/v1/games/{game}")
            if answer.json["observer"] != {"spectator": True} or who == "spectator":
                seen[who, answer.json["cursor"]] = answer.data

    look()
    bob.post(f"/v1/games/{game}/seats", {})
    look()
    while (view := ann.view(game))["status"] == "playing":
        mover = (ann, bob)[view["asked"][0]["seat"]]
        mover.post(f"/v1/games/{game}/moves", filled(mover.view(game)["decision"]["moves"][-1]))
        look()
    return game, seen


def test_a_replay_is_byte_for_byte_what_that_seat_saw_live(ann: Client, bob: Client, anybody: Client, played):
    game, seen = played
    assert len(seen) > 30
    for (who, cursor), body in seen.items():
        for at in (cursor, cursor.partition("-")[0]):
            answer = anybody.get(f"/v1/games/{game}/replay?at={at}&as={who}")
            assert answer.data == body, f"{who} at {at}"
    for who, client in (("0", ann), ("1", bob)):
        for cursor in [cursor for seat, cursor in seen if seat == who]:
            assert client.get(f"/v1/games/{game}/replay?at={cursor}").data == seen[who, cursor]


def test_it_is_rounded_down_to_a_batch_end(ann: Client, table: str):
    events = ann.get(f"/v1/games/{table}/events").json["items"]
    ends = [event["v"] for event in events if event["left"] == 0]
    for at in range(ends[0], events[-1]["v"] + 1):
        view = ann.get(f"/v1/games/{table}/replay?at={at}").json
        assert view["version"] == max(end for end in ends if end <= at)
    assert ann.get(f"/v1/games/{table}/replay").json == ann.view(table)
    for at in (0, ends[0] - 1, events[-1]["v"] + 1, 999_999):
        wrong = problem(ann.get(f"/v1/games/{table}/replay?at={at}"), 422, "at_out_of_range")
        assert (wrong["min"], wrong["max"]) == (ends[0], events[-1]["v"])


def test_a_cursor_of_another_history_is_told_to_resync(ann: Client, table: str):
    cursor = ann.view(table)["cursor"]
    for at in (f"{cursor.partition('-')[0]}-00000000", "1-00000000", "999-00000000"):
        assert problem(ann.get(f"/v1/games/{table}/replay?at={at}"), 409, "resync")["cursor"] == cursor


def test_other_eyes_only_when_the_game_is_over(ann: Client, bob: Client, anybody: Client, table: str):
    for path in ("replay", "log"):
        address = f"/v1/games/{table}/{path}?as="
        for wanted in ("0", "me", "spectator"):
            assert ann.get(address + wanted).status_code == 200
        for client, wanted in ((ann, "1"), (ann, "all"), (anybody, "0"), (anybody, "all")):
            problem(client.get(address + wanted), 409, "game_not_over")
        for client in (ann, anybody):
            assert problem(client.get(address + "2"), 422, "seat_out_of_range")["max"] == 1
        for wrong in ("-1", "x", "01x", "100"):
            problem(ann.get(address + wrong), 422, "validation_failed")
    bob.delete(f"/v1/games/{table}/seats/me")
    everything = anybody.get(f"/v1/games/{table}/replay?as=all&at=7").json
    assert everything["observer"] == {"all": True}
    assert all("cards" in hand for hand in everything["table"]["hands"])
    assert bob.get(f"/v1/games/{table}/replay?as=1&at=7").json["observer"] == {"seat": 1}
    assert bob.get(f"/v1/games/{table}/replay?at=7").json["observer"] == {"spectator": True}


def test_whoever_resigned_looks_back_as_a_spectator_while_others_play(ann: Client, bob: Client):
    game = ann.game(seats=3, bots=["novice"], auto_start=True)
    bob.post(f"/v1/games/{game}/seats", {})
    dealt = bob.view(game)["version"]
    assert bob.get(f"/v1/games/{game}/replay?as=2&at={dealt}").json["observer"] == {"seat": 2}
    bob.delete(f"/v1/games/{game}/seats/me")
    assert bob.get(f"/v1/games/{game}/replay?at={dealt}").json["observer"] == {"spectator": True}
    for path in (f"replay?as=2&at={dealt}", "replay?as=2", "log?as=2"):
        problem(bob.get(f"/v1/games/{game}/{path}"), 409, "game_not_over")
    assert b'"salt"' not in bob.get(f"/v1/games/{game}/log").data


def test_a_replay_that_is_known_is_not_sent_again(ann: Client, table: str):
    first = ann.get(f"/v1/games/{table}/replay?at=7")
    tag = first.headers["ETag"]
    for held in (tag, f"W/{tag}", f'"x", W/{tag}'):
        again = ann.get(f"/v1/games/{table}/replay?at=7", headers={"If-None-Match": held})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == tag


def test_folds_are_kept_on_the_way_and_forgotten_with_their_history(ann: Client, opened):
    """Stepping through a long game does not fold it from the start each time."""
    import secrets

    from domain.commands import GiveSeed
    from domain.observers import SPECTATOR
    from eventstore.replay import Replays

    game = ann.game(seats=3)
    for _ in range(3 * MARK_EVERY):
        opened.repository.execute(game, GiveSeed(ann.player["id"], secrets.token_hex(32)), key=secrets.token_hex(8))
    read = []

    class Counting:
        def read(self, game, after=0, limit=None):
            found = opened.log.read(game, after, limit)
            read.append(len(found))
            return found

    replays = Replays(Counting(), opened.repository.entry)
    last = opened.repository.version(game)
    whole = replays.at(game, SPECTATOR, last)
    assert read == [last]
    assert whole.game == opened.repository.fold(game, SPECTATOR).game
    for at in range(last, 1, -7):
        assert replays.at(game, SPECTATOR, at).game.version == at
    assert max(read[1:]) < 2 * MARK_EVERY
