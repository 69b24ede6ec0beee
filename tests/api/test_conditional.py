"""Every answer with an entity tag gives 304, also when a proxy changed the tag, with the headers of the answer."""

from __future__ import annotations

import pytest

from tests.api.client import Client, problem

GAME = ("", "/moves", "/replay", "/log", "/challenges")
FIXED = ("/v1/rulesets", "/v1/rulesets/bluff_king", "/openapi.json", "/openapi.yaml", "/rules/bluff_king")
CHANGES = {
    "as it was": '"%s"',
    "weakened (nginx)": 'W/"%s"',
    "with the coding (Apache)": '"%s-gzip"',
    "with another coding": '"%s-br"',
    "weak, with the coding": 'W/"%s-gzip"',
    "one of several": '"x", W/"%s", "y"',
    "any": "*",
}


def asked_again(client: Client, path: str) -> None:
    first = client.get(path)
    assert first.status_code == 200
    tag = first.headers["ETag"]
    assert tag.startswith('"'), "ours are strong"
    for change in CHANGES.values():
        held = change % tag.strip('"') if "%s" in change else change
        same = client.get(path, headers={"If-None-Match": held})
        assert (same.status_code, same.data) == (304, b""), held
        assert same.headers["ETag"] == tag
        for name in ("Cache-Control", "Vary"):
            assert same.headers.get(name) == first.headers.get(name), (path, name)
        assert ("Server-Time" in same.headers) == ("Server-Time" in first.headers), path
        assert "Content-Type" not in same.headers
    for other in ('"x"', f'"{tag.strip(chr(34))}-zip"', f'"{tag.strip(chr(34))[:-1]}"', '""', "W/", ""):
        assert client.get(path, headers={"If-None-Match": other}).status_code == 200, other


@pytest.mark.parametrize("path", FIXED)
def test_what_is_the_same_for_all(anybody: Client, path: str):
    asked_again(anybody, path)


@pytest.mark.parametrize("path", GAME)
def test_of_a_game(ann: Client, table: str, path: str):
    asked_again(ann, f"/v1/games/{table}{path}")


@pytest.mark.parametrize("path", [*GAME, "/audit"])
def test_of_a_game_that_is_over(ann: Client, bob: Client, table: str, path: str):
    bob.delete(f"/v1/games/{table}/seats/me")
    asked_again(ann, f"/v1/games/{table}{path}")


@pytest.mark.parametrize("change", [c for c in CHANGES.values() if c != "*"])
def test_a_change_with_the_tag_of_a_view(ann: Client, change: str):
    game = ann.game()
    tag = ann.get(f"/v1/games/{game}").headers["ETag"]
    held = {"If-Match": change % tag.strip('"')}
    assert ann.post(f"/v1/games/{game}/seats", {"bot": "novice"}, headers=held).status_code == 201
    problem(ann.post(f"/v1/games/{game}/start", {}, headers=held), 412, "stale")


def test_one_player_s_tag_is_no_other_s(ann: Client, bob: Client, table: str):
    tag = ann.get(f"/v1/games/{table}").headers["ETag"]
    assert bob.get(f"/v1/games/{table}", headers={"If-None-Match": tag}).status_code == 200


def test_private_answers_ask_not_to_be_packed(ann: Client, table: str):
    for path in (f"/v1/games/{table}", f"/v1/games/{table}/events", "/v1/me", f"/v1/games/{table}/log"):
        assert "no-transform" in ann.get(path).headers["Cache-Control"]
