"""Provable chance: every draw follows from the server's committed seed and the players' seeds.

`entropy = HMAC-SHA256(server_seed, canonical([game, seeds in seat order]))`. A draw named `label` is the stream of
32-bit big-endian words of the blocks `HMAC-SHA256(entropy, canonical(["draw", label, i]))`, i = 0, 1, ...
A number below n takes the first word under the largest multiple of n (rejection sampling), modulo n.
A player who commits to a seed first does so by `SHA-256(canonical([game, "client_seed", seed]))`.
"""

import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from domain import canonical
from domain.mac import Mac, mac_of

T = TypeVar("T")


class Rng(Protocol):
    """A source of whole numbers: the provable stream of a game, or any generator with this method."""

    def randrange(self, n: int, /) -> int:
        """A number from 0 to n - 1, each equally likely."""
        ...


Draws = Callable[[str], Rng]


class Stream:
    """One provable draw: numbers from the words of its label's blocks."""

    def __init__(self, entropy: bytes, label: str) -> None:
        self._mac = Mac(entropy)
        self._label = label
        self._block = 0
        self._words: list[int] = []

    def randrange(self, n: int, /) -> int:
        """A number from 0 to n - 1, each exactly equally likely (n up to 2**32)."""
        limit = (1 << 32) - (1 << 32) % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def _word(self) -> int:
        if not self._words:
            message = canonical.dumps(["draw", self._label, self._block])
            self._words = list(reversed(struct.unpack(">8I", self._mac(message))))
            self._block += 1
        return self._words.pop()


def entropy(server_seed: str, game: str, client_seeds: Sequence[str | None]) -> bytes:
    """The 32 bytes from which all draws of a game follow; silent seats and bots contribute None."""
    message = canonical.dumps([game, list(client_seeds)])
    return mac_of(server_seed)(message)


def commitment(game: str, client_seed: str) -> str:
    """The digest by which a player of `game` commits to its client seed, 64 hex digits."""
    return hashlib.sha256(canonical.dumps([game, "client_seed", client_seed])).hexdigest()


def provable(source: bytes) -> Draws:
    """The draws of a game with this entropy."""
    return lambda label: Stream(source, label)


def shuffled(rng: Rng, items: Sequence[T]) -> tuple[T, ...]:
    """`items` in a random order: Fisher-Yates, from the last place to the second."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def pick(rng: Rng, items: Sequence[T]) -> T:
    """One of `items`, each equally likely."""
    return items[rng.randrange(len(items))]
