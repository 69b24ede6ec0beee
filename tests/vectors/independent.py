"""The primitives, decks and deals of docs/fair-play.md from hashlib, hmac and json, and nothing of ours.

The other half of a proof: what the domain wrote into the vectors must come out of here as well.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from typing import Any

Json = Any
HEAD = ("at", "game", "hash", "version")


# --- primitives ------------------------------------------------------------------------------------------------------


def canonical(value: Json) -> bytes:
    """The canonical bytes of a JSON value; ValueError if it has none."""
    _only_canonical(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _only_canonical(value: Json) -> None:
    if isinstance(value, float) or (isinstance(value, int) and abs(value) >= 2**53):
        raise ValueError("a number that has no canonical form")
    if isinstance(value, dict):
        if not all(isinstance(key, str) and key.isascii() for key in value):
            raise ValueError("a key that is not ASCII")
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _only_canonical(item)


def is_canonical(text: bytes) -> bool:
    """Whether `text` is the canonical form of the value that it holds."""
    try:
        return canonical(json.loads(text)) == text
    except ValueError:
        return False


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def genesis(game: str) -> str:
    return sha(game.encode())


def salt(seed: str, prev: str, v: int, field: str) -> str:
    return mac(bytes.fromhex(seed), canonical(["salt", prev, v, field]))[:16].hex()


def digest(game: str, v: int, field: str, salted: str, value: Json) -> str:
    return sha(canonical([game, v, field, salted, value]))


def entropy(seed: str, game: str, client_seeds: Sequence[str | None]) -> bytes:
    return mac(bytes.fromhex(seed), canonical([game, list(client_seeds)]))


def commitment(game: str, client_seed: str) -> str:
    return sha(canonical([game, "client_seed", client_seed]))


def words(source: bytes, label: str) -> Iterator[int]:
    i = 0
    while True:
        block = mac(source, canonical(["draw", label, i]))
        yield from [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
        i += 1


def number(stream: Iterator[int], n: int) -> int:
    limit = 2**32 - 2**32 % n
    return next(word for word in stream if word < limit) % n


def shuffled(source: bytes, label: str, items: Sequence[Json]) -> list[Json]:
    stream, order = words(source, label), list(items)
    for last in range(len(order) - 1, 0, -1):
        other = number(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def thumbprint(jwk: Json) -> str:
    return b64(hashlib.sha256(canonical({name: jwk[name] for name in ("crv", "kty", "x")})).digest())


# --- decks -----------------------------------------------------------------------------------------------------------


def bluff_king_deck(decks: int) -> list[str]:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    return ([rank + suit for suit in "SHDC" for rank in ranks] + ["JOKER", "JOKER"]) * decks


def orders_deck() -> list[str]:
    return [f"R{rank}" for rank in range(1, 11) for _ in range(rank)]


def bags() -> list[str]:
    return [f"{city}-{n}" for city in ("HKG", "HNL", "SFO") for n in range(1, 18)]


def airport() -> list[str]:
    return ["AROUND_THE_WORLD"] * 4 + ["REVERSE"] * 4 + ["NOTICE_BOARD"] * 3 + ["DELAYED_FLIGHT"] * 3


def tiles() -> list[str]:
    names = ["cartographer", "monkey", "parrot", "navigator", "gunner", "cook", "lookout", "carpenter", "swabby"]
    return [f"{front}/{back}" for front in names for back in names if front != back]


# --- deals -----------------------------------------------------------------------------------------------------------


def bluff_king_deal(source: bytes, seats: int, decks: int) -> Json:
    first = number(words(source, "lead"), seats)
    cards = shuffled(source, "deal", bluff_king_deck(decks))
    return {"first": first, "hands": [[(first + k) % seats, sorted(cards[k::seats])] for k in range(seats)]}


def orders_deal(source: bytes, seats: int, number_: int, dealer: int) -> Json:
    cards = shuffled(source, f"deal {number_}", orders_deck())
    hands = [[(dealer + 1 + k) % seats, sorted(cards[k : 6 * seats : seats])] for k in range(seats)]
    return {"hands": hands, "undealt": cards[6 * seats :]}


def captain_bluff_deal(source: bytes, seats: int) -> Json:
    first = number(words(source, "first"), seats)
    all_bags, all_airport = shuffled(source, "bags", bags()), shuffled(source, "airport", airport())
    n, m = {2: 12, 3: 10, 4: 9, 5: 8}[seats] * seats, (3 if seats == 2 else 2) * seats
    hands = [[(first + k) % seats, sorted(all_bags[k:n:seats] + all_airport[k:m:seats])] for k in range(seats)]
    return {"first": first, "hands": hands, "draw": all_bags[n:], "unused": all_airport[m:]}


def captain_flip_deal(source: bytes, seats: int) -> Json:
    flag = number(words(source, "flag"), seats)
    sides = words(source, "sides")
    order = shuffled(source, "bag", tiles())
    return {"flag": flag, "order": ["/".join(t.split("/")[:: -1 if number(sides, 2) else 1]) for t in order]}
