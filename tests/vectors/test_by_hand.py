"""The commands of docs/fair-play.md, section 4, pasted into a shell."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.vectors.make import FILE

DOCUMENT = FILE.with_name("fair-play.md")
NEEDED = ("bash", "sha256sum", "openssl")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason="no bash, sha256sum or openssl here"),
]

SAID = [
    "the chain holds",
    "and ends in the head",
    "the seal fits",
    "the salt follows",
    "the deal is what the seeds say",
    "it signs this head",
]


def blocks() -> list[str]:
    """The shell blocks, but the one that asks a server."""
    section = DOCUMENT.read_text().partition("## 4. ")[2].partition("## 5. ")[0]
    fetch, *commands = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert "curl" in fetch
    return commands


def run(folder: Path, log: str) -> list[str]:
    """The lines that the commands print for a log, until one of them fails."""
    vectors = json.loads(FILE.read_bytes())
    (folder / "game.ndjson").write_text(log)
    (folder / "server.json").write_text(json.dumps({"signing_keys": vectors["known_keys"]}))
    script = "set -eu\n" + "\n".join(blocks())
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "name", ["bluff_king", "bluff_king_votes", "bluff_king with committed seeds, one of them withheld"]
)
def test_a_sound_log(tmp_path: Path, name: str) -> None:
    log = next(log for log in json.loads(FILE.read_bytes())["logs"] if log["name"] == name)
    said = run(tmp_path, log["text"])
    assert [line for line in said if line in SAID] == SAID
    assert "Signature Verified Successfully" in said
    (lead,) = [line.removeprefix("first lead: ") for line in said if line.startswith("first lead: ")]
    assert f'"seat":{lead},"sv":1,"type":"lead_drawn"' in said


@pytest.mark.parametrize(
    ("name", "said", "missing"),
    [
        ("another rank in a claim", "and ends in the head", "the chain holds"),
        ("bluff_king: two hands change places", "the salt follows", "the deal is what the seeds say"),
        ("a salt that does not follow from the seed", "the seal fits", "the salt follows"),
    ],
)
def test_a_broken_log(tmp_path: Path, name: str, said: str, missing: str) -> None:
    log = next(log for log in json.loads(FILE.read_bytes())["broken_logs"] if log["name"] == name)
    lines = run(tmp_path, log["text"])
    assert said in lines
    assert missing not in lines
