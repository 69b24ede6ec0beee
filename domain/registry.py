"""The games that this server plays: one tuple. A fifth game is a package and a line here."""

from collections.abc import Iterable, Iterator
from typing import get_type_hints

from domain.bluff_king import BLUFF_KING
from domain.captain_bluff import CAPTAIN_BLUFF
from domain.captain_flip import CAPTAIN_FLIP
from domain.captains_orders import CAPTAINS_ORDERS
from domain.decide import SUBSTITUTE
from domain.errors import Refused
from domain.events import Codec, Event
from domain.lifecycle import SHARED
from domain.moves import Move
from domain.refusals import Refusal
from domain.ruleset import Ruleset


class Registry:
    """A closed set of rulesets, checked when it is made: keys, move types and event types must not collide."""

    def __init__(self, rulesets: Iterable[Ruleset]) -> None:
        self._newest: dict[str, Ruleset] = {}
        self._by_version: dict[tuple[str, int], Ruleset] = {}
        self._codecs: dict[tuple[str, int], Codec] = {}
        self.moves: dict[str, type[Move]] = {}
        self.refusals: dict[str, Refusal] = {}
        for rules in rulesets:
            self._add(rules)

    def _add(self, rules: Ruleset) -> None:
        info = rules.info
        identity = (info.key, info.rules_version)
        if identity in self._by_version:
            raise ValueError(f"{info.key} version {info.rules_version} is registered twice")
        if SUBSTITUTE not in info.bots:
            raise ValueError(f"{info.key} has no bot {SUBSTITUTE!r} to play for those who are away")
        for move in info.moves:
            known = self.moves.setdefault(move.type, move)
            if known is not move and get_type_hints(known, include_extras=True) != get_type_hints(
                move, include_extras=True
            ):
                raise ValueError(f"two different moves are called {move.type}")
        for code, refusal in info.refusals.items():
            if self.refusals.setdefault(code, refusal) != refusal:
                raise ValueError(f"two different refusals are called {code}")
        self._by_version[identity] = rules
        self._codecs[identity] = Codec([*SHARED, *info.events])
        newest = self._newest.get(info.key)
        if newest is None or newest.info.rules_version < info.rules_version:
            self._newest[info.key] = rules

    def __iter__(self) -> Iterator[Ruleset]:
        return iter(self._newest.values())

    def newest(self, key: str) -> Ruleset:
        """The rules that new games of `key` are played by; `Refused` if there is no such game."""
        rules = self._newest.get(key)
        if rules is None:
            raise Refused("unknown_ruleset", rulesets=sorted(self._newest))
        return rules

    def at(self, key: str, version: int) -> Ruleset:
        """The rules of `key` as of `rules_version`: what a logged game is folded with."""
        return self._by_version[key, version]

    def codec(self, key: str, version: int) -> Codec:
        """Reads the events of games of `key` at `rules_version`."""
        return self._codecs[key, version]

    def events(self, key: str) -> tuple[type[Event], ...]:
        """All event classes of a game, the shared ones first."""
        return (*SHARED, *self.newest(key).info.events)


RULESETS: tuple[Ruleset, ...] = (BLUFF_KING, CAPTAINS_ORDERS, CAPTAIN_BLUFF, CAPTAIN_FLIP)
"""Every game that this server plays."""

REGISTRY = Registry(RULESETS)
