"""Lists by looking at every game: what `Store.lists` answers, for tests without the workers that keep the real ones."""

from typing import NamedTuple

from eventstore.store import Store


class Page(NamedTuple):
    ids: list[str]
    next: str | None


class Lists:
    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, *, status=None, ruleset=None, player=None, after=None, limit=50) -> Page:
        keys = [key.decode() for key in self._store.reader.scan_iter(match="*:g:*:m")]
        found = []
        for game_id in sorted((key.split(":")[2] for key in keys), reverse=True):
            game = self._store.repository.game(game_id).game
            fits = (status is None or game.status == status) and (ruleset is None or game.ruleset == ruleset)
            shown = game.visibility == "public" if player is None else game.seat_of(player) is not None
            if fits and shown and (after is None or game_id < after):
                found.append(game_id)
        return Page(found[:limit], found[limit - 1] if len(found) > limit else None)
