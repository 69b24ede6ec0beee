"""The pages for people beside the API: guides for those who write clients, the rules of each game, what codes mean."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from flask import Blueprint, Response, request
from markdown_it import MarkdownIt
from markdown_it.token import Token

from api import throttle
from api.answers import fixed
from api.limits import LIMITS
from api.problems import Problem
from api.state import state

_HERE = Path(__file__)
_INSTALLED = _HERE.with_name("texts")
TEXTS = _INSTALLED if _INSTALLED.is_dir() else _HERE.parents[1] / "docs"
"""Where the texts are: beside the code where it is installed (`setup.py` puts them there), else in the source tree."""

pages = Blueprint("guides", __name__)

GUIDES: dict[str, tuple[str, tuple[str, ...]]] = {
    "getting-started": ("getting-started.md", ()),
    "streaming": ("clients.md", ("Follow", "Clocks")),
    "retries": ("clients.md", ("Retry", "Rate limits")),
    "seeds": ("clients.md", ("Bring a seed",)),
    "clients": ("clients.md", ()),
    "bots": ("bots.md", ()),
    "limits": ("limits.md", ()),
    "fair-play": ("fair-play.md", ()),
    "log-format": ("log-format.md", ()),
    "terminal": ("terminal.md", ()),
    "changes": ("CHANGELOG.md", ()),
}
"""The guides by their address: a file, and the sections of it, if not all."""

FILES = {"fair-play-vectors.json": "application/json"}
"""What the guides link to besides, and its type."""

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><link rel="icon" href="data:,">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}}
code{{background:#8882;padding:.1em .3em}}pre{{background:#8882;padding:.8rem;overflow:auto}}pre code{{background:none}}
td,th{{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}}table{{border-spacing:0}}
</style>
<body>{body}<hr><p>{links}</p></body></html>
"""
_LINKS = " · ".join(
    f'<a href="{address}">{name}</a>'
    for address, name in [
        ("/docs/", "API"),
        ("/docs/errors", "errors"),
        *((f"/docs/{name}", name.replace("-", " ")) for name in GUIDES),
    ]
)
# No HTML of the text goes through, and only links that a browser can follow safely: markdown-it's own check.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def page(title: str, body: str) -> Response:
    """A page in HTML."""
    made = Response(_PAGE.format(title=escape(title), body=body, links=_LINKS), mimetype="text/html")
    made.headers["Cache-Control"] = "public, max-age=3600"
    return made


def rendered(text: str) -> str:
    """Markdown as safe HTML: headings can be linked to, and links between the files lead to their pages.

    What is linked to and not served here is told without a link: it stands beside the source code.
    """
    tokens = _MARKDOWN.parse(text)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[number + 1].content))
        if token.children is not None:
            token.children = [*_linked(token.children)]
    made: str = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return made


def _anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def _linked(children: Iterable[Token]) -> Iterator[Token]:
    """The parts of a line, its links led to where they lead here. One link is never in another."""
    dropped = False
    for child in children:
        if child.type == "link_open":
            address = _address(str(child.attrGet("href") or ""))
            dropped = address is None
            child.attrSet("href", address or "")
        if not (dropped and child.type in ("link_open", "link_close")):
            yield child


def _address(link: str) -> str | None:
    """Where a link of a file leads on this server; None for nowhere."""
    path, hash_, anchor = link.partition("#")
    if "://" in path or path[:1] in ("", "/"):
        return link
    if path in FILES:
        return f"/docs/{path}"
    if not path.endswith(".md"):
        return None
    name = path.removeprefix("docs/").removeprefix("../")
    if name.startswith("rules/"):
        return f"/{name.removesuffix('.md')}{hash_}{anchor}"
    return f"/docs/{name.removesuffix('.md').lower()}{hash_}{anchor}"


def text_of(file: str) -> str:
    """A text by its name; `Problem` if it is not there."""
    path = TEXTS / file
    if not path.exists():
        path = TEXTS.parent / file  # the changelog stands beside the documents
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Problem("not_found") from None


def sections(text: str, wanted: tuple[str, ...]) -> str:
    """The sections of a text with these headings; the whole text for none."""
    if not wanted:
        return text
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    found = {part.partition("\n")[0].removeprefix("## "): part for part in parts}
    return "".join(found[heading] for heading in wanted)


def _serve(name: str) -> None:
    """Serve a guide at its address; each has a route of its own, beside the files of the page of the API."""

    def guide() -> Response:
        file, wanted = GUIDES[name]
        body = rendered(sections(text_of(file), wanted))
        if name == "limits":
            body += _limits()
        return page(name.replace("-", " ").capitalize(), body)

    pages.add_url_rule(f"/docs/{name}", f"guide-{name}", guide)


for _name in GUIDES:
    _serve(_name)


def _serve_file(name: str, kind: str) -> None:
    """Serve a file that a guide links to, as it is."""

    def file() -> Response:
        return fixed(Response(text_of(name), mimetype=kind, headers={"Cache-Control": "public, max-age=3600"}))

    pages.add_url_rule(f"/docs/{name}", f"file-{name.partition('.')[0]}", file)


for _name, _kind in FILES.items():
    _serve_file(_name, _kind)


def _limits() -> str:
    rows = "".join(f"<tr><td><code>{escape(name)}</code><td>{escape(str(value))}" for name, value in LIMITS.items())
    rates = "".join(
        f"<tr><td><code>{escape(name)}</code><td>{one['limit']} in {one['window_s']} s<td>{one['per']}"
        for name, one in throttle.limits().items()
    )
    asked = f"<table><tr><th>Requests<th>At most<th>By{rates}</table>" if rates else "<p>Requests are not counted.</p>"
    return f"<table><tr><th>Limit<th>Value{rows}</table>{asked}"


@pages.get("/rules/<string:key>")
def rules_page(key: str) -> Response:
    """The rules of a ruleset: a page for browsers, else Markdown."""
    state().rulebook.chapter(key)
    # Only a key that is registered comes this far: it names no other file.
    text = text_of(f"rules/{key}.md")
    if request.accept_mimetypes.best_match(["text/markdown", "text/html"], "text/markdown") == "text/html":
        made = page(key, rendered(text))
    else:
        made = Response(text, mimetype="text/markdown")
        made.headers["Cache-Control"] = "public, max-age=3600"
    made.headers["Vary"] = "Accept"
    return fixed(made)
