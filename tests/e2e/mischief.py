"""Every kind of bad request to a game, each with the refusal that it must get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx

from tests.e2e.client import Client, Json

CARDS = tuple(rank + suit for suit in "SHDC" for rank in ("A", *"23456789", "10", *"JQK"))
JSON = {"Content-Type": "application/json"}


class Bad(NamedTuple):
    """A request, and the code with which it must be refused."""

    name: str
    code: str
    method: str
    path: str
    body: Any = None
    content: bytes | None = None
    headers: dict[str, str] = {}
    anonymous: bool = False


def send(client: Client, bad: Bad) -> httpx.Response:
    """Send it."""
    headers = {**bad.headers}
    if bad.anonymous:
        headers.setdefault("Authorization", "Bearer ct_" + "x" * 43)
    if bad.content is not None:
        return client.send(bad.method, bad.path, content=bad.content, headers={**JSON, **headers})
    return client.send(bad.method, bad.path, bad.body, headers=headers)


def unreadable(game: str) -> Iterator[Bad]:
    """Bodies that are no strict JSON, to the route that takes moves and to the one that creates games."""
    for path in (f"/games/{game}/moves", "/games"):
        for name, code, content in (
            ("malformed", "malformed_json", b'{"type":'),
            ("not an object", "validation_failed", b"[]"),
            ("not UTF-8", "not_utf8", b'{"type":"\xff"}'),
            ("a key twice", "duplicate_key", b'{"type":"pass","type":"lead"}'),
            ("too deep", "too_nested", b"[" * 40 + b"]" * 40),
            ("absurdly deep", "too_nested", b"[" * 30_000 + b"]" * 30_000),
            ("NaN", "bad_number", b'{"seat":NaN}'),
            ("a huge number", "bad_number", b'{"seat":1e999}'),
            ("a lone surrogate", "bad_string", b'{"type":"\\ud800"}'),
            ("oversized", "body_too_large", b'{"type":"' + b"x" * 70_000 + b'"}'),
        ):
            yield Bad(name, code, "POST", path, content=content)
        form = {"Content-Type": "text/plain"}
        yield Bad("not said to be JSON", "unsupported_media_type", "POST", path, content=b"{}", headers=form)


def misshapen_moves(game: str, decision: str) -> Iterator[Bad]:
    """Moves of a wrong shape: unknown fields, wrong types, values that no move has."""
    lead = {"type": "lead", "decision": decision, "cards": ["AS"], "rank": "A"}
    for name, change in (
        ("unknown field", {"why": "because"}),
        ("unknown type", {"type": "castle"}),
        ("no type", {"type": None}),
        ("type of a wrong type", {"type": 7}),
        ("decision of a wrong type", {"decision": 7}),
        ("no such card", {"cards": ["ZZ"]}),
        ("no cards", {"cards": []}),
        ("cards of a wrong type", {"cards": "AS"}),
        ("a card of a wrong type", {"cards": [1]}),
        ("too many cards", {"cards": ["AS"] * 200}),
        ("no such rank", {"rank": "1"}),
    ):
        yield Bad(name, "validation_failed", "POST", f"/games/{game}/moves", {**lead, **change})


def no_such_things(game: str) -> Iterator[Bad]:
    """Addresses, methods, games and places that are not there."""
    yield Bad("no such address", "not_found", "GET", f"/games/{game}/castle")
    yield Bad("no such method", "method_not_allowed", "DELETE", f"/games/{game}/moves")
    yield Bad("no such game", "unknown_game", "GET", "/games/01ARZ3NDEKTSV4RRFFQ69G5FAV")
    yield Bad("no game id", "unknown_game", "GET", "/games/castle/events")
    yield Bad("no such ruleset", "unknown_ruleset", "GET", "/rulesets/chess")
    yield Bad("not a cursor", "validation_failed", "GET", f"/games/{game}/events?after=x")
    yield Bad("unknown query", "validation_failed", "GET", f"/games/{game}/events?card=AS")
    yield Bad("limit out of range", "validation_failed", "GET", f"/games/{game}/events?limit=100000")
    yield Bad("beyond the end", "resync", "GET", f"/games/{game}/events?after=999999")
    yield Bad("another history", "resync", "GET", f"/games/{game}/events?after=1-00000000")
    yield Bad("everybody's eyes", "game_not_over", "GET", f"/games/{game}?as=all")
    yield Bad("everybody's events", "game_not_over", "GET", f"/games/{game}/events?as=all")
    yield Bad("another's eyes", "validation_failed", "GET", f"/games/{game}?as=1")


def without_a_token(game: str, decision: str) -> Iterator[Bad]:
    """A token that nobody has."""
    move = {"type": "pass", "decision": decision}
    for method, path, body in (
        ("POST", f"/games/{game}/moves", move),
        ("POST", f"/games/{game}/seats", {}),
        ("GET", f"/games/{game}", None),
        ("GET", f"/games/{game}/moves", None),
        ("DELETE", f"/games/{game}/seats/me", None),
    ):
        yield Bad(f"wrong token, {method} {path}", "token_invalid", method, path, body, anonymous=True)


def of_a_running_game(game: str) -> Iterator[Bad]:
    """What cannot be done in a game that has started, by one who sits in it."""
    yield Bad("sit down twice", "already_seated", "POST", f"/games/{game}/seats", {})
    yield Bad("take back what is mine", "not_away", "PUT", f"/games/{game}/seats/me", {"controller": "player"})
    yield Bad("a late seed", "already_started", "PUT", f"/games/{game}/seats/me", {"client_seed": "0" * 64})
    yield Bad("an empty change", "validation_failed", "PUT", f"/games/{game}/seats/me", {})
    path = f"/games/{game}/moves"
    bad_key = {"Idempotency-Key": "a b"}
    yield Bad("a bad key", "bad_idempotency_key", "POST", path, {"type": "pass", "decision": "1"}, headers=bad_key)


def of_one_who_is_asked(game: str, question: Json, hand: list[str], old: str) -> Iterator[Bad]:
    """Wrong answers of the seat that must answer: not its cards, cards twice, to another question, not an answer."""
    path, decision = f"/games/{game}/moves", question["id"]
    types = {form["type"] for form in question["moves"]}
    lead: Json = {"type": "lead", "decision": decision, "rank": "A"} if "lead" in types else {"type": "add"}
    lead["decision"] = decision
    if types & {"lead", "add"}:
        strange = [card for card in CARDS if card not in hand]
        for card in strange[:: max(1, len(strange) // 6)]:
            yield Bad("a card not held", "card_not_held", "POST", path, {**lead, "cards": [card]})
        single = next((card for card in hand if card != "JOKER" and hand.count(card) == 1), None)
        if single:
            yield Bad("a card twice", "card_not_held", "POST", path, {**lead, "cards": [single, single]})
    other = {"type": "pass"} if "lead" in types else {"type": "lead", "cards": hand[:1] or ["AS"], "rank": "A"}
    yield Bad("no answer to this", "illegal_move", "POST", path, {**other, "decision": decision})
    yield Bad(
        "to an old question", "decision_closed", "POST", path, {**lead_or_pass(lead, types, hand), "decision": old}
    )
    yield Bad("to no question", "decision_closed", "POST", path, {"type": "pass", "decision": "999999"})


def lead_or_pass(lead: Json, types: set[str], hand: list[str]) -> Json:
    """A move that would be legal but for its decision."""
    return {**lead, "cards": hand[:1]} if "lead" in types else {"type": "pass"}


def of_one_who_is_not_asked(game: str, asked: str, hand: list[str]) -> Iterator[Bad]:
    """Moves of a seat out of turn; also with cards of others, which must be refused for the same reason."""
    path = f"/games/{game}/moves"
    strange = next(card for card in CARDS if card not in hand)
    for move in (
        {"type": "pass"},
        {"type": "challenge"},
        {"type": "lead", "cards": [strange], "rank": "A"},
        {"type": "add", "cards": hand[:1] or ["JOKER"]},
    ):
        yield Bad("out of turn", "not_asked", "POST", path, {**move, "decision": asked})


def of_a_stranger(game: str, asked: str) -> Iterator[Bad]:
    """What somebody without a seat tries."""
    yield Bad("a stranger's move", "not_seated", "POST", f"/games/{game}/moves", {"type": "pass", "decision": asked})
    yield Bad("a stranger resigns", "not_seated", "DELETE", f"/games/{game}/seats/me")
    yield Bad("a stranger comes back", "not_seated", "PUT", f"/games/{game}/seats/me", {"controller": "player"})
    yield Bad("a stranger starts", "not_host", "POST", f"/games/{game}/start", {})
    yield Bad("a stranger sits down late", "already_started", "POST", f"/games/{game}/seats", {})
    yield Bad("a stranger's bot", "not_host", "POST", f"/games/{game}/seats", {"bot": "novice"})


def of_the_unnamed(game: str, asked: str) -> Iterator[Bad]:
    """What somebody without a token tries."""
    move = {"type": "pass", "decision": asked}
    for method, path, body in (
        ("POST", f"/games/{game}/moves", move),
        ("GET", f"/games/{game}/moves", None),
        ("POST", f"/games/{game}/seats", {}),
        ("POST", f"/games/{game}/start", {}),
        ("DELETE", f"/games/{game}/seats/me", None),
        ("GET", "/me", None),
        ("GET", "/games?seat=me", None),
        ("POST", "/games", {"ruleset": "bluff_king"}),
    ):
        yield Bad(f"no token, {method} {path}", "token_missing", method, path, body)


def bad_creations() -> Iterator[Bad]:
    """Games that cannot be made."""
    for name, code, change in (
        ("no such ruleset", "validation_failed", {"ruleset": "chess"}),
        ("no ruleset", "validation_failed", {"ruleset": None}),
        ("unknown field", "validation_failed", {"colour": "red"}),
        ("seats of a wrong type", "validation_failed", {"seats": "4"}),
        ("seats that are no number", "validation_failed", {"seats": True}),
        ("too many seats", "seats_out_of_range", {"seats": 9}),
        ("too few seats", "seats_out_of_range", {"seats": 1}),
        ("unknown bot level", "unknown_bot", {"bots": ["genius"]}),
        ("too many bots", "game_full", {"seats": 2, "bots": ["novice", "novice"]}),
        ("no such seat", "seat_out_of_range", {"seats": 2, "host_seat": 5}),
        ("option out of range", "options_out_of_range", {"options": {"decks": 3}}),
        ("option of a wrong type", "options_out_of_range", {"options": {"decks": "one"}}),
        ("unknown option", "options_out_of_range", {"options": {"jokers": 4}}),
        ("unknown way to add", "options_out_of_range", {"options": {"adding": "never"}}),
        ("a clock too fast", "validation_failed", {"clock": {"decision_ms": 1}}),
        ("an unknown clock", "validation_failed", {"clock": {"ticks": 1}}),
        ("unknown visibility", "validation_failed", {"visibility": "secret"}),
    ):
        wanted = {key: value for key, value in {"ruleset": "bluff_king", **change}.items() if value is not None}
        yield Bad(name, code, "POST", "/games", wanted)


def bad_seats(game: str, taken: int) -> Iterator[Bad]:
    """Ways not to sit down at a lobby of two seats, for the host, who sits at `taken`."""
    path = f"/games/{game}/seats"
    yield Bad("a seat that is taken, for a bot", "seat_taken", "POST", path, {"bot": "novice", "seat": taken})
    yield Bad("unknown bot level", "unknown_bot", "POST", path, {"bot": "genius"})
    yield Bad("no such seat", "seat_out_of_range", "POST", path, {"bot": "novice", "seat": 7})
    yield Bad("sitting twice", "already_seated", "POST", path, {})
    yield Bad("a seed for a bot", "validation_failed", "POST", path, {"bot": "novice", "client_seed": "0" * 64})
    yield Bad("not a seed", "validation_failed", "PUT", f"{path}/me", {"client_seed": "secret"})
    yield Bad("unknown field", "validation_failed", "POST", path, {"chair": 1})
    yield Bad("start with free seats", "seats_free", "POST", f"/games/{game}/start", {})
    yield Bad("a move in the lobby", "not_asked", "POST", f"/games/{game}/moves", {"type": "pass", "decision": "1"})


def of_a_game_that_is_over(game: str) -> Iterator[Bad]:
    """What cannot be done any more."""
    yield Bad("a move", "game_over", "POST", f"/games/{game}/moves", {"type": "pass", "decision": "1"})
    yield Bad("resigning", "game_over", "DELETE", f"/games/{game}/seats/me")
    yield Bad("coming back", "game_over", "PUT", f"/games/{game}/seats/me", {"controller": "player"})
    yield Bad("starting", "game_over", "POST", f"/games/{game}/start", {})
    yield Bad("a bot", "game_over", "POST", f"/games/{game}/seats", {"bot": "novice"})
