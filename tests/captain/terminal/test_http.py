"""Requests whose answers get lost, streams that break, and servers that are something else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from captain.terminal import follow, http
from captain.terminal.http import Refused, Server, Unreachable

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


def server(*answers: httpx.Response | Exception, heard: list[httpx.Request] | None = None) -> Server:
    """A server that gives these answers, one after the other."""
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        if heard is not None:
            heard.append(request)
        found = left.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return Server("http://server", "ct_x", transport=httpx.MockTransport(answer))


def problem(status: int, code: str, **facts: Any) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "title": "No", "detail": "Because.", **facts})


def test_a_lost_answer_is_asked_for_again_with_the_same_key_and_body() -> None:
    heard: list[httpx.Request] = []
    told: list[str] = []
    asked = server(
        httpx.ReadError("gone"),
        httpx.Response(503, headers={"Retry-After": "1"}),
        httpx.Response(502, text="<html>"),
        httpx.Response(201, json={"to": 8}),
        heard=heard,
    )
    asked.say = told.append
    assert asked.do("POST", "/games/1/moves", {"type": "pass"}) == {"to": 8}
    assert len({request.headers["Idempotency-Key"] for request in heard}) == 1
    assert {request.content for request in heard} == {b'{"type":"pass"}'}
    assert told, "and whoever waits is told so"


def test_each_intention_has_a_key_of_its_own() -> None:
    heard: list[httpx.Request] = []
    asked = server(*[httpx.Response(201, json={})] * 2, heard=heard)
    asked.do("POST", "/games/1/moves", {})
    asked.do("POST", "/games/1/moves", {})
    assert len({request.headers["Idempotency-Key"] for request in heard}) == 2


def test_a_refusal_is_not_repeated_and_says_why() -> None:
    with pytest.raises(Refused, match=r"No\. Because\.; /cards Too many") as caught:
        server(problem(422, "validation_failed", errors=[{"pointer": "/cards", "detail": "Too many"}])).do("POST", "/x")
    assert caught.value.code == "validation_failed"


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 10_000, 7))
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    with pytest.raises(Unreachable, match="http://server does not answer: refused"):
        server(*[httpx.ConnectError("refused")] * 50).get("/me")


def test_what_is_no_such_server_is_said() -> None:
    with pytest.raises(Unreachable, match="does not speak the API"):
        server(httpx.Response(200, text="<html>")).get("/me")
    with pytest.raises(Unreachable, match="does not speak the API"):
        server(httpx.Response(404, text="<html>")).get("/me")
    with pytest.raises(Unreachable):
        Server("server:80").get("/me")


def sse(*frames: tuple[str, str, Json]) -> httpx.Response:
    lines = [f"event: {n}\n" + (f"id: {i}\n" if i else "") + f"data: {json.dumps(d)}\n\n" for n, i, d in frames]
    return httpx.Response(200, text="retry: 500\n: hello\n\n" + "".join(lines))


def event(v: int, kind: str = "passed") -> tuple[str, str, Json]:
    return ("event", f"{v}-aaaaaaaa", {"event": {"v": v, "type": kind}})


OVER = ("game_over", "", {"status": "finished"})


def versions(told: Iterator[follow.News]) -> list[int]:
    return [event["v"] for news in told for event in news.events]


def test_a_stream_that_ends_without_a_word_goes_on_from_its_last_id() -> None:
    heard: list[httpx.Request] = []
    asked = server(
        sse(event(5), event(6)),
        sse(("shutdown", "", {})),
        httpx.ReadError("gone"),
        sse(("heartbeat", "", {}), event(7), OVER),
        heard=heard,
    )
    assert versions(follow.live(asked, "G", "4-aaaaaaaa")) == [5, 6, 7]
    places = [request.url.params["after"] for request in heard]
    assert places == ["4-aaaaaaaa", *["6-aaaaaaaa"] * 3]


def test_who_is_there_is_heard() -> None:
    there = ("presence", "", {"presence": [{"seat": 0, "present": True}, {"seat": 1, "present": False}]})
    told = list(follow.live(server(sse(there, OVER)), "G", "4-aaaaaaaa"))
    assert [news.present for news in told] == [{0: True, 1: False}]


def test_a_stream_of_a_game_that_is_over_says_nothing() -> None:
    assert versions(follow.live(server(httpx.Response(204)), "G", "4-aaaaaaaa")) == []


def test_a_server_without_streams_is_followed_by_long_poll() -> None:
    heard: list[httpx.Request] = []
    asked = server(
        problem(404, "not_found"),
        httpx.Response(200, json={"items": [{"v": 5, "type": "passed"}], "cursor": "5-aaaaaaaa"}),
        httpx.Response(200, json={"items": [], "cursor": "5-aaaaaaaa"}),
        httpx.Response(200, json={"items": [{"v": 6, "type": "game_ended"}], "cursor": "6-aaaaaaaa"}),
        heard=heard,
    )
    assert versions(follow.live(asked, "G", "4-aaaaaaaa")) == [5, 6]
    assert [request.headers.get("Prefer") for request in heard[1:]] == ["wait=20"] * 3
    assert heard[-1].url.params["after"] == "5-aaaaaaaa"


@pytest.mark.parametrize(
    ("last", "code"), [(("gone", "", {}), "unknown_game"), (("resync", "", {"cursor": "1-bbbbbbbb"}), "resync")]
)
def test_a_stream_can_end_for_good(last: tuple[str, str, Json], code: str) -> None:
    with pytest.raises(Refused) as caught:
        versions(follow.live(server(sse(last)), "G", "4-aaaaaaaa"))
    assert caught.value.code == code


def collected(asked: Server, until: Callable[[follow.Follower], bool]) -> follow.Follower:
    import threading

    heard = threading.Event()
    follower = follow.Follower(asked, "G", "4-aaaaaaaa", heard.set)
    while not until(follower):
        assert heard.wait(10)
        heard.clear()
    return follower


def test_a_follower_begins_anew_where_the_server_says() -> None:
    heard: list[httpx.Request] = []
    asked = server(sse(("resync", "", {"cursor": "2-bbbbbbbb"})), sse(event(3), OVER), heard=heard)
    found: list[Json] = []
    follower = collected(asked, lambda f: bool(found.extend(f.take()) or found))
    assert follower.failure is None
    assert [event["v"] for event in found] == [3]
    assert heard[-1].url.params["after"] == "2-bbbbbbbb"


def test_a_follower_says_why_it_cannot_go_on() -> None:
    follower = collected(server(problem(404, "unknown_game")), lambda f: f.failure is not None)
    assert isinstance(follower.failure, Refused)


def test_the_clock_of_the_server_is_taken_from_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http.time, "time", lambda: 1_790_000_000.0)
    asked = server(httpx.Response(200, json={}, headers={"Server-Time": "2026-09-21T14:13:25.500Z"}))
    asked.get("/games/G")
    assert asked.ahead == 5.5
