"""The pages for people: guides, rules, and what each code means."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest

from api import app_for, pages
from api.codes import ANYWHERE, INSIDE
from api.edge import Edge
from api.failures import entries
from api.policies import POLICIES
from domain.registry import REGISTRY
from eventstore.store import Store
from tests.api.client import Client, problem
from tests.document import ours
from tests.keys import KEYS

GUIDES = [*(f"/docs/{name}" for name in pages.GUIDES), "/docs/errors"]


@pytest.mark.parametrize("address", GUIDES)
def test_every_guide_is_a_page_whose_links_lead_somewhere(anybody: Client, address: str):
    page = anybody.get(address)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    for link in re.findall(r'<a href="([^"]*)"', page.text):
        path, _, anchor = urljoin(address, link).replace("{key}", "bluff_king").partition("#")
        if "://" not in path:
            target = anybody.get(path)
            assert target.status_code == 200, link
            assert not anchor or f'id="{anchor}"' in target.text, link


def test_the_limits_of_this_server_stand_on_their_page(opened: Store):
    policies = {"moves": POLICIES["moves"], "tickets": POLICIES["tickets"]._replace(amount=7)}
    page = Client(app_for(opened, KEYS, Edge(policies))).get("/docs/limits").text
    assert "<td><code>body_bytes</code><td>65536" in page
    assert "<td><code>moves</code><td>100 in 10 s<td>player" in page
    assert "<td><code>tickets</code><td>7 in 60 s" in page
    assert "<code>reads</code>" not in page
    assert "not counted" in Client(app_for(opened, KEYS)).get("/docs/limits").text


def test_what_is_not_served_is_told_without_a_link():
    made = pages.rendered("[a](../tools/a.py), [`b`](rules/), [c](fair-play-vectors.json), [d](#e), [f](https://f.g)")
    assert made.strip() == (
        '<p>a, <code>b</code>, <a href="/docs/fair-play-vectors.json">c</a>, <a href="#e">d</a>, '
        '<a href="https://f.g">f</a></p>'
    )


def test_the_document_and_its_page_lead_to_the_guides(anybody: Client):
    text = ours().whole["info"]["description"]
    linked = set(re.findall(r"\]\((/[^)]*)\)", text))
    assert {"/docs/getting-started", "/docs/streaming", "/docs/retries", "/docs/limits", "/docs/changes"} <= linked
    for address in (*linked, ours().whole["externalDocs"]["url"]):
        assert anybody.get(address).status_code == 200


def test_every_code_has_a_section_with_status_advice_and_facts(anybody: Client):
    page = anybody.get("/docs/errors").text
    for code, entry in entries(REGISTRY).items():
        (section,) = re.findall(rf'<section id="{code}">(.*?)</section>', page, re.DOTALL)
        assert f"HTTP {entry.status}" in section
        assert f'href="#{code}"' in page
        for fact in entry.facts:
            assert f"<code>{fact}</code>" in section


def test_every_code_is_answered_by_operations_or_anywhere_or_only_inside(anybody: Client):
    answered = {code for operation in ours().operations for code in operation.told["x-problems"]}
    known = entries(REGISTRY).keys()
    # `not_found` is also what an operation says of a number in its address that is none.
    assert not answered & INSIDE
    assert answered | ANYWHERE | INSIDE == known
    assert "Any address" in anybody.get("/problems/uri_too_long").text
    assert "No operation" in anybody.get("/problems/not_due").text


def test_the_page_of_a_code_tells_who_answers_it(anybody: Client):
    page = anybody.get("/problems/cost_unpaid").text
    assert "play_move" in page
    assert "list of integer" in page


def test_rules_are_a_page_for_browsers_and_markdown_for_others(anybody: Client):
    for rules in REGISTRY:
        address = f"/rules/{rules.info.key}"
        plain = anybody.get(address)
        assert (plain.mimetype, plain.headers["Vary"]) == ("text/markdown", "Accept")
        shown = anybody.get(address, headers={"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"})
        assert shown.mimetype == "text/html"
        assert "<h1" in shown.text
    problem(anybody.get("/rules/chess"), 404, "unknown_ruleset")


def test_no_html_of_a_text_comes_through():
    made = pages.rendered("# A <b>b</b>\n\n<script>x</script> [x](javascript:alert(1)) [y](fair-play.md#1-what) | ok")
    assert "<script" not in made
    assert "<b>" not in made
    assert 'href="javascript' not in made
    assert 'href="/docs/fair-play#1-what"' in made
    assert 'id="a-b-b-b"' in made


def test_the_vectors_of_fair_play_are_served_as_they_are(anybody: Client):
    served = anybody.get("/docs/fair-play-vectors.json")
    assert served.mimetype == "application/json"
    assert served.text == (pages.TEXTS / "fair-play-vectors.json").read_text("utf-8")
    assert 'href="/docs/fair-play-vectors.json"' in anybody.get("/docs/fair-play").text


def test_a_text_that_is_not_there_is_not_found(anybody: Client, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(pages, "TEXTS", tmp_path / "docs")
    problem(anybody.get("/docs/getting-started"), 404, "not_found")


def test_sections_are_taken_by_their_headings():
    text = "# T\n\n## A\n\na\n\n## B\n\nb\n"
    assert pages.sections(text, ("B",)) == "## B\n\nb\n"
    assert pages.sections(text, ()) == text
