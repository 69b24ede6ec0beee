"""Clients of the log store, one constructor a purpose, and the check of the store's settings at the start.

The defaults of redis-py 8 would send an append again whose reply was lost, and break a blocking read after
5 s; so nothing here is left to a default.
"""

from enum import StrEnum
from typing import Any

from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

from eventstore.errors import UnsafeStore
from eventstore.metrics import counting
from eventstore.wire import as_text, send

CONNECT_TIMEOUT_S = 2.0
SOCKET_TIMEOUT_S = 5.0
POOL_TIMEOUT_S = 5.0  # how long to wait for a free connection
PROBE_S = 1.0  # the same three bounds for whoever only wants to know whether the store answers
COUNT_TIMEOUT_S = 0.2  # how long a request waits to be counted, before it goes on uncounted


class Durability(StrEnum):
    """What survives: see the table in docs; each level survives at least what the one before it does."""

    DEV = "dev"
    EVERYSEC = "everysec"
    ALWAYS = "always"
    REPLICATED = "replicated"


def _client(
    url: str, retries: int, socket_timeout: float, connections: int, pool_timeout: float = POOL_TIMEOUT_S
) -> Redis:
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=pool_timeout,
        retry=Retry(NoBackoff(), retries),
        socket_timeout=socket_timeout,
        socket_connect_timeout=min(CONNECT_TIMEOUT_S, socket_timeout),
        socket_keepalive=True,
        protocol=2,
        legacy_responses=False,
        decode_responses=False,
    )
    pool.connection_class = counting(pool.connection_class)
    return raw_streams(Redis.from_pool(pool))


def _as_it_came(reply: Any, **_options: Any) -> Any:
    return reply


def raw_streams(client: Redis) -> Redis:
    """Make a client give stream entries as the server sends them; making dicts costs more than the read."""
    for command in ("XRANGE", "XREVRANGE", "XREAD"):
        client.set_response_callback(command, _as_it_came)
    return client


def appending(url: str, connections: int = 32, socket_timeout: float = SOCKET_TIMEOUT_S) -> Redis:
    """Make the client that writes: it never repeats a command; `Log.append` does, with the command id."""
    return _client(url, 0, socket_timeout, connections)


def reading(url: str, connections: int = 32, socket_timeout: float = SOCKET_TIMEOUT_S) -> Redis:
    """Make a client for what may be repeated: one retry, for a connection that went stale in the pool."""
    return _client(url, 1, socket_timeout, connections)


def blocking(url: str, block_ms: int, connections: int = 2) -> Redis:
    """Make a client for reads that block up to `block_ms`; its socket timeout is 5 s above that."""
    return _client(url, 0, block_ms / 1000 + SOCKET_TIMEOUT_S, connections)


def probing(url: str, timeout: float = PROBE_S) -> Redis:
    """Make a client that gives up soon: for signs of life, and figures that may be missing."""
    return _client(url, 0, timeout, 2, timeout)


def tallying(url: str, connections: int = 16) -> Redis:
    """Make a client for counts that may be lost: it waits for nothing."""
    return _client(url, 0, COUNT_TIMEOUT_S, connections, COUNT_TIMEOUT_S)


def check_store(client: Redis, allow_unsafe: bool = False, replicas: int = 0) -> Durability:
    """Give a store's durability level; UnsafeStore if its settings can lose events, unless allowed."""
    settings = {name: str(_config(client, name)) for name in ("appendonly", "appendfsync", "maxmemory-policy")}
    demands = (
        ("appendonly", ("yes",), "yes"),
        ("appendfsync", ("always", "everysec"), "always (or everysec: 1-2 s lost at a power cut)"),
        ("maxmemory-policy", ("noeviction",), "noeviction"),
    )
    for name, allowed, wanted in demands:
        if settings[name] not in allowed:
            if not allow_unsafe:
                raise UnsafeStore(name, settings[name], wanted)
            return Durability.DEV
    if settings["appendfsync"] == "everysec":
        return Durability.EVERYSEC
    return Durability.REPLICATED if replicas > 0 else Durability.ALWAYS


def _config(client: Redis, name: str) -> str:
    """Read one setting; `unknown` if the server will not say, as some hosted ones do."""
    try:
        reply = send(client, "CONFIG GET", name)
    except ResponseError:
        return "unknown"
    values = {as_text(k): as_text(v) for k, v in (reply.items() if isinstance(reply, dict) else ())}
    return values.get(name, "unknown")
