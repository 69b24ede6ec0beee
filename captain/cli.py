"""The command `captain`. Each command imports only its own half of the program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from captain import __version__
from captain.settings import Settings, SettingsError, read_settings

if TYPE_CHECKING:
    from domain.signing import Keys


class _Later(click.Group):
    """A group whose commands for players are looked up when they are asked for: a server never imports them."""

    _PLAYERS = ("play", "replay", "watch")

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them, by name."""
        return sorted([*super().list_commands(ctx), *self._PLAYERS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in self._PLAYERS:
            return super().get_command(ctx, cmd_name)
        from captain.terminal import commands

        found: click.Command = getattr(commands, cmd_name)
        return found


@click.group(cls=_Later, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Captain's Table: a server for turn-based tabletop games with hidden information."""


@main.command()
def version() -> None:
    """Print the version."""
    click.echo(__version__)


@main.command()
def up() -> None:
    """Start everything: store, API, workers, sweeper. Ctrl-C stops it."""
    from captain.lock import FolderInUse
    from captain.store import StoreError
    from captain.up import up as start

    try:
        code = start()
    except (SettingsError, FolderInUse, StoreError) as error:
        _fail(error)
    sys.exit(code)


@main.command()
@click.option("--fd", type=int, help="An inherited listening socket, instead of BIND and PORT.")
def web(fd: int | None) -> None:
    """Answer requests; needs a store that runs."""
    settings, redis_url, queue_redis_url = _stores()
    _log_as("web", settings)
    keys = _keys(settings)
    from captain import figures
    from captain.web import WebServer, serve

    bind = f"{settings.host}:{settings.port}" if fd is None else f"fd://{fd}"
    readers = (settings.metrics, settings.metrics_token)
    edge = {"rates": settings.rates, "trusted_proxies": settings.trusted_proxies, "origins": settings.origins}
    with figures.own_folder():
        unsafe = settings.allow_unsafe_store
        serve(WebServer(bind, settings.web_workers, redis_url, queue_redis_url, unsafe, keys, readers, edge))


@main.command()
def work() -> None:
    """Run jobs; start it on more machines or more often for more of them."""
    settings, redis_url, queue_redis_url = _stores()
    _log_as("worker", settings)
    from workers import runner

    runner.run(redis_url, queue_redis_url, _keys(settings), allow_unsafe=settings.allow_unsafe_store)


@main.command()
def sweep() -> None:
    """See to it that nothing that a game owes is forgotten."""
    settings, redis_url, queue_redis_url = _stores()
    _log_as("sweeper", settings)
    from workers import sweeper

    sweeper.run(redis_url, queue_redis_url, allow_unsafe=settings.allow_unsafe_store)


@main.command()
def reindex() -> None:
    """Write the lists of games anew from their logs; may run at any time."""
    settings, redis_url, _ = _stores()
    _log_as("reindex", settings)
    from workers.reindex import run

    done, failed = run(redis_url, allow_unsafe=settings.allow_unsafe_store)
    click.echo(f"{done} games listed" + (f", {failed} could not be read" if failed else ""))
    sys.exit(1 if failed else 0)


@main.command()
def rerate() -> None:
    """Write the leaderboards anew from the logs of all finished games; may run at any time."""
    settings, redis_url, _ = _stores()
    from workers.rerate import run

    done, failed = run(redis_url, allow_unsafe=settings.allow_unsafe_store)
    click.echo(f"{done} results rated" + (f", {failed} games could not be read" if failed else ""))
    sys.exit(1 if failed else 0)


@main.command()
def reconcile() -> None:
    """Check what games owe against their logs, repair and print what was wrong; exit code 1 if anything was."""
    settings, redis_url, _ = _stores()
    _log_as("reconcile", settings)
    from workers.reconcile import run

    differences = run(redis_url, allow_unsafe=settings.allow_unsafe_store)
    for difference in differences:
        click.echo(str(difference))
    sys.exit(1 if differences else 0)


@main.command()
@click.argument("log", metavar="FILE|URL|-")
@click.option(
    "--key", "keys", multiple=True, help="A key that is trusted: a file of them, a server's address, or the key itself."
)
@click.option(
    "--receipt",
    "receipts",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="A file of receipts from the game: the log must agree with each.",
)
@click.option("--json", "as_json", is_flag=True, help="The verdict as JSON; of an export, a line for each game.")
@click.option(
    "--export", is_flag=True, help="It is a bulk export, or a server to take one from: audit each of its games."
)
def audit(log: str, keys: tuple[str, ...], receipts: tuple[str, ...], as_json: bool, export: bool) -> None:
    """Audit the log of a game. Exit code 0: sound, 1: unsound, 2: it cannot be read.

    Without --key, a log at an address is checked with the keys that its own server names, and one from a file is at
    best sound, unsigned.
    """
    from pathlib import Path

    from captain import auditing, export_auditing

    run = export_auditing.run if export else auditing.run
    sys.exit(run(log, keys, [Path(path) for path in receipts], as_json))


@main.group()
def keys() -> None:
    """The keys that sign receipts, logs and reports (SIGNING_KEYS)."""


@keys.command("new")
def new_key() -> None:
    """Make a key that signs from the next start on; those before it still verify."""
    from captain.keys import new

    try:
        click.echo(new(read_settings().signing_keys))
    except SettingsError as error:
        _fail(error)


@keys.command("list")
@click.option("--json", "as_json", is_flag=True, help="As a JSON Web Key Set, without private halves.")
def list_keys(as_json: bool) -> None:
    """List the keys, the one that signs first."""
    import json

    from captain.keys import listed

    try:
        found = listed(read_settings().signing_keys)
    except SettingsError as error:
        _fail(error)
    if as_json:
        click.echo(json.dumps({"keys": found}, indent=1))
        return
    for key in found:
        click.echo(f"{key['kid']}  {key['status']:7}  {key['created'] or ''}".rstrip())


def _log_as(process: str, settings: Settings) -> None:
    from captain import logs

    logs.set_up(process, settings.log_format, settings.log_level)


def _keys(settings: Settings) -> Keys:
    from captain.keys import load

    try:
        return load(settings.signing_keys)
    except SettingsError as error:
        _fail(error)


def _stores() -> tuple[Settings, str, str]:
    """Return the settings and the addresses of log and queue: as given, or of the store that `up` runs."""
    from captain.store import queue_folder, running_url

    try:
        settings = read_settings()
    except SettingsError as error:
        _fail(error)
    redis_url = settings.redis_url or running_url(settings.data)
    if redis_url is None:
        _fail(f"No store: give REDIS_URL, or start `captain up` on the data folder {settings.data} first.")
    queue_url = settings.queue_redis_url
    if queue_url is None and settings.redis_url is None:
        queue_url = running_url(queue_folder(settings.data))
    return settings, redis_url, queue_url or redis_url


def _fail(reason: object) -> NoReturn:
    click.echo(f"captain: {reason}", err=True)
    sys.exit(1)
