"""What only the operator can do: a log in the store changed behind everybody's back."""

from collections.abc import Iterable

from eventstore.keys import game_keys
from eventstore.replies import StoredRecord
from eventstore.store import Store


def put(store: Store, game: str, records: Iterable[StoredRecord]) -> None:
    """Put these records in the place of a game's log, as if it had never been otherwise; its meta hash stays."""
    stream = game_keys(game).stream
    store.writer.delete(stream)
    for one in records:
        fields = {"t": one.type, "n": one.sv, "r": one.record, "s": one.secret}
        store.writer.xadd(stream, fields, id=f"{one.version}-0")
    store.repository._cache.forget(game)


def change(store: Store, game: str, version: int, old: bytes, new: bytes) -> None:
    """Write something else into one record."""
    put(store, game, [
        StoredRecord(one.version, one.type, one.sv, one.record.replace(old, new, 1), one.secret)
        if one.version == version else one
        for one in store.log.read(game)
    ])  # fmt: skip
