"""The log as lines: the very bytes, so that anyone can check the chain and the seals."""

import hashlib
import io

import orjson
import pytest

from domain import canonical, sealing
from domain.signing import SignedHead
from eventstore.errors import StoreUnavailable
from tests.api.client import Client, problem
from tests.keys import SIGNER
from tools import verify_log


def read(client: Client, game: str, query: str = ""):
    """Header, records as (text, line), trailer."""
    answer = client.get(f"/v1/games/{game}/log{query}")
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/x-ndjson"
    header, *lines, trailer = answer.data.splitlines()
    found = []
    for line in lines:
        assert line.startswith(b'{"record":')
        text = line[len(b'{"record":') : line.rindex(b',"open":')]
        found.append((text, orjson.loads(line)))
    return orjson.loads(header), found, orjson.loads(trailer)


def check(game: str, header, lines, trailer) -> None:
    """What an auditor with this document in hand does: the chain from the text, the seals that are open."""
    prev = hashlib.sha256(game.encode()).hexdigest()
    for number, (text, line) in enumerate(lines, 1):
        record = line["record"]
        assert (record["v"], record["prev"]) == (number, prev)
        prev = hashlib.sha256(text).hexdigest()
        for name, opened in line["open"].items():
            digest = sealing.digest(game, number, name, opened["salt"], opened["value"])
            assert record["seals"][name]["digest"] == digest
    signed = trailer.pop("signed")
    assert trailer == {"count": len(lines), "head": prev, "complete": True}
    assert (signed["game"], signed["version"], signed["hash"]) == (game, len(lines), prev)
    assert signed["at"] == lines[-1][1]["record"]["at"]
    assert SIGNER.public.holds(signed["signature"], SignedHead(**signed).statement)
    assert (header["head"], header["version"]) == (prev, len(lines))


def test_every_reader_can_check_the_chain(ann: Client, bob: Client, anybody: Client, table: str):
    heads = set()
    for client, observer in ((ann, {"seat": 0}), (bob, {"seat": 1}), (anybody, {"spectator": True})):
        header, lines, trailer = read(client, table)
        check(table, header, lines, trailer)
        heads.add(trailer["head"])
        assert header["observer"] == observer
        assert (header["format"], header["game"], header["ruleset"], header["rules_version"], header["status"]) == (
            1, table, "bluff_king", 1, "playing",
        )  # fmt: skip
        events = client.get(f"/v1/games/{table}/events").json["items"]
        assert [line["open"] for _, line in lines] == [event["opened"] for event in events]
    assert len(heads) == 1


def test_everything_stands_in_the_log_of_a_finished_game(ann: Client, bob: Client, anybody: Client, table: str, opened):
    bob.delete(f"/v1/games/{table}/seats/me")
    header, lines, trailer = read(anybody, table, "?as=all")
    check(table, header, lines, trailer)
    assert header["observer"] == {"all": True}
    assert all(line["open"].keys() == line["record"]["seals"].keys() for _, line in lines)
    stored = opened.log.read(table)
    assert [text for text, _ in lines] == [record.record for record in stored]
    hers = read(anybody, table, "?as=1")[1]
    assert [bool(line["open"]) for _, line in hers] == [
        any(1 in seal["to"] for seal in line["record"]["seals"].values()) for _, line in hers
    ]


def test_who_knows_only_the_document_finds_every_log_sound(ann: Client, bob: Client, anybody: Client, table: str):
    """tools/verify_log.py, with the keys that the server names and a receipt that it gave."""
    keys = verify_log.keys_in(anybody.get("/v1/server").json)

    def found(client: Client, query: str = "", receipts=()):
        made = verify_log.verify(io.BytesIO(client.get(f"/v1/games/{table}/log{query}").data), keys, receipts)
        return made["verdict"], made["checked"]["draws"]

    readings = [(ann, "?as=0"), (bob, "?as=1"), (anybody, "?as=spectator")]
    assert [found(*reading) for reading in readings] == [("sound", 0)] * 3
    receipt = bob.delete(f"/v1/games/{table}/seats/me").json["signed"]
    readings.append((anybody, "?as=all"))
    assert [found(*reading, [receipt]) for reading in readings] == [("sound", 3)] * 4
    assert found(anybody, "", [receipt | {"at": 1}])[0] == "unsound"


def test_record_bytes_are_never_made_anew(ann: Client, table: str, opened, monkeypatch):
    """A record that is not as our encoder would write it comes out as it went in."""
    from domain.observers import at_seat
    from eventstore import export
    from eventstore.replies import StoredRecord

    odd = b'{ "v":1,  "seals":{"cards":{"to":[0],"digest":"x"}}, "n":1e2 }'
    stored = StoredRecord(1, "x", 1, odd, canonical.dumps({"cards": {"salt": "s", "value": ["AS"]}}))
    assert export._line(stored, at_seat(0)) == b'{"record":' + odd + b',"open":{"cards":{"salt":"s","value":["AS"]}}}\n'
    assert export._line(stored, at_seat(1)) == b'{"record":' + odd + b',"open":{}}\n'


def test_the_log_of_a_finished_public_game_may_be_kept_for_ever(ann: Client, bob: Client, anybody: Client, table: str):
    running = anybody.get(f"/v1/games/{table}/log")
    assert running.headers["Cache-Control"] == "private, no-cache, no-transform"
    bob.delete(f"/v1/games/{table}/seats/me")
    for client in (ann, anybody):
        done = client.get(f"/v1/games/{table}/log?as=all")
        assert done.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Authorization" in done.headers["Vary"]
        for held in (done.headers["ETag"], f"W/{done.headers['ETag']}"):
            again = client.get(f"/v1/games/{table}/log?as=all", headers={"If-None-Match": held})
            assert (again.status_code, again.data) == (304, b"")
            assert again.headers["Cache-Control"] == done.headers["Cache-Control"]
    other = client.get(f"/v1/games/{table}/log?as=1", headers={"If-None-Match": done.headers["ETag"]})
    assert other.status_code == 200
    hidden = ann.game(visibility="unlisted", bots=["novice"], auto_start=True)
    ann.delete(f"/v1/games/{hidden}/seats/me")
    assert ann.get(f"/v1/games/{hidden}/log").headers["Cache-Control"] == "private, no-cache, no-transform"


def test_a_log_that_is_cut_short_has_no_trailer(ann: Client, table: str, opened, monkeypatch):
    from eventstore import export

    whole, calls = opened.log.read, []

    def failing(*arguments):
        calls.append(arguments)
        if len(calls) > 1:
            raise StoreUnavailable("away")
        return whole(*arguments)

    monkeypatch.setattr(export, "PAGE", 3)
    monkeypatch.setattr(opened.log, "read", failing)
    answer = ann.app.test_client().get(f"/v1/games/{table}/log")
    got = []
    with pytest.raises(StoreUnavailable):
        got.extend(answer.iter_encoded())
    assert b"".join(got).count(b"\n") in (0, 1, 4)
    assert b"complete" not in b"".join(got)


def test_a_hidden_log_is_unknown(ann: Client, bob: Client, anybody: Client):
    game = ann.game(visibility="private")
    for client in (bob, anybody):
        for path in ("log", "log?as=all", "replay", "replay?at=1", "replay?as=9"):
            problem(client.get(f"/v1/games/{game}/{path}"), 404, "unknown_game")
