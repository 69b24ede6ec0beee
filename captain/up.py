"""`captain up`: a store, the API, workers and the sweeper, as one thing to start and to stop."""

from __future__ import annotations

import errno
import http.client
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence

import click

from captain import figures, logs
from captain.program import Program
from captain.settings import Settings, SettingsError, misspelt, read_settings
from captain.store import EmbeddedStore, queue_folder
from captain.supervisor import Service, Supervisor

log = logging.getLogger(__name__)

_BACKLOG = 2048
_PORT_PATIENCE = 1.0  # seconds for an instance that is just stopping to let its port go


def up() -> int:
    """Start everything and keep it running; return the exit code."""
    settings = read_settings()
    logs.set_up("supervisor", settings.log_format, settings.log_level)
    say = _sayer(settings)
    for slip in misspelt(os.environ):
        say(slip)
    with listen(settings.host, settings.port) as listener:
        if settings.port == 0:
            os.environ["PORT"] = str(listener.getsockname()[1])
            settings = read_settings()
        from captain import keys

        keys.ensure(settings.signing_keys)
        if settings.redis_url or settings.queue_redis_url:
            figures.prepare(settings.data)
            from captain.given import examine

            examine(settings)
        if settings.redis_url:
            stores = (settings.redis_url, settings.queue_redis_url or settings.redis_url)
            return _supervise(settings, stages(settings, listener.fileno(), *stores))
        return _with_own_stores(settings, listener.fileno())


def _with_own_stores(settings: Settings, listener: int) -> int:
    """Run on embedded servers: the log's, and one for the queue that keeps nothing, so that no job waits for a disk."""
    store = EmbeddedStore(settings.data, appendfsync=settings.appendfsync)
    store.acquire()
    figures.prepare(settings.data)
    try:
        if settings.queue_redis_url:
            return _supervise(settings, [[store], *stages(settings, listener, store.url, settings.queue_redis_url)])
        queue = EmbeddedStore(queue_folder(settings.data), durable=False, name="queue")
        queue.acquire()
        try:
            return _supervise(settings, [[store, queue], *stages(settings, listener, store.url, queue.url)])
        finally:
            queue.close()
    finally:
        store.close()


def listen(host: str, port: int) -> socket.socket:
    """Return the listening socket; raises SettingsError if the port is taken.

    It is ours and the web process inherits it: a port in use is known before anything starts, and while the
    web process restarts, requests wait instead of being refused.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    deadline = time.monotonic() + _PORT_PATIENCE
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=_BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise SettingsError(f"Cannot listen on {host}, port {port}: {error.strerror}.") from None
            if time.monotonic() > deadline:
                raise SettingsError(
                    f"Port {port} on {host} is in use. Stop what uses it, or choose another port: PORT=..."
                ) from None
        time.sleep(0.05)


def stages(settings: Settings, listener: int, redis_url: str, queue_redis_url: str) -> list[Sequence[Service]]:
    """Return what runs besides the store, in the order of starting."""
    env = {**os.environ, "REDIS_URL": redis_url, "QUEUE_REDIS_URL": queue_redis_url}
    captain = (sys.executable, "-m", "captain")
    workers = [Program(f"worker {n}", (*captain, "work"), env=env) for n in range(1, settings.workers + 1)]
    sweeper = Program("sweeper", (*captain, "sweep"), env=env)
    web = Program("web", (*captain, "web", "--fd", str(listener)), env=env, pass_fds=(listener,))
    return [workers, [sweeper], [web]]


def _supervise(settings: Settings, services: Sequence[Sequence[Service]]) -> int:
    return Supervisor(
        services,
        ready=lambda: healthy(settings.host, settings.port),
        announce=lambda: click.echo(welcome(settings)),
        say=_sayer(settings),
        restarted=figures.Restarts(),
    ).run()


def _sayer(settings: Settings) -> Callable[[str], None]:
    """Return how the supervisor speaks: for people, or in lines as all others do."""
    if logs.is_json(settings.log_format):
        return lambda text: log.warning("%s", text)
    return lambda text: click.echo(f"captain: {text}", err=True)


def healthy(host: str, port: int) -> bool:
    """Say whether the API answers."""
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # compared, not bound
    connection = http.client.HTTPConnection(local, port, timeout=0.5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def welcome(settings: Settings) -> str:
    """Return what to try first."""
    address = settings.public_url
    kept = "" if settings.redis_url else f"Games are kept in {settings.data}. "
    return f"""
Captain's Table is up:  {address}
Documentation:          {address}/docs

Try:
  curl -s -X POST {address}/v1/players -H 'Content-Type: application/json' -d '{{"name":"Anne"}}'

{kept}Ctrl-C stops everything."""
