"""Logging, set up in one place for every process: one line of JSON a record, or something to read at a terminal.

Modules log with `logging` and give facts as `extra`: they become members of the line, after what is bound to the
request or job (`structlog.contextvars`). No text of an exception is ever written, ours or a library's: it may hold
cards, tokens, or what a client sent. Its kind and its places are. Libraries are heard from warnings on only: what they
tell below that holds whole requests.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from captain.settings import LogFormat, LogLevel

OURS: Final = ("api", "captain", "domain", "eventstore", "workers")
PLACES: Final = 12
"""How many of the innermost places of a traceback are told."""
_FIRST: Final = ("time", "level", "process", "pid", "event", "logger")

log = logging.getLogger(__name__)


def set_up(process: str, form: LogFormat, level: LogLevel) -> None:
    """Log to stderr as the settings say; `process` is what every line names as its origin."""
    # What goes wrong in logging itself would be printed with the arguments of the record.
    logging.raiseExceptions = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(process, is_json(form)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    sys.unraisablehook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)
    threading.excepthook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)


def is_json(form: LogFormat) -> bool:
    """Say whether records are lines of JSON."""
    return form == "json" or (form == "auto" and not sys.stderr.isatty())


def _formatter(process: str, as_json: bool) -> logging.Formatter:
    def name_process(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        event["process"], event["pid"] = process, os.getpid()
        return event

    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time" if as_json else "timestamp"),
        name_process,
        without_texts,
    ]
    last: list[Processor] = [_in_order, structlog.processors.JSONRenderer(serializer=_dumps)]
    if not as_json:
        last = [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    return _Formatter(
        foreign_pre_chain=before,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    )


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """Loses no record: of one that cannot be written, at least where it came from is."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        try:
            return super().format(record)
        except Exception:
            place = f"{_short(record.pathname)}:{record.lineno}"
            return _dumps({"level": record.levelname.lower(), "event": "a record cannot be written", "place": place})


def without_texts(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Put kind and places of an exception where the exception was."""
    event.pop("stack_info", None)
    found = event.pop("exc_info", None)
    if isinstance(found, BaseException):
        found = (type(found), found, found.__traceback__)
    if isinstance(found, tuple) and found[1] is not None:
        event["error"] = kind(found[1])
        event["places"] = places(found[2])
        cause = found[1].__cause__ or found[1].__context__
        if cause is not None:
            event["cause"] = kind(cause)
    return event


def kind(error: BaseException) -> str:
    """Name the type of an error."""
    return f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")


def places(trace: TracebackType | None) -> list[str]:
    """Return where an error came from: `file:line function`, the innermost last."""
    frames = traceback.extract_tb(trace)[-PLACES:]
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def _short(path: str) -> str:
    """Return a path from the package on: what stands before it says nothing."""
    _, found, rest = path.rpartition("/site-packages/")
    return rest if found else "/".join(path.split("/")[-2:])


def _in_order(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Let every line begin alike."""
    return {**{name: event[name] for name in _FIRST if name in event}, **event}


def _dumps(event: EventDict, **_: Any) -> str:
    return orjson.dumps(event, default=_name, option=orjson.OPT_NON_STR_KEYS).decode()


def _name(value: object) -> object:
    """Tell of a value only what it is, unless it is plain: the text of an object may be anything."""
    if isinstance(value, set | frozenset) and all(isinstance(item, str | int) for item in value):
        return sorted(map(str, value))
    return f"<{type(value).__name__}>"


def _uncaught(error_type: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(error_type, KeyboardInterrupt):
        return
    _log_uncaught(error_type, error, trace)


def _log_uncaught(error_type: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is not None and not issubclass(error_type, SystemExit):
        log.critical("an error was not caught", exc_info=(error_type, error, trace))


def quiet(names: Iterable[str]) -> None:
    """Let some libraries' loggers go through ours: no handlers of their own."""
    for name in names:
        found = logging.getLogger(name)
        found.handlers[:] = []
        found.propagate = True
        found.setLevel(logging.WARNING)
