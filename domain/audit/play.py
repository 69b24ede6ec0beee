"""The game in a log, played again by the rules, from the seed; or folded, where seals are closed."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from domain import canonical, sealing
from domain.audit.lines import Line
from domain.audit.verdict import Finding
from domain.decide import decide, due
from domain.errors import Corrupt, Refused
from domain.events import Codec, Event, layout
from domain.game import Game, fold
from domain.lifecycle import ClockCredited, GameCreated, GameEnded
from domain.reexecute import command_of
from domain.ruleset import Ruleset
from domain.values import frozen

GAP_MS = 5000
"""Downtime counts, and is credited, only beyond this; the store's scripts have the same number."""

_ORDER = ("type", "seat", "by", "at", "left", "v", "data", "open", "seals", "opens", "sv", "prev")
_OF_THE_CLOCK = frozenset({"too_late", "not_due"})

Tell = Callable[[Finding], None]


class Play:
    """Takes a log batch by batch; at the first that is not as it should be it stops, as what follows has no ground.

    With a `seed` every batch is run again and compared byte for byte; without one it is folded as its reader knows it.
    """

    def __init__(self, rules: Ruleset, codec: Codec, game: str, tell: Tell) -> None:
        self.game = Game(id=game)
        self.moves = 0
        self.stopped = False
        self._rules = rules
        self._codec = codec
        self._tell = tell
        self._clocked = 0
        self._own = frozenset(rules.info.events)

    def add(self, batch: Sequence[Line], hashes: Sequence[str], seed: str | None) -> None:
        """Take one whole batch; `hashes[v]` are those of the log, the genesis first."""
        v = batch[0].record.v
        if self.stopped:
            return
        if v > self._rules.info.most_events:
            self._stop(Finding(v, "rules", "v", f"at most {self._rules.info.most_events} events", v))
            return
        try:
            events = [self._event(line) for line in batch]
            self._clock(events[0])
            self._credit(events[0])
            self.game = self._again(events, batch, hashes, seed) if seed else fold(self._rules, self.game, events)
        except _Wrong as wrong:
            self._stop(wrong.finding)
        except Refused as refused:
            rule = "clock" if refused.code in _OF_THE_CLOCK else "refused"
            self._stop(Finding(v, rule, batch[0].record.type, "what the rules accept", str(refused)[:200]))
        except Corrupt as corrupt:
            self._stop(Finding(v, "event", batch[0].record.type, "an event of this game", str(corrupt)[:200]))
        except Exception as error:  # a log that was tampered with may bring rules to anything
            self._stop(Finding(v, "rules", batch[0].record.type, "what the rules can read", type(error).__name__))
        self.moves += not self.stopped

    def _stop(self, finding: Finding) -> None:
        self.stopped = True
        self._tell(finding)

    def _event(self, line: Line) -> Event:
        opened = {name: {"value": frozen(secret.value)} for name, secret in line.open.items()}
        event = self._codec.event(line.raw, opened)
        public, sealed = _fields(type(event))
        data = self._codec.newest(line.raw)["data"]
        for field, found, expected in (("data", data, public), ("seals", line.raw["seals"], sealed)):
            if found.keys() != expected:
                raise _Wrong(Finding(event.v, "event", field, sorted(expected), sorted(found)))
        if isinstance(event, GameCreated):
            if event.v != 1:
                raise _Wrong(Finding(event.v, "event", "type", "an event of a game that exists", event.type))
            fewest, most = self._rules.info.seats
            if not fewest <= event.seats <= most:
                raise _Wrong(Finding(event.v, "rules", "data.seats", f"{fewest} to {most}", event.seats))
        return event

    def _again(self, events: list[Event], batch: Sequence[Line], hashes: Sequence[str], seed: str) -> Game:
        """The game after what the rules make of the recorded command, which must be what was recorded."""
        command = command_of(self._rules, self.game, events)
        made = decide(self._rules, self.game, command, events[0].at)
        if len(made.events) != len(events):
            raise _Wrong(Finding(events[0].v, "rules", "batch", _types(made.events), _types(events)))
        sealed = sealing.seal(self.game.id, seed, made.events, hashes)
        for event, one, line in zip(events, sealed, batch, strict=True):
            # A record of an older schema comes out as the newest one has it: its values are compared, not its bytes.
            newest = self._codec.newest(line.raw)
            data = line.data if newest is line.raw else canonical.dumps(newest)
            if one.record != data or (one.secrets or b"{}") != canonical.dumps(line.open):
                raise _Wrong(_difference(event.v, one, {**newest, "open": line.open}))
        return made.game

    def _clock(self, first: Event) -> None:
        """No timeout before its deadline, no answer after it: by what everybody can see."""
        before = self.game
        if isinstance(first, GameEnded) and first.at < before.expires:
            raise _Wrong(Finding(first.v, "clock", "at", f"{before.expires} or later", first.at))
        if before.status != "playing" or first.seat is None or first.by == "rules" or not self._of_rules(first):
            return
        mine = before.open_for(first.seat)
        if not mine:
            raise _Wrong(Finding(first.v, "refused", "seat", "a seat that is asked", first.seat))
        controller = before.seats[first.seat].controller
        if first.by == "clock":
            late = [asked.decision.seat for asked in due(before, first.at)]
            if first.seat not in late and controller != "bot":
                raise _Wrong(Finding(first.v, "clock", "at", f"{min(map(before.enforced, mine))} or later", first.at))
        elif first.by != controller:
            raise _Wrong(Finding(first.v, "refused", "by", controller, first.by))
        elif all(a.decision.required and first.at > before.enforced(a) for a in mine):
            raise _Wrong(Finding(first.v, "clock", "at", f"at most {max(map(before.enforced, mine))}", first.at))

    def _of_rules(self, event: Event) -> bool:
        return event.type == "vote_cast" or type(event) in self._own

    def _credit(self, first: Event) -> None:
        """Downtime is time in which no clock fired: none may stand in it, but for the first moments."""
        if isinstance(first, ClockCredited):
            latest = first.at - first.ms + GAP_MS
            if first.ms <= GAP_MS:
                raise _Wrong(Finding(first.v, "credit", "data.ms", f"more than {GAP_MS}", first.ms))
            if self._clocked > latest:
                expected = f"at most {first.at + GAP_MS - self._clocked}, since a clock fired at {self._clocked}"
                raise _Wrong(Finding(first.v, "credit", "data.ms", expected, first.ms))
        elif first.by == "clock":
            self._clocked = first.at


class _Wrong(Exception):
    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.rule)
        self.finding = finding


@cache
def _fields(cls: type[Event]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the public and of the sealed fields of an event class."""
    known = layout(cls)
    return frozenset(known.public), frozenset(known.sealed)


def _types(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]


def _difference(v: int, made: sealing.SealedRecord, line: dict[str, Any]) -> Finding:
    """Where a recorded event differs from what the rules make, the outermost member that says most first."""
    again = {**canonical.loads(made.record), "open": canonical.loads(made.secrets or b"{}")}
    found = {**line, "open": {name: {"salt": s.salt, "value": s.value} for name, s in line["open"].items()}}
    for name in _ORDER:
        if again[name] != found[name]:
            field, expected, seen = _deepest(name, again[name], found[name])
            return Finding(v, "rules", field, expected, seen)
    return Finding(v, "rules", "line", "the same bytes", "other ones")


def _deepest(path: str, expected: Any, found: Any) -> tuple[str, Any, Any]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            if expected.get(key) != found.get(key):
                return _deepest(f"{path}.{key}", expected.get(key), found.get(key))
    return path, expected, found
