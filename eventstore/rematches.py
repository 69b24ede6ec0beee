"""Rematches: one next game for each game that is over, found by whoever knows the one before.

Nothing is kept for that. The id of the next game is computed from the one that is over, so all who ask for a rematch
make the same game, and one of them is first. A rematch that nobody started in time is over for good: then the next
number has its turn.
"""

from hashlib import sha256

from ulid import ULID

from domain import canonical, rematch, sealing
from domain.commands import SeatBot, Sit
from domain.errors import Refused
from domain.game import Game
from domain.values import Value
from eventstore.log import BATCH_CAP, Log
from eventstore.players import CACHE_SIZE
from eventstore.repository import Repository, command_of
from eventstore.stored import Receipt, UnknownGame


class Asking(Value, frozen=True):
    """Who asks for a rematch, by a command with this id and content."""

    player: str
    key: str
    fingerprint: str

    @property
    def sitting(self) -> str:
        """The id of the command by which it sits down: the key by itself names the creation."""
        return f"{self.key} sit"


class Rematches:
    """The rematches in one store. Safe to share between threads."""

    def __init__(self, log: Log, repository: Repository) -> None:
        self._log = log
        self._repository = repository
        self._numbers: dict[str, int] = {}

    def known(self, game: Game) -> str | None:
        """The id of the next game after this one, if it is there."""
        if game.status != "finished":
            return None
        found, there = self.next(game)
        return found if there else None

    def next(self, game: Game, asked: Asking | None = None) -> tuple[str, bool]:
        """The id of the next game after one that is finished, and whether it is there already.

        Where `asked` succeeded before, that game is meant, whatever became of it.
        """
        number = 0 if asked else self._numbers.get(game.id, 0)
        while True:
            found = rematch_id(game, number)
            try:
                if self._repository.game(found).game.status != "aborted" or (asked and self._made(found, asked)):
                    return found, True
            except UnknownGame:
                return found, False
            number += 1
            if len(self._numbers) >= CACHE_SIZE:
                self._numbers.clear()
            self._numbers[game.id] = number

    def _made(self, game: str, asked: Asking) -> bool:
        commands = [command_of(key, asked.fingerprint) for key in (asked.key, asked.sitting)]
        return any(self._log.made(game, command) for command in commands)

    def join(self, old: Game, new: str, asked: Asking, server_seed: str) -> tuple[Receipt, bool]:
        """Make the game `new`, or if others were first sit down in it, at the seat that the player had if it is free.

        Gives the receipt of its creation, and whether this very request made it. Raises `Refused` if there is no seat
        any more.
        """
        create = rematch.again(old, asked.player, server_seed)
        try:
            made = self._repository.create(new, create, key=asked.key, fingerprint=asked.fingerprint)
        except Refused as refused:
            if refused.code != "already_created":
                raise
            made = None
        for seat, level in rematch.bots(old):
            self._seat_bot(new, seat, level)
        if made is not None:
            return made, True
        return self._creation(new, self._sit(old, new, asked)), False

    def _seat_bot(self, new: str, seat: int, level: str) -> None:
        """By right of the host, whoever asks: so that it is done also if the first one died over it."""
        host = self._repository.game(new).game.host
        try:
            self._repository.execute(new, SeatBot(host, level, seat), key=f"rematch bot {seat}")
        except Refused:
            # Somebody sat down there meanwhile, the game has begun, or it is over.
            return

    def _sit(self, old: Game, new: str, asked: Asking) -> bool:
        """Sit down; whether this request did before."""
        for seat in (old.place_of(asked.player), None):
            sit = Sit(asked.player, seat)
            try:
                return self._repository.execute(new, sit, key=asked.sitting, fingerprint=asked.fingerprint).replayed
            except Refused as refused:
                if refused.code == "already_seated":
                    return False
                if refused.code != "seat_taken":
                    raise
        raise Refused("game_full", seats=len(old.seats))

    def _creation(self, game: str, replayed: bool) -> Receipt:
        """The receipt of what the first batch of a game made."""
        records = self._log.read(game, 0, BATCH_CAP)
        last = 1 + int(canonical.loads(records[0].record)["left"])
        head = sealing.hash_of(records[last - 1].record)
        return Receipt(game, 1, last, head, self._repository.game(game), records[:last], replayed)


def rematch_id(game: Game, number: int) -> str:
    """The id of the game that follows one that is over, after `number` others that came to nothing.

    As every id it begins with a time, here that of the end.
    """
    digest = sha256(canonical.dumps(["rematch", game.id, number])).digest()
    return str(ULID.from_bytes(game.at.to_bytes(6, "big") + digest[:10]))
