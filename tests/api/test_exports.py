"""Bulk export: every finished public game once, in the order of their end, whole, and nothing of any other."""

import re
import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from captain.export_auditing import audited
from domain import canonical
from domain.audit import Unreadable, audit
from domain.commands import Leave
from eventstore.bulk import SKEW_MS
from tests.api.client import Client, problem
from tests.keys import KEYS, SIGNER
from tests.waiting import until

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "clients.md").read_text("utf-8")


@pytest.fixture
def clean(opened) -> None:
    """No games of other tests."""
    opened.writer.flushall()


@pytest.fixture
def settled(opened, monkeypatch):
    """As if some seconds had passed, so that no test waits for them."""
    monkeypatch.setattr("eventstore.bulk.SKEW_MS", -60_000)


def finish(ann: Client, opened, listed, **wanted: Any) -> str:
    game = ann.game(**{"bots": ["novice"], "auto_start": True} | wanted)
    opened.repository.execute(game, Leave(ann.player["id"]), key="resign")
    listed(game)
    opened_dues(opened, game)
    return game


def opened_dues(opened, game: str) -> None:
    """As the job does when it has listed a game: nothing is owed for it any more."""
    for claim in opened.owed.claim(lease_ms=1).claims:
        if claim.obligation.game == game:
            opened.owed.complete(claim)


def export(client: Client, query: str = "") -> tuple[list[list[bytes]], dict[str, Any]]:
    """The lines of each game, and the trailer."""
    answer = client.get(f"/v1/exports/games{query}")
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/x-ndjson"
    *lines, last = answer.data.splitlines(keepends=True)
    games: list[list[bytes]] = []
    for line in lines:
        if line.startswith(b'{"format":'):
            games.append([])
        games[-1].append(line)
    return games, orjson.loads(last)


def ids(games: list[list[bytes]]) -> list[str]:
    return [orjson.loads(game[0])["game"] for game in games]


def test_each_game_is_its_whole_log(clean, settled, ann: Client, anybody: Client, opened, listed):
    made = [finish(ann, opened, listed) for _ in range(3)]
    games, trailer = export(anybody)
    assert ids(games) == made
    cursor = trailer.pop("cursor")
    assert trailer == {"complete": True, "games": 3, "next": None}
    for game, lines in zip(made, games, strict=True):
        assert b"".join(lines) == anybody.get(f"/v1/games/{game}/log?as=all").data
        verdict = audit(lines, keys=KEYS)
        assert verdict.verdict == "sound"
    later = finish(ann, opened, listed)
    again, trailer = export(anybody, f"?after={cursor}")
    assert ids(again) == [later]
    assert trailer["next"] is None


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 100])
def test_it_is_resumed_by_cursor(clean, settled, ann: Client, anybody: Client, opened, listed, limit: int):
    made = [finish(ann, opened, listed) for _ in range(5)]
    found: list[str] = []
    query = f"?limit={limit}"
    while True:
        games, trailer = export(anybody, query)
        found += ids(games)
        assert trailer["games"] == len(games) <= limit
        if trailer["next"] is None:
            break
        query = f"?limit={limit}&after={trailer['next']}"
    assert found == made


def test_hidden_and_unfinished_games_are_not_in_it(clean, settled, ann: Client, anybody: Client, opened, listed):
    hidden = [finish(ann, opened, listed, visibility=v) for v in ("private", "unlisted")]
    playing, lobby = ann.game(bots=["novice"], auto_start=True), ann.game()
    listed(playing, lobby)
    for game in (playing, lobby):
        opened_dues(opened, game)
    public = finish(ann, opened, listed)
    # A list is only a list: what stands in it by mistake is not shown either.
    for game in (*hidden, playing, lobby, "01JZZZZZZZZZZZZZZZZZZZZZZZ"):
        opened.writer.zadd("ended:", {game: 1})
    for client in (anybody, ann):
        games, trailer = export(client)
        assert ids(games) == [public]
        assert trailer["games"] == 1


def test_of_one_ruleset(clean, settled, ann: Client, anybody: Client, opened, listed):
    finish(ann, opened, listed)
    other = finish(ann, opened, listed, ruleset="captain_flip")
    games, _ = export(anybody, "?ruleset=captain_flip")
    assert ids(games) == [other]
    assert problem(anybody.get("/v1/exports/games?ruleset=chess"), 404, "unknown_ruleset")["rulesets"]


