from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from captain.settings import NAMES, SETTINGS, SettingsError, misspelt, read_settings


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_defaults() -> None:
    settings = read_settings()
    assert (settings.redis_url, settings.queue_redis_url) == (None, None)
    assert (settings.host, settings.port, settings.public_url) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert settings.data == Path("data").absolute()
    assert (settings.workers, settings.web_workers, settings.appendfsync) == (2, 2, "always")
    assert not settings.allow_unsafe_store
    assert (settings.log_format, settings.log_level) == ("auto", "info")
    assert (settings.metrics, settings.metrics_token) == ("local", None)
    assert settings.signing_keys == Path("data/keys.json").absolute()


def test_values_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = {"REDIS_URL": "redis://a/1", "QUEUE_REDIS_URL": "unix:///b", "PORT": "0", "DATA": str(tmp_path)}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert (settings.redis_url, settings.queue_redis_url) == ("redis://a/1", "unix:///b")
    assert (settings.port, settings.data) == (0, tmp_path)


def test_an_empty_value_asks_for_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    assert read_settings().port == 8000


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PORT", "eighty", '"PORT" invalid: Not a valid integer'),
        ("PORT", "65536", "PORT must be between 0 and 65535, not 65536"),
        ("WORKERS", "0", "WORKERS must be between 1 and 64, not 0"),
        ("WEB_WORKERS", "-1", "WEB_WORKERS must be between 1 and 64, not -1"),
        ("REDIS_URL", "http://x", "REDIS_URL must look like redis://host:6379/0"),
        ("APPENDFSYNC", "sometimes", "APPENDFSYNC must be always, everysec or off, not sometimes"),
        ("APPENDFSYNC", "off", "needs ALLOW_UNSAFE_STORE=1"),
        ("ALLOW_UNSAFE_STORE", "maybe", '"ALLOW_UNSAFE_STORE" invalid: Not a valid boolean'),
        ("PUBLIC_URL", "games.example.org", "PUBLIC_URL must look like https://games.example.org"),
        ("QUEUE_REDIS_URL", "redis://x", "QUEUE_REDIS_URL is given without REDIS_URL"),
        ("LOG_FORMAT", "xml", "LOG_FORMAT must be auto, json or console, not xml"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be debug, info, warning or error, not loud"),
        ("METRICS", "some", "METRICS must be local, token, all or off, not some"),
        ("METRICS", "token", "METRICS=token and METRICS_TOKEN need each other"),
        ("METRICS_TOKEN", "short", "METRICS_TOKEN must have at least 16 visible ASCII characters"),
    ],
)
def test_a_bad_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        read_settings()
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_no_message_or_repr_shows_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://:hidden@host")
    assert "hidden" not in repr(read_settings())
    monkeypatch.setenv("REDIS_URL", "amqp://:hidden@host")
    with pytest.raises(SettingsError) as error:
        read_settings()
    assert "hidden" not in str(error.value)


def test_a_token_is_asked_for_if_there_is_one_and_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRICS_TOKEN", "hidden-and-long-enough")
    settings = read_settings()
    assert (settings.metrics, settings.metrics_token) == ("token", "hidden-and-long-enough")
    assert "hidden" not in repr(settings)
    for name, value in (("METRICS", "all"), ("METRICS_TOKEN", "hidden")):
        monkeypatch.setenv(name, value)
        with pytest.raises(SettingsError) as error:
            read_settings()
        assert "hidden" not in str(error.value)


def test_all_that_is_wrong_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {
        "PORT": "eighty",
        "WORKERS": "0",
        "LOG_LEVEL": "loud",
        "APPENDFSYNC": "off",
        "QUEUE_REDIS_URL": "redis://x",
    }
    for name, value in wrong.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        read_settings()
    first, *others = str(error.value).splitlines()
    assert first == f"{len(wrong)} settings are wrong:"
    assert len(others) == len(wrong)
    for name in wrong:
        assert sum(name in line for line in others) == 1, name


