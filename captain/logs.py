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
from structlog.typing import EventDict, Processor

from captain.settings import LogFormat, LogLevel

OURS: Final = ("api", "captain", "domain", "eventstore", "workers")
PLACES: Final = 12
"""How many of the innermost places of a traceback are told."""
_STANDARD: Final = frozenset({*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"})
"""What every record has: the rest is what it was given as `extra`."""

log = logging.getLogger(__name__)


def set_up(process: str, form: LogFormat, level: LogLevel) -> None:
    """Log to stderr as the settings say; `process` is what every line names as its origin."""
    # What goes wrong in logging itself would be printed with the arguments of the record.
    logging.raiseExceptions = False
    # Nobody reads these, and each record would pay for them.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter(process, is_json(form)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.captureWarnings(True)
    structlog.configure(
        processors=[structlog.stdlib.render_to_log_kwargs],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    sys.excepthook = _uncaught
    sys.unraisablehook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)
    threading.excepthook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)


def is_json(form: LogFormat) -> bool:
    """Say whether records are lines of JSON."""
    return form == "json" or (form == "auto" and not sys.stderr.isatty())


class _Formatter(logging.Formatter):
    """Makes the line of a record: its facts go through a chain of structlog's processors, the last of which writes it.

    Not structlog's own formatter for such records: it copies each several times, and took twice as long.
    """

    def __init__(self, process: str, as_json: bool) -> None:
        super().__init__()
        self._process = process
        self._chain: tuple[Processor, ...] = (
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.JSONRenderer(serializer=_dumps),
        )
        if not as_json:
            stamp = structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)
            self._chain = (stamp, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()))

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record; none is lost: of one that cannot be written, at least where it came from is."""
        try:
            event: Any = self._facts(record)
            for process in self._chain:
                event = process(None, "", event)
            return str(event)
        except Exception:
            place = f"{_short(record.pathname)}:{record.lineno}"
            return _dumps({"level": record.levelname.lower(), "event": "a record cannot be written", "place": place})

    def _facts(self, record: logging.LogRecord) -> EventDict:
        facts: EventDict = {
            "time": None,  # it is set by the chain, and stands first
            "level": record.levelname.lower(),
            "process": self._process,
            "pid": os.getpid(),
            "event": record.getMessage(),
            "logger": record.name,
            **structlog.contextvars.get_contextvars(),
        }
        facts.update((name, value) for name, value in vars(record).items() if name not in _STANDARD)
        if record.exc_info and record.exc_info[1] is not None:
            facts.update(_of_error(record.exc_info[1]))
        return facts


def _of_error(error: BaseException) -> EventDict:
    """Kind, cause and places of an error, and nothing of its text."""
    facts = {"error": kind(error), "places": places(error.__traceback__)}
    cause = error.__cause__ or error.__context__
    return facts if cause is None else {**facts, "cause": kind(cause)}


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
