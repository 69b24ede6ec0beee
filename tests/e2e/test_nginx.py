"""The documented nginx in front of a real server: streams stay alive, packed answers stay conditional.

Needs Debian's nginx (`apt install nginx-light`); without it these tests fail, since nothing would be proven.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from statistics import median

import httpx
import pytest

from captain.child import launch
from tests.api.sse import Listener
from tests.e2e.client import Client, code_of
from tests.e2e.instance import Instance, running
from tests.waiting import until

pytestmark = pytest.mark.long

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "nginx.conf").read_text("utf-8")
IDLE_S = float(os.environ.get("NGINX_IDLE_S") or 75)
"""How long a stream is idle; NGINX_IDLE_S=600 for the long variant."""

AROUND = """
daemon off; master_process off; pid {folder}/pid; error_log stderr warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {more}
    {documented}
}}
"""
PACK_ALL = "gzip on; gzip_types *; gzip_min_length 1; gzip_proxied any; gzip_vary on;"
"""What an operator does who packs everything."""

Nginx = Callable[..., str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    limits = "players=40/60"
    with running(tmp_path_factory.mktemp("served"), TRUSTED_PROXIES="1", RATE_LIMITS=limits) as instance:
        yield instance


@contextmanager
def nginx(folder: Path, backend: str, more: str = "", read_timeout: str = "60s") -> Iterator[str]:
    """The documented server on a port of its own; its address."""
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert program, "no nginx: this proof needs it (Debian: apt install nginx-light)"
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    documented = DOCUMENTED
    for found, ours in (
        ("127.0.0.1:8000", backend.removeprefix("http://")),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("proxy_read_timeout 60s", f"proxy_read_timeout {read_timeout}"),
    ):
        assert documented.count(found) == 1, found
        documented = documented.replace(found, ours)
    folder.mkdir(parents=True)
    configuration = folder / "nginx.conf"
    configuration.write_text(AROUND.format(folder=folder, more=more, documented=documented))
    process = launch([program, "-p", str(folder), "-c", str(configuration)], env={**os.environ})
    address = f"http://127.0.0.1:{port}"
    try:
        until(lambda: _answers(address))
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=5).status_code > 0
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def plain(served: Instance, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """As it is documented."""
    with nginx(tmp_path_factory.mktemp("nginx") / "plain", served.address) as address:
        yield address


@pytest.fixture(scope="module")
def packing(served: Instance, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """As it is documented, in an nginx that packs everything else."""
    with nginx(tmp_path_factory.mktemp("nginx") / "packing", served.address, PACK_ALL) as address:
        yield address


def through(address: str, client: Client) -> httpx.Client:
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {client.token}"}, timeout=40)


def test_the_documented_file_is_one_that_nginx_takes(plain: str) -> None:
    assert httpx.get(f"{plain}/v1/server").json()["limits"]["rates"]["players"]["limit"] == 40


def test_an_idle_stream_stays_alive(served: Instance, tmp_path: Path) -> None:
    with (
        served.client("Ann") as ann,
        nginx(tmp_path / "nginx", served.address, PACK_ALL, read_timeout="15s") as address,
    ):
        game = ann.create()
        began = time.monotonic()
        with Listener(address, f"/v1/games/{game}/stream", ann.token) as stream:
            kinds = []
            for frame in stream:
                kinds.append(frame.event)
                if time.monotonic() - began > IDLE_S:
                    break
            assert time.monotonic() - began > IDLE_S, f"cut after {time.monotonic() - began:.1f} s"
            assert set(kinds) - {"presence"} == {"snapshot", "heartbeat"}
            assert kinds.count("heartbeat") >= IDLE_S // 10 - 1
            ann.delete(f"/games/{game}/seats/me")
            assert stream.next("event").data["event"]["type"] == "seat_left"


def test_without_heartbeats_in_time_nginx_would_hang_up(served: Instance, tmp_path: Path) -> None:
    """That the proof above proves something."""
    with served.client("Ann") as ann, nginx(tmp_path / "nginx", served.address, read_timeout="3s") as address:
        began = time.monotonic()
        with Listener(address, f"/v1/games/{ann.create()}/stream", ann.token) as stream, suppress(HTTPException):
            assert [frame.event for frame in stream][-1] != "game_over"
        assert time.monotonic() - began < 9


def test_the_first_byte_of_a_stream_comes_at_once(served: Instance, plain: str, packing: str) -> None:
    with served.client("Ann") as ann:
        game = ann.create()
        for where in (served.address, plain, packing):
            times = []
            for _ in range(15):
                began = time.perf_counter()
                with Listener(where, f"/v1/games/{game}/stream", ann.token) as stream:
                    assert stream.response.read(1)
                    times.append((time.perf_counter() - began) * 1000)
                    assert "Content-Encoding" not in stream.response.headers
            print(f"first byte of a stream at {where}: median {median(times):.1f} ms, most {max(times):.1f} ms")
            assert median(times) < 100, times


def test_packed_answers_stay_conditional(served: Instance, packing: str) -> None:
    with served.client("Ann") as ann, served.client("Bob") as bob:
        game = ann.create(auto_start=True, options={"max_turns": 12})
        bob.sit(game)
        with through(packing, ann) as http:
            paths = [f"/v1/games/{game}{tail}" for tail in ("", "/moves", "/replay", "/log", "/challenges")]
            for path in (*paths, "/v1/rulesets/bluff_king", "/openapi.json", "/rules/bluff_king"):
                packed = http.get(path)
                assert packed.headers.get("Content-Encoding") == "gzip", (path, packed.headers)
                assert "Accept-Encoding" in packed.headers["Vary"]
                tag = packed.headers["ETag"]
                assert tag.startswith('W/"'), "nginx weakens the tag of what it packs"
                assert (
                    packed.content == http.get(path, headers={"Accept-Encoding": "identity"}).content or "log" in path
                )
                for held in (tag, tag.removeprefix("W/"), f'{tag.removeprefix("W/")[:-1]}-gzip"', f'"x", {tag}'):
                    same = http.get(path, headers={"If-None-Match": held})
                    assert (same.status_code, same.content) == (304, b""), (path, held)
                    assert same.headers["ETag"].removeprefix("W/") == tag.removeprefix("W/")
                assert http.get(path, headers={"If-None-Match": 'W/"1-00000000"'}).status_code == 200


def test_a_move_with_the_tag_of_a_packed_view(served: Instance, packing: str) -> None:
    with served.client("Ann") as ann, served.client("Bob") as bob:
        game = ann.create(auto_start=True)
        bob.sit(game)
        first = ann if ann.view(game)["decision"] else bob
        with through(packing, first) as http:
            seen = http.get(f"/v1/games/{game}")
            tag = seen.headers["ETag"]
            assert tag.startswith("W/")
            decision = seen.json()["decision"]
            hand = seen.json()["table"]["hands"][seen.json()["observer"]["seat"]]["cards"]
            move = {"type": "lead", "decision": decision["id"], "cards": hand[:1], "rank": "A"}
            path = f"/v1/games/{game}/moves"
            assert http.post(path, json=move, headers={"If-Match": tag}).status_code == 201
            assert code_of(http.post(path, json=move, headers={"If-Match": tag})) == "stale"


def test_what_is_private_is_not_packed_as_documented(served: Instance, plain: str) -> None:
    with served.client("Ann") as ann:
        game = ann.create()
        with through(plain, ann) as http:
            for path in (f"/v1/games/{game}", f"/v1/games/{game}/events", "/v1/me"):
                assert "Content-Encoding" not in http.get(path).headers
            assert http.get("/openapi.json").headers["Content-Encoding"] == "gzip"


def test_long_polls_pass(served: Instance, plain: str) -> None:
    with served.client("Ann") as ann:
        game = ann.create()
        cursor = ann.view(game)["cursor"]
        with through(plain, ann) as http:
            began = time.monotonic()
            page = http.get(f"/v1/games/{game}/events?after={cursor}", headers={"Prefer": "wait=20"})
            assert (page.status_code, page.json()["items"]) == (200, [])
            assert 19 < time.monotonic() - began < 30


def test_what_nginx_says_itself_is_a_problem_too(served: Instance, plain: str, tmp_path: Path) -> None:
    large = httpx.post(f"{plain}/v1/players", content=b"x" * 2_000_000, headers={"Content-Type": "application/json"})
    assert (large.status_code, code_of(large)) == (413, "body_too_large")
    with served.client("Ann") as ann, through(plain, ann) as http:
        ours = http.post("/v1/games", content=b"x" * 70_000, headers={"Content-Type": "application/json"})
    assert (ours.status_code, ours.json()) == (413, large.json())
    with socket.create_server(("127.0.0.1", 0)) as probe:
        nobody = f"127.0.0.1:{probe.getsockname()[1]}"
    with nginx(tmp_path / "nginx", f"http://{nobody}") as address:
        away = httpx.get(f"{address}/v1/server")
        assert (away.status_code, code_of(away), away.headers["Retry-After"]) == (503, "not_ready", "1")
        assert away.headers["Access-Control-Allow-Origin"] == "*"


def test_nobody_is_counted_as_somebody_else_by_a_header(served: Instance, plain: str) -> None:
    """What a client writes into X-Forwarded-For stands before what nginx appends, and is not looked at.

    Last in this file: it uses up what this address may.
    """
    with httpx.Client(base_url=plain) as http:
        codes = [
            http.post("/v1/players", json={"name": "Eve"}, headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code
            for n in range(45)
        ]
        assert codes[-1] == 429
        assert 201 not in codes[codes.index(429) + 3 :]
    # An nginx elsewhere is another address.
    direct = httpx.post(
        f"{served.address}/v1/players", json={"name": "Eve"}, headers={"X-Forwarded-For": "1.2.3.4, 10.9.9.9"}
    )
    assert direct.status_code == 201
