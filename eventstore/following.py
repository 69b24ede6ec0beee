"""Following games: one reader for each game that somebody follows here, whose records all followers share.

A follower holds no connection and no queue: it keeps a version of its own and takes what lies beyond it, when rung.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from socket import socket
from time import monotonic
from typing import Any, Final, NamedTuple

from redis.exceptions import RedisError

from domain import canonical, sealing
from domain.events import redact_line
from domain.observers import Observer
from eventstore.doorbell import RECHECK_S, Doorbell, Waiter
from eventstore.errors import StoreError
from eventstore.log import Log
from eventstore.presence import Presence, Seats
from eventstore.replies import Head, StoredRecord
from eventstore.stored import Line, Stored, secrets_of

TAIL: Final = 512
"""How many of a game's newest records are kept for its followers: whoever is further behind is too slow."""

BEAT_S: Final = 10.0
"""How often this process says who is here, and looks who is elsewhere."""

PULSE_S: Final = 1.0
PAUSE_S: Final = 0.5
AWAY: Final = (RedisError, StoreError)

log = logging.getLogger(__name__)


class Step:
    """One record as followers read it; what is made of it is made once for all who may open the same."""

    __slots__ = ("_made", "_secrets", "hash", "record", "v")

    def __init__(self, stored: StoredRecord) -> None:
        self.v = stored.version
        self.record: dict[str, Any] = canonical.loads(stored.record)
        self.hash = sealing.hash_of(stored.record)
        self._secrets = secrets_of(stored)
        self._made: dict[frozenset[str], bytes] = {}

    def __repr__(self) -> str:
        return f"<step {self.v} {self.record['type']}>"

    def made(self, observer: Observer, make: Callable[[Line], bytes]) -> bytes:
        """What `make` makes of the record as `observer` may see it."""
        opened = redact_line(self.record, self._secrets, observer)["open"]
        key = frozenset(opened)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = make(Line(self.record, opened, self.hash))
        return found


class Tail(NamedTuple):
    """The end of a log as this process knows it; `history` counts how often it turned out to be another log."""

    history: int
    version: int
    head: str
    steps: tuple[Step, ...] = ()

    def since(self, version: int) -> tuple[Step, ...] | None:
        """The records after `version`; None if they are not all kept."""
        missing = self.version - version
        if missing > len(self.steps):
            return None
        return self.steps[len(self.steps) - missing :] if missing > 0 else ()


class Follower:
    """Somebody who follows a game; `rung` is set when there is something to look at.

    `writing` is since when (monotonic) what is being sent to its peer has not been taken, 0 if nothing is; `said` is
    when it was last sent anything.
    """

    __slots__ = ("gone", "peer", "rung", "said", "seat", "topic", "writing")

    def __init__(self, topic: "Topic", seat: int | None, peer: socket | None) -> None:
        self.topic = topic
        self.seat = seat
        self.peer = peer
        self.rung = threading.Event()
        self.writing = 0.0
        self.said = monotonic()
        self.gone = False

    def let_go(self) -> None:
        """Its peer is not there any more."""
        self.gone = True
        self.rung.set()


class Topic:
    """A game that is followed here: its tail, and the seats that are present, in this process or another."""

    def __init__(self, game: str, start: Stored, present: Seats) -> None:
        self.game = game
        self.tail = Tail(0, start.game.version, start.head)
        self.present = present
        self.presence_changed = False
        self.followers: set[Follower] = set()
        self.waiter: Waiter | None = None
        self.started = False

    def ring(self) -> None:
        """Have the log read, and presence if that has changed."""
        if self.waiter is not None:
            self.waiter.rung.set()

    def wake(self) -> None:
        """Ring all followers."""
        for follower in tuple(self.followers):
            follower.rung.set()

    def seats(self) -> set[int]:
        """The seats that follow in this process."""
        return {follower.seat for follower in tuple(self.followers) if follower.seat is not None}


