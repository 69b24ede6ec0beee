"""Who may do what: every route, for everybody who may ask, in every kind of game; and no secret in any answer.

The tables below are the specification: they are written by hand, and nothing here asks the code what is right.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest
from flask import Flask

from domain.commands import Sit
from eventstore.store import Store
from tests.api.client import Client
from tests.e2e.oracle import Oracle
from tests.e2e.recorder import STRANGER, Heard, Recorder

VISIBILITIES = ("public", "unlisted", "private")
STATUSES = ("lobby", "playing", "finished")

ROLES = ("none", "malformed", "unknown", "stranger", "spectator", "left", "resigned", "host", "seated", "other")
"""`host` sits nowhere, `seated` at seat 0, `other` at seat 1; `left` sat in the lobby, `resigned` in the game.

A `spectator` is a stranger who has looked at the game: that gives nobody a right. Nobody has resigned in a lobby; then,
as in `_PRIVATE_TO`, `resigned` is a stranger.
"""

TOKENS = ("revoked", "wrong scope")
"""Tokens of `seated`: one that was good once is as an unknown one, one that is not for this may do nothing here."""
INSIDE = {"host", "seated", "other"}
OK = "200"

# One word a role in the order of `ROLES`. What stands after a slash holds in a private game for whoever it is hidden
# from; `-` is as in the table of the public game. Codes are shortened:
SHORT = {
    "miss": (401, "token_missing"),
    "bad": (401, "token_invalid"),
    "hid": (404, "unknown_game"),
    "host?": (403, "not_host"),
    "seat?": (403, "not_seated"),
    "begun": (409, "already_started"),
    "over": (409, "game_over"),
    "asked?": (409, "not_asked"),
    "sits": (409, "already_seated"),
    "full": (409, "game_full"),
    "taken": (409, "seat_taken"),
    "here": (409, "not_away"),
    "open": (409, "game_not_over"),
    "free": (409, "seats_free"),
    "nodisp": (404, "unknown_dispute"),
    "nochal": (404, "unknown_challenge"),
    "closed": (409, "decision_closed"),
    "shape": (422, "validation_failed"),
    "scope": (403, "scope_missing"),
    "noinv": (404, "unknown_invite"),
    "notok": (404, "unknown_token"),
    "nobody": (404, "unknown_player"),
}


class Route(NamedTuple):
    """One request, and for each status of a game what each role is told (10 words)."""

    method: str
    path: str
    body: Any
    told: dict[str, str]


def same(words: str) -> dict[str, str]:
    return dict.fromkeys(STATUSES, words)


#                                    none  malformed unknown stranger spectator left  resigned host   seated other
READ = same("                        200   bad       bad     200      200       200   200      200    200    200")
OVER = {
    "lobby": "                       open  bad       bad     open     open      open  open     open   open   open",
    "playing": "                     open  bad       bad     open     open      open  open     open   open   open",
    "finished": "                    200   bad       bad     200      200       200   200      200    200    200",
}
MINE = same("                        miss  bad       bad     200      200       200   200      200    200    200")

ROUTES = (
    Route("GET", "/v1/games/{game}", None, READ),
    Route("GET", "/v1/games/{game}?as=all", None, OVER),
    Route("GET", "/v1/games/{game}/moves", None, MINE),
    Route("GET", "/v1/games/{game}/events", None, READ),
    Route("GET", "/v1/games/{game}/events?as=all", None, OVER),
    Route("HEAD", "/v1/games/{game}/stream", None, READ),
    Route("GET", "/v1/games/{game}/replay", None, READ),
    Route("GET", "/v1/games/{game}/replay?as=spectator", None, READ),
    Route("GET", "/v1/games/{game}/replay?as=all", None, OVER),
    Route("GET", "/v1/games/{game}/replay?as=0", None, {
        **OVER,
"lobby": "                           open  bad       bad     open     open      open  open     open   200    open",
"playing": "                         open  bad       bad     open     open      open  open     open   200    open",
    }),
    Route("GET", "/v1/games/{game}/log", None, READ),
    Route("GET", "/v1/games/{game}/log?as=1", None, {
        **OVER,
"lobby": "                           open  bad       bad     open     open      open  open     open   open   200",
"playing": "                         open  bad       bad     open     open      open  open     open   open   200",
    }),
    Route("GET", "/v1/games/{game}/log?as=all", None, OVER),
    Route("GET", "/v1/games/{game}/audit", None, OVER),
    Route("GET", "/v1/games/{game}/challenges", None, READ),
    Route("GET", "/v1/games/{game}/challenges/1", None, same(
"                                    nochal bad      bad     nochal   nochal    nochal nochal  nochal nochal nochal")),
    Route("GET", "/v1/games/{game}/disputes", None, READ),
    Route("GET", "/v1/disputes/{game}-9", None, same(
"                                    nodisp bad      bad     nodisp   nodisp    nodisp nodisp  nodisp nodisp nodisp")),
    Route("POST", "/v1/games/{game}/stream-tickets", {}, same(
"                                    miss  bad       bad     201      201       201   201      201    201    201")),
    Route("POST", "/v1/games/{game}/seats", {}, {
"lobby": "                           miss  bad       bad     201      201       201   201      201    sits   sits",
"playing": "                         miss  bad       bad     begun    begun     begun begun    begun  sits   sits",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    Route("POST", "/v1/games/{game}/seats", {"seat": 0}, {
"lobby": "                           miss  bad       bad     taken    taken     taken taken    taken  sits   sits",
"playing": "                         miss  bad       bad     begun    begun     begun begun    begun  sits   sits",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    Route("POST", "/v1/games/{game}/seats", {"bot": "novice"}, {
"lobby": "                           miss  bad       bad     host?    host?     host? host?    201    host?  host?",
"playing": "                         miss  bad       bad     host?    host?     host? host?    begun  host?  host?",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    Route("PUT", "/v1/games/{game}/seats/me", {"controller": "player"}, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    seat?  here   here",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    seat?  here   here",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    Route("PUT", "/v1/games/{game}/seats/me", {"client_seed": "ab" * 32}, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    seat?  200    200",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    seat?  begun  begun",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    Route("DELETE", "/v1/games/{game}/seats/me", None, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    seat?  200    200",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    seat?  200    200",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    Route("POST", "/v1/games/{game}/start", {}, {
"lobby": "                           miss  bad       bad     host?    host?     host? host?    free   host?  host?",
"playing": "                         miss  bad       bad     host?    host?     host? host?    begun  host?  host?",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
    }),
    # Of the two who sit, the one who is asked first: `seated`; see `playing`.
    Route("POST", "/v1/games/{game}/moves", {"type": "pass", "decision": "1"}, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    seat?  asked? asked?",
"finished": "                        miss  bad       bad     over     over      over  over     over   over   over",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    seat?  closed asked?",
    }),
    Route("POST", "/v1/games/{game}/disputes", {"reason": "?"}, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    seat?  202    202",
"playing": "                         miss  bad       bad     seat?    seat?     seat? 202      seat?  202    202",
"finished": "                        miss  bad       bad     seat?    seat?     seat? 202      seat?  202    202",
    }),
    Route("POST", "/v1/games/{game}/invites", {}, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    201    201    201",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    201    201    201",
"finished": "                        miss  bad       bad     seat?    seat?     seat? seat?    201    seat?  seat?",
    }),
    Route("GET", "/v1/games/{game}/invites", None, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    200    200    200",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    200    200    200",
"finished": "                        miss  bad       bad     seat?    seat?     seat? seat?    200    seat?  seat?",
    }),
    Route("DELETE", "/v1/games/{game}/invites/none", None, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    noinv  noinv  noinv",
"playing": "                         miss  bad       bad     seat?    seat?     seat? seat?    noinv  noinv  noinv",
"finished": "                        miss  bad       bad     seat?    seat?     seat? seat?    noinv  seat?  seat?",
    }),
    Route("POST", "/v1/games/{game}/rematch", {}, {
"lobby": "                           miss  bad       bad     seat?    seat?     seat? seat?    seat?  open   open",
"playing": "                         miss  bad       bad     seat?    seat?     seat? open     seat?  open   open",
"finished": "                        miss  bad       bad     seat?    seat?     seat? 201      seat?  201    201",
    }),
    Route("POST", "/v1/games/{game}/disputes", {}, same(
"                                    miss  bad       bad     shape    shape     shape shape    shape  shape  shape")),
)  # fmt: skip

ELSEWHERE = (
    #                                                        none malformed unknown anybody
    ("GET", "/v1/server", None, "                            200  200       200     200"),
    ("GET", "/v1/rulesets", None, "                          200  200       200     200"),
    ("GET", "/v1/rulesets/bluff_king", None, "               200  200       200     200"),
    ("POST", "/v1/players", {"name": "Eve"}, "               201  201       201     201"),
    ("GET", "/v1/me", None, "                                miss bad       bad     200"),
    ("GET", "/v1/games", None, "                             200  bad       bad     200"),
    ("GET", "/v1/games?seat=me", None, "                     miss bad       bad     200"),
    ("POST", "/v1/games", {"ruleset": "bluff_king"}, "       miss bad       bad     201"),
    ("PATCH", "/v1/me", {"name": "Ann"}, "                   miss bad       bad     200"),
    ("GET", "/v1/me/tokens", None, "                         miss bad       bad     200"),
    ("POST", "/v1/me/tokens", {"scopes": ["read"]}, "        miss bad       bad     201"),
    ("DELETE", "/v1/me/tokens/none", None, "                 miss bad       bad     notok"),
    ("POST", "/v1/invites", {"code": "ci_" + "x" * 22}, "    miss bad       bad     noinv"),
    ("GET", "/v1/players/none", None, "                      nobody nobody  nobody  nobody"),
    ("GET", "/v1/players/none/games", None, "                nobody bad     bad     nobody"),
    ("GET", "/v1/leaderboards/bluff_king", None, "           200  200       200     200"),
    ("GET", "/v1/exports/games", None, "                     200  200       200     200"),
)
"""What is about no game in particular."""

_PRIVATE_TO = {"lobby": INSIDE, "playing": {*INSIDE, "resigned"}, "finished": {*INSIDE, "resigned"}}
"""To whom a private game shows itself. Whoever left it in the lobby is a stranger again."""


def expected(route: Route, visibility: str, status: str, role: str) -> tuple[int, str]:
    """Status and code as the tables say."""
    if role in TOKENS:
        return SHORT["bad" if role == "revoked" else "scope"]
    word = route.told[status].split()[ROLES.index(role)]
    if visibility == "private" and role not in _PRIVATE_TO[status] and word not in ("miss", "bad", "shape", "nodisp"):
        word = "hid"
    return SHORT.get(word) or (int(word), "")


def a_token(client: Client, *scopes: str) -> dict[str, Any]:
    """Another token of a player."""
    made = client.post("/v1/me/tokens", {"scopes": list(scopes)})
    assert made.status_code == 201, made.text
    return made.json


def revoked(client: Client) -> Client:
    """The same player with a token that is good no more."""
    made = a_token(client, "read", "play", "create", "account")
    assert client.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    return Client(client.app, made["token"])


class Table:
    """One game with everybody around it."""

    def __init__(self, anybody: Client, store: Store, visibility: str, status: str) -> None:
        self.status = status
        host, *people = (anybody.join(name) for name in ("Hanna", "Sam", "Olga", "Lee", "Rex", "Stu", "Spec"))
        seated, other, left, resigned, stranger, spectator = people
        seats = 3 if status == "lobby" else 4
        self.game = game = host.game(visibility=visibility, host_seat="none", seats=seats)
        sitting = [seated, other, *([] if status == "lobby" else [resigned])]
        for client in (*sitting, left):
            # By the store: nobody can ask for a seat at a private table.
            store.repository.execute(game, Sit(client.player["id"]), key=secrets.token_hex(8))
        assert left.delete(f"/v1/games/{game}/seats/me").status_code == 200
        if status != "lobby":
            assert host.post(f"/v1/games/{game}/seats", {"bot": "novice"}).status_code == 201
            assert host.post(f"/v1/games/{game}/start", {}).status_code == 200
            assert resigned.delete(f"/v1/games/{game}/seats/me").status_code == 200
        if status == "finished":
            for client in (seated, other):
                client.delete(f"/v1/games/{game}/seats/me")
        self.clients = {
            "none": anybody,
            "malformed": Client(anybody.app, "c t"),
            "unknown": Client(anybody.app, "ct_" + "x" * 32),
            "stranger": stranger, "spectator": spectator, "left": left, "resigned": resigned, "host": host,
            "seated": seated, "other": other,
            "revoked": revoked(seated), "wrong scope": Client(anybody.app, a_token(seated, "account")["token"]),
        }  # fmt: skip
        if visibility != "private":
            spectator.view(game)

    def observer(self, role: str) -> int:
        return {"seated": 0, "other": 1}.get(role, STRANGER)


def asked_first(table: Table) -> str:
    """Which of the two who sit is asked; a game of which neither is cannot stand for the table of moves."""
    for role in ("seated", "other"):
        if table.clients[role].view(table.game)["decision"]:
            return role
    return ""


@pytest.fixture(scope="module")
def shared(app: Flask, opened: Store) -> dict[tuple[str, str], Table]:
    """One table of each kind, for what is refused or only reads."""
    return {kind: a_table(Client(app), opened, *kind) for kind in product(VISIBILITIES, STATUSES)}


def a_table(anybody: Client, store: Store, visibility: str, status: str) -> Table:
    """A table; in a game that goes on `seated` is asked."""
    while True:
        made = Table(anybody, store, visibility, status)
        if status != "playing" or asked_first(made) == "seated":
            return made


WRITES = ("POST", "PUT", "DELETE")


@pytest.mark.parametrize(("visibility", "status"), [*product(VISIBILITIES, STATUSES)])
@pytest.mark.slow
def test_everybody_on_every_route(shared, app: Flask, opened: Store, version, visibility: str, status: str):
    table = shared[visibility, status]
    recorder = Recorder(game=table.game)
    wrong = []
    for route, role in product(ROUTES, (*ROLES, *TOKENS)):
        right = expected(route, visibility, status, role)
        writes = route.method in WRITES and right[0] < 300 and "tickets" not in route.path
        at = a_table(Client(app), opened, visibility, status) if writes else table
        before = version(at.game)
        answer = at.clients[role].send(route.method, route.path.format(game=at.game), json=route.body)
        code = answer.json.get("code", "") if answer.mimetype == "application/problem+json" and answer.data else ""
        if (answer.status_code, code) != right and not (route.method == "HEAD" and answer.status_code == right[0]):
            wrong.append(
                f"{role:10} {route.method} {route.path} {route.body}: {answer.status_code} {code}, not {right}"
            )
        if right[0] >= 400:
            assert version(at.game) == before, (route, role)
        if at is table:
            recorder.heard.append(heard(table, role, route, answer))
        elif status == "playing":
            # Whoever resigns by it is told no more than a stranger.
            reader = "stranger" if route.method == "DELETE" else role
            judge(app, at, Recorder(game=at.game, heard=[heard(at, reader, route, answer)]))
    assert not wrong, "\n".join(wrong)
    for role, path in product((*ROLES, *TOKENS), LISTS):
        route = Route("GET", path.format(player=table.clients["seated"].player["id"]), None, {})
        recorder.heard.append(heard(table, role, route, table.clients[role].get(route.path)))
    assert len(recorder.heard) > 250
    assert judge(app, table, recorder) > 20 or status == "lobby"


def heard(table: Table, role: str, route: Route, answer: Any) -> Heard:
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers)
    path = route.path.format(game=table.game)
    told = None
    if answer.status_code == 200 and answer.mimetype == "application/json" and "cursor" in answer.json:
        told = int(answer.json["cursor"].partition("-")[0])
    # A ticket is random text; the seed of the body is the sender's own.
    text = re.sub(r'"ticket":"[^"]*"|\?ticket=[\w-]*', "", answer.text)
    asked = f"http://table{path}"
    return Heard(table.observer(role), asked, f"{path} {route.body}", f"{headers}\n\n{text}", told, now=True)


LISTS = ("/v1/games?limit=200", "/v1/games?seat=me", "/v1/me", "/v1/players/{player}/games", "/v1/players/{player}")
"""What tells of games beside the games themselves; how it is answered stands in `ELSEWHERE`."""


def judge(app: Flask, table: Table, recorder: Recorder) -> int:
    """End the game and hold every answer against its log with everything open; how many cards and salts were there."""
    for role in ("seated", "other"):
        table.clients[role].delete(f"/v1/games/{table.game}/seats/me")
    host = table.clients["host"]
    view = host.view(table.game)
    if view["status"] != "finished":
        assert table.status == "lobby"  # nothing is dealt in a lobby: there are no secrets yet
        return 0
    page: dict[str, Any] = {"cursor": 0, "next": True}
    log = []
    while page["next"]:
        page = host.get(f"/v1/games/{table.game}/events?as=all&after={page['cursor']}").json
        log += page["items"]
    _, words = Oracle(log).judge(recorder)
    return words


@pytest.mark.parametrize(("method", "path", "body", "words"), ELSEWHERE)
def test_what_is_about_no_game(anybody: Client, ann: Client, method: str, path: str, body: Any, words: str):
    clients = [anybody, Client(anybody.app, "c t"), Client(anybody.app, "ct_" + "x" * 32), ann]
    told = words.split()
    of_account = path.startswith("/v1/me/tokens") or method == "PATCH"
    clients += [revoked(ann), Client(anybody.app, a_token(ann, "read" if of_account else "account")["token"])]
    told += [told[2], "scope" if told[2] == "bad" else told[3]]
    for client, word in zip(clients, told, strict=True):
        answer = client.send(method, path, json=body)
        status, code = SHORT.get(word) or (int(word), "")
        found = answer.json.get("code", "") if answer.is_json else ""
        assert (answer.status_code, found) == (status, code), (method, path, word)


def test_a_private_game_stands_in_no_list_of_others(shared, listed):
    for (visibility, _), table in shared.items():
        listed(table.game)
        for role in ("none", "stranger", "spectator", "left", "resigned", "host", "seated"):
            client = table.clients[role]
            host = table.clients["host"].player["id"]
            for path in ("/v1/games", f"/v1/players/{host}/games"):
                games = {one["id"] for one in client.get(f"{path}?limit=200").json["items"]}
                own = role == "host" and path != "/v1/games"
                assert (table.game in games) == (own or visibility == "public"), (visibility, role, path)


def every_route(app: Flask) -> Iterator[tuple[str, str]]:
    for path, item in app.extensions["openapi"]["paths"].items():
        for method in item.keys() - {"parameters"}:
            yield method.upper(), path


def test_the_tables_leave_out_no_route(app: Flask):
    in_tables = {(method, path.partition("?")[0]) for method, path, *_ in (*ROUTES, *ELSEWHERE)}
    in_tables = {
        ("GET" if method == "HEAD" else method,
         path.replace("s/1", "s/{v}").replace("{game}-9", "{dispute}").replace("s/bluff_king", "s/{key}")
         .replace("boards/{key}", "boards/{ruleset}").replace("invites/none", "invites/{invite}")
         .replace("tokens/none", "tokens/{token}").replace("players/none", "players/{player}"))
        for method, path in in_tables
    }  # fmt: skip
    assert in_tables == set(every_route(app)) - {("GET", "/"), ("GET", "/healthz"), ("GET", "/readyz")}
    for route in ROUTES:
        assert set(route.told) == set(STATUSES)
        assert all(len(words.split()) == len(ROLES) for words in route.told.values()), route
