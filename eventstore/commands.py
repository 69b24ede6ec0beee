"""Command ids: what makes an append happen once.

Every append names a command. The store remembers, per game and as long as the game lives, the digest of
the command's id with a fingerprint of its content and the versions it made; only successes are remembered,
so a refused command may be sent again with the same id. The same id with the same fingerprint is the same
command (reply `Dup`: what it made then); with another fingerprint it is a mistake of the caller (reply
`Reused`: nothing happens).

The two kinds of id in use never collide:
- a request: the player and the Idempotency-Key, fingerprint of the request's content;
- an obligation: the obligation itself, and its fingerprint too: a second run may choose another move, and
  must still be told that the first one counted.
"""

from dataclasses import dataclass
from hashlib import sha256

DIGEST_BYTES = 16


def fingerprint(*parts: bytes) -> bytes:
    """Give 16 bytes that differ whenever the list of parts does."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()[:DIGEST_BYTES]


@dataclass(frozen=True, slots=True)
class Command:
    """A command's identity within a game: 16 bytes each, whatever the length of the id the client chose."""

    digest: bytes
    fingerprint: bytes

    @classmethod
    def of_request(cls, player: str, key: str, *content: bytes) -> "Command":
        """Name what a player asks for under an Idempotency-Key; the same key needs the same `content`."""
        return cls(fingerprint(b"request", player.encode(), key.encode()), fingerprint(*content))

    @classmethod
    def of_obligation(cls, member: str) -> "Command":
        """Name the fulfilling of an obligation, given as its canonical member."""
        name = fingerprint(b"obligation", member.encode())
        return cls(name, name)
