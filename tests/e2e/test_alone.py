"""What happens with no client connected: the store alone is watched."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest

from domain import canonical
from eventstore.keys import shard_keys, shard_of
from eventstore.store import Store
from tests.e2e.client import OVER
from tests.e2e.conftest import Join
from tests.e2e.instance import Instance
from tests.waiting import until

ALLOWED_MS = 250


def records(store: Store, game: str) -> list[dict[str, Any]]:
    return [canonical.loads(stored.record) for stored in store.log.read(game)]


def owed(store: Store, game: str) -> list[str]:
    return [due.obligation.print() for due in store.owed.list_due(shard_of(game), game)]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"adding": "immediate"}, {"adding": "after_no_challenge"}])
def test_a_game_of_bots_ends_with_no_client_and_owes_nothing(captain: Instance, options: dict[str, str]) -> None:
    with captain.client("Host") as host:
        game = host.create(host_seat="none", bots=["standard", "novice", "novice"], options=options, auto_start=True)
    with captain.store() as store:
        until(lambda: store.repository.game(game).game.status in OVER, 60)
        assert records(store, game)[-1]["type"] == "game_ended"
        until(lambda: not owed(store, game))


@pytest.mark.slow
def test_a_deadline_is_kept_with_no_client(captain: Instance) -> None:
    """By the store's clock: a doorbell is rung by the append itself, and its id is the time."""
    with captain.client("Host") as host:
        clock = {"decision_ms": 1000, "grace_ms": 200, "away_after": 1000}
        games = [host.create(bots=["novice"], clock=clock, auto_start=True) for _ in range(8)]
    with captain.store() as store:
        late = [ms for game in games for ms in until(lambda game=game: lateness(store, game), 30)]
    assert min(late) >= 0, f"a clock fired {-min(late)} ms too early"
    # The machine may be busy with other tests when one of them falls due; half of them may not wait for that.
    assert median(late) <= ALLOWED_MS, late


def lateness(store: Store, game: str) -> list[int]:
    """By how many ms each timeout of the human seat came after its enforced deadline; none before there is one."""
    clock = store.repository.game(game).game.clock
    written = records(store, game)
    rung = bells(store, game)  # read after the records: the game goes on meanwhile
    found, asked_at = [], 0
    for record in written:
        if record["by"] == "clock" and record["seat"] == 0:
            found.append(rung[record["v"] + record["left"]] - (asked_at + clock.decision_ms + clock.grace_ms))
        asked_at = record["at"]
    return found


def bells(store: Store, game: str) -> dict[int, int]:
    """When each batch of a game was stored: its last version -> ms of the store's clock."""
    rung = store.reader.xrange(shard_keys(shard_of(game)).bell)
    return {int(fields[3]): int(entry.partition(b"-")[0]) for entry, fields in rung if fields[1] == game.encode()}


@pytest.mark.slow
def test_three_timeouts_in_a_row_hand_the_seat_to_a_bot_until_its_player_comes_back(join: Join) -> None:
    ann = join("Ann")
    clock = {"decision_ms": 1000, "vote_ms": 1000, "grace_ms": 0, "away_after": 3, "bot_pace_ms": 300}
    game = ann.create(bots=["novice"], clock=clock, auto_start=True)
    timeouts, away, cursor = 0, False, ""
    for event in ann.follow(game):
        cursor = event["cursor"]
        if event["seat"] == 0 and event["by"] == "clock":
            assert not away
            timeouts += 1
        elif event["seat"] == 0 and event["by"] == "bot":
            assert away, "a bot played for a player who was there"
            break
        elif event["type"] == "controller_changed":
            assert (timeouts, event["data"]["controller"], event["data"]["reason"]) == (3, "bot", "away")
            away = True
    assert away
    assert ann.view(game)["seats"][0]["controller"] == "bot"
    back = ann.put(f"/games/{game}/seats/me", {"controller": "player"})
    assert back["events"][0]["data"] == {"bot": None, "controller": "player", "reason": "returned"}
    assert ann.view(game)["seats"][0]["controller"] == "player"
    for event in ann.follow(game, cursor):
        if event["seat"] == 0 and event["v"] > back["to"] and event["type"] != "pile_taken":
            assert event["by"] in ("clock", "rules"), event
        if event["seat"] == 0 and event["by"] == "clock":
            break
