"""Fair play on the running system: a game is played, disputed, audited by strangers, and the key is changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from domain.registry import REGISTRY
from tests.e2e.client import OVER, Client, Json
from tests.e2e.conftest import Join
from tests.e2e.instance import ROOT, Instance
from tests.e2e.playing import a_move
from tests.waiting import until

KEYS = [rules.info.key for rules in REGISTRY]


def audit(*words: object) -> tuple[int, Json]:
    """What `captain audit` says, as its own process."""
    done = subprocess.run(
        [sys.executable, "-m", "captain", "audit", *map(str, words), "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def bots(client: Client, key: str) -> str:
    """A game of bots alone, played to its end."""
    fewest = REGISTRY.newest(key).info.seats[0]
    game = client.create(ruleset=key, host_seat="none", seats=fewest, bots=["standard"] * fewest, auto_start=True)
    until(lambda: client.view(game)["status"] in OVER, 90)
    return game


def reported(client: Client, address: str, status: str) -> Json:
    until(lambda: client.get(address.removeprefix("/v1"))["status"] == status, 60)
    return client.get(address.removeprefix("/v1"))


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_a_stranger_audits_a_game_from_its_address_alone(captain: Instance, join: Join, key: str) -> None:
    game = bots(join("Ann"), key)
    code, told = audit(f"{captain.address}/v1/games/{game}")
    assert (code, told["verdict"], told["complete"], told["findings"]) == (0, "sound", True, [])
    assert told["good"] == join().view(game)["version"]


@pytest.mark.slow
def test_a_dispute_is_reported_on_now_and_at_the_end(captain: Instance, join: Join, tmp_path: Path) -> None:
    ann, bob = join("Ann"), join("Bob")
    game = ann.create(auto_start=True, seats=2)
    bob.sit(game)
    rng, receipts = Random(4), []
    while not (called := ann.get(f"/games/{game}/challenges")["items"]):
        for player in (ann, bob):
            question = player.question(game)
            if question:
                receipts.append(player.move(game, a_move(question, rng)).json())
    filed = ann.send("POST", f"/games/{game}/disputes", {"challenge": called[0]["v"], "reason": "I do not believe it."})
    assert filed.status_code == 202
    told = reported(bob, filed.headers["Location"], "reported")
    assert (told["outcome"], told["report"]["final"]) == ("pending", False)
    bob.delete(f"/games/{game}/seats/me")
    told = reported(bob, filed.headers["Location"], "closed")
    assert (told["outcome"], told["report"]["audit"]["verdict"]) == ("rejected", "sound")
    kept = tmp_path / "receipts.json"
    kept.write_text(json.dumps(receipts))
    assert audit(f"{captain.address}/v1/games/{game}", "--receipt", kept)[0] == 0


@pytest.mark.slow
def test_a_new_key_signs_and_what_the_old_one_signed_still_counts(private: Instance, tmp_path: Path) -> None:
    with private.client("Ann") as ann:
        game = bots(ann, "captain_flip")
        log = tmp_path / "log.ndjson"
        log.write_text(ann.send("GET", f"/games/{game}/log?as=all").text)
    private.stop()
    subprocess.run(
        [sys.executable, "-m", "captain", "keys", "new"], cwd=tmp_path, check=True, capture_output=True,
        env={"PYTHONPATH": ROOT, "DATA": str(private.folder / "data"), "PATH": ""},
    )  # fmt: skip
    private.start()
    code, told = audit(log, "--key", private.address)
    assert (code, told["verdict"]) == (0, "sound")
    code, again = audit(f"{private.address}/v1/games/{game}")
    assert (code, again["verdict"]) == (0, "sound")
    assert again["key"] != told["key"]
