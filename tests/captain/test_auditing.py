"""`captain audit`: from a file, an address or standard input; keys and receipts in every form; exit codes."""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from captain.cli import main
from domain import canonical
from domain.signing import Keys, Signer
from tests.golden.served import golden, served
from tests.keys import KEYS, SIGNER

LINES = served(golden("bluff_king-v1-bots-0"))
STRANGER = Signer(b"s" * 32)


def audit(*words: object, data: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["audit", *map(str, words)], input=data, catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.ndjson"
    path.write_bytes(b"".join(LINES))
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.json"
    path.write_text(json.dumps(SIGNER.public.jwk()))
    return path


def _spoilt(log: Path) -> Path:
    log.write_bytes(log.read_bytes().replace(b'"count":2,"rank"', b'"count":3,"rank"', 1))
    return log


def test_a_sound_log(log: Path, key: Path) -> None:
    done = audit(log, "--key", key)
    assert done.exit_code == 0
    assert done.output.splitlines()[-1] == "SOUND"
    assert SIGNER.public.kid in done.output


def test_without_a_key_it_is_sound_at_best_unsigned(log: Path) -> None:
    done = audit(log)
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "SOUND, UNSIGNED")


def test_an_unsound_log_says_where(log: Path, key: Path) -> None:
    done = audit(_spoilt(log), "--key", key)
    assert (done.exit_code, done.output.splitlines()[-1]) == (1, "UNSOUND")
    assert "data.count" in done.output


def test_the_verdict_as_json(log: Path, key: Path) -> None:
    good = json.loads(audit(log, "--key", key, "--json").output)
    assert (good["verdict"], good["good"], good["complete"], good["findings"]) == ("sound", len(LINES) - 2, True, [])
    bad = audit(_spoilt(log), "--key", key, "--json")
    told = json.loads(bad.output)
    assert (bad.exit_code, told["verdict"], told["findings"][0]["field"]) == (1, "unsound", "data.count")


def test_standard_input(key: Path) -> None:
    assert audit("-", "--key", key, data=b"".join(LINES)).exit_code == 0


@pytest.mark.parametrize("form", ["jwk", "set", "server", "bare"])
def test_a_key_in_every_form(log: Path, tmp_path: Path, form: str) -> None:
    path = tmp_path / "given"
    shapes = {"jwk": SIGNER.public.jwk(), "set": {"keys": KEYS.jwks()}, "server": {"signing_keys": KEYS.jwks()}}
    told: object = SIGNER.public.x
    if form in shapes:
        path.write_text(json.dumps(shapes[form]))
        told = path
    assert audit(log, "--key", told).output.splitlines()[-1] == "SOUND"


def test_a_key_that_did_not_sign_it(log: Path) -> None:
    done = audit(log, "--key", STRANGER.public.x)
    assert done.exit_code == 1
    assert "signature" in done.output


def _receipt(version: int, head: str | None = None, signer: Signer = SIGNER) -> dict[str, object]:
    """A signed head as it was given out at a version of the log."""
    record, after = [canonical.loads(line)["record"] for line in LINES[version : version + 2]]
    game = canonical.loads(LINES[0])["game"]
    signed = signer.head(game, version, head or after["prev"], record["at"])
    return {"to": version, "signed": canonical.loads(canonical.dumps(signed))}


@pytest.mark.parametrize("write", [
    lambda one, two: json.dumps(one), lambda one, two: json.dumps([one, two]),
    lambda one, two: f"{json.dumps(one)}\n{json.dumps(two)}\n", lambda one, two: json.dumps(one["signed"]),
])  # fmt: skip
def test_receipts_in_every_form(log: Path, key: Path, tmp_path: Path, write) -> None:
    path = tmp_path / "receipts"
    path.write_text(write(_receipt(5), _receipt(20)))
    assert audit(log, "--key", key, "--receipt", path).exit_code == 0


