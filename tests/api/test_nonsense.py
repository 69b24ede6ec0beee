"""What is no HTTP, over raw sockets: answered by a problem document or not at all, and survived."""

import socket
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.client import validator

LONG = "x" * 100_000


class Raw:
    """One connection: bytes out, answers in."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._socket = socket.create_connection((place.hostname, place.port), timeout=10)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def end(self) -> None:
        """Send no more."""
        self._socket.shutdown(socket.SHUT_WR)

    def hear(self) -> bytes:
        """All that comes until the server closes."""
        found = b""
        while data := self._socket.recv(65536):
            found += data
        return found


def answers(said: bytes) -> list[tuple[int, dict[str, str], bytes]]:
    """The answers of one connection: status, headers, body."""
    found = []
    while said:
        head, _, rest = said.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = int(headers.get("content-length", 0))
        found.append((int(first.split()[1]), headers, rest[:size]))
        said = rest[size:]
    return found


GOOD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

NONSENSE = {
    "garbage": (b"\x16\x03\x01\x02\x00\x01\x00\xfc\x03\x03\r\n\r\n", 400, "bad_request"),
    "words": (b"hello there, server\r\n\r\n", 400, "bad_request"),
    "HTTP/0.9": (b"GET /\r\n\r\n", 400, "bad_request"),
    "HTTP/9.9": (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400, "bad_request"),
    "a method that is none": (b"get\x01 / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
    "a header without a colon": (GOOD + b"Nonsense\r\n\r\n", 400, "bad_request"),
    "a header with a space in its name": (GOOD + b"X Y: 1\r\n\r\n", 400, "bad_request"),
    "a folded header": (GOOD + b"X: 1\r\n  2\r\n\r\n", 400, "bad_request"),
    "a header of 100 kB": (GOOD + f"X: {LONG}\r\n\r\n".encode(), 431, "headers_too_large"),
    "a thousand headers": (GOOD + b"".join(b"X%d: 1\r\n" % n for n in range(1000)) + b"\r\n", 431, "headers_too_large"),
    "an address of 100 kB": (f"GET /{LONG} HTTP/1.1\r\nHost: x\r\n\r\n".encode(), 414, "uri_too_long"),
    "no Host": (b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad_request"),
    "an expectation": (GOOD + b"Expect: miracles\r\n\r\n", 417, "expectation_failed"),
    "two lengths": (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, "bad_request"),
    "a length that is none": (POST + b"Content-Length: two\r\n\r\n{}", 400, "bad_request"),
    "length and chunks": (POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", 400, "bad_request"),
    "an unknown coding": (POST + b"Transfer-Encoding: gnaw\r\n\r\n", 501, "transfer_coding_unknown"),
    "a chunk without a size": (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400, "bad_request"),
    "a chunk that does not end": (POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX\r\n", 400, "bad_request"),
}  # fmt: skip


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_answered_with_a_problem_and_nothing_else(web, app, name: str):
    sent, status, code = NONSENSE[name]
    with Raw(web.address) as raw:
        raw.send(sent)
        raw.end()
        found = answers(raw.hear())
    assert len(found) == 1, found
    got, headers, body = found[0]
    assert (got, headers["content-type"]) == (status, "application/problem+json"), (name, body)
    assert len(headers["x-request-id"]) == 26
    assert headers["access-control-allow-origin"] == "*"
    problem = httpx.Response(got, content=body).json()
    assert (problem["code"], problem["status"]) == (code, status)
    validator(id(app), "#/components/schemas/Problem", app).validate(problem)
    assert b"<" not in body
    for told in ("nonsense", "gnaw", "miracles", "hello"):
        assert told not in body.decode().lower(), "what was sent is not sent back"
    assert httpx.get(f"{web.address}/healthz").status_code == 200


def test_who_hangs_up_early_harms_nobody(web):
    for beginning in (b"", b"GET", b"GET / HTTP/1.1\r\nHo", POST + b"Content-Length: 100\r\n\r\n{", POST):
        with Raw(web.address) as raw:
            raw.send(beginning)
        with Raw(web.address) as raw:
            raw.send(beginning)
            raw.end()
            for status, headers, _ in answers(raw.hear()):
                assert (status, headers["content-type"]) == (400, "application/problem+json")
    assert httpx.get(f"{web.address}/healthz").status_code == 200


def test_an_expectation_that_can_be_met_is(web):
    body = b'{"name": "Ann"}'
    with Raw(web.address) as raw:
        raw.send(POST + b"Connection: close\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
        raw.send(body)
        (going, *_), (status, *_) = answers(raw.hear())
    assert (going, status) == (100, 201)


def test_requests_in_one_breath_are_answered_in_order(web):
    ids = [f"breath-{n}" for n in range(20)]
    with Raw(web.address) as raw:
        for n, one in enumerate(ids):
            last = b"Connection: close\r\n" if n == len(ids) - 1 else b""
            raw.send(GOOD + last + f"X-Request-Id: {one}\r\n\r\n".encode())
        found = answers(raw.hear())
    assert [headers["x-request-id"] for _, headers, _ in found] == ids
    assert {status for status, *_ in found} == {200}


def test_nonsense_after_a_good_request_ends_the_connection(web):
    with Raw(web.address) as raw:
        raw.send(GOOD + b"\r\nnonsense\r\n\r\n" + GOOD + b"\r\n")
        found = answers(raw.hear())
    assert [status for status, *_ in found] == [200, 400]
    assert found[1][1]["connection"] == "close"


@pytest.mark.parametrize("name", ["SCRIPT_NAME", "PATH_INFO", "X_Forwarded_For"])
def test_no_header_of_a_client_is_one_of_the_server(web, name: str):
    with Raw(web.address) as raw:
        raw.send(GOOD + f"{name}: /elsewhere\r\nConnection: close\r\n\r\n".encode())
        ((status, _, body),) = answers(raw.hear())
    assert (status, body) == (200, b'{"status":"ok"}')


@pytest.mark.parametrize("host", ["x", "elsewhere.example:99", ""])
def test_a_redirect_stays_here_whatever_the_host_is_called(web, host: str):
    with Raw(web.address) as raw:
        raw.send(f"GET /docs?a=1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        ((status, headers, body),) = answers(raw.hear())
    assert (status, headers["location"], body) == (308, "/docs/?a=1", b"")


@pytest.mark.parametrize("path", ["/docs", "/v1//games", "/v1/games/", "/%00", "/v1/games/%ff%fe", "/?ticket=<b>"])
def test_no_answer_of_the_api_is_the_frameworks_own_page(web, path: str):
    answer = httpx.get(web.address + path, follow_redirects=False)
    assert "html" not in answer.headers.get("content-type", "")
    assert not answer.content.lstrip().startswith(b"<")