def test_what_follows_from_a_wrong_value_is_not_wrong_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "http://x")
    monkeypatch.setenv("QUEUE_REDIS_URL", "redis://x")
    with pytest.raises(SettingsError) as error:
        read_settings()
    assert str(error.value).startswith("REDIS_URL must look like")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("REDIS_URI", "REDIS_URL"), ("WORKER", "WORKERS"), ("WEB_WORKER", "WEB_WORKERS"), ("APPEND_FSYNC", "APPENDFSYNC"),
     ("METRIC_TOKEN", "METRICS_TOKEN"), ("SIGNING_KEY", "SIGNING_KEYS"), ("LOGLEVEL", "LOG_LEVEL"),
     ("QUEUE_REDIS_URI", "QUEUE_REDIS_URL"), ("log_level", "LOG_LEVEL")],
)  # fmt: skip
def test_a_slip_of_the_pen_is_noticed(name: str, meant: str) -> None:
    assert misspelt([name]) == [f"{name} is no setting and changes nothing; did you mean {meant}?"]


def test_what_stands_in_any_environment_is_no_slip_of_the_pen() -> None:
    ordinary = """PATH HOME USER LOGNAME SHELL PWD OLDPWD LANG LC_ALL TERM EDITOR HOST HOSTNAME DATE LOG_DIR LOG_FILE
        DEBUG REDIS_HOST REDIS_PORT DATABASE_URL WEB_CONCURRENCY VIRTUAL_ENV PYTHONPATH PORT_RANGE SSH_AUTH_SOCK DISPLAY
        METRICS_PORT XDG_DATA_HOME KUBERNETES_PORT PUBLIC_IP TZ CI MAKEFLAGS MAKELEVEL PROMETHEUS_MULTIPROC_DIR"""
    assert misspelt([*ordinary.split(), *NAMES]) == []


def test_the_readme_lists_every_setting_as_it_is() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    table = text.partition("| setting | default | what it is |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
    plain = [tuple(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "") for cell in row) for row in rows]
    documented = {name: (default, what) for name, default, what in plain}
    assert list(documented) == list(NAMES)
    for setting in SETTINGS:
        default, what = documented[setting.name]
        assert default == setting.default, setting.name
        assert what.startswith(setting.what), setting.name


def test_the_documented_defaults_are_those_that_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given as they are documented, they change nothing."""
    before = read_settings()
    told = {"DATA": "data", "REDIS_URL": "", "QUEUE_REDIS_URL": "", "PUBLIC_URL": "http://127.0.0.1:8000",
            "SIGNING_KEYS": "data/keys.json"}  # fmt: skip
    for setting in SETTINGS:
        monkeypatch.setenv(setting.name, told.get(setting.name, setting.default))
    assert read_settings() == before
    assert len(fields(before)) == len(SETTINGS)


def test_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings()
    assert (settings.rates, settings.trusted_proxies, settings.origins) == ({}, 0, None)
    given = {
        "RATE_LIMITS": "moves=200/10, tickets=off",
        "TRUSTED_PROXIES": "2",
        "CORS_ORIGINS": "https://a.example http://b.example:8080",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert settings.rates == {"moves": (200, 10), "tickets": None}
    assert settings.trusted_proxies == 2
    assert settings.origins == {"https://a.example", "http://b.example:8080"}
    monkeypatch.setenv("RATE_LIMITS", "off")
    monkeypatch.setenv("CORS_ORIGINS", "none")
    assert read_settings().rates is None
    assert read_settings().origins == frozenset()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("RATE_LIMITS", "fast", "RATE_LIMITS must be on, off, or changes like moves=200/10, tickets=off; not fast"),
        ("RATE_LIMITS", "castles=1/1", "RATE_LIMITS knows reads, writes, moves"),
        ("RATE_LIMITS", "moves=0/10", "RATE_LIMITS must allow something"),
        ("TRUSTED_PROXIES", "-1", "TRUSTED_PROXIES must be between 0 and 16"),
        ("CORS_ORIGINS", "play.example.org", "CORS_ORIGINS must be *, none, or origins"),
        ("CORS_ORIGINS", "https://play.example.org/", "CORS_ORIGINS must be *, none, or origins"),
    ],
)
def test_a_bad_edge_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    test_a_bad_value_is_named(monkeypatch, name, value, says)
