"""All kinds of mutations by name, and how one is made of a served log at a depth."""

from collections.abc import Callable
from random import Random

from domain.signing import Signer
from tests.mutations import contents, structure
from tests.mutations.draft import Draft, stripped
from tests.mutations.forgeries import FORGERIES
from tests.mutations.sources import Source

RAW, REHASHED, RESIGNED = "raw", "re-hashed", "re-signed"
DEPTHS = (RAW, REHASHED, RESIGNED)

FORGER = Signer(bytes(range(100, 132)))
"""Somebody's own key."""

ATTEMPTS = 30

Change = Callable[[Draft, Random, Draft], bool]

BYTES: dict[str, Callable[[bytes, Random], bytes]] = {
    "flip a bit": structure.flip_byte,
    "insert a byte": structure.insert_byte,
    "delete a byte": structure.delete_byte,
}

CHANGES: dict[str, Change] = {
    "drop a record": structure.drop_record,
    "repeat a record": structure.repeat_record,
    "swap neighbours": structure.swap_neighbours,
    "move a record": structure.move_record,
    "swap the contents of two": structure.swap_contents,
    "insert one of another log": structure.insert_foreign,
    "insert an invented one": structure.insert_invented,
    "cut the end": structure.cut_end,
    "cut the end, keep the trailer": structure.cut_end_keep_trailer,
    "header field": structure.header_field,
    "trailer field": structure.trailer_field,
    "salt": contents.salt,
    "sealed value": contents.sealed_value,
    "digest": contents.digest,
    "seals.to": contents.seals_to,
    "server seed": contents.server_seed,
    "client seed": contents.client_seed,
    "time of a record": contents.time_record,
    "time of a batch": contents.time_batch,
    "time from a batch on": contents.time_later,
    "seat": contents.seat,
    "by": contents.by,
    "player id": contents.player_id,
    "host": contents.host,
    "level of a bot": contents.bot_level,
    "two cards of the deal": contents.deal_swap,
    "played card": contents.played_card,
    "public fact of a move": contents.public_fact,
    "public fact of a consequence": contents.consequence,
    "turned verdict": contents.turned_verdict,
    "vote": contents.vote,
    "result": contents.result,
    "options": contents.options,
    "clock, visibility, seats": contents.settings,
}

CELLS = [(kind, depth) for kind in (*BYTES, *CHANGES) for depth in DEPTHS]
CELLS += [(kind, depth) for kind in FORGERIES for depth in (REHASHED, RESIGNED)]


def mutated(kind: str, depth: str, source: Source, other: Source, rng: Random) -> tuple[list[bytes], str] | None:
    """A changed log and what was changed; None if this log has nothing of the kind, or nothing came of it."""
    for _ in range(ATTEMPTS):
        made = _forged(kind, depth, source, rng) if kind in FORGERIES else _made(kind, depth, source, other, rng)
        if made is not None and not _same(made[0], source.lines, depth):
            return made
    return None


def _same(made: list[bytes], lines: list[bytes], depth: str) -> bool:
    """Whether nothing was changed; a new signature alone is no change."""
    return stripped(made) == stripped(lines) if depth == RESIGNED else made == lines


def _forged(kind: str, depth: str, source: Source, rng: Random) -> tuple[list[bytes], str] | None:
    lines = FORGERIES[kind](source, rng, FORGER)
    if lines is not None and depth == REHASHED:
        lines = _old_signature(lines, source)
    return None if lines is None else (lines, "")


def _old_signature(lines: list[bytes], source: Source) -> list[bytes]:
    draft, old = Draft(lines), Draft(source.lines)
    if draft.trailer is not None and old.trailer is not None:
        draft.trailer["signed"] = old.trailer["signed"]
    return draft.lines()


def _made(kind: str, depth: str, source: Source, other: Source, rng: Random) -> tuple[list[bytes], str] | None:
    if kind in BYTES and depth == RAW:
        lines = list(source.lines)
        # One in eight in the header or the trailer: there are few such bytes.
        at = rng.randrange(len(lines)) if rng.randrange(8) else rng.choice((0, len(lines) - 1))
        lines[at] = BYTES[kind](lines[at], rng)
        return b"".join(lines).splitlines(keepends=True), f"line {at + 1}"
    draft = Draft(source.lines)
    if not _changed(kind, draft, rng, other.draft):
        return None
    if depth != RAW:
        try:
            draft.rehash(FORGER if depth == RESIGNED else None)
        except (KeyError, TypeError, AttributeError, ValueError, IndexError):
            # Bytes and whole records can be changed so that there is nothing to be sealed anew.
            return None
    return draft.lines(), draft.note


def _changed(kind: str, draft: Draft, rng: Random, other: Draft) -> bool:
    if kind in CHANGES:
        return CHANGES[kind](draft, rng, other)
    at = rng.randrange(len(draft.entries))
    return structure.parsed(draft, at, BYTES[kind](draft.entries[at].line(), rng))
