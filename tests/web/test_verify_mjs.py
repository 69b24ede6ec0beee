"""web/verify.mjs agrees with every vector, and with tools/verify_log.py on whatever one makes of a log."""

import base64
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from tests.golden.record import FOLDER
from tests.golden.served import golden, served
from tests.keys import SIGNER
from tests.tools import mutants
from tests.tools.test_verify_log import BAD, SOUND, log
from tests.vectors.read import KNOWN_KEYS, LOGS, VECTORS, cases, expected
from tests.web.node import ROOT, ask, node, verdicts
from tools import verify_log

Json = Any

KEYS = [key for jwk in KNOWN_KEYS for key in verify_log.keys_in(jwk)]
GOLDEN = sorted(FOLDER.glob("*.ndjson"))


# --- primitives ------------------------------------------------------------------------------------------------------

DECKS = VECTORS["primitives"]["decks"]

QUESTIONS: dict[str, list[tuple[str, Any]]] = {
    "canonical": [("canonical_hex", lambda case: ["canonical", case["json"]])],
    "genesis": [("hash", lambda case: ["genesis", case["game"]])],
    "salt": [("salt", lambda case: ["salt", *members(case, "server_seed prev v field")])],
    "digest": [
        ("digest", lambda case: ["digest", *members(case, "game v field salt value")]),
        ("message_hex", lambda case: ["canonical", json.dumps(members(case, "game v field salt value"))]),
    ],
    "entropy": [("entropy", lambda case: ["entropy", *members(case, "server_seed game client_seeds")])],
    "words": [("words", lambda case: ["words", *members(case, "entropy label"), 20])],
    "numbers": [("numbers", lambda case: ["numbers", *members(case, "entropy label below")])],
    "shuffle": [("shuffled", lambda case: ["shuffled", *members(case, "entropy label"), items(case)])],
    "deals": [("events", lambda case: ["deal", *members(case, "ruleset entropy seats options")])],
    "commitment": [("commitment", lambda case: ["commitment", *members(case, "game client_seed")])],
    "signed_head": [
        ("message_hex", lambda case: ["signedMessage", case["signed"]]),
        ("says", lambda case: ["says", case["signed"], KNOWN_KEYS]),
    ],
    "signed_report": [
        ("message_hex", lambda case: ["signedMessage", case["signed"]]),
        ("report_hash", lambda case: ["hashOf", case["report"]]),
    ],
    "conflict": [("conflict", lambda case: ["conflict", *case["heads"], KNOWN_KEYS])],
}
"""For each kind of vector: the member that is the answer, and what is asked for it."""


def members(case: Json, names: str) -> list[Json]:
    return [case[name] for name in names.split()]


def items(case: Json) -> Json:
    return case["items"] if "items" in case else DECKS[case["deck"]]


def test_primitives() -> None:
    pairs = [
        (case[answer], question(case), name)
        for name, asked in QUESTIONS.items()
        for answer, question in asked
        for case in cases(name)
    ]
    answers = ask(question for _, question, _ in pairs)
    for answer, (wanted, _, name) in zip(answers, pairs, strict=True):
        assert answer == wanted, name


def test_what_is_not_canonical() -> None:
    assert not any(ask(["isCanonical", case["text"]] for case in cases("not_canonical")))
    assert all(ask(["isCanonical", bytes.fromhex(case["canonical_hex"]).decode()] for case in cases("canonical")))


def test_opens() -> None:
    made = ask(["digest", case["game"], *members(case["open"], "v field salt value")] for case in cases("opens"))
    fit = [digest == case["seal"]["digest"] for digest, case in zip(made, cases("opens"), strict=True)]
    assert fit == [case["opens"] for case in cases("opens")]


def test_keys_reports_and_decks() -> None:
    keys, reports = cases("keys"), cases("signed_report")
    assert ask(["kid", case["public_hex"]] for case in keys) == [case["jwk"]["kid"] for case in keys]
    assert ask(["base64url", case["public_hex"]] for case in keys) == [case["jwk"]["x"] for case in keys]
    assert set(ask(["says", case["signed"], KNOWN_KEYS] for case in reports)) == {"valid"}
    (made,) = ask([["decks"]])
    assert made == list(DECKS.values())


