"""What is said on one stream: a snapshot, every event once and in order, who is there, and why it ends."""

import logging
from collections.abc import Iterator, Sequence
from random import randint
from socket import socket
from time import monotonic
from typing import Final, NamedTuple

from api import access, frames, metrics, views
from api.answers import rfc3339
from api.limits import HEARTBEAT_S
from api.sockets import no_more
from domain.observers import SPECTATOR, Observer, at_seat
from eventstore.following import AWAY, PAUSE_S, Follower, Following, Step
from eventstore.store import Store
from eventstore.stored import Stored, UnknownGame, cursor
from eventstore.tokens import Pass

AT_ONCE: Final = 64
"""How many events are read of the past, and go out, at once."""

RETRY_MS: Final = (500, 2500)
"""A browser comes again after a time between these, so that not all come at once."""

log = logging.getLogger(__name__)


def beat_hearts(followers: Sequence[Follower]) -> None:
    """Wake whoever was told nothing for so long: one clock for all, since a timer for each costs more than a frame."""
    silent = monotonic() - HEARTBEAT_S
    for follower in followers:
        if follower.said <= silent:
            follower.rung.set()


class Start(NamedTuple):
    """Where a stream begins: the observer's own fold as of now, and the place (version, head) to go on from, if any.

    `shown` is the token that it was opened with; when that is good no more, the stream ends. `foreign` says that the
    client came with a cursor of another history.
    """

    stored: Stored
    observer: Observer
    shown: Pass | None
    place: tuple[int, str] | None = None
    foreign: bool = False


class Told(NamedTuple):
    """What a client has been told: up to where, as whom; `turned` if its eyes have changed in this batch.

    Until version `eyes_at` it is told everything with the eyes that it had when it came.
    """

    version: int
    head: str
    observer: Observer
    eyes_at: int
    turned: bool = False


