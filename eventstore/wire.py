"""Commands to Redis as they are: one, or several in one round trip; redis-py has no types for them."""

from collections.abc import Iterable
from typing import Any, Protocol

from redis import Redis

Word = str | bytes | int


class Executes(Protocol):
    """A Redis client, as far as one command needs it."""

    def execute_command(self, *args: Any, **options: Any) -> Any: ...


def send(client: Executes, *words: Word) -> Any:
    """Send one command and give its reply."""
    return client.execute_command(*words)


def send_all(
    client: Redis, commands: Iterable[tuple[Word, ...]], *, atomic: bool = False, errors: bool = False
) -> list[Any]:
    """Send several commands in one round trip; with `errors` an error is a reply, not raised."""
    with client.pipeline(transaction=atomic) as pipe:
        for words in commands:
            send(pipe, *words)
        replies: list[Any] = pipe.execute(raise_on_error=not errors)
    return replies


def pairs(reply: Any) -> list[tuple[Any, Any]]:
    """Read a reply of pairs, which clients give flat, as a list of pairs or as a dict."""
    if isinstance(reply, dict):
        return list(reply.items())
    if reply and isinstance(reply[0], list | tuple):
        return [(key, value) for key, value in reply]
    return list(zip(reply[0::2], reply[1::2], strict=True))


def as_text(value: str | bytes) -> str:
    """Read a text, which clients give as bytes unless they decode."""
    return value.decode() if isinstance(value, bytes) else value


def text_fields(reply: Any) -> dict[str, str]:
    """Read the reply to HGETALL of a hash that holds texts."""
    return {as_text(name): as_text(value) for name, value in pairs(reply)}


def milliseconds(reply: tuple[Any, Any]) -> int:
    """Read the reply to TIME as ms since 1970."""
    seconds, micros = reply
    return int(seconds) * 1000 + int(micros) // 1000
