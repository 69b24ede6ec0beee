"""One store, opened: the clients, and everything that stands on them."""

from redis import Redis

from domain.registry import REGISTRY, Registry
from eventstore import connect
from eventstore.auditing import Audits
from eventstore.bulk import Bulk
from eventstore.disputes import Disputes
from eventstore.doorbell import BLOCK_MS, Doorbell
from eventstore.invites import Invites
from eventstore.keys import case_keys
from eventstore.lists import Lists
from eventstore.log import Log
from eventstore.owed import Overdue, Owed
from eventstore.players import Players
from eventstore.presence import Presence
from eventstore.ratings import Ratings
from eventstore.rematches import Rematches
from eventstore.replay import Replays
from eventstore.repository import Repository
from eventstore.results import Results
from eventstore.tickets import Tickets
from eventstore.tokens import Tokens
from eventstore.wire import send


class Store:
    """The log, what is owed, and the repository over one log Redis; `durability` says what survives a crash.

    Open it after a fork. `follow()` starts the one doorbell reader of this process.
    """

    def __init__(
        self, redis_url: str, *, registry: Registry = REGISTRY, allow_unsafe: bool = False, replicas: int = 0
    ) -> None:
        self.writer: Redis = connect.appending(redis_url)
        self.reader: Redis = connect.reading(redis_url)
        self._prober: Redis = connect.probing(redis_url)
        self._bell: Redis = connect.blocking(redis_url, BLOCK_MS)
        self.durability = connect.check_store(self.reader, allow_unsafe, replicas)
        self.log = Log(self.writer, self.reader, replicas=replicas)
        self.owed = Owed(self.writer)
        self._seen = Owed(self._prober)
        self.lists = Lists(self.writer, self.reader)
        self.results = Results(self.writer, self.reader)
        self.ratings = Ratings(self.writer, self.reader)
        self.bulk = Bulk(self.log, self.owed, self.results)
        self.doorbell = Doorbell(self._bell, lambda game: self.log.head(game).version)
        self.repository = Repository(self.log, self.owed, registry, doorbell=self.doorbell)
        self.rematches = Rematches(self.log, self.repository)
        self.replays = Replays(self.log, self.repository.entry)
        self.audits = Audits(self.log, self.repository)
        self.disputes = Disputes(Log(self.writer, self.reader, replicas=replicas, keys=case_keys))
        self.players = Players(self.reader)
        self.tokens = Tokens(self.reader, self.players.by_id, self.repository.now)
        self.presence = Presence(self.reader, self.repository.now)
        self.tickets = Tickets(self.writer)
        self.invites = Invites(self.reader, self.repository.now)
        self._following = False

    def ping(self) -> None:
        """Ask the store for a sign of life, for about a second; the errors of redis-py if it gives none."""
        send(self._prober, "TIME")

    def overdue(self) -> Overdue:
        """Count what is owed, for about a second; the errors of redis-py if the store does not answer."""
        return self._seen.overdue()

    def follow(self) -> None:
        """Start following the doorbells, once."""
        if not self._following:
            self._following = True
            self.doorbell.start()

    def close(self) -> None:
        """Stop following and close the connections."""
        if self._following:
            self.doorbell.stop()
        for client in (self.writer, self.reader, self._prober, self._bell):
            client.close()
            client.connection_pool.disconnect()