class Stream:
    """One stream: iterate over its bytes; it ends by itself, or when it is closed."""

    def __init__(self, store: Store, following: Following, start: Start, peer: socket | None) -> None:
        self._store = store
        self._following = following
        self._start: Start | None = start
        self._peer = peer
        self._game = start.stored.game.id
        self._seats = len(start.stored.game.seats)
        self._player = start.shown.player if start.shown else None
        self._token = start.shown.digest if start.shown else None
        self._checked = monotonic()
        version, head = start.place or (start.stored.game.version, start.stored.head)
        self._told = Told(version, head, start.observer, start.stored.game.version)
        self._history = 0
        self._present: frozenset[int] = frozenset()
        self._caught_up = False
        self._done = False

    def __iter__(self) -> Iterator[bytes]:
        if self._start is None:
            return
        follower = self._following.join(self._start.stored, self._told.observer.seat, self._peer)
        self._history, self._present = follower.topic.tail.history, follower.topic.present
        try:
            with metrics.STREAMS.track_inprogress():
                for chunk in self._chunks(follower):
                    follower.writing = monotonic()
                    yield chunk
                    follower.writing = 0.0
            no_more(self._peer)
        finally:
            self._following.leave(follower)

    def _chunks(self, follower: Follower) -> Iterator[bytes]:
        yield frames.retry(randint(*RETRY_MS))
        while not self._done and not follower.gone:
            follower.rung.clear()
            chunk = self._news_or_nothing(follower)
            if not chunk and monotonic() - follower.said >= HEARTBEAT_S:
                chunk = frames.frame("heartbeat", {}, self._now())
            if chunk:
                follower.said = monotonic()
                yield chunk
            else:
                follower.rung.wait()

    def _news_or_nothing(self, follower: Follower) -> bytes:
        """All that there is to say now. If the store is away nothing counts as told: it will be back."""
        before = (self._start, self._told, self._history, self._present, self._caught_up, self._done)
        try:
            return self._news(follower)
        except AWAY as away:
            log.warning("a stream waits for the store", extra={"error": type(away).__name__})
        except UnknownGame:
            return self._last("gone")
        self._start, self._told, self._history, self._present, self._caught_up, self._done = before
        follower.rung.wait(PAUSE_S)
        follower.rung.set()
        return b""

    def _now(self) -> str:
        return rfc3339(self._store.repository.now())

    # --- what there is to say --------------------------------------------------------------------------------------

    def _news(self, follower: Follower) -> bytes:
        if self._following.stopped:
            return self._last("shutdown")
        if not self._token_is_good():
            return self._last("gone")
        topic = follower.topic
        said = self._opening()
        if topic.tail.history != self._history:
            self._history, self._caught_up = topic.tail.history, False
            said += self._in_another_history()
        if self._done:
            return said
        steps = self._steps(follower)
        if steps is None:
            return said + self._last("slow_consumer", cursor=cursor(self._told.version, self._told.head))
        if steps:
            said += b"".join(self._tell(follower, steps))
        if topic.present != self._present and not self._done:
            self._present = topic.present
            said += frames.frame("presence", {"presence": frames.presence(self._seats, self._present)}, self._now())
        return said

    def _token_is_good(self) -> bool:
        """Looked at as often as hearts beat: whoever holds a token that was revoked must not hear on."""
        if self._token is not None and monotonic() - self._checked >= HEARTBEAT_S:
            if self._store.tokens.still(self._token) is None:
                return False
            self._checked = monotonic()
        return True

    def _opening(self) -> bytes:
        start, self._start = self._start, None
        if start is None or start.place is not None:
            return b""
        said = self._resync(start.stored) if start.foreign else b""
        return said + self._snapshot(start.stored)

    def _steps(self, follower: Follower) -> tuple[Step, ...] | None:
        """The next records; None if this stream had caught up and is now too far behind."""
        tail, told = follower.topic.tail, self._told
        steps = tail.since(told.version)
        if steps is None and self._caught_up:
            return None
        if steps is None or (steps and steps[0].record["prev"] != told.head):
            # The past, or a tail that has not noticed yet that the store has another history.
            steps = tuple([Step(stored) for stored in self._store.log.read(self._game, told.version, AT_ONCE)])
            if not steps or steps[0].record["prev"] != told.head:
                follower.topic.ring()
                return ()
        else:
            self._caught_up = True
        if steps and steps[:AT_ONCE][-1].v < tail.version:
            follower.rung.set()
        return steps[:AT_ONCE]

    def _tell(self, follower: Follower, steps: tuple[Step, ...]) -> Iterator[bytes]:
        now = self._now()
        metrics.STREAM_EVENTS.inc(len(steps))
        for step in steps:
            yield frames.event(step.made(self._told.observer, frames.event_json), now, cursor(step.v, step.hash))
            self._told = self._told._replace(version=step.v, head=step.hash)
            self._look_with_new_eyes(follower, step)
            if step.record["left"] == 0:
                yield self._at_batch_end(step)
                if self._done:
                    return

    def _at_batch_end(self, step: Step) -> bytes:
        said = b""
        if self._told.turned:
            stored = self._store.replays.at(self._game, self._told.observer, step.v)
            if not access.may_read(stored.game, self._player, self._store.invites):
                return self._last("gone")
            said = self._snapshot(stored)
        elif step.record["type"] in ("game_ended", "game_faulted"):
            said = self._game_over()
        return said

    def _look_with_new_eyes(self, follower: Follower, step: Step) -> None:
        """Whoever sits down sees with the eyes of the seat from then on; whoever leaves or resigns, no more."""
        told, record, player = self._told, step.record, self._player
        if player is None or step.v <= told.eyes_at:
            return
        if record["type"] == "seat_taken" and record["data"]["player"] == player.id:
            eyes = at_seat(record["seat"])
        elif told.observer.seat is not None and record["seat"] == told.observer.seat and _leaves(record):
            eyes = SPECTATOR
        else:
            return
        self._told = told._replace(observer=eyes, turned=True)
        self._following.move(follower, eyes.seat)

    def _in_another_history(self) -> bytes:
        """The store lost writes: if any of them was told here, begin anew."""
        entry = self._store.repository.entry(self._game)
        if self._told.version <= entry.game.version and entry.hashes[self._told.version] == self._told.head:
            return b""
        if not access.may_read(entry.game, self._player, self._store.invites):
            return self._last("gone")
        observer = access.eyes(entry.game, self._player)
        stored = self._store.repository.fold(self._game, observer)
        self._told = self._told._replace(observer=observer, eyes_at=stored.game.version)
        return self._resync(stored) + self._snapshot(stored)

    # --- single frames ---------------------------------------------------------------------------------------------

    def _snapshot(self, stored: Stored) -> bytes:
        """The view with presence; the stream goes on from it. A game that is over ends the stream."""
        game = stored.game
        self._told = self._told._replace(version=game.version, head=stored.head, turned=False)
        accounts = self._store.players.accounts(views.people([game]))
        data = {
            "view": views.view(stored, self._told.observer, accounts, self._store.rematches.known(game)),
            "presence": frames.presence(self._seats, self._present),
        }
        said = frames.frame("snapshot", data, self._now(), stored.cursor)
        return said + (self._game_over() if game.over else b"")

    def _resync(self, stored: Stored) -> bytes:
        return frames.frame("resync", {"cursor": stored.cursor}, self._now())

    def _game_over(self) -> bytes:
        game = self._store.repository.fold(self._game, SPECTATOR).game
        return self._last("game_over", status=game.status, result=views.result(game))

    def _last(self, event: str, **facts: object) -> bytes:
        self._done = True
        metrics.STREAM_ENDS.labels(event).inc()
        return frames.frame(event, facts, self._now())


def _leaves(record: dict[str, object]) -> bool:
    if record["type"] == "controller_changed":
        data = record["data"]
        return isinstance(data, dict) and data["reason"] == "resigned"
    return record["type"] == "seat_left"
