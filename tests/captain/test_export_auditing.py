"""`captain audit --export`: each game of an export, from a file or page after page from a server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs

import pytest

from domain import canonical
from tests.captain.test_auditing import LINES as FIRST
from tests.captain.test_auditing import STRANGER, Server, audit, serving
from tests.golden.served import golden, served
from tests.keys import SIGNER

SECOND = served(golden("captain_flip-v1-bots-0"))
FIRST_GAME, SECOND_GAME = (canonical.loads(lines[0])["game"] for lines in (FIRST, SECOND))


def end(games: int, further: str | None = None) -> bytes:
    told = {"complete": True, "cursor": further or "1-x", "games": games, "next": further}
    return canonical.dumps(told) + b"\n"


WHOLE = b"".join([*FIRST, *SECOND, end(2)])
SPOILT = WHOLE.replace(b'"count":2,"rank"', b'"count":3,"rank"', 1)
KEY = ("--key", SIGNER.public.x)


def told(output: str) -> dict[str, str]:
    """The verdict on each game, from the output as JSON."""
    return {one["game"]: one["verdict"] for one in map(json.loads, output.splitlines()) if "verdict" in one}


def test_each_game_has_its_verdict() -> None:
    done = audit("-", "--export", *KEY, data=WHOLE)
    assert done.exit_code == 0
    assert done.output.splitlines()[-1] == "2 games: 2 sound"
    assert FIRST_GAME in done.output
    assert SECOND_GAME in done.output
    assert audit("-", "--export", data=WHOLE).output.splitlines()[-1] == "2 games: 2 sound but unsigned"


def test_one_that_is_unsound_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "export"
    path.write_bytes(SPOILT)
    done = audit(path, "--export", *KEY)
    assert (done.exit_code, done.output.splitlines()[-1]) == (1, "2 games: 1 sound, 1 unsound")
    assert "data.count" in done.output
    as_json = audit(path, "--export", *KEY, "--json")
    assert (as_json.exit_code, told(as_json.output)) == (1, {FIRST_GAME: "unsound", SECOND_GAME: "sound"})
    summary = json.loads(as_json.output.splitlines()[-1])
    assert summary == {"games": 2, "sound": 1, "sound_unsigned": 0, "unsound": 1, "unreadable": 0}


def test_one_that_cannot_be_read_does_not_hide_the_others() -> None:
    unknown = WHOLE.replace(b'"captain_flip"', b'"unknown_game"')
    done = audit("-", "--export", *KEY, "--json", data=unknown)
    assert (done.exit_code, told(done.output)) == (2, {FIRST_GAME: "sound", SECOND_GAME: "unreadable"})
    assert audit("-", "--export", *KEY, data=unknown).output.splitlines()[-1] == "2 games: 1 sound, 1 unreadable"


def test_an_export_of_nothing_is_sound() -> None:
    done = audit("-", "--export", data=end(0))
    assert (done.exit_code, done.output) == (0, "0 games\n")


def test_an_export_of_one_game() -> None:
    done = audit("-", "--export", *KEY, data=b"".join([*FIRST, end(1)]))
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "1 game: 1 sound")


def test_receipts_are_compared_with_the_game_that_they_are_of(tmp_path: Path) -> None:
    def receipt(lines: list[bytes], signer, version: int = 5) -> str:
        record, after = [canonical.loads(line)["record"] for line in lines[version : version + 2]]
        signed = signer.head(canonical.loads(lines[0])["game"], version, after["prev"], record["at"])
        return json.dumps({"signed": canonical.loads(canonical.dumps(signed))})

    path = tmp_path / "receipts"
    path.write_text(f"{receipt(FIRST, SIGNER)}\n{receipt(SECOND, STRANGER)}\n")
    done = audit("-", "--export", *KEY, "--receipt", path, "--json", data=WHOLE)
    assert told(done.output) == {FIRST_GAME: "sound", SECOND_GAME: "unsound"}


@pytest.mark.parametrize("data", [
    b"", b"{}\n", WHOLE[:-1000], b"".join(FIRST), b"".join([*FIRST, end(2)]), b"".join(FIRST[1:]) + end(1),
], ids=["nothing", "no export", "cut", "a log", "a game is missing", "no header"])  # fmt: skip
def test_what_is_no_whole_export_is_said(data: bytes) -> None:
    done = audit("-", "--export", *KEY, data=data)
    assert done.exit_code == 2
    assert done.stderr.startswith("captain: ")
    assert json.loads(audit("-", "--export", "--json", data=data).stdout.splitlines()[-1])["verdict"] == "unreadable"


class Exporting(Server):
    """A server with an export of two pages, and its keys."""

    pages: ClassVar = {"": b"".join([*FIRST, end(1, "7-a")]), "7-a": b"".join([*SECOND, end(1)])}

    def told(self, path: str, query: str) -> tuple[int, bytes]:
        if path == "/v1/exports/games":
            return 200, self.pages[parse_qs(query).get("after", [""])[0]]
        return super().told(path, query)


@pytest.fixture
def address() -> Iterator[str]:
    with serving(Exporting) as found:
        yield found


@pytest.mark.parametrize("path", ["", "/", "/v1/exports/games"])
def test_all_pages_of_a_server_with_the_keys_that_it_names(address: str, path: str) -> None:
    done = audit(address + path, "--export")
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "2 games: 2 sound")


def test_an_address_without_an_export_is_said(address: str) -> None:
    done = audit(f"{address}/elsewhere", "--export")
    assert (done.exit_code, done.stderr) == (2, f"captain: {address}/elsewhere answers 404 Not Found.\n")
