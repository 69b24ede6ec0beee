"""What an installed copy has with it: the pages that it serves, its examples, its scripts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ASK = """
import sys
sys.path[:0] = [sys.argv[1]]
import api
assert api.__file__.startswith(sys.argv[1]), api.__file__
from api.application import make
from api.pages import GUIDES
from domain.registry import REGISTRY
from domain.signing import Keys, Signer
app = make(None, REGISTRY, Keys(Signer(bytes(32)), []))
client = app.test_client()
pages = [f"/docs/{name}" for name in (*GUIDES, "errors")] + [f"/rules/{rules.info.key}" for rules in REGISTRY]
for address in (*pages, "/docs/", "/openapi.json", "/problems/stale"):
    answer = client.get(address)
    print(answer.status_code, len(answer.data), address)
assert app.extensions["openapi"]["components"]["examples"]
"""


@pytest.mark.long
def test_an_installed_copy_serves_its_pages(tmp_path: Path):
    """Installed from a wheel into a folder of its own, and asked from there: nothing is read from the source tree."""
    target = tmp_path / "site"
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "pip", "install", "--quiet", "--no-deps", "--target", target, ROOT], check=True, timeout=300)
    assert (target / "api" / "texts" / "rules").is_dir()
    assert (target / "eventstore" / "append.lua").exists()
    said = subprocess.run(
        [sys.executable, "-c", ASK, str(target)], cwd=tmp_path, check=True, timeout=120, capture_output=True, text=True
    ).stdout
    answers = [line.split() for line in said.splitlines()]
    assert len(answers) > 15
    assert [line for line in answers if line[0] != "200" or int(line[1]) < 300] == []
