"""The HTTP API: one application, made from a store."""

from flask import Flask

from api.metrics import LOCAL, Readers
from domain.signing import Keys
from eventstore import connect
from eventstore.store import Store


def create_app(
    redis_url: str,
    queue_redis_url: str,
    keys: Keys,
    *,
    allow_unsafe_store: bool = False,
    metrics: Readers = LOCAL,
) -> Flask:
    """The application of a web process; `UnsafeStore` if the store could lose logs and that is not allowed.

    `metrics` says who may read `/metrics`.
    """
    from api.application import make

    store = Store(redis_url, allow_unsafe=allow_unsafe_store)
    store.follow()
    return make(store, store.repository.registry, keys, queue=connect.probing(queue_redis_url), readers=metrics)


def end_waits(app: Flask) -> None:
    """Let every stream say that the server stops, and end; let long polls answer; new ones too. `/readyz` is 503."""
    from api.state import of

    state = of(app)
    state.live().stop()
    if state.store is not None:
        state.store.doorbell.stop()


def refusal(error: BaseException) -> bytes:
    """The whole answer to a request that broke the server or that cannot be read; close the connection after it."""
    from api.unreadable import answer

    return answer(error)


def app_for(store: Store, keys: Keys) -> Flask:
    """The application that answers from `store` and signs with `keys`."""
    from api.application import make

    return make(store, store.repository.registry, keys)
