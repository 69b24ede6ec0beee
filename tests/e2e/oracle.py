"""Who may know which cards and salts, when: told from the fully opened log alone, by other means than the server's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from urllib.parse import urlsplit

from tests.e2e.client import Json
from tests.e2e.mischief import CARDS
from tests.e2e.recorder import STRANGER, Heard, Recorder

CARD = re.compile(r"(?<![\w-])(?:(?:[A2-9JQK]|10)[SHDC]|JOKER)(?![\w-])")
SALT = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
# What a schema says of every card there is tells nothing about one.
EVERY_CARD = re.compile(r"Must be one of: [^\"]*?" + ", ".join(CARDS[:13]) + r"[^\"]*")


class Oracle:
    """What each observer may have read after each version of one finished game."""

    def __init__(self, log: list[Json]) -> None:
        self._log = log
        self._secret = {secret for event in log for field in event["opened"].values() for secret in _digits(field)}
        assert log[-1]["type"] == "game_ended"
        assert all(set(event["opened"]) == set(event["seals"]) for event in log), "everything is open"
        self._known = {observer: self._knowledge(observer) for observer in range(STRANGER, 8)}

    def _knowledge(self, observer: int) -> list[frozenset[str]]:
        """The cards, salts and seeds that an observer may have read by each version, from 0 on."""
        new = [frozenset[str](), *(frozenset(self._shown(event, observer)) for event in self._log)]
        return list(accumulate(new, frozenset.union))

    def _shown(self, event: Json, observer: int) -> Iterator[str]:
        for name, seal in event["seals"].items():
            if observer in seal["to"]:
                yield from _words(event["opened"][name])
        for opening in event["opens"]:
            yield from _words(opening)

    def may_know(self, observer: int, version: int) -> frozenset[str]:
        """All that an observer may have read when the game was at a version; at its end everything is open."""
        if version >= len(self._log):
            return self._known[observer][-1] | self._secret | {"JOKER", *CARDS}
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
        own = set(CARD.findall(heard.request)) | set(SALT.findall(heard.request))
        told = EVERY_CARD.sub("", heard.answer) if '"/problems/validation_failed"' in heard.answer else heard.answer
        if urlsplit(heard.asked).path.startswith("/v1/rulesets"):
            return 0
        cards = CARD.findall(told)
        salts = [word for word in SALT.findall(told) if word in self._secret]
        leaked = ({*cards, *salts} - own) - self.may_know(heard.observer, version)
        assert not leaked, f"{sorted(leaked)} was sent to {heard.observer} at v{version}: {heard.asked}\n{told[:2000]}"
        return len(cards) + len(salts)


def _words(opened: Json) -> Iterator[str]:
    yield from CARD.findall(str(opened["value"]))
    yield from _digits(opened)


def _digits(opened: Json) -> Iterator[str]:
    """Salts, and the seed: what would let one guess or compute what is sealed."""
    yield str(opened["salt"])
    yield from SALT.findall(str(opened["value"]))