# --- logs ------------------------------------------------------------------------------------------------------------


def test_logs() -> None:
    made = verdicts((case["text"].encode(), KNOWN_KEYS, case["receipts"]) for case in LOGS)
    for case, found in zip(LOGS, made, strict=True):
        assert expected(found) == case["expect"], case["name"]


def test_golden_logs_are_sound() -> None:
    logs = [served(path) for path in GOLDEN]
    made = verdicts((b"".join(lines), SIGNER.public.jwk(), []) for lines in logs)
    for path, lines, found in zip(GOLDEN, logs, made, strict=True):
        assert (found["verdict"], found["failure"]) == ("sound", None), path.stem
        assert found["checked"]["records"] == len(lines) - 2
        assert found["checked"]["salts"] == found["checked"]["seals"] > 0


def test_pieces_may_be_cut_anywhere() -> None:
    text = base64.b64encode(log("captain_bluff")["text"].encode()).decode()
    made = ask(["verifyInPieces", text, size] for size in (1, 7, 1000, 10**6))
    assert [found["verdict"] for found in made] == ["sound_unsigned"] * 4
    assert {found["checked"]["draws"] for found in made} == {22}


# --- agreement -------------------------------------------------------------------------------------------------------


def python(text: bytes, keys: Json = (), receipts: Json = ()) -> Json:
    return verify_log.verify(io.BytesIO(text), keys, receipts)


def short(found: Json) -> Json:
    failure = found["failure"] or {"check": None, "v": None}
    return found["verdict"], failure["check"], failure["v"]


RECEIPTS = log("bluff_king with a receipt of every batch")["receipts"][:1]


def agree(logs: list[bytes]) -> tuple[Counter[str], list[bytes]]:
    """Both verifiers say the same of each log. How often each check failed, and the logs that got to the seed."""
    given = [(text, RECEIPTS if place % 5 == 0 else []) for place, text in enumerate(logs)]
    both = verdicts((text, KNOWN_KEYS, receipts) for text, receipts in given)
    failed: Counter[str] = Counter()
    deep = []
    for (text, receipts), found in zip(given, both, strict=True):
        mine = python(text, KEYS, receipts)
        assert short(mine) == short(found), (text, mine["failure"], found["failure"])
        assert found["failure"] or found == mine
        failed[found["failure"]["check"] if found["failure"] else found["verdict"]] += 1
        if found["failure"] and found["failure"]["check"] in ("seed", "salt", "draw"):
            deep.append(text)
    return failed, deep


SMALL = [log(name)["text"].encode() for name in ("bluff_king", "resigned", "captains_orders, as seat 2 reads it")]
COMMITTED = "bluff_king with committed seeds, one of them withheld"
OPEN = [log(name)["text"].encode() for name in ("bluff_king", "captains_orders", "resigned", "faulted", COMMITTED)]
LARGE = [log("captain_flip")["text"].encode(), b"".join(served(golden("captain_bluff-v1-bots-0")))]


def test_both_say_the_same_of_bad_inputs() -> None:
    agree([text for text, _ in BAD.values()])


def test_both_say_the_same_of_changed_texts() -> None:
    failed, _ = agree(mutants.some(SMALL, mutants.texts, 60, seed=1))
    assert set(failed) >= {"cut_short", "unreadable", "not_canonical", "version", "chain", "signature"}


def test_both_say_the_same_of_forgeries() -> None:
    """In what seats and spectators may read as well: there a draw is compared without being open."""
    forged = mutants.some(OPEN, mutants.forgeries, 24, seed=2) + mutants.some(LARGE, mutants.forgeries, 5, seed=3)
    failed, deep = agree(forged)
    assert set(failed) >= {
        "unreadable", "version", "batch", "chain", "head", "seal", "seed", "salt", "draw", "receipt", "sound_unsigned",
    }  # fmt: skip
    failed, _ = agree([mutants.redacted(one, place % 3 or None) for place, one in enumerate(deep)])
    assert set(failed) >= {"seed", "draw"}


