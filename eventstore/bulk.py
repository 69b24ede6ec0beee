"""Finished public games in bulk: their served logs, one after the other, in the order in which they ended."""

from collections.abc import Iterator
from typing import Final

from domain import canonical
from domain.game import Game
from domain.observers import EVERYTHING
from domain.signing import Signer
from domain.values import Value
from eventstore.export import described, served
from eventstore.log import Log
from eventstore.owed import Owed
from eventstore.owes import INDEX
from eventstore.results import Ended, Results

SKEW_MS: Final = 2_000
"""An event may be stored so much later than the time it bears: twice what the append script allows."""

GIVEN_UP_MS: Final = 60 * 60 * 1000
"""A game that could not be listed for so long (its log is damaged, say) does not hold up all others for ever."""


class Page(Value, frozen=True):
    """Some games in order, the place to go on after, and whether there are more by now."""

    places: tuple[Ended, ...]
    after: Ended | None
    more: bool


class Bulk:
    """The finished public games of one store."""

    def __init__(self, log: Log, owed: Owed, results: Results) -> None:
        self._log = log
        self._owed = owed
        self._results = results

    def page(self, ruleset: str, after: Ended | None, limit: int) -> Page:
        """The games that ended after a place; of those that end later none will ever have a place before `after`.

        A game that is over is put in order by a job which is owed since its end. So what ended before the oldest one
        still owed is all there.
        """
        now = self._log.time()
        owed = self._owed.oldest(INDEX)
        settled = now - SKEW_MS if owed is None else min(now - SKEW_MS, max(owed, now - GIVEN_UP_MS))
        found = self._results.ended(ruleset, after, settled, limit + 1)
        places = found[:limit]
        return Page(places, places[-1] if places else after, len(found) > limit)

    def logs(self, page: Page, signer: Signer) -> Iterator[bytes]:
        """The served log of each game of a page, then the trailer of the whole; in pieces of many lines.

        `Corrupt`, and so no trailer, if a log is damaged.
        """
        games = 0
        for place in page.places:
            game = self._game(place.game)
            if game is not None:
                yield from served(self._log, *game, EVERYTHING, signer)
                games += 1
        cursor = page.after.cursor if page.after is not None else None
        trailer = {"complete": True, "cursor": cursor, "games": games, "next": cursor if page.more else None}
        yield canonical.dumps(trailer) + b"\n"

    def _game(self, game: str) -> tuple[Game, str] | None:
        """What the header of a log tells, with its head; None if there is no such log, or it is not for all.

        That it is public is read from the log: a list is only a list.
        """
        head = self._log.head(game)
        first = self._log.read(game, 0, 1)
        if not first or not head.closed:
            return None
        found = described(game, head, first[0], "finished")
        return (found, head.head) if found.visibility == "public" else None
