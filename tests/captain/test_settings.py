from __future__ import annotations

from pathlib import Path

import pytest

from captain.settings import NAMES, SettingsError, read_settings


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
