"""Changes to what records say: seals, seeds, times, actors, cards, claims, votes, results. Each says if it was made."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from domain.registry import REGISTRY
from tests.mutations.draft import Draft, Entry, Json
from tests.mutations.structure import other_value

_HOUR = 3_600_000

# --- seals and seeds -----------------------------------------------------------------------------------------------


def salt(draft: Draft, rng: Random, other: Draft) -> bool:
    entry, name = _sealed(draft, rng)
    secret = entry.open[name]
    secret["salt"] = entry.kept[name, "salt"] = other_value(secret["salt"], rng)
    return True


def digest(draft: Draft, rng: Random, other: Draft) -> bool:
    entry, name = _sealed(draft, rng)
    seal = entry.record["seals"][name]
    seal["digest"] = entry.kept[name, "digest"] = other_value(seal["digest"], rng)
    return True


def sealed_value(draft: Draft, rng: Random, other: Draft) -> bool:
    entry, name = _sealed(draft, rng)
    secret = entry.open[name]
    before = secret["value"]
    if isinstance(before, list) and before and rng.randrange(2):
        secret["value"] = [card for at, card in enumerate(before) if at != rng.randrange(len(before))]
    else:
        secret["value"] = _other_card(draft, entry, before, rng)
    draft.note = f"{entry.record['type']}.{name}"
    return bool(secret["value"] != before)


def seals_to(draft: Draft, rng: Random, other: Draft) -> bool:
    entry, name = _sealed(draft, rng)
    seal = entry.record["seals"][name]
    seats = set(range(draft.entries[0].record["data"]["seats"]))
    more = sorted(seats - set(seal["to"]))
    seal["to"] = rng.choice(
        [[*seal["to"], *more[:1]], seal["to"][1:], [*seal["to"], *seal["to"]], [rng.choice([*seats])]]
    )
    return True


def server_seed(draft: Draft, rng: Random, other: Draft) -> bool:
    value = other_value(draft.entries[0].open["server_seed"]["value"], rng)
    draft.entries[0].open["server_seed"]["value"] = value
    for opening in draft.entries[-1].record["opens"]:
        opening["value"] = value
    return True


def client_seed(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = _pick(draft, rng, lambda e: e.record["data"].get("player") is not None or "client_seed" in _only(e))
    if entry is None:
        return False
    data = entry.record["data"]
    data["client_seed"] = rng.choice([None, "another"]) if data["client_seed"] else "one"
    return True


# --- time ----------------------------------------------------------------------------------------------------------


def time_record(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = rng.choice(draft.entries)
    return _shift(draft, [entry], rng)


def time_batch(draft: Draft, rng: Random, other: Draft) -> bool:
    return _shift(draft, draft.batch(rng.choice(draft.entries).batch), rng)


def time_later(draft: Draft, rng: Random, other: Draft) -> bool:
    first = rng.choice(draft.entries).batch
    return _shift(draft, [entry for entry in draft.entries if entry.batch >= first], rng)


def _shift(draft: Draft, entries: list[Entry], rng: Random) -> bool:
    ms = rng.choice((1, 10, 100, 1000, 10_000, 60_000, _HOUR)) * rng.choice((-1, 1))
    for entry in entries:
        entry.record["at"] += ms
    draft.note = f"{ms:+} ms"
    return True


# --- who -----------------------------------------------------------------------------------------------------------


def seat(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = rng.choice(draft.entries)
    seats = [*range(draft.entries[0].record["data"]["seats"]), None]
    entry.record["seat"] = rng.choice([one for one in seats if one != entry.record["seat"]])
    draft.note = entry.record["type"]
    return True


def by(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = rng.choice(draft.entries)
    entry.record["by"] = rng.choice([one for one in ("player", "bot", "clock", "rules") if one != entry.record["by"]])
    draft.note = entry.record["type"]
    return True


def player_id(draft: Draft, rng: Random, other: Draft) -> bool:
    host = draft.entries[0].record["data"]["host"]
    entry = _pick(draft, rng, lambda e: e.record["data"].get("player") not in (None, host))
    if entry is None:
        return False
    entry.record["data"]["player"] = rng.choice(["stranger", host])
    draft.note = entry.record["data"]["player"]
    return True


def host(draft: Draft, rng: Random, other: Draft) -> bool:
    draft.entries[0].record["data"]["host"] = rng.choice(["stranger", "P1"])
    return True


def bot_level(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = _pick(draft, rng, lambda e: e.record["data"].get("bot") is not None)
    if entry is None:
        return False
    data = entry.record["data"]
    data["bot"] = rng.choice([level for level in (*_rules(draft).info.bots, "cheat") if level != data["bot"]])
    draft.note = entry.record["type"]
    return True


# --- what was played -----------------------------------------------------------------------------------------------


def deal_swap(draft: Draft, rng: Random, other: Draft) -> bool:
    """Two cards of the deal change places: between two hands, a hand and the deck, or within the deck."""
    started = next((e.batch for e in draft.entries if e.record["type"] == "game_started"), -1)
    dealt = [s["value"] for e in draft.batch(started) for s in e.open.values() if isinstance(s["value"], list)]
    if not dealt:
        return False
    one, two = rng.choice(dealt), rng.choice(dealt)
    i, j = rng.randrange(len(one)), rng.randrange(len(two))
    kept = [cards == sorted(cards) for cards in (one, two)]
    one[i], two[j] = two[j], one[i]
    for cards, in_order in zip((one, two), kept, strict=True):
        if in_order:
            cards.sort()
    return True


def played_card(draft: Draft, rng: Random, other: Draft) -> bool:
    """Another card in a move, face up or down."""
    places = [(e, holder, key) for e in _moves(draft) for holder, key in _cards(draft, e)]
    if not places:
        return False
    entry, holder, key = rng.choice(places)
    before = holder[key]
    holder[key] = _other_card(draft, entry, before, rng)
    if isinstance(before, list) and before == sorted(before):
        holder[key] = sorted(holder[key])
    draft.note = entry.record["type"]
    return bool(holder[key] != before)


def public_fact(draft: Draft, rng: Random, other: Draft) -> bool:
    """Another public fact of a move: a rank, a count, a belt, a column, the end of a turn."""
    moves = [e for e in _moves(draft) if e.record["data"]]
    if not moves:
        return False
    data, name, note = _fact(rng.choice(moves), rng)
    facts = sorted(
        {repr(e.record["data"][name]): e.record["data"][name] for e in moves if name in e.record["data"]}.items()
    )
    likely = [value for _, value in facts if value != data[name]]
    data[name] = rng.choice(likely) if likely and rng.randrange(2) else other_value(data[name], rng)
    draft.note = note
    return True


def consequence(draft: Draft, rng: Random, other: Draft) -> bool:
    """Another public fact in what followed from a move."""
    following = [e for e in draft.entries if e.record["by"] == "rules" and e.record["data"]]
    data, name, draft.note = _fact(rng.choice(following), rng)
    data[name] = other_value(data[name], rng)
    return True


def turned_verdict(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = _pick(draft, rng, lambda e: "truthful" in e.record["data"])
    if entry is None:
        return False
    entry.record["data"]["truthful"] ^= True
    return True


def vote(draft: Draft, rng: Random, other: Draft) -> bool:
    entry = _pick(draft, rng, lambda e: "vote" in e.open)
    if entry is None:
        return False
    secret = entry.open["vote"]
    secret["value"] = {"pass": "challenge", "challenge": "pass"}[secret["value"]]
    draft.note = f"to {secret['value']}"
    return True


def result(draft: Draft, rng: Random, other: Draft) -> bool:
    data = draft.entries[-1].record["data"]
    name = rng.choice([name for name in ("ranking", "winners", "reason", "resigned") if name in data])
    draft.note = name
    if name == "ranking" and data[name]:
        one = rng.choice(data[name])
        part = rng.choice(["rank", "score", "seat"])
        one[part] += rng.choice((-1, 1))
    elif name == "reason":
        data[name] = rng.choice([one for one in ("emptied", "resigned", "turn_limit", "expired") if one != data[name]])
    else:
        data[name] = rng.choice([one for one in ([], [0], [1], [0, 1]) if one != data[name]])
    return True


# --- settings ------------------------------------------------------------------------------------------------------


def options(draft: Draft, rng: Random, other: Draft) -> bool:
    chosen = draft.entries[0].record["data"]["options"]
    name = rng.choice(sorted(chosen))
    texts = {"adding": ["immediate", "after_no_challenge"], "board": ["A", "B", "C", "D", "A_BONUS"]}
    before = chosen[name]
    likely = texts.get(name) or [before + 1, before - 1, before + 100]
    chosen[name] = rng.choice([value for value in likely if value != before])
    draft.note = name
    return True


def settings(draft: Draft, rng: Random, other: Draft) -> bool:
    """The clock, who may see the game, how it starts, how many seats it has."""
    data = draft.entries[0].record["data"]
    name = rng.choice(["clock", "visibility", "auto_start", "seats", "rules_version", "format"])
    if name == "clock":
        name = rng.choice(sorted(data["clock"]))
        data["clock"][name] += rng.choice((-1, 1)) * rng.choice((1, 1000))
    elif name == "visibility":
        data[name] = rng.choice([one for one in ("public", "unlisted", "private") if one != data[name]])
    else:
        data[name] = other_value(data[name], rng)
    draft.note = name
    return True


# --- finding something to change -----------------------------------------------------------------------------------


def _rules(draft: Draft) -> Any:
    return REGISTRY.newest(draft.header["ruleset"])


def _pick(draft: Draft, rng: Random, fits: Callable[[Entry], bool]) -> Entry | None:
    fitting = [entry for entry in draft.entries if fits(entry)]
    return rng.choice(fitting) if fitting else None


def _only(entry: Entry) -> Json:
    """The data of an event that is about a client seed alone."""
    return entry.record["data"] if entry.record["type"] == "client_seed_given" else {}


def _sealed(draft: Draft, rng: Random) -> tuple[Entry, str]:
    return rng.choice([(entry, name) for entry in draft.entries for name in sorted(entry.open)])


def _moves(draft: Draft) -> list[Entry]:
    """The first events of the moves."""
    own = {event.type for event in _rules(draft).info.events}
    return [e for e in draft.entries if e.record["by"] != "rules" and e.record["type"] in own]


def _fact(entry: Entry, rng: Random) -> tuple[Json, str, str]:
    data = entry.record["data"]
    name = rng.choice(sorted(data))
    return data, name, f"{entry.record['type']}.{name}"


def _cards(draft: Draft, entry: Entry) -> Iterator[tuple[Json, str]]:
    """Where a record holds cards: in its data or in its open seals."""
    names = _rules(draft).info.vocabulary
    for name, value in entry.record["data"].items():
        if value and set(_as_list(value)) <= names:
            yield entry.record["data"], name
    for secret in entry.open.values():
        if secret["value"] and set(_as_list(secret["value"])) <= names:
            yield secret, "value"


def _as_list(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _other_card(draft: Draft, entry: Entry, value: Any, rng: Random) -> Any:
    """One card of `value` made another: mostly one that the seat was dealt, so that the move may be legal."""
    if isinstance(value, list):
        at = rng.randrange(len(value)) if value else 0
        return [*value[:at], _other_card(draft, entry, value[at] if value else "", rng), *value[at + 1 :]]
    if value not in _rules(draft).info.vocabulary:
        return {"pass": "challenge", "challenge": "pass"}.get(value) or other_value(value, rng)
    hand = [
        card
        for e in draft.entries
        if e.record["type"] == "hand_dealt" and e.record["seat"] == entry.record["seat"]
        for card in e.open.get("cards", {}).get("value", [])
    ]
    likely = hand if hand and rng.randrange(4) else sorted(_rules(draft).info.vocabulary)
    return rng.choice([card for card in likely if card != value] or [value])
