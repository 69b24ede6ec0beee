"""Who may know which cards and salts, when: told from the fully opened log alone, by other means than the server's.

It knows of games only what lies open on the table by their rules: see `SHOWN`. A name that stands in any other public
field makes nobody wiser here; so a server that put it there is found out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from itertools import accumulate
from urllib.parse import urlsplit

from tests.e2e.client import Json
from tests.e2e.mischief import CARDS
from tests.e2e.recorder import STRANGER, Heard, Recorder

SHOWN = {
    "order_played": ("card",),
    "order_belayed": ("card", "replaced"),
    "order_expired": ("card",),
    "round_ended": ("last_card", "hands"),
    "bags_placed": ("cards",),
    "bags_recovered": ("cards",),
    "airport_played": ("card",),
}
"""The public fields of events that name cards lawfully: what is laid face up, and hands that are shown."""

SALT = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
CHOICES = re.compile(r"Must be one of: [^\"]*")
MOST_SEATS = 8


class Oracle:
    """What each observer may have read after each version of one finished game; its hidden things have these names."""

    def __init__(self, log: list[Json], vocabulary: Collection[str] = ("JOKER", *CARDS)) -> None:
        self._log = log
        self._names = frozenset(vocabulary)
        longest_first = sorted(map(re.escape, vocabulary), key=len, reverse=True)
        self._card = re.compile(rf"(?<![\w/-])(?:{'|'.join(longest_first)})(?![\w/-])")
        self._secret = {secret for event in log for field in event["opened"].values() for secret in _digits(field)}
        assert log[-1]["type"] == "game_ended"
        assert [event["v"] for event in log] == list(range(1, len(log) + 1))
        assert all(set(event["opened"]) == set(event["seals"]) for event in log), "everything is open"
        self._known = {observer: self._knowledge(observer) for observer in range(STRANGER, MOST_SEATS)}

    def _knowledge(self, observer: int) -> list[frozenset[str]]:
        """The cards, salts and seeds that an observer may have read by each version, from 0 on."""
        new = [frozenset[str](), *(frozenset(self._shown(event, observer)) for event in self._log)]
        return list(accumulate(new, frozenset.union))

    def _shown(self, event: Json, observer: int) -> Iterator[str]:
        for name, seal in event["seals"].items():
            if observer in seal["to"]:
                yield from self._words(event["opened"][name])
        for opening in event["opens"]:
            yield from self._words(opening)
        for name in SHOWN.get(event["type"], ()):
            yield from self._card.findall(str(event["data"][name]))

    def _words(self, opened: Json) -> Iterator[str]:
        yield from self._card.findall(str(opened["value"]))
        yield from _digits(opened)

    def may_know(self, observer: int, version: int) -> frozenset[str]:
        """All that an observer may have read when the game was at a version; at its end everything is open."""
        if version >= len(self._log):
            return self._known[observer][-1] | self._secret | self._names
        return self._known[observer][version]

    def judge(self, recorder: Recorder) -> tuple[int, int]:
        """Find any word in any answer that its reader may not know; how many answers and words were looked at."""
        latest, words = len(self._log), 0
        # An answer that tells no version cannot be of a later one than the next answer that tells the newest.
        for heard in reversed(recorder.heard):
            if heard.version is not None and heard.now:
                latest = min(latest, heard.version)
            words += self._judge(heard, latest if heard.version is None else heard.version)
        return len(recorder.heard), words

    def _judge(self, heard: Heard, version: int) -> int:
        own = set(self._card.findall(heard.request)) | set(SALT.findall(heard.request))
        told = heard.answer
        if urlsplit(heard.asked).path.startswith("/v1/rulesets"):
            return 0
        if '"/problems/validation_failed"' in told:
            told = CHOICES.sub(lambda found: "" if self._names_nearly_all(found[0]) else found[0], told)
        cards = self._card.findall(told)
        salts = [word for word in SALT.findall(told) if word in self._secret]
        leaked = ({*cards, *salts} - own) - self.may_know(heard.observer, version)
        story = f"was sent to {heard.observer} at v{version}: {heard.asked}\n{told[:2000]}"
        assert not leaked, f"{sorted(leaked)} {story}"
        if heard.version is not None:
            for event in events_in(body_of(heard)):
                assert not self._wrongly_opened(event, heard.observer, version), f"{event} {story}"
        return len(cards) + len(salts)

    def _names_nearly_all(self, told: str) -> bool:
        """What a schema says of every card there is tells nothing about one."""
        return len(set(self._card.findall(told))) > 0.9 * (len(self._names) - 1)

    def _wrongly_opened(self, event: Json, observer: int, version: int) -> bool:
        """Whether an event, as it was sent, opens a field that is not its reader's, or is another than the log's."""
        kept = self._log[event["v"] - 1]
        opened = {
            name: field
            for name, field in kept["opened"].items()
            if observer in kept["seals"][name]["to"] or version >= len(self._log)
        }
        own = {name: field for name, field in event["opened"].items() if opened.get(name) == field}
        return own != event["opened"] or {**event, "opened": kept["opened"]} != kept


def body_of(heard: Heard) -> Json:
    """The body of an answer that was good; the headers stand before it."""
    body: Json = json.loads(heard.answer.partition("\n\n")[2] or "{}")
    return body


def events_in(answer: Json) -> Iterator[Json]:
    """The events in an answer about a game: of a page, or of a receipt."""
    yield from answer.get("items", ())
    yield from answer.get("events", ())


def _digits(opened: Json) -> Iterator[str]:
    """Salts, and the seed: what would let one guess or compute what is sealed."""
    yield str(opened["salt"])
    yield from SALT.findall(str(opened["value"]))