@pytest.mark.parametrize("receipt", [_receipt(5, "0" * 64), _receipt(5, signer=STRANGER), _receipt(60)], ids=range(3))
def test_a_receipt_that_the_log_does_not_agree_with(log: Path, key: Path, tmp_path: Path, receipt) -> None:
    path = tmp_path / "receipt"
    path.write_text(json.dumps(receipt))
    short = tmp_path / "short"
    short.write_bytes(b"".join([*LINES[:50], LINES[-1]]))
    done = audit(short if receipt["to"] == 60 else log, "--key", key, "--receipt", path, "--json")
    assert done.exit_code == 1
    assert "receipt" in {finding["rule"] for finding in json.loads(done.output)["findings"]}


NOTHING = {
    "empty": b"",
    "binary": bytes(range(256)) * 50,
    "zipped": gzip.compress(b"".join(LINES)),
    "another JSON": b'{"hello": "world"}\n',
    "a list": b"[]\n",
    "another format": LINES[0].replace(b'"format":1', b'"format":2') + b"".join(LINES[1:]),
    "an unknown game": b"".join(LINES).replace(b'"bluff_king"', b'"unknown_game"'),
}


@pytest.mark.parametrize("data", NOTHING.values(), ids=NOTHING.keys())
def test_what_is_no_log_cannot_be_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    done = audit(path)
    assert done.exit_code == 2
    assert done.stderr.startswith("captain: ")
    assert len(done.stderr.splitlines()) == 1
    assert json.loads(audit(path, "--json").stdout)["verdict"] == "unreadable"


@pytest.mark.parametrize("data", [
    b"".join(LINES[:-1]), b"".join(LINES)[:-1], b"".join(LINES)[:5000], b"".join(LINES + LINES),
    b"".join(LINES[:9]) + b"x" * (5 << 20) + b"\n" + b"".join(LINES[9:]),
], ids=["no trailer", "no line end", "cut", "twice", "a huge line"])  # fmt: skip
def test_what_was_a_log_is_unsound(key: Path, data: bytes) -> None:
    assert audit("-", "--key", key, data=data).exit_code == 1


@pytest.mark.parametrize("words", [
    ["/nowhere/log"], ["LOG", "--key", "no key"], ["LOG", "--key", "LOG"], ["LOG", "--receipt", "LOG"],
    ["http://127.0.0.1:1/log"], ["http://[/log"], ["."],
])  # fmt: skip
def test_what_cannot_be_had_is_said_in_one_line(log: Path, words: list[str]) -> None:
    done = audit(*[str(log) if word == "LOG" else word for word in words])
    assert done.exit_code == 2
    assert done.stderr.startswith("captain: ")
    assert len(done.stderr.splitlines()) == 1


class Server(BaseHTTPRequestHandler):
    """A server with one game, over or not, and its keys."""

    over = True
    keys: Keys = KEYS

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        status, body = self.told(path, query)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def told(self, path: str, query: str) -> tuple[int, bytes]:
        """The status and the body for an address."""
        if path == "/v1/server":
            return 200, json.dumps({"signing_keys": self.keys.jwks()}).encode()
        if path == "/v1/games/G/log":
            return 200 if query != "as=all" or self.over else 409, b"".join(LINES)
        return 404, b"{}"

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(handler: type[Server]) -> Iterator[str]:
    """A server of this kind; its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def address() -> Iterator[str]:
    with serving(Server) as found:
        yield found


def test_a_log_at_an_address_with_the_keys_that_its_server_names(address: str) -> None:
    for where in ("/v1/games/G/log?as=all", "/v1/games/G"):
        done = audit(address + where)
        assert (done.exit_code, done.output.splitlines()[-1]) == (0, "SOUND")
        assert "named by the server" in done.output


def test_an_address_where_there_is_no_log(address: str) -> None:
    done = audit(f"{address}/v1/games/H")
    assert done.exit_code == 2
    assert "answers 404" in done.stderr


def test_a_game_that_goes_on_is_read_as_a_spectator(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "over", False)
    assert audit(f"{address}/v1/games/G").exit_code == 0


def test_a_server_that_names_another_key(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "keys", Keys(STRANGER))
    assert audit(f"{address}/v1/games/G").exit_code == 1
    assert audit(f"{address}/v1/games/G", "--key", SIGNER.public.x).exit_code == 0
