"""Challenges with their proofs, audits, disputes."""

import hashlib
import random
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from domain.disputes import LONGEST_REASON
from domain.signing import SignedHead, report_hash, statement
from eventstore.disputes import case_of
from eventstore.keys import shard_of
from eventstore.store import Store
from tests import forging
from tests.api.client import Client, filled, problem
from tests.keys import KEYS, SIGNER
from workers import jobs


def play(game: str, seated: list[Client], enough: Callable[[dict[str, Any]], bool], seed: int = 3) -> None:
    """Play small random moves, so that the game is long, until the view says that it is enough."""
    rng = random.Random(seed)
    for _ in range(2000):
        view = seated[0].view(game)
        if enough(view):
            return
        client = seated[rng.choice(view["asked"])["seat"]]
        form = rng.choice(client.get(f"/v1/games/{game}/moves").json["decision"]["moves"])
        assert client.post(f"/v1/games/{game}/moves", filled(form)).status_code == 201
    raise AssertionError("it was never enough")


def challenged(client: Client, game: str) -> list[dict[str, Any]]:
    return client.get(f"/v1/games/{game}/challenges").json["items"]


@pytest.fixture
def disputed(ann: Client, bob: Client, table: str) -> str:
    """A running game in which claims were challenged."""
    play(table, [ann, bob], lambda _: len(challenged(ann, table)) >= 2)
    return table


def end(client: Client, game: str) -> None:
    assert client.delete(f"/v1/games/{game}/seats/me").status_code == 200


def work(opened: Store, game: str) -> None:
    """Do what the case file of a game owes, as a worker does, however late it is due."""
    for due in opened.owed.list_due(shard_of(case_of(game)), case_of(game)):
        claim = opened.owed.claim_one(due.obligation)
        if claim is not None:
            jobs.perform(opened, claim, KEYS)


# --- challenges ------------------------------------------------------------------------------------------------------


def test_every_challenge_is_listed_with_what_was_claimed_and_shown(ann: Client, anybody: Client, disputed: str):
    events = {event["v"]: event for event in anybody.get(f"/v1/games/{disputed}/events?limit=200").json["items"]}
    found = challenged(anybody, disputed)
    assert [one["v"] for one in found] == [v for v, event in events.items() if event["type"] == "challenged"]
    for one in found:
        event, claim = events[one["v"]], events[one["claim_v"]]
        assert (one["claimant"], one["challenger"]) == (event["data"]["claimant"], event["data"]["challenger"])
        assert one["claim"] == {"count": claim["data"]["count"], "rank": claim["data"]["rank"]}
        assert one["revealed"] == event["opens"][0]["value"]
        assert one["truthful"] == event["data"]["truthful"]
        assert (one["proven"], one["provenance"]) == ("seal", None)


def test_a_proof_is_checked_without_the_server(anybody: Client, disputed: str):
    """By hand, as a stranger would: hashes, digest, signatures."""
    for one in challenged(anybody, disputed):
        proof = anybody.get(f"/v1/games/{disputed}/challenges/{one['v']}").json["proof"]
        for place in (proof["challenge"], *proof["openings"]):
            prev = None
            for text in place["records"]:
                record = orjson.loads(text)
                assert prev in (None, record["prev"])
                prev = hashlib.sha256(text.encode()).hexdigest()
            signed = SignedHead(**place["signed"])
            assert (signed.game, signed.version, signed.hash) == (disputed, record["v"], prev)
            assert SIGNER.public.holds(signed.signature, signed.statement)
        (opening,) = proof["openings"]
        sealed = orjson.loads(opening["records"][0])
        said = [disputed, opening["v"], opening["field"], opening["salt"], opening["value"]]
        assert sealed["seals"][opening["field"]]["digest"] == hashlib.sha256(orjson.dumps(said)).hexdigest()
        assert sealed["v"] == one["claim_v"]
        assert orjson.loads(proof["challenge"]["records"][0])["v"] == one["v"]


def test_all_are_told_the_same_while_the_game_goes_on(ann: Client, bob: Client, anybody: Client, disputed: str):
    v = challenged(anybody, disputed)[0]["v"]
    for path in ("challenges", f"challenges/{v}"):
        answers = {client.get(f"/v1/games/{disputed}/{path}").data for client in (ann, bob, anybody)}
        assert len(answers) == 1


def test_nothing_else_is_learnt_from_a_challenge(ann: Client, anybody: Client, disputed: str, opened: Store):
    """Every salt of the log that is in an answer is one that an event of the log opened to all."""
    told = anybody.get(f"/v1/games/{disputed}/challenges").text
    told += "".join(
        anybody.get(f"/v1/games/{disputed}/challenges/{one['v']}").text for one in challenged(anybody, disputed)
    )
    records = opened.log.read(disputed)
    shown = {opening["salt"] for r in records for opening in orjson.loads(r.record)["opens"]}
    salts = {secret["salt"] for r in records if r.secret for secret in orjson.loads(r.secret).values()}
    assert {salt for salt in salts if salt in told} <= shown


