"""Playing: what happens is shown, what is asked is answered, until the game is over or the player leaves."""

from __future__ import annotations

from random import Random
from typing import Any

from captain.terminal import lobby
from captain.terminal.auto import random_move
from captain.terminal.dialog import Dialog
from captain.terminal.http import Refused
from captain.terminal.keyboard import Entered
from captain.terminal.picture import Picture
from captain.terminal.screen import Screen
from captain.terminal.seeds import OwnSeed
from captain.terminal.seen import SeenGame
from captain.terminal.typed import BadInput
from captain.terminal.words import names_of, result_lines

Json = dict[str, Any]

HELP = (
    "Type a number or a name; several cards between spaces. Commands: /back takes the last answer back, /resign, /quit"
    " (the game goes on, and you can come back), /return to a seat that a bot plays, /start and /bot LEVEL in a lobby."
)
_WORDS = frozenset(("back", "resign", "quit", "help", "return", "start", "?"))
_TICK_S = 1.0
_STALE = frozenset(("decision_closed", "too_late", "not_asked", "game_over", "illegal_move", "card_not_held"))
"""Refusals that say that the question was not any more what it seemed: look again, and ask again."""


class Player:
    """One player at one game, on one screen. With `rng` nobody is asked: any legal move is played.

    `seed` is the client seed that was committed to, if any: it is revealed here.
    """

    def __init__(self, game: SeenGame, screen: Screen, rng: Random | None = None, seed: OwnSeed | None = None) -> None:
        self.game = game
        self.screen = screen
        self.note = ""
        self._rng = rng
        self._seed = seed
        self._dialog = Dialog()
        self._left = False
        self._confirm = False
        self._trouble = ""
        game.server.say = self._late

    def run(self) -> None:
        """Play until the game is over or the player leaves."""
        self._renew()
        while not self._left:
            if self.game.over:
                self.game.catch_up()
            self._show()
            if self.game.over and not (self.screen.live and self._rng is None):
                break
            if self._tend() or (self._rng is not None and self._automatic()):
                continue
            entered = self.screen.wait(_TICK_S)
            known = self._dialog.moves
            if self.game.news():
                self._renew()
            self._trouble = ""
            answer = entered is not None and entered.kind == "line" and not entered.text.startswith("/")
            if answer and not self._confirm and self._dialog.moves != known:
                # It was typed for another question: as an answer to this one it would be a move nobody meant. (Whether
                # to resign was asked by nobody else, and is the same question still.)
                self.note = self.note or "What is asked has changed meanwhile."
            elif entered is not None:
                self._take(entered)
        self.screen.last(self._farewell())

    def _show(self) -> None:
        picture = Picture(
            self.game.view,
            list(self.game.events),
            ahead=self.game.server.ahead,
            note=self.note or self._trouble,
            absent=self.game.absent,
            **self._asked(),
        )
        self.screen.show(picture)

    def _late(self, text: str) -> None:
        """Say that the server is slow to answer, as long as it is."""
        if text != self._trouble:
            self._trouble = text
            self._show()

    def _asked(self) -> dict[str, Any]:
        """What the player can do now."""
        dialog = self._dialog
        if self._rng is not None:
            return {}
        if self.game.over:
            return {"prompt": "Enter leaves", "asks": True} if self.screen.live else {}
        if self._confirm:
            return {"prompt": "Resign? Type yes", "asks": True}
        if self.game.view["status"] == "lobby":
            return {"menu": lobby.lines(self.game), "prompt": "waiting for the start"}
        if lobby.away(self.game):
            return {"prompt": "A bot plays for you. Enter takes your seat back", "asks": True}
        asks = dialog.asks or dialog.begun
        return {"menu": dialog.menu(), "in_rows": dialog.in_rows, "prompt": dialog.prompt(), "asks": asks}

    def _renew(self) -> None:
        """Ask what is asked now; say so if that ends an answer under way."""
        reason = self._dialog.renew(self.game.view, names_of(self.game.view))
        if reason is not None:
            self.note = reason
            self.screen.forget()

    def _tend(self) -> bool:
        """Start and reveal the seed as it is due; whether there was anything to do."""
        if self._seed is None:
            return False
        try:
            done = self._seed.tend(self.game)
        except Refused as refused:
            # Others were faster, or the clock was.
            self.note, done = str(refused), True
            self.game.look()
        self.note = self._seed.complaint(self.game.view) or self.note
        self._renew()
        return done

    # --- what the player does --------------------------------------------------------------------------------------

    def _take(self, entered: Entered) -> None:
        if entered.kind == "end":
            self._left = True
        elif entered.kind == "line":
            self.note = ""
            try:
                self._line(entered.text.strip())
            except BadInput as bad:
                self.note = str(bad)
            except Refused as refused:
                self._refused(refused)

    def _line(self, text: str) -> None:
        if self.game.over:
            self._left = True
        elif self._confirm:
            self._confirm = False
            if text.casefold() == "yes":
                self._do("DELETE", "/seats/me")
        elif text.startswith("/") or (text.casefold() in _WORDS and not self._means_a_move(text)):
            self._command(*text.removeprefix("/").split())
        elif not text and lobby.away(self.game):
            self._command("return")
        elif text:
            move = self._dialog.enter(text)
            if move is not None:
                self._do("POST", "/moves", move)

    def _means_a_move(self, text: str) -> bool:
        """Whether a word that is a command is also a move or a choice: that is what the player sees."""
        return any(text.casefold() in line.casefold().replace(":", " ").split() for line in self._dialog.menu())

    def _command(self, name: str = "help", *rest: str) -> None:
        match name.casefold():
            case "back":
                self.note = "" if self._dialog.back() else "There is nothing to take back."
            case "quit":
                self._left = True
            case "resign":
                self._confirm = self.game.seat is not None
            case "return":
                self._do("PUT", "/seats/me", {"controller": "player"})
            case "start":
                self._do("POST", "/start", {})
            case "bot" if rest:
                self._do("POST", "/seats", {"bot": rest[0]})
            case _:
                self.note = HELP

    def _do(self, method: str, path: str, body: Json | None = None) -> None:
        self.game.do(method, path, body)
        self._renew()

    def _refused(self, refused: Refused) -> None:
        self.note = str(refused)
        if refused.code in _STALE:
            self.game.look()
            self._renew()

    # --- nobody to ask ---------------------------------------------------------------------------------------------

    def _automatic(self) -> bool:
        """Do what there is to do; whether there was anything."""
        assert self._rng is not None
        try:
            if lobby.away(self.game):
                self._do("PUT", "/seats/me", {"controller": "player"})
                return True
            move = random_move(self.game.view, self._rng) if not self.game.over else None
            if move is None:
                return False
            self._do("POST", "/moves", move)
        except Refused as refused:
            if refused.code not in _STALE | {"not_away"}:
                raise
            self.game.look()
        return True

    def _farewell(self) -> list[str]:
        if self.game.over:
            return result_lines(self.game.view)
        address = self.game.server.address
        return [f"The game goes on. Come back with: captain play --game {self.game.id} --server {address}"]
