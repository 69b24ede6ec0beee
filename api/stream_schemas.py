"""The shapes of streams and logs: answers that are no single JSON value, so they stand in the document as they are."""

from typing import Any

from api.frames import LAST
from api.shapes import Answer, text, time

JsonSchema = dict[str, Any]
_REF = "#/components/schemas/"
_CURSOR = {"type": "string", "pattern": "^[0-9]+-[0-9a-f]{8}$"}
_TIME = {"type": "string", "format": "date-time"}
_HASH = {"type": "string", "minLength": 64, "maxLength": 64}
_WHOLE = {"type": "integer"}


class TicketSchema(Answer):
    """A ticket for one stream: good once, until `expires`. `stream` is the address to open."""

    ticket = text()
    expires = time()
    stream = text()


def components() -> dict[str, JsonSchema]:
    """The frames of a stream by the name of their event, and the lines of a log."""
    return {**{f"stream.{name}": data for name, data in _frames().items()}, **_unions(), **_log()}


def _frames() -> dict[str, JsonSchema]:
    presence = {"type": "array", "items": _shape(seat=_WHOLE, present={"type": "boolean"})}
    nullable = {"anyOf": [{"$ref": f"{_REF}Result"}, {"type": "null"}]}
    return {
        "snapshot": _frame(
            "The game as you see it; what follows goes on from it. It comes first unless you resume, after `resync`,"
            " and when your eyes change: when you sat down, left or resigned.",
            view={"$ref": f"{_REF}View"},
            presence=presence,
        ),
        "event": _frame("What happened, as in a page of events.", event={"$ref": f"{_REF}Event"}),
        "presence": _frame("Which seats have a live stream, whenever that changes.", presence=presence),
        "resync": _frame(
            "Your cursor is of a history that the server has no more: forget what you know; a `snapshot` follows.",
            cursor=_CURSOR,
        ),
        "heartbeat": _frame("Nothing happened for 10 s."),
        "game_over": _frame(
            "Last: the game is over, and you have seen all of it.", status={"type": "string"}, result=nullable
        ),
        "shutdown": _frame("Last: the server stops; come again with your last id."),
        "slow_consumer": _frame(
            "Last: you did not read for too long; nothing was skipped, come again with your last id.", cursor=_CURSOR
        ),
        "gone": _frame(
            "Last: the game is not there for you any more, as when you left a private lobby; or the token that you "
            "showed, or had the ticket for, was revoked or has expired."
        ),
    }


def _frame(description: str, **properties: JsonSchema) -> JsonSchema:
    return {"description": description, **_shape(server_time=_TIME, **properties)}


def _shape(**properties: JsonSchema) -> JsonSchema:
    return {"type": "object", "required": list(properties), "properties": properties}


def _unions() -> dict[str, JsonSchema]:
    named = {name: _event(name) for name in _frames()}
    description = (
        "One Server-Sent Event. On the wire `data` is this JSON in one line. Tolerate kinds that you do not know. "
        f"Last ones: {', '.join(LAST)}."
    )
    return {"StreamFrame": {"description": description, "oneOf": list(named.values())}}


def _event(name: str) -> JsonSchema:
    fields: JsonSchema = {"event": {"type": "string", "const": name}, "data": {"$ref": f"{_REF}stream.{name}"}}
    if name in ("snapshot", "event"):
        fields = {"id": _CURSOR, **fields}
    return _shape(**fields)


def _log() -> dict[str, JsonSchema]:
    opened = {"type": "object", "additionalProperties": _shape(salt={"type": "string"}, value={})}
    header = _shape(
        format=_WHOLE, game={"type": "string"}, ruleset={"type": "string"}, rules_version=_WHOLE,
        observer={"$ref": f"{_REF}Observer"}, status={"type": "string"}, version=_WHOLE, head=_HASH,
    )  # fmt: skip
    trailer = _shape(
        count=_WHOLE,
        head=_HASH,
        complete={"type": "boolean", "const": True},
        signed={"$ref": f"{_REF}SignedHead"},
    )
    record = _shape(
        record={"type": "object", "description": "The bytes that the hash covers, unchanged: hash the text as it is."},
        open=opened,
    )
    return {
        "LogHeader": {"description": "The first line of a log: whose it is, and whose eyes saw it.", **header},
        "LogRecord": {"description": "A record as stored, and of its seals what the observer may open.", **record},
        "LogTrailer": {"description": "The last line; without it the log was cut short.", **trailer},
        "ExportTrailer": {
            "description": "The last line of an export; without it the answer was cut short.",
            **_shape(
                complete={"type": "boolean", "const": True},
                games=_WHOLE,
                next={"type": ["string", "null"], "description": "Where to go on; null if there is no more by now."},
                cursor={"type": ["string", "null"], "description": "Where to go on later; null if nothing ended yet."},
            ),
        },
        "ExportLine": {
            "description": "One line of an export: those of each game's log, and at last the export's own trailer.",
            "oneOf": [{"$ref": f"{_REF}{name}"} for name in ("LogHeader", "LogRecord", "LogTrailer", "ExportTrailer")],
        },
        "LogLine": {
            "description": "One line of a log.",
            "oneOf": [{"$ref": f"{_REF}{name}"} for name in ("LogHeader", "LogRecord", "LogTrailer")],
        },
    }
