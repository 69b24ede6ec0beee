"""A real browser (Chromium) as a client: it plays from a page of another origin, follows streams by its own EventSource
through a network that hangs up, and checks the finished game on our page.

Needs Debian's chromium (`apt install chromium`); without it these tests fail, since nothing would be proven.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.api.clients.tools import ROOT, node
from tests.api.flaky import Flaky

pytestmark = pytest.mark.long
PAGE = Path(__file__).with_name("page.html")


class Quiet(SimpleHTTPRequestHandler):
    """Pages from a folder."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder with the pages, and the address of a server of them: another origin than the API's."""
    for page in (PAGE, *(ROOT / "web").iterdir()):
        shutil.copy(page, tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture
def browse(npm: Path, pages: tuple[Path, str]) -> Callable[[str], dict[str, Any]]:
    """Open a page, and what it saw."""
    program = shutil.which("chromium")
    assert program, "no chromium: this proof needs it (Debian: apt install chromium)"

    def seen(address: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(node(npm, "browser.mjs", program, str(pages[0]), f"{pages[1]}/{address}"))
        assert "error" not in told, told["error"]
        return told

    return seen


def check(frames: list[list[Any]], last: int) -> None:
    """A snapshot, then every event after it once and in order, and the typed end."""
    versions = [v for kind, v in frames if kind == "event"]
    assert frames[0][0] == "snapshot"
    assert versions == list(range(frames[0][1] + 1, last + 1))
    assert frames[-1][0] == "game_over"
    assert not [kind for kind, _ in frames if kind == "resync"]


def test_a_browser_plays_and_follows_and_checks(browse, pages, web: Any, version: Callable[[str], int]):
    pieces = iter(range(1, 10**9))
    # Streams alone go through it; every sixth piece of them is lost.
    with Flaky(web.address, lambda _: next(pieces) % 6 == 0) as network:
        seen = browse(f"page.html?server={web.address}&network={network.address}")
        assert network.lost >= 2
    assert seen["status"] == "finished"
    last = version(seen["game"])
    for told in (seen["mine"], seen["others"]):
        check(told["frames"], last)
        assert told["errors"] > 1, "no stream broke off"
    # Without tickets it came back by itself, with Last-Event-ID, and stopped at the 204 of a game that is over.
    assert seen["others"]["streams"] < seen["others"]["errors"]
    assert seen["readable"] == ["ETag", "Server-Time", "X-Request-Id"]  # limits are off here
    assert seen["unchanged"] == 304

    folder, _ = pages
    (folder / "log.ndjson").write_text(seen["log"], "utf-8")
    assert browse("verify.html")["verdict"] == "sound_unsigned"
    # One digit of one digest: the page must say so.
    forged = seen["log"].replace('"digest":"', '"digest":"0', 1)
    (folder / "log.ndjson").write_text(forged, "utf-8")
    assert browse("verify.html")["verdict"] in ("unsound", "error")
