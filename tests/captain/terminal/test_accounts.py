"""Tokens at rest: for each server and name, readable by their owner only."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import httpx

from captain.terminal.accounts import Accounts
from captain.terminal.http import Server


class Table:
    """A server that knows accounts, as far as that."""

    def __init__(self) -> None:
        self.tokens: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/players":
            self.tokens.append(f"ct_{json.loads(request.content)['name']}_{len(self.tokens)}")
            return httpx.Response(201, json={"token": self.tokens[-1]})
        known = request.headers["Authorization"].removeprefix("Bearer ") in self.tokens
        refusal: dict[str, Any] = {"code": "token_invalid", "title": "No"}
        return httpx.Response(200, json={}) if known else httpx.Response(401, json=refusal)


def server(table: Table, address: str = "http://one") -> Server:
    return Server(address, transport=httpx.MockTransport(table))


def test_a_player_is_registered_once_for_each_server_and_name(tmp_path: Path) -> None:
    accounts, one, two = Accounts(tmp_path / "folder"), Table(), Table()
    for _ in range(2):
        for name in ("Ann", "Bob"):
            here = server(one)
            assert accounts.sign_in(here, name) == name
            assert here.token in one.tokens
    there = server(two, "http://two")
    accounts.sign_in(there, "Ann")
    assert (len(one.tokens), two.tokens) == (2, ["ct_Ann_0"])
    assert accounts.sign_in(server(one), None) == "Bob", "the last one used"


def test_nobody_else_can_read_the_tokens(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    Accounts(folder).sign_in(server(Table()), "Ann")
    assert stat.S_IMODE((folder / "accounts.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_server_that_has_forgotten_the_player_gets_a_new_one(tmp_path: Path) -> None:
    accounts, table = Accounts(tmp_path), Table()
    accounts.sign_in(server(table), "Ann")
    table.tokens.clear()
    again = server(table)
    assert accounts.sign_in(again, None) == "Ann"
    assert again.token in table.tokens


def test_who_only_watches_is_not_registered(tmp_path: Path) -> None:
    table, asked = Table(), None
    asked = server(table)
    assert Accounts(tmp_path).sign_in(asked, None, register=False) is None
    assert (asked.token, table.tokens) == (None, [])


def test_a_broken_file_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "accounts.json").write_text("{")
    assert Accounts(tmp_path).sign_in(server(Table()), "Ann") == "Ann"
