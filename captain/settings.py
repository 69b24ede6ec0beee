"""Every setting, its default and what it is for; read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args
from urllib.parse import urlsplit

from environs import Env, EnvError

from captain import edge

Fsync = Literal["always", "everysec", "off"]
LogFormat = Literal["auto", "json", "console"]
LogLevel = Literal["debug", "info", "warning", "error"]
Metrics = Literal["local", "token", "all", "off"]

Value = TypeVar("Value")


class Setting(NamedTuple):
    """A setting as it is documented: a test holds the table in README.md against these."""

    name: str
    default: str
    what: str


SETTINGS = (
    Setting("PORT", "8000", "the port of the API; 0 takes a free one"),
    Setting("BIND", "127.0.0.1", "the address that the API listens on"),
    Setting("DATA", "./data", "the folder of the embedded store"),
    Setting("WORKERS", "2", "processes that run jobs: bots, clocks"),
    Setting("WEB_WORKERS", "2", "processes that answer requests"),
    Setting("REDIS_URL", "", "a Redis or Valkey of your own for the logs; not given: an embedded server"),
    Setting("QUEUE_REDIS_URL", "REDIS_URL, or a second embedded server", "where jobs queue; it may be lost whole"),
    Setting("APPENDFSYNC", "always", "when the embedded store makes a write durable: always, everysec, off"),
    Setting("ALLOW_UNSAFE_STORE", "0", "start although the store may lose or evict logs; for development"),
    Setting("PUBLIC_URL", "http://BIND:PORT", "the address that players use, where it is another"),
    Setting("SIGNING_KEYS", "DATA/keys.json", "the file of the keys that sign receipts and logs"),
    Setting("RATE_LIMITS", "on", "off, or changes like moves=200/10, tickets=off"),
    Setting("TRUSTED_PROXIES", "0", "proxies in front that append to X-Forwarded-For"),
    Setting(
        "CORS_ORIGINS",
        "*",
        "web pages that may use the API from a browser; none, or origins like https://play.example.org",
    ),
    Setting("LOG_FORMAT", "auto", "json, console, or auto: console at a terminal, else json"),
    Setting("LOG_LEVEL", "info", "the least that is logged: debug, info, warning, error"),
    Setting("METRICS", "local", "who may read /metrics: local, token, all, off"),
    Setting("METRICS_TOKEN", "", "the bearer token for METRICS=token, which is the default if this is given"),
)
NAMES = tuple(setting.name for setting in SETTINGS)
_LEAST_TOKEN = 16  # characters
_ALIKE = 0.85  # how much a name must resemble a setting's to be taken for a slip of the pen


class SettingsError(Exception):
    """Settings have values that cannot work; the text names each and says what would be right."""


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
    log_format: LogFormat
    """LOG_FORMAT: one line of JSON a record, or something to read at a terminal; auto: by what stderr is."""
    log_level: LogLevel
    """LOG_LEVEL: the least that is logged of our own; others' records are logged from warnings on."""
    metrics: Metrics
    """METRICS: who may read `/metrics`: peers on this machine, who has the token, all, nobody."""
    metrics_token: str | None = field(repr=False)
    """METRICS_TOKEN: the bearer token for `METRICS=token`."""
    rates: edge.Rates | None
    """RATE_LIMITS: how the rate limits differ from ours, by name; None: there are none."""
    trusted_proxies: int
    """TRUSTED_PROXIES: how many proxies stand in front and append to X-Forwarded-For."""
    origins: frozenset[str] | None
    """CORS_ORIGINS: which web pages may use the API from a browser; None: all."""


