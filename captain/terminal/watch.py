"""Watching a game to its end, with one's own eyes if one has a seat, else as a spectator."""

from __future__ import annotations

from captain.terminal.picture import Picture
from captain.terminal.screen import Screen
from captain.terminal.seen import SeenGame
from captain.terminal.words import result_lines

_TICK_S = 1.0


def watch(game: SeenGame, screen: Screen) -> None:
    """Show a game until it is over; on a terminal, until a key is pressed after that."""

    def show(note: str = "") -> None:
        prompt = "q leaves" if screen.live else ""
        ahead = game.server.ahead
        screen.show(Picture(game.view, list(game.events), ahead, note=note, prompt=prompt, absent=game.absent))

    game.server.say = show
    while True:
        if game.over:
            game.catch_up()
        show()
        if game.over and not screen.live:
            break
        entered = screen.wait(_TICK_S)
        if entered is not None and (entered.kind == "end" or entered.text in ("q", "enter", "escape")):
            break
        game.news()
    screen.last(result_lines(game.view) if game.over else [f"{game.id} goes on."])
