"""The HTTP API: one application, made from a store."""

from flask import Flask

from domain.signing import Keys
from eventstore.store import Store


def create_app(redis_url: str, queue_redis_url: str, keys: Keys, *, allow_unsafe_store: bool = False) -> Flask:
    """The application of a web process; `UnsafeStore` if the store could lose logs and that is not allowed."""
    store = Store(redis_url, allow_unsafe=allow_unsafe_store)
    store.follow()
    return app_for(store, keys)


def end_streams(app: Flask) -> None:
    """Let every stream say that the server stops, and end; new ones too."""
    from api.state import of

    of(app).live().stop()


def app_for(store: Store, keys: Keys) -> Flask:
    """The application that answers from `store` and signs with `keys`."""
    from api.application import make

    return make(store, store.repository.registry, keys)
