"""Logging, in a process of its own: what comes out of it, line by line, whoever speaks and whatever goes wrong."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LEAK = "KH-of-hearts"


def run(program: str, form: str = "json", level: str = "debug") -> str:
    """What a process says on stderr that logs as one of ours does, and then runs `program`."""
    start = f"import logging\nfrom captain import logs\nlogs.set_up('worker', {form!r}, {level!r})\n"
    done = subprocess.run(
        [sys.executable, "-c", start + program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    return done.stderr


def lines(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines()]


def test_a_record_is_one_line_of_json_with_its_facts_and_what_is_bound() -> None:
    (line,) = lines(
        run("""
from structlog.contextvars import bind_contextvars
bind_contextvars(request="r1")
logging.getLogger("api.x").info("said %d\\n%s", 7, "two", extra={"game": "G", "seat": None, "ms": 1.5, "of": {"a"}})
""")
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", line.pop("time"))
    assert line.pop("pid") > 0
    assert line == {
        "level": "info", "process": "worker", "event": "said 7\ntwo", "logger": "api.x", "request": "r1",
        "game": "G", "seat": None, "ms": 1.5, "of": ["a"],
    }  # fmt: skip


@pytest.mark.parametrize(
    "program",
    [
        f"""
try:
    raise ValueError("{LEAK}")
except ValueError as error:
    logging.getLogger("workers.x").exception("failed")
""",
        f"""
try:
    try:
        raise KeyError("{LEAK}")
    except KeyError as cause:
        raise ValueError("{LEAK}") from cause
except ValueError as error:
    logging.getLogger("gunicorn.error").warning("failed", exc_info=error, stack_info=True)
""",
        f'raise ValueError("{LEAK}")',
        f"""
import threading
def fail():
    raise ValueError("{LEAK}")
thread = threading.Thread(target=fail)
thread.start()
thread.join()
""",
        f"""
class Odd:
    def __del__(self):
        raise ValueError("{LEAK}")
Odd()
""",
    ],
    ids=["ours", "a library's, with a cause", "uncaught", "in a thread", "in a finalizer"],
)
def test_an_error_is_told_by_kind_and_place_and_never_by_its_text(program: str) -> None:
    said = run(program)
    (line,) = lines(said)
    assert line["error"] == "ValueError"
    assert re.fullmatch(r"<string>:\d+ \S+", line["places"][-1])
    assert LEAK not in said


def test_what_cannot_be_logged_says_nothing() -> None:
    program = f"""
class Card:
    def __repr__(self):
        return "{LEAK}"
    __str__ = __repr__
log = logging.getLogger("api.x")
log.info("odd", extra={{"card": Card(), "cards": [Card()]}})
log.info("odd", extra={{"by": {{Card(): 1}}}})
log.info("not enough %s %s", "{LEAK}")
"""
    said = run(program)
    assert LEAK not in said
    first, second, third = lines(said)
    assert (first["card"], first["cards"]) == ("<Card>", ["<Card>"])
    for line in (second, third):
        assert (line["event"], line["place"].startswith("<string>:")) == ("a record cannot be written", True)


def test_libraries_are_heard_from_warnings_on_and_ours_from_the_level_on() -> None:
    program = """
for name in ("api.x", "eventstore.x", "redis", "gunicorn.error", "rq.worker"):
    for level in ("debug", "info", "warning"):
        getattr(logging.getLogger(name), level)("x")
import warnings
warnings.warn("old")
"""
    heard = [(line["logger"], line["level"]) for line in lines(run(program, level="info"))]
    ours = [(name, level) for name in ("api.x", "eventstore.x") for level in ("info", "warning")]
    others = [(name, "warning") for name in ("redis", "gunicorn.error", "rq.worker", "py.warnings")]
    assert heard == ours + others


def test_at_a_terminal_it_can_be_read() -> None:
    program = "logging.getLogger('api.x').info('request', extra={'route': '/healthz', 'status': 200})"
    start = "import logging\nfrom captain import logs\nlogs.set_up('web', 'auto', 'info')\n"
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", start + program], cwd=ROOT, stderr=theirs) as process:
        os.close(theirs)
        said = os.read(ours, 4096).decode()
        process.wait(10)
    os.close(ours)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", said)
    assert "request" in plain
    assert "route=/healthz" in plain
    assert "status=200" in plain
    assert not plain.startswith("{")
    assert "status=200" in re.sub(r"\x1b\[[0-9;]*m", "", run(program, form="console"))
    assert lines(run(program, form="auto"))[0]["status"] == 200, "a pipe is no terminal"