# --- the command line ------------------------------------------------------------------------------------------------

MODULE = ROOT / "web" / "verify.mjs"


def test_the_command_says_what_the_python_tool_says(tmp_path: Path, capsysbinary: Any) -> None:
    server, kept, path, bad = (tmp_path / name for name in ("server.json", "receipts", "log", "bad"))
    server.write_text(json.dumps({"signing_keys": KNOWN_KEYS}))
    heads = log("bluff_king with a receipt of every batch")["receipts"]
    kept.write_text("".join(json.dumps({"version": 1, "signed": head}) + "\n" for head in heads))
    path.write_bytes(SOUND)
    bad.write_text(log("another order of a value")["text"])
    for arguments in (
        [path, "--key", server, "--receipt", kept],
        [path],
        [bad, "--key", KNOWN_KEYS[0]["x"]],
        [path, "--receipt", kept],
    ):
        done = node(MODULE, *arguments)
        assert done.returncode == verify_log.main(list(map(str, arguments)))
        assert done.stdout == capsysbinary.readouterr().out.replace(b'{"all": true}', b'{"all":true}')
        assert done.stderr == b""


def test_json_from_standard_input() -> None:
    done = node(MODULE, "-", "--json", "--key", KNOWN_KEYS[0]["x"], given=SOUND)
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads(json.dumps(python(SOUND, KEYS[:1]))))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(SOUND)
    (tmp_path / "bad").write_bytes(b'{"kty":"RSA","signed":1}')
    for arguments in (
        ["nowhere"],
        ["."],
        [],
        ["log", "--what"],
        ["log", "--key", "bad"],
        ["log", "--key", "nowhere"],
        ["log", "--receipt", "bad"],
    ):
        done = node(MODULE, *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1), arguments


# --- the page --------------------------------------------------------------------------------------------------------

PAGE = ROOT / "web" / "verify.html"

BROWSER = """
// As much of a browser as the page's script uses.
const made = {};
globalThis.document = {
  getElementById: (id) => (made[id] ??= { value: "", handlers: {}, classList: { toggle() {} },
    addEventListener(type, handler) { this.handlers[type] = handler; } }),
  handlers: {},
  addEventListener(type, handler) { this.handlers[type] = handler; },
};
globalThis.settled = () => new Promise((done) => {
  const look = () => (made.result.textContent === "Checking ..." ? setTimeout(look, 1) : done(made.result));
  look();
});
"""

USE = """
const bytes = await (await import("node:fs/promises")).readFile(process.argv[2]);
const said = [];
document.handlers.drop({ type: "drop", preventDefault() {}, dataTransfer: { files: [new Blob([bytes])] } });
said.push({ ...(await settled()) });
const jwk = { kty: "OKP", crv: "Ed25519", x: process.argv[3] };
for (const pasted of [process.argv[3], JSON.stringify({ signing_keys: [jwk] }), "?"]) {
  made.keys.value = pasted;
  made.again.handlers.click();
  said.push({ ...(await settled()) });
}
console.log(JSON.stringify(said));
"""


def test_the_page(tmp_path: Path) -> None:
    """Its script, with as much of a browser as it uses: a log is dropped, then keys are pasted."""
    page = PAGE.read_text()
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    ids = re.findall(r'id="(\w+)"', page)
    assert {"drop", "file", "keys", "receipts", "again", "result"} <= set(ids)
    assert not re.search(r"(src|href)\s*=|fetch|https?:", page)
    (tmp_path / "page.mjs").write_text(BROWSER + script.replace("./verify.mjs", MODULE.as_uri()) + USE)
    (tmp_path / "log").write_bytes(SOUND)
    done = node(tmp_path / "page.mjs", tmp_path / "log", KNOWN_KEYS[0]["x"])
    assert done.stderr == b""
    said = json.loads(done.stdout)
    assert [shown["className"] for shown in said] == ["sound_unsigned", "sound", "sound", "error"]
    assert said[1]["textContent"].splitlines()[-1] == "sound"
