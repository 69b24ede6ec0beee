"""A Redis or Valkey of the user's own, looked at before anything starts: one clear line, not the cries of many."""

from __future__ import annotations

import time

from redis.exceptions import RedisError

from captain.settings import Settings, without_password
from captain.store import StoreError
from eventstore import connect
from eventstore.errors import UnsafeStore

_PATIENCE = 10.0  # seconds for a store that is being started beside us


def examine(settings: Settings, patience: float = _PATIENCE) -> None:
    """Raise StoreError if a given store cannot be reached in time, or if the logs would not be safe in it."""
    if settings.redis_url:
        _look("REDIS_URL", settings.redis_url, patience, settings.allow_unsafe_store)
    if settings.queue_redis_url:
        _look("QUEUE_REDIS_URL", settings.queue_redis_url, patience, allow_unsafe=True)


def _look(name: str, url: str, patience: float, allow_unsafe: bool) -> None:
    client = connect.reading(url)
    deadline = time.monotonic() + patience
    try:
        while True:
            try:
                client.ping()
                connect.check_store(client, allow_unsafe)
                return
            except UnsafeStore as unsafe:
                raise StoreError(f"{name}: {unsafe} with ALLOW_UNSAFE_STORE=1.") from None
            except RedisError as error:
                if time.monotonic() > deadline:
                    raise StoreError(f"{name}: no answer from {without_password(url)}: {error}") from None
                time.sleep(0.1)
    finally:
        client.connection_pool.disconnect()
