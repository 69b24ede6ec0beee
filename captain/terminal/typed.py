"""What a player typed, made out: tokens, and which of several choices a token means."""

from __future__ import annotations

from collections.abc import Sequence


class BadInput(Exception):
    """What was typed is not an answer; the text says what would be one."""


def tokens(typed: str) -> list[str]:
    """The parts of a line: between commas if there are any, else between spaces; `-` alone is none."""
    if typed.strip() in ("-", "none"):
        return []
    parts = typed.split(",") if "," in typed else typed.split()
    return [part.strip() for part in parts if part.strip()]


def numeric(labels: Sequence[str]) -> bool:
    """Whether some choice looks like a number itself: then a bare number is never a place in the list."""
    return any(label.lstrip("-").isdigit() for label in labels)


def place_of(token: str, labels: Sequence[str]) -> int:
    """The place of the choice that `token` means: its text, its number (`3` or `#3`), or a clear beginning."""
    wanted = token.casefold()
    plain = [label.casefold() for label in labels]
    if wanted in plain:
        return plain.index(wanted)
    number = wanted.removeprefix("#")
    if number.isdigit() and (wanted.startswith("#") or not numeric(labels)):
        if 1 <= int(number) <= len(labels):
            return int(number) - 1
        raise BadInput(f"There is no number {number}; the last one is {len(labels)}.")
    begun = {label for label in plain if wanted and label.startswith(wanted)}
    if len(begun) == 1:
        return plain.index(begun.pop())
    if begun:
        raise BadInput(f"{token} can mean {', '.join(sorted(begun))}.")
    raise BadInput(f"{token or 'Nothing'} is none of them." if labels else "There is nothing to choose from.")