def read_settings() -> Settings:
    """Return the settings that the process's environment gives; raises SettingsError: it names all that are wrong."""
    _forget_empty()
    read = _Reader()
    env = read.env
    host = read("BIND", lambda: str(env.str("BIND", "127.0.0.1")), "127.0.0.1")
    port = read("PORT", lambda: _within("PORT", env.int("PORT", 8000), 0, 65535), 8000)
    data = read("DATA", lambda: _path(env.str("DATA", "data")), Path())
    token = read("METRICS_TOKEN", lambda: _token(env.str("METRICS_TOKEN", None)), None)
    settings = Settings(
        redis_url=read("REDIS_URL", lambda: _redis_url(env, "REDIS_URL"), None),
        queue_redis_url=read("QUEUE_REDIS_URL", lambda: _redis_url(env, "QUEUE_REDIS_URL"), None),
        host=host,
        port=port,
        data=data,
        workers=read("WORKERS", lambda: _within("WORKERS", env.int("WORKERS", 2), 1, 64), 2),
        web_workers=read("WEB_WORKERS", lambda: _within("WEB_WORKERS", env.int("WEB_WORKERS", 2), 1, 64), 2),
        appendfsync=read("APPENDFSYNC", lambda: cast(Fsync, _one_of(env, "APPENDFSYNC", Fsync, "always")), "always"),
        allow_unsafe_store=read("ALLOW_UNSAFE_STORE", lambda: bool(env.bool("ALLOW_UNSAFE_STORE", False)), False),
        public_url=read("PUBLIC_URL", lambda: _public_url(env, host, port), ""),
        signing_keys=read("SIGNING_KEYS", lambda: _path(env.str("SIGNING_KEYS", str(data / "keys.json"))), Path()),
        rates=read("RATE_LIMITS", lambda: edge.rates(env.str("RATE_LIMITS", "on")), None),
        trusted_proxies=read(
            "TRUSTED_PROXIES", lambda: _within("TRUSTED_PROXIES", env.int("TRUSTED_PROXIES", 0), 0, 16), 0
        ),
        origins=read("CORS_ORIGINS", lambda: edge.origins(env.str("CORS_ORIGINS", "*")), None),
        log_format=read("LOG_FORMAT", lambda: cast(LogFormat, _one_of(env, "LOG_FORMAT", LogFormat, "auto")), "auto"),
        log_level=read("LOG_LEVEL", lambda: cast(LogLevel, _one_of(env, "LOG_LEVEL", LogLevel, "info")), "info"),
        metrics=read("METRICS", lambda: _metrics(env, token), "local"),
        metrics_token=token,
    )
    problems = [*read.problems.values(), *_disagreements(settings, read.problems)]
    if problems:
        raise SettingsError(_listed(problems))
    return settings


class _Reader:
    """Reads settings one by one, and remembers what is wrong with each instead of stopping at the first."""

    def __init__(self) -> None:
        self.env = Env()
        self.problems: dict[str, str] = {}

    def __call__(self, name: str, read: Callable[[], Value], instead: Value) -> Value:
        """The value that `read` gives; `instead` if there is none that could be used."""
        try:
            return read()
        except EnvError as error:
            self.problems[name] = _one_line(error)
        except (SettingsError, ValueError) as error:
            self.problems[name] = str(error)
        return instead


def misspelt(names: Iterable[str]) -> list[str]:
    """Return a line for each name of an environment that is no setting and looks like one."""
    found = []
    for name in sorted(names):
        alike = get_close_matches(name.upper(), NAMES, 1, _ALIKE) if name not in NAMES else []
        if alike:
            found.append(f"{name} is no setting and changes nothing; did you mean {alike[0]}?")
    return found


def _listed(problems: list[str]) -> str:
    if len(problems) == 1:
        return problems[0]
    return f"{len(problems)} settings are wrong:" + "".join(f"\n  {problem}" for problem in problems)


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


def _one_of(env: Env, name: str, choice: Any, default: str) -> str:
    known = get_args(choice)
    value: str = env.str(name, default)
    if value.lower() not in known:
        raise SettingsError(f"{name} must be {', '.join(known[:-1])} or {known[-1]}, not {value}.")
    return value.lower()


def _token(value: str | None) -> str | None:
    """The token; what is wrong with one is said without telling it."""
    if value is not None and (len(value) < _LEAST_TOKEN or not all("!" <= c <= "~" for c in value)):
        raise SettingsError(f"METRICS_TOKEN must have at least {_LEAST_TOKEN} visible ASCII characters.")
    return value


def _metrics(env: Env, token: str | None) -> Metrics:
    return cast(Metrics, _one_of(env, "METRICS", Metrics, "local" if token is None else "token"))


def _within(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise SettingsError(f"{name} must be between {low} and {high}, not {value}.")
    return value


def _disagreements(settings: Settings, wrong: Iterable[str]) -> list[str]:
    """Return what is wrong with settings that are right one by one."""
    found = []
    if settings.appendfsync == "off" and not settings.allow_unsafe_store and "ALLOW_UNSAFE_STORE" not in wrong:
        found.append("APPENDFSYNC=off keeps no game over a restart; it needs ALLOW_UNSAFE_STORE=1 as well.")
    if settings.queue_redis_url and not settings.redis_url and "REDIS_URL" not in wrong:
        found.append("QUEUE_REDIS_URL is given without REDIS_URL; give both, or none for the embedded server.")
    unmatched = (settings.metrics == "token") != (settings.metrics_token is not None)
    if unmatched and not {"METRICS", "METRICS_TOKEN"} & {*wrong}:
        found.append("METRICS=token and METRICS_TOKEN need each other.")
    return found


def without_password(url: str) -> str:
    """Return the address without what may be a password."""
    scheme, found, rest = url.partition("://")
    return f"{scheme}{found}{rest.rpartition('@')[2]}"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
