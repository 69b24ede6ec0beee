"""Every setting, its default and what it is for; read once from the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from environs import Env, EnvError

from captain import edge

Fsync = Literal["always", "everysec", "off"]
NAMES = (
    "REDIS_URL", "QUEUE_REDIS_URL", "BIND", "PORT", "DATA", "WORKERS", "WEB_WORKERS", "APPENDFSYNC",
    "ALLOW_UNSAFE_STORE", "PUBLIC_URL", "SIGNING_KEYS", "RATE_LIMITS", "TRUSTED_PROXIES", "CORS_ORIGINS",
)  # fmt: skip


class SettingsError(Exception):
    """A setting has a value that cannot work; the text names it and says what would be right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one instance of the server is told from outside."""

    redis_url: str | None = field(repr=False)
    """REDIS_URL: where the logs are kept. Not given: an embedded server, its data under `data`."""
    queue_redis_url: str | None = field(repr=False)
    """QUEUE_REDIS_URL: where jobs queue; may be lost whole. Not given: as `redis_url`, or an embedded one."""
    host: str
    """BIND: the address the API listens on (`HOST` means something else in too many shells)."""
    port: int
    """PORT: the port the API listens on; 0 takes a free one."""
    data: Path
    """DATA: the folder of the embedded server; two instances need two."""
    workers: int
    """WORKERS: how many processes run jobs (bots, clocks)."""
    web_workers: int
    """WEB_WORKERS: how many processes answer requests."""
    appendfsync: Fsync
    """APPENDFSYNC: when the embedded server makes a write durable: always, everysec, off (keeps nothing)."""
    allow_unsafe_store: bool
    """ALLOW_UNSAFE_STORE: start although the store may lose or evict logs; for development only."""
    public_url: str
    """PUBLIC_URL: the address that players use, where it differs from `http://BIND:PORT`."""
    signing_keys: Path
    """SIGNING_KEYS: the file of the keys that sign receipts and logs; default: `keys.json` in the data folder."""
    rates: edge.Rates | None
    """RATE_LIMITS: how the rate limits differ from ours, by name; None: there are none."""
    trusted_proxies: int
    """TRUSTED_PROXIES: how many proxies stand in front and append to X-Forwarded-For."""
    origins: frozenset[str] | None
    """CORS_ORIGINS: which web pages may use the API from a browser; None: all."""


def read_settings() -> Settings:
    """Return the settings that the process's environment gives; raises SettingsError."""
    _forget_empty()
    env = Env()
    try:
        host = env.str("BIND", "127.0.0.1")
        port = env.int("PORT", 8000)
        data = _path(env.str("DATA", "data"))
        settings = Settings(
            redis_url=_redis_url(env, "REDIS_URL"),
            queue_redis_url=_redis_url(env, "QUEUE_REDIS_URL"),
            host=host,
            port=_within("PORT", port, 0, 65535),
            data=data,
            workers=_within("WORKERS", env.int("WORKERS", 2), 1, 64),
            web_workers=_within("WEB_WORKERS", env.int("WEB_WORKERS", 2), 1, 64),
            appendfsync=_fsync(env.str("APPENDFSYNC", "always")),
            allow_unsafe_store=env.bool("ALLOW_UNSAFE_STORE", False),
            public_url=_public_url(env, host, port),
            signing_keys=_path(env.str("SIGNING_KEYS", str(data / "keys.json"))),
            rates=edge.rates(env.str("RATE_LIMITS", "on")),
            trusted_proxies=_within("TRUSTED_PROXIES", env.int("TRUSTED_PROXIES", 0), 0, 16),
            origins=edge.origins(env.str("CORS_ORIGINS", "*")),
        )
    except (EnvError, ValueError) as error:
        raise SettingsError(_one_line(error)) from None
    _agree(settings)
    return settings


def _forget_empty() -> None:
    """Take a variable without a value for one that is not there: `PORT= make up` asks for the default."""
    for name in NAMES:
        if os.environ.get(name) == "":
            del os.environ[name]


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _redis_url(env: Env, name: str) -> str | None:
    url: str | None = env.str(name, None)
    if url is None:
        return None
    if urlsplit(url).scheme not in ("redis", "rediss", "unix"):
        raise SettingsError(
            f"{name} must look like redis://host:6379/0 (redis, rediss or unix), not {without_password(url)}."
        )
    return url


def _public_url(env: Env, host: str, port: int) -> str:
    url: str = env.str("PUBLIC_URL", f"http://{f'[{host}]' if ':' in host else host}:{port}")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise SettingsError(f"PUBLIC_URL must look like https://games.example.org, not {url}.")
    return url.rstrip("/")


def _fsync(value: str) -> Fsync:
    for known in get_args(Fsync):
        if value == known:
            return known  # type: ignore[no-any-return]  # a member of the Literal by construction
    raise SettingsError(f"APPENDFSYNC must be always, everysec or off, not {value}.")


def _within(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise SettingsError(f"{name} must be between {low} and {high}, not {value}.")
    return value


def _agree(settings: Settings) -> None:
    """Refuse settings that contradict each other."""
    if settings.appendfsync == "off" and not settings.allow_unsafe_store:
        raise SettingsError("APPENDFSYNC=off keeps no game over a restart; it needs ALLOW_UNSAFE_STORE=1 as well.")
    if settings.queue_redis_url and not settings.redis_url:
        raise SettingsError("QUEUE_REDIS_URL is given without REDIS_URL; give both, or none for the embedded server.")


def without_password(url: str) -> str:
    """Return the address without what may be a password."""
    scheme, found, rest = url.partition("://")
    return f"{scheme}{found}{rest.rpartition('@')[2]}"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