class Following:
    """All that is followed in this process; `pulses` are called about once a second with all followers.

    Start it after a fork; under gevent, patch before this module is imported.
    """

    def __init__(self, log: Log, doorbell: Doorbell, presence: Presence, *, tail: int = TAIL) -> None:
        self._log = log
        self._doorbell = doorbell
        self._presence = presence
        self._tail = tail
        self._topics: dict[str, Topic] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._pulsing = False
        self.pulses: list[Callable[[list[Follower]], None]] = []

    @property
    def stopped(self) -> bool:
        """Whether all followers are to end."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Let all followers end, and take no more."""
        self._stopped.set()
        for topic in self._all():
            topic.ring()
            topic.wake()

    # --- followers -------------------------------------------------------------------------------------------------

    def join(self, start: Stored, seat: int | None, peer: socket | None = None) -> Follower:
        """Follow a game from `start` on, or from before it; as a seat, which is present from now on."""
        game = start.game.id
        present = None if seat is None and game in self._topics else self._come(game, seat)
        with self._lock:
            topic = self._topics.get(game)
            if topic is None:
                topic = self._topics[game] = Topic(game, start, present or frozenset())
                if not self._pulsing:
                    self._pulsing = True
                    self._doorbell.listen(self._rung)
                    threading.Thread(target=self._pulse, name="pulse", daemon=True).start()
            follower = Follower(topic, seat, peer)
            topic.followers.add(follower)
            if present is not None:
                self._seen(topic, present)
            if not topic.started:
                topic.started = True
                threading.Thread(target=self._read, args=(topic,), name=f"following {game}", daemon=True).start()
        return follower

    def leave(self, follower: Follower) -> None:
        """Follow no more; the seat is not present any more if this was its last stream here."""
        topic = follower.topic
        with self._lock:
            topic.followers.discard(follower)
        self._go(topic, follower.seat)
        if not topic.followers:
            topic.ring()

    def move(self, follower: Follower, seat: int | None) -> None:
        """The follower sits elsewhere from now on."""
        before, follower.seat = follower.seat, seat
        if seat is not None:
            present = self._come(follower.topic.game, seat)
            if present is not None:
                self._seen(follower.topic, present)
        self._go(follower.topic, before)

    def _come(self, game: str, seat: int | None) -> Seats | None:
        """Say that a seat is here; who is there, None if the store does not say."""
        try:
            return self._presence.at(game) if seat is None else self._presence.come(game, seat)
        except AWAY:
            return None

    def _go(self, topic: Topic, seat: int | None) -> None:
        if seat is None or seat in topic.seats():
            return
        with suppress(*AWAY):  # the mark expires by itself
            self._presence.go(topic.game, seat)

    # --- reading ---------------------------------------------------------------------------------------------------

    def _all(self) -> list[Topic]:
        with self._lock:
            return list(self._topics.values())

    def _rung(self, game: str, version: int) -> None:
        topic = self._topics.get(game) if version == 0 else None
        if topic is not None:
            topic.presence_changed = True
            topic.ring()

    def _read(self, topic: Topic) -> None:
        """Read a game whenever it is rung, as long as anybody follows."""
        with self._doorbell.watch(topic.game) as waiter:
            topic.waiter = waiter
            while self._wanted(topic):
                waiter.rung.clear()
                pause = RECHECK_S
                try:
                    self._look(topic)
                except AWAY as away:
                    log.warning("following: the store is away (%s), trying again", type(away).__name__)
                    pause = PAUSE_S
                except Exception:  # without its reader nobody would hear of the game again
                    log.exception("following: failed, going on")
                    pause = PAUSE_S
                waiter.rung.wait(pause)

    def _wanted(self, topic: Topic) -> bool:
        with self._lock:
            if topic.followers and not self.stopped:
                return True
            topic.started = False
            if self._topics.get(topic.game) is topic and not topic.followers:
                del self._topics[topic.game]
            return False

    def _look(self, topic: Topic) -> None:
        tail = topic.tail
        if topic.presence_changed:
            topic.presence_changed = False
            self._seen(topic, self._presence.at(topic.game))
        head, records = self._log.load(topic.game, tail.version)
        steps = tuple([Step(stored) for stored in records])
        if not _follow(tail, head, steps):
            topic.tail = Tail(tail.history + 1, head.version, head.head)
        elif steps:
            kept = max(self._tail, len(steps))
            topic.tail = Tail(tail.history, head.version, head.head, (*tail.steps, *steps)[-kept:])
        else:
            return
        topic.wake()

    def _seen(self, topic: Topic, present: Seats) -> None:
        if present != topic.present:
            topic.present = present
            topic.wake()

    def _pulse(self) -> None:
        """Say who is here and look who is elsewhere, now and then."""
        beat = monotonic() + BEAT_S
        while not self._stopped.wait(PULSE_S):
            topics = self._all()
            followers = [follower for topic in topics for follower in tuple(topic.followers)]
            try:
                for pulse in self.pulses:
                    pulse(followers)
                if monotonic() >= beat:
                    beat = monotonic() + BEAT_S
                    found = self._presence.beat({topic.game: topic.seats() for topic in topics})
                    for topic in topics:
                        self._seen(topic, found[topic.game])
            except AWAY:
                pass  # the next beat will tell
            except Exception:  # presence must not end for all because of one fault
                log.exception("following: the pulse failed, going on")


def _follow(tail: Tail, head: Head, steps: tuple[Step, ...]) -> bool:
    """Whether what was read goes on where the tail ends."""
    if steps:
        return bool(steps[0].record["prev"] == tail.head)
    return (head.version, head.head) == (tail.version, tail.head)
