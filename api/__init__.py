"""The HTTP API: one application, made from a store."""

from flask import Flask

from eventstore.store import Store


def create_app(redis_url: str, queue_redis_url: str, *, allow_unsafe_store: bool = False) -> Flask:
    """The application of a web process; `UnsafeStore` if the store could lose logs and that is not allowed."""
    store = Store(redis_url, allow_unsafe=allow_unsafe_store)
    store.follow()
    return app_for(store)


def end_streams(app: Flask) -> None:
    """Let every stream say that the server stops, and end; new ones too."""
    from api.state import of

    of(app).live().stop()


def app_for(store: Store) -> Flask:
    """The application that answers from `store`."""
    from api.application import make

    return make(store, store.repository.registry)
