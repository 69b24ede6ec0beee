"""The settings of the API's edge: rate limits, proxies in front, web pages that may use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

BUCKETS = ("reads", "writes", "moves", "polls", "players", "games", "streams", "tickets")
"""What is limited; the sizes are in `api/policies.py`, which this half of the program does not import."""

Rates = Mapping[str, tuple[int, int] | None]

_CHANGE = re.compile(r"([a-z]+)=(?:(off)|([0-9]{1,9})/([0-9]{1,6}))")


def rates(text: str) -> Rates | None:
    """How RATE_LIMITS changes the limits: by name the new amount and seconds, or None; None for none at all.

    Raises ValueError, which says what would be right.
    """
    if text == "off":
        return None
    found: dict[str, tuple[int, int] | None] = {}
    for part in text.replace(",", " ").split() if text != "on" else ():
        change = _CHANGE.fullmatch(part)
        if change is None:
            raise ValueError(f"RATE_LIMITS must be on, off, or changes like moves=200/10, tickets=off; not {part}.")
        name, off, amount, seconds = change.groups()
        if name not in BUCKETS:
            raise ValueError(f"RATE_LIMITS knows {', '.join(BUCKETS)}; not {name}.")
        if not off and not (int(amount) and int(seconds)):
            raise ValueError(f"RATE_LIMITS must allow something in some time; not {part}.")
        found[name] = None if off else (int(amount), int(seconds))
    return found


def origins(text: str) -> frozenset[str] | None:
    """The origins that CORS_ORIGINS names; None for all. Raises ValueError."""
    if text == "*":
        return None
    found = frozenset(text.replace(",", " ").split()) if text != "none" else frozenset[str]()
    for origin in found:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}".lower():
            raise ValueError(
                f"CORS_ORIGINS must be *, none, or origins like https://play.example.org (no path); not {origin}."
            )
    return found
