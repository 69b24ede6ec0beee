"""The pages for people beside the API: the rules of each game, as they are written in `docs/rules`."""

from pathlib import Path

from flask import Blueprint, Response

from api.answers import fixed
from api.problems import Problem
from api.state import state

RULES = Path(__file__).parents[1] / "docs" / "rules"

pages = Blueprint("rules", __name__)


@pages.get("/rules/<string:key>")
def rules_page(key: str) -> Response:
    """The rules of a ruleset, as Markdown."""
    state().rulebook.chapter(key)
    try:
        # Only a key that is registered comes this far: it names no other file.
        text = (RULES / f"{key}.md").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Problem("not_found") from None
    made = Response(text, mimetype="text/markdown")
    made.headers["Cache-Control"] = "public, max-age=3600"
    return fixed(made)