def test_what_ends_meanwhile_is_neither_lost_nor_put_before_a_cursor(
    clean, settled, ann: Client, anybody: Client, opened, listed
):
    """A game whose job is late holds back all that ended after it, until it is in its place."""
    first = finish(ann, opened, listed)
    late = ann.game(bots=["novice"], auto_start=True)
    listed(late)
    opened_dues(opened, late)
    opened.repository.execute(late, Leave(ann.player["id"]), key="resign")
    third = finish(ann, opened, listed)
    games, trailer = export(anybody)
    assert ids(games) == [first]
    listed(late)
    opened_dues(opened, late)
    games, _ = export(anybody, f"?after={trailer['cursor']}")
    assert ids(games) == [late, third]


def test_one_that_cannot_be_listed_does_not_hold_up_the_others_for_ever(
    clean, settled, ann: Client, anybody: Client, opened, listed, monkeypatch
):
    broken = ann.game(bots=["novice"], auto_start=True)
    opened.repository.execute(broken, Leave(ann.player["id"]), key="resign")
    other = finish(ann, opened, listed)
    assert ids(export(anybody)[0]) == []
    monkeypatch.setattr("eventstore.bulk.GIVEN_UP_MS", -60_000)
    assert ids(export(anybody)[0]) == [other]


def test_a_game_appears_some_seconds_after_its_end(clean, ann: Client, anybody: Client, opened, listed):
    game = finish(ann, opened, listed)
    ended = opened.repository.game(game).game.at
    assert export(anybody)[1] == {"complete": True, "games": 0, "next": None, "cursor": None}
    until(lambda: export(anybody)[0])
    assert opened.log.time() >= ended + SKEW_MS


def test_one_that_breaks_off_has_no_trailer(clean, settled, ann: Client, anybody: Client, opened, listed, monkeypatch):
    finish(ann, opened, listed)
    game = finish(ann, opened, listed)
    read = opened.log.read

    def cut(name: str, after: int = 0, limit: int | None = None) -> Any:
        return () if name == game and after == 0 and limit != 1 else read(name, after, limit)

    monkeypatch.setattr(opened.log, "read", cut)
    with pytest.raises(Exception, match="ends at version 0"):
        anybody.get("/v1/exports/games")


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "after=x", "after=", "after=MTAgKiA", "x=1"])
def test_a_wrong_query_is_refused(anybody: Client, query: str):
    for _ in range(2):
        problem(anybody.get(f"/v1/exports/games?{query}"), 422, "validation_failed")


@pytest.mark.parametrize("count", [1, 2])
def test_an_export_is_not_taken_for_a_log(clean, settled, ann: Client, anybody: Client, opened, listed, count: int):
    for _ in range(count):
        finish(ann, opened, listed)
    data = anybody.get("/v1/exports/games").data
    try:
        verdict = audit(data.splitlines(keepends=True)).verdict
    except Unreadable:
        verdict = "unreadable"
    assert verdict in ("unsound", "unreadable")


def test_the_way_to_take_it_apart_that_the_documents_tell(
    clean, settled, ann: Client, anybody: Client, opened, listed, tmp_path
):
    made = [finish(ann, opened, listed) for _ in range(2)]
    (command,) = re.findall(r"^ +(awk '.*')$", DOCUMENT, re.MULTILINE)
    data = anybody.get("/v1/exports/games").data
    subprocess.run(["sh", "-c", command], cwd=tmp_path, input=data, check=True)
    for number, game in enumerate(made, 1):
        lines = (tmp_path / f"game{number}.ndjson").read_bytes()
        assert lines == anybody.get(f"/v1/games/{game}/log?as=all").data
    assert len(list(tmp_path.iterdir())) == 2


def test_the_command_audits_what_is_exported(clean, settled, ann: Client, anybody: Client, opened, listed):
    made = [finish(ann, opened, listed) for _ in range(2)]
    data = anybody.get("/v1/exports/games").data
    told = list(audited(data.splitlines(keepends=True), [SIGNER.public], []))
    assert [(one.game, one.name) for one in told] == [(game, "sound") for game in made]


def test_memory_is_bounded_by_a_piece_and_not_by_the_games(clean, settled, ann: Client, opened, listed):
    for _ in range(3):
        finish(ann, opened, listed)
    page = opened.bulk.page("", None, 100)
    pieces = list(opened.bulk.logs(page, SIGNER))
    assert len(pieces) == 3 * 3 + 1
    assert canonical.loads(pieces[-1])["games"] == 3