def test_once_the_game_is_over_it_tells_where_the_cards_came_from(bob: Client, anybody: Client, disputed: str):
    end(bob, disputed)
    for one in challenged(anybody, disputed):
        assert [came["card"] for came in one["provenance"]] == one["revealed"]
        assert all(came["v"] < one["claim_v"] for came in one["provenance"])
        assert {came["by"] for came in one["provenance"]} <= {"hand_dealt", "pile_taken"}


def test_what_is_no_challenge_is_unknown(ann: Client, table: str):
    for v in (1, 2, 9999, 10**30):
        problem(ann.get(f"/v1/games/{table}/challenges/{v}"), 404, "unknown_challenge")
    problem(ann.get(f"/v1/games/{table}/challenges/abc"), 404, "not_found")


def test_answers_may_be_kept(bob: Client, anybody: Client, disputed: str):
    path = f"/v1/games/{disputed}/challenges"
    first = anybody.get(path)
    assert anybody.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert first.headers["Cache-Control"] == "private, no-cache, no-transform"
    end(bob, disputed)
    for what in ("challenges", f"challenges/{first.json['items'][0]['v']}", "audit"):
        done = anybody.get(f"/v1/games/{disputed}/{what}")
        assert done.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        again = anybody.get(f"/v1/games/{disputed}/{what}", headers={"If-None-Match": done.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_a_hidden_game_hides_all_of_it(ann: Client, bob: Client, anybody: Client):
    game = ann.game(visibility="private")
    for client in (bob, anybody):
        for path in ("challenges", "challenges/3", "audit", "disputes"):
            problem(client.get(f"/v1/games/{game}/{path}"), 404, "unknown_game")
        problem(client.get(f"/v1/disputes/{game}-1"), 404, "unknown_dispute")
    problem(bob.post(f"/v1/games/{game}/disputes", {"reason": "why"}), 404, "unknown_game")


# --- the audit -------------------------------------------------------------------------------------------------------


def test_a_game_that_is_over_is_audited(bob: Client, anybody: Client, disputed: str):
    problem(anybody.get(f"/v1/games/{disputed}/audit"), 409, "game_not_over")
    end(bob, disputed)
    told = anybody.get(f"/v1/games/{disputed}/audit").json
    assert (told["verdict"], told["complete"], told["key"]) == ("sound", True, SIGNER.public.kid)
    assert told["good"] == told["version"] == anybody.view(disputed)["version"]


def test_the_audit_finds_a_record_that_was_changed_in_the_store(bob: Client, anybody: Client, disputed: str, opened):
    end(bob, disputed)
    version = challenged(anybody, disputed)[0]["claim_v"]
    forging.change(opened, disputed, version, b'"rank":', b'"rank":"2","x":')
    told = opened.audits.audit(disputed, KEYS)
    assert told.verdict == "unsound"
    assert told.findings[0].version == version


# --- disputes --------------------------------------------------------------------------------------------------------


def test_a_dispute_about_a_game_that_goes_on_is_answered_twice(ann: Client, bob: Client, disputed: str, opened: Store):
    one = challenged(ann, disputed)[0]
    filed = ann.post(f"/v1/games/{disputed}/disputes", {"challenge": one["v"], "reason": "He peeked!"})
    assert filed.status_code == 202
    assert filed.json["status"] == "open"
    assert (filed.json["seat"], filed.json["challenge"], filed.json["report"]) == (0, one["v"], None)
    address = filed.headers["Location"]
    assert address == f"/v1/disputes/{filed.json['id']}"

    work(opened, disputed)
    told = bob.get(address).json
    assert (told["status"], told["outcome"], told["report"]["final"]) == ("reported", "pending", False)
    assert told["report"]["explained"]["revealed"] == one["revealed"]
    assert "provenance" not in told["report"]["explained"]
    assert told["report"]["audit"]["observer"] == {"spectator": True}

    end(bob, disputed)
    _make_due(opened, disputed)
    work(opened, disputed)
    told = bob.get(address).json
    assert (told["status"], told["outcome"], told["report"]["final"]) == ("closed", "rejected", True)
    assert told["report"]["audit"]["complete"]
    assert [came["card"] for came in told["report"]["explained"]["provenance"]] == one["revealed"]
    assert not opened.owed.list_due(shard_of(case_of(disputed)), case_of(disputed))


def _make_due(opened: Store, game: str) -> None:
    from eventstore.keys import shard_keys

    shard = shard_of(case_of(game))
    for due in opened.owed.list_due(shard, case_of(game)):
        opened.writer.zadd(shard_keys(shard).due, {due.obligation.print(): 1})


def test_a_report_is_signed_over_itself_and_the_head_it_speaks_about(ann: Client, bob: Client, disputed: str, opened):
    address = ann.post(f"/v1/games/{disputed}/disputes", {"reason": "All of it."}).headers["Location"]
    end(bob, disputed)
    work(opened, disputed)
    told = ann.get(address).json
    signed, report = told["signed"], told["report"]
    assert (signed["version"], signed["hash"]) == (report["audit"]["version"], report["audit"]["head"])
    assert signed["report"] == report_hash(report)
    said = statement(signed["game"], signed["version"], signed["hash"], signed["at"], signed["report"])
    assert SIGNER.public.holds(signed["signature"], said)
    assert report["explained"] is None


def test_a_dispute_is_upheld_if_the_log_was_tampered_with(ann: Client, bob: Client, disputed: str, opened: Store):
    end(bob, disputed)
    version = challenged(ann, disputed)[0]["claim_v"]
    address = ann.post(f"/v1/games/{disputed}/disputes", {"reason": "Look."}).headers["Location"]
    forging.change(opened, disputed, version, b'"rank":', b'"rank":"2","x":')
    work(opened, disputed)
    told = opened.disputes.read(disputed).disputes[0]
    assert told.final
    assert told.report is not None
    assert (told.report["outcome"], told.report["audit"]["verdict"]) == ("upheld", "unsound")
    assert address.endswith(f"-{told.number}")


def test_filing_again_is_the_same_dispute_or_is_refused(ann: Client, bob: Client, disputed: str):
    path, key = f"/v1/games/{disputed}/disputes", {"Idempotency-Key": "k1"}
    first = ann.post(path, {"reason": "Why?"}, headers=key)
    again = ann.post(path, {"reason": "Why?"}, headers=key)
    assert (again.status_code, again.json, again.headers["Location"]) == (202, first.json, first.headers["Location"])
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(ann.post(path, {"reason": "Another."}, headers=key), 422, "key_reused")
    assert problem(ann.post(path, {"reason": "Why?"}), 409, "already_disputed")["dispute"] == first.json["id"]
    assert bob.post(path, {"reason": "I too."}).status_code == 202
    v = challenged(ann, disputed)[0]["v"]
    assert ann.post(path, {"reason": "This one.", "challenge": v}).status_code == 202
    assert [one["seat"] for one in ann.get(path).json["items"]] == [0, 1, 0]


def test_who_resigned_may_dispute_and_a_stranger_may_not(ann: Client, bob: Client, anybody: Client, disputed: str):
    path = f"/v1/games/{disputed}/disputes"
    problem(anybody.post(path, {"reason": "Why?"}), 401, "token_missing")
    problem(anybody.join("Eve").post(path, {"reason": "Why?"}), 403, "not_seated")
    end(bob, disputed)
    assert bob.post(path, {"reason": "Why?"}).json["seat"] == 1


WRONG = [
    {},
    {"reason": ""},
    {"reason": " \t"},
    {"reason": "x" * (LONGEST_REASON + 1)},
    {"reason": "a\x00b"},
    {"reason": 5},
    {"reason": "x", "challenge": 0},
    {"reason": "x", "challenge": "3"},
    {"reason": "x", "challenge": 10**12},
    {"reason": "x", "seat": 1},
]


@pytest.mark.parametrize("body", WRONG, ids=range(len(WRONG)))
def test_a_wrong_dispute_is_refused_and_nothing_is_filed(ann: Client, table: str, opened: Store, body):
    problem(ann.post(f"/v1/games/{table}/disputes", body), 422, "validation_failed")
    assert opened.disputes.read(table).version == 0


def test_only_a_challenge_can_be_disputed_by_its_version(ann: Client, table: str, opened: Store):
    for v in (1, 3, 10**9):
        problem(ann.post(f"/v1/games/{table}/disputes", {"reason": "x", "challenge": v}), 404, "unknown_challenge")
    assert opened.disputes.read(table).version == 0


@pytest.mark.parametrize("wrong", ["", "-", "-1", "-x", "-99", "-1.5", "-²", "1", "-0"])
def test_a_dispute_that_is_not_there(ann: Client, table: str, wrong: str):
    assert ann.post(f"/v1/games/{table}/disputes", {"reason": "x"}).status_code == 202
    if wrong != "-1":
        problem(ann.get(f"/v1/disputes/{table}{wrong}"), 404, "unknown_dispute")
