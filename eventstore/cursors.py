"""Places in ordered lists: how pages go on where another one ended, whatever has come or gone meanwhile."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class BadCursor(ValueError):
    """A text that no page gave as its cursor."""


def cursor_of(score: object, member: str) -> str:
    """The cursor of a place: opaque to clients, safe in an address."""
    return urlsafe_b64encode(f"{score} {member}".encode()).decode().rstrip("=")


def place_of(cursor: str) -> tuple[str, str]:
    """Score and member of a cursor, as texts; ValueError if it is no such text."""
    score, _, member = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(" ")
    return score, member


def beyond(read: Callable[[int, int], Sequence[T]], is_beyond: Callable[[T], bool], wanted: int) -> list[T]:
    """The first `wanted` entries beyond a place, of what `read(offset, count)` gives from its score on, in order.

    Entries of the same score as the place come again, and must be told from those that follow it.
    """
    entries: list[T] = []
    offset = 0
    while len(entries) < wanted:
        found = read(offset, wanted)
        entries += [entry for entry in found if is_beyond(entry)]
        if len(found) < wanted:
            break
        offset += wanted
    return entries[:wanted]
