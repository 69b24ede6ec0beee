"""Rate limits: what is counted, what is told, what is refused, and that it never stands in the way."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from api import app_for, policies
from api.address import group
from api.edge import Edge
from api.policies import POLICIES, Policy
from captain import edge as settings
from captain.store import EmbeddedStore
from eventstore.store import Store
from tests.api.client import Client, problem
from tests.keys import KEYS
from tests.waiting import until


def limited(store: Store, *changes: Policy, url: str | None = None, proxies: int = 0) -> Client:
    """A client without a token of an application with these limits besides our own."""
    edge = Edge({**POLICIES, **{one.name: one for one in changes}}, url, proxies)
    return Client(app_for(store, KEYS, edge))


@pytest.fixture
def counters(tmp_path: Path) -> Iterator[EmbeddedStore]:
    """A queue's Redis of the test's own, to be killed."""
    with EmbeddedStore(tmp_path, durable=False) as server:
        yield server


def members(header: str) -> dict[str, dict[str, int]]:
    """A list of strings with parameters that are numbers (RFC 9651), as these headers have."""
    found = {}
    for item in header.split(", "):
        name = re.fullmatch(r'"([a-z]+)"((?:;[a-z]+=[0-9]+)+)', item)
        assert name, header
        found[name[1]] = {key: int(value) for key, value in re.findall(r";([a-z]+)=([0-9]+)", name[2])}
    return found


def test_the_settings_know_every_bucket():
    assert set(settings.BUCKETS) == set(POLICIES)


def test_an_answer_tells_what_is_allowed_and_where_one_stands(opened: Store):
    anybody = limited(opened)
    ann = anybody.join()
    for left in (1199, 1198):
        answer = ann.get("/v1/me")
        assert members(answer.headers["RateLimit-Policy"]) == {"reads": {"q": 1200, "w": 60}}
        told = members(answer.headers["RateLimit"])
        assert told["reads"]["r"] == left
        assert 1 <= told["reads"]["t"] <= 60
    assert "RateLimit" in ann.get("/v1/games/x").headers
    assert "RateLimit" in ann.get("/v1/rulesets", headers={"If-None-Match": "*"}).headers
    for path in ("/healthz", "/readyz", "/problems", "/openapi.json", "/v1/nothing"):
        assert "RateLimit" not in ann.get(path).headers


@pytest.mark.parametrize(
    ("bucket", "method", "path", "body", "headers"),
    [
        ("players", "POST", "/v1/players", {"name": "Eve"}, {}),
        ("games", "POST", "/v1/games", {"ruleset": "bluff_king"}, {}),
        ("writes", "POST", "/v1/games/{game}/seats", {"seat": 9}, {}),
        ("moves", "POST", "/v1/games/{game}/moves", {"type": "pass", "decision": "1"}, {}),
        ("reads", "GET", "/v1/games/{game}/moves", None, {}),
        ("reads", "GET", "/v1/games/{game}/events", None, {}),
        ("polls", "GET", "/v1/games/{game}/events", None, {"Prefer": "wait=1"}),
        ("streams", "GET", "/v1/games/{game}/stream?after=x", None, {}),
        ("tickets", "POST", "/v1/games/{game}/stream-tickets", {}, {}),
    ],
)
def test_each_kind_has_a_bucket_of_its_own(opened: Store, version, bucket, method, path, body, headers):
    anybody = limited(opened, Policy(bucket, 3, 3600))
    ann = anybody.join()
    game = ann.game()
    path = path.format(game=game)
    answers = [ann.send(method, path, json=body, headers=headers) for _ in range(4)]
    counted = [members(answer.headers["RateLimit"])[bucket]["r"] for answer in answers]
    assert counted[-1] == 0
    assert counted == sorted(counted, reverse=True)
    before = version(game)
    refused = answers[-1]
    facts = problem(refused, 429, "rate_limited")
    assert (facts["policy"], facts["limit"], facts["window_s"]) == (bucket, 3, 3600)
    assert 0 < facts["retry_after_ms"] <= 3600_001
    assert int(refused.headers["Retry-After"]) == max(1, -(-(facts["retry_after_ms"] - 1) // 1000))
    assert members(refused.headers["RateLimit"])[bucket]["t"] == int(refused.headers["Retry-After"])
    # Nothing else is full.
    assert ann.get(f"/v1/games/{game}" if bucket != "reads" else "/healthz").status_code == 200
    assert version(game) == before


def test_what_is_refused_did_nothing_and_its_key_is_still_good(opened: Store, version):
    anybody = limited(opened, Policy("writes", 2, 2))
    ann = anybody.join()
    game = ann.game()
    path = f"/v1/games/{game}/seats"
    key = {"Idempotency-Key": "one"}
    for _ in range(2):
        problem(ann.post(path, {"seat": 9}), 409, "already_seated")
    before = version(game)
    facts = problem(ann.post(path, {"bot": "novice"}, headers=key), 429, "rate_limited")
    assert version(game) == before
    time.sleep(facts["retry_after_ms"] / 1000)
    assert ann.post(path, {"bot": "novice"}, headers=key).status_code == 201
    again = ann.post(path, {"bot": "novice"}, headers=key)  # a repeat is counted as any other
    while again.status_code == 429:
        time.sleep(again.json["retry_after_ms"] / 1000)
        again = ann.post(path, {"bot": "novice"}, headers=key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")


def test_after_the_told_time_there_is_one_more(opened: Store):
    anybody = limited(opened, Policy("reads", 5, 1))
    ann = anybody.join()
    waited = 0
    for _ in range(25):
        answer = ann.get("/v1/rulesets/bluff_king")
        if answer.status_code == 429:
            waited += 1
            time.sleep(answer.json["retry_after_ms"] / 1000)
            answer = ann.get("/v1/rulesets/bluff_king")
        assert answer.status_code == 200
    assert waited > 3


def test_players_are_counted_apart_and_whoever_has_no_token_by_address(opened: Store):
    anybody = limited(opened, Policy("reads", 2, 3600))
    ann, bob = anybody.join(), anybody.join()
    for client in (ann, bob):
        assert [client.get("/v1/me").status_code for _ in range(3)] == [200, 200, 429]
    # Where nobody is asked for a token, a token makes no difference.
    assert [client.get("/v1/server").status_code for client in (anybody, ann, bob)] == [200, 200, 429]


def test_a_wrong_token_is_counted_by_address(opened: Store):
    anybody = limited(opened, Policy("reads", 2, 3600))
    guesses = [Client(anybody.app, f"ct_{n}{'x' * 30}").get("/v1/me").status_code for n in range(4)]
    assert guesses == [401, 401, 429, 429]


def test_players_are_made_by_address_whoever_asks(opened: Store):
    anybody = limited(opened, Policy("players", 2, 3600))
    ann = anybody.join()
    assert ann.post("/v1/players", {"name": "Bob"}).status_code == 201
    problem(ann.post("/v1/players", {"name": "Eve"}), 429, "rate_limited")


@pytest.mark.parametrize(
    ("proxies", "forwarded", "same"),
    [
        (0, ("1.1.1.1", "2.2.2.2"), True),  # anybody can write it
        (1, ("1.1.1.1", "2.2.2.2"), False),
        (1, ("9.9.9.9, 1.1.1.1", "8.8.8.8, 1.1.1.1"), True),  # what stands before is the client's
        (1, ("1.1.1.1:1000", "1.1.1.1:2000"), True),
        (1, ("[2001:db8::1]:1", "2001:db8::2"), True),  # one /64
        (1, ("2001:db8::1", "2001:db8:0:1::1"), False),
        (1, ("::ffff:1.1.1.1", "1.1.1.1"), True),
        (1, ("unknown", "_hidden"), True),  # no address: the proxy's own
        (2, ("1.1.1.1, 5.5.5.5", "2.2.2.2, 5.5.5.5"), False),
        (2, ("1.1.1.1", "2.2.2.2"), True),  # not by both of ours: not believed
    ],
)
def test_behind_proxies_the_address_is_the_one_that_ours_tell(opened: Store, proxies, forwarded, same):
    anybody = limited(opened, Policy("players", 1, 3600), proxies=proxies)
    codes = [
        anybody.post("/v1/players", {"name": "Eve"}, headers={"X-Forwarded-For": one}).status_code for one in forwarded
    ]
    assert codes == [201, 429 if same else 201]


def test_a_proxy_that_nobody_told_of_is_noticed(opened: Store, caplog):
    anybody = limited(opened)
    for _ in range(3):
        anybody.get("/v1/server", headers={"X-Forwarded-For": "1.1.1.1"})
    assert caplog.text.count("TRUSTED_PROXIES") == 1


def test_addresses_are_grouped():
    assert group("203.0.113.7") == "203.0.113.7"
    assert group("2001:db8:1:2:3:4:5:6") == group("2001:db8:1:2::") == "2001:db8:1:2::/64"
    assert group("") == group("what") == "unknown"


def test_what_is_shared_is_one_count_for_all_processes(opened: Store, counters: EmbeddedStore):
    processes = [limited(opened, Policy("players", 3, 3600, shared=True), url=counters.url) for _ in range(2)]
    codes = [processes[n % 2].post("/v1/players", {"name": "Eve"}).status_code for n in range(6)]
    assert codes == [201, 201, 201, 429, 429, 429]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_counter_store_that_is_away_refuses_nobody(opened: Store, counters: EmbeddedStore, how, caplog):
    anybody = limited(opened, Policy("players", 500, 3600, shared=True), url=counters.url)
    assert anybody.post("/v1/players", {"name": "Eve"}).status_code == 201
    os.kill(counters.pid, how)
    if how == signal.SIGKILL:
        until(lambda: counters.poll() is not None)
    try:
        began = time.monotonic()
        for _ in range(20):
            assert anybody.post("/v1/players", {"name": "Eve"}).status_code == 201
        assert time.monotonic() - began < 2, "only the first waits, and not for long"
    finally:
        if how == signal.SIGSTOP:
            os.kill(counters.pid, signal.SIGCONT)
    assert "counter store is away" in caplog.text
    assert "redis://" not in caplog.text
    if how == signal.SIGSTOP:
        time.sleep(2.1)
        left = members(anybody.post("/v1/players", {"name": "Eve"}).headers["RateLimit"])["players"]["r"]
        assert left >= 495, "it counts there again"


def test_without_limits_nobody_is_told_or_refused(ann: Client):
    answer = ann.get("/v1/server")
    assert answer.json["limits"]["rates"] == {}
    assert "RateLimit" not in answer.headers
    assert "RateLimit-Policy" not in answer.headers


def test_the_numbers_are_told(opened: Store):
    anybody = limited(opened)
    told = anybody.get("/v1/server").json["limits"]["rates"]
    assert told == anybody.join().get("/v1/me").json["limits"]["rates"]
    assert told["moves"] == {"limit": 100, "window_s": 10, "per": "player"}
    assert told["players"]["per"] == "address"
    assert set(told) == set(POLICIES)


def test_the_table_in_the_documents_is_right():
    text = (Path(__file__).resolve().parents[2] / "docs" / "operations.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\d+) in (\d+) s \| (.*) \|$", text, re.MULTILINE)
    told = {name: (int(amount), int(seconds), where == "in the queue's Redis") for name, amount, seconds, where in rows}
    assert told == {name: (one.amount, one.seconds, one.shared) for name, one in POLICIES.items()}


def test_changes_of_an_operator():
    found = policies.changed({"moves": (5, 1), "tickets": None})
    assert (found["moves"].amount, found["moves"].seconds) == (5, 1)
    assert "tickets" not in found
    assert found["reads"] == POLICIES["reads"]


def test_moves_at_the_pace_of_people_are_never_refused(opened: Store):
    """All the moves of a vote window and its answers, each several times a second, for a minute's worth of game."""
    anybody = limited(opened)
    ann = anybody.join()
    game = ann.game(bots=["novice"])
    began = time.monotonic()
    for _ in range(60):  # far quicker than the ten a second that are always allowed
        answer = ann.post(f"/v1/games/{game}/moves", {"type": "pass", "decision": "1"})
        problem(answer, 409, "not_asked")
    assert time.monotonic() - began < 6


def test_the_application_itself_sets_no_limit(app: Flask):
    assert Client(app).get("/v1/server").json["limits"]["rates"] == {}
