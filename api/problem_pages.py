"""What each code of a problem means, for people: the address in `type`, and all of them on one page."""

from collections.abc import Iterator
from html import escape
from typing import Any

from flask import Blueprint, Response, current_app

from api.codes import ANYWHERE, CODES, INSIDE, Code, words
from api.failures import entries
from api.operations import operations
from api.pages import page, rendered
from api.problems import Problem, about
from api.state import state

pages = Blueprint("problems", __name__)

_INTRODUCTION = """<p>Whatever fails is answered with <code>application/problem+json</code> (RFC 9457):
<code>type</code> is the address of the page about it, <code>code</code> its last segment, <code>status</code> the HTTP
status, <code>title</code> and <code>detail</code> are for people, and the facts that say what would be right stand
beside them. A refused request changed nothing. Tolerate codes that you do not know: go by the status.</p>"""


@pages.get("/problems/<string:code>")
def problem_page(code: str) -> Response:
    """What a code means, what to do, which facts come with it, and which operations answer it."""
    if code not in entries(state().rulebook.registry):
        raise Problem("not_found")
    entry = about(code)
    return page(code, f"<h1>{escape(entry.title)}</h1>{_meaning(code, entry)}{_where(code)}")


@pages.get("/problems")
def problem_index() -> Response:
    """All codes in one table."""
    rows = "".join(
        f'<tr><td><a href="/problems/{code}"><code>{code}</code></a><td>{entry.status}<td>{escape(entry.title)}'
        for code, entry in entries(state().rulebook.registry).items()
    )
    return page("Problems", f"<h1>Problems</h1><table><tr><th>Code<th>HTTP<th>Title{rows}</table>")


@pages.get("/docs/errors")
def errors_guide() -> Response:
    """All codes, a section each: first those of the API, then those of each ruleset."""
    codes = sorted(entries(state().rulebook.registry))
    contents = " ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in codes)
    return page("Errors", f"<h1>Errors</h1>{_INTRODUCTION}<p>{contents}</p>{''.join(_sections())}")


def _sections() -> Iterator[str]:
    told = set(CODES)
    for code, entry in CODES.items():
        if code in INSIDE:
            continue
        yield _section(code, entry)
    for chapter in state().rulebook:
        info = chapter.rules.info
        new = [code for code in info.refusals if code not in told]
        told.update(new)
        if new:
            yield f"<h2>What {escape(info.title)} refuses</h2>"
        for code in new:
            yield _section(code, about(code))
    yield "<h2>Among the parts of the server</h2><p>No operation answers these: workers are told so.</p>"
    for code in sorted(INSIDE):
        yield _section(code, CODES[code])


def _section(code: str, entry: Code) -> str:
    return f'<section id="{code}"><h3>{escape(entry.title)}</h3>{_meaning(code, entry)}</section>'


def _meaning(code: str, entry: Code) -> str:
    facts = "".join(f"<li><code>{escape(name)}</code>: {words(kind)}" for name, kind in entry.facts.items())
    told = f"<p>Facts, where they are known:</p><ul>{facts}</ul>" if facts else ""
    return f"<p><code>{code}</code>, HTTP {entry.status}</p>{rendered(entry.advice)}{told}"


def _where(code: str) -> str:
    document: dict[str, Any] = current_app.extensions["openapi"]
    found = sorted(told["operationId"] for _, _, told in operations(document) if code in told["x-problems"])
    if code in ANYWHERE:
        return "<p>Any address may answer it.</p>"
    if code in INSIDE:
        return "<p>No operation answers it: the server's own workers are told so.</p>"
    return f"<p>Answered by: {', '.join(f'<code>{name}</code>' for name in found)}.</p>"
