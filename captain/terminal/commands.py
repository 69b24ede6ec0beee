"""The commands `play`, `watch` and `replay`."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from captain.terminal import lobby
from captain.terminal.accounts import Accounts
from captain.terminal.http import Refused, Server, Unreachable
from captain.terminal.play import Player
from captain.terminal.receipts import Receipts
from captain.terminal.replay import Served, Source
from captain.terminal.replay import replay as step_through
from captain.terminal.screen import Screen, screen
from captain.terminal.seen import SeenGame
from captain.terminal.typed import BadInput
from captain.terminal.watch import watch as look_on

Command = TypeVar("Command", bound=Callable[..., Any])

SERVER = "http://127.0.0.1:8000"


def _server(command: Command) -> Command:
    return click.option(
        "--server", "address", default=SERVER, show_default=True, envvar="CAPTAIN_SERVER", help="The server's address."
    )(command)


def _name(command: Command) -> Command:
    return click.option("--name", help="The player's name; an account for each is kept. Default: the last one used.")(
        command
    )


@click.command()
@click.argument("ruleset", required=False)
@_server
@_name
@click.option("--seats", type=int, help="How many play. Default: you and the bots, as few as may be.")
@click.option("--bots", default="", help="Levels of bots, between commas. Default without --seats: standard ones.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@click.option(
    "--seeds",
    type=click.Choice(["open", "committed"]),
    default="open",
    show_default=True,
    help="committed: every player commits to a share in the shuffle before anybody's is known.",
)
@click.option("--game", help="Join this game, or come back to it, instead of creating one.")
@click.option("--auto", is_flag=True, help="Play any legal move, by itself.")
@click.option("--seed", type=int, help="With --auto: the same choices each time.")
def play(  # noqa: PLR0913  # one argument for each option
    ruleset: str | None,
    address: str,
    name: str | None,
    seats: int | None,
    bots: str,
    options: tuple[str, ...],
    seeds: str,
    game: str | None,
    auto: bool,
    seed: int | None,
) -> None:
    """Play a game of RULESET, or with --game any game. Without both: what can be played."""

    def run() -> None:
        with Server(address, say=_say) as server:
            if ruleset is None and game is None:
                _list(server)
                return
            wanted = lobby.pairs(options)
            Accounts().sign_in(server, name)
            receipts = Receipts()
            server.keep = receipts.keep
            if game is None:
                found, own = lobby.create(server, str(ruleset), seats, _levels(bots), wanted, seeds)
            else:
                found, own = game, lobby.join(server, game)
            with screen(reading=not auto) as shown:
                # Any legal move will do: nothing secret hangs on this chance.
                Player(_seen(server, found, shown), shown, random.Random(seed) if auto else None, own).run()
            if shown.live:
                click.echo("To audit the game once it is over, with what the server signed for you:")
                click.echo(f"captain audit {server.address}/v1/games/{found} --receipt {receipts.path(found)}")

    _guarded(run)


def _levels(bots: str) -> list[str]:
    return [level.strip() for level in bots.split(",") if level.strip()]


def _seen(server: Server, game: str, shown: Screen) -> SeenGame:
    return SeenGame(server, game, shown.bell.ring)


@click.command()
@click.argument("game")
@_server
@_name
def watch(game: str, address: str, name: str | None) -> None:
    """Watch GAME as it is played: as yourself if you have a seat, else as a spectator."""

    def run() -> None:
        with Server(address, say=_say) as server:
            Accounts().sign_in(server, name, register=False)
            with screen(reading=sys.stdin.isatty(), keys=True) as shown:
                look_on(_seen(server, game, shown), shown)

    _guarded(run)


@click.command()
@click.argument("game", metavar="GAME|FILE")
@_server
@_name
@click.option("--as", "eyes", metavar="SEAT|all|spectator", help="Whose eyes to look with. Default: your own.")
@click.option("--at", type=int, help="The version to begin at.")
def replay(game: str, address: str, name: str | None, eyes: str | None, at: int | None) -> None:
    """Step through GAME, or through a FILE that holds a game's log."""
    path = Path(game)

    def show(source: Source) -> None:
        with screen(reading=sys.stdin.isatty(), keys=True) as shown:
            step_through(source, shown, at)

    def served() -> None:
        with Server(address, say=_say) as server:
            Accounts().sign_in(server, name, register=False)
            show(Served(server, game, eyes))

    # A game's id has no dot in it, so a name with one is a file, also one that is not there.
    _guarded((lambda: show(_recorded(path, eyes))) if path.exists() or path.suffix else served)


def _recorded(path: Path, eyes: str | None) -> Source:
    from captain.terminal.folding import BadLog, Recorded

    try:
        return Recorded(path, eyes)
    except (BadLog, OSError) as error:
        _fail(error)


def _list(server: Server) -> None:
    click.echo("captain play RULESET, which is one of:")
    for rules in server.get("/rulesets")["items"]:
        seats, bots = rules["seats"], ", ".join(rules["bots"])
        click.echo(f"  {rules['key']:20} {rules['title']}, {seats['min']} to {seats['max']} seats; bots: {bots}")


def _guarded(run: Callable[[], None]) -> None:
    """Run, and say in one line what the server or the player got wrong."""
    try:
        run()
    except (Refused, Unreachable, BadInput) as error:
        _fail(error)
    except BrokenPipeError:
        # Whoever read our lines has heard enough; nothing is left to be flushed at exit.
        sys.stdout = None
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(reason: object) -> NoReturn:
    _say(str(reason))
    sys.exit(1)


def _say(text: str) -> None:
    click.echo(f"captain: {text}", err=True)
