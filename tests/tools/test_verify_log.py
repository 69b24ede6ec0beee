"""tools/verify_log.py agrees with every vector of docs/fair-play.md, and is not put off by any input."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.golden.record import FOLDER
from tests.golden.served import served
from tests.keys import SIGNER
from tests.vectors.read import KNOWN_KEYS, LOGS, VECTORS, cases, expected
from tools import verify_log as own

Json = Any

GOLDEN = sorted(FOLDER.glob("*.ndjson"))
KEYS = [key for jwk in KNOWN_KEYS for key in own.keys_in(jwk)]
BY_KID = {own.kid_of(x): x for x in KEYS}


def log(name: str) -> Json:
    return next(log for log in LOGS if log["name"] == name)


def found(text: bytes, keys: Json = (), receipts: Json = ()) -> Json:
    return own.verify(io.BytesIO(text), keys, receipts)


# --- primitives ------------------------------------------------------------------------------------------------------


def test_canonical_bytes() -> None:
    for case in cases("canonical"):
        made = own.canonical(own.parse(case["json"].encode()))
        assert made.hex() == case["canonical_hex"]
        assert own.is_canonical(made, own.parse(made))


@pytest.mark.parametrize("case", cases("not_canonical"), ids=lambda case: case["text"])
def test_what_is_not_canonical(case: Json) -> None:
    text = case["text"].encode()
    try:
        value = own.parse(text)
    except ValueError:
        return
    assert not own.is_canonical(text, value)


def test_numbers_of_any_length_and_nesting_of_any_depth_are_refused_in_order() -> None:
    assert not own.is_canonical(b"1" * 5000, own.parse(b"1" * 5000))
    assert own.parse(b"[" * 100 + b"]" * 100)
    for depth in (101, 5000, 200_000):
        with pytest.raises(ValueError, match="nested"):
            own.parse(b"[" * depth + b"]" * depth)


def test_hashes_salts_and_digests() -> None:
    assert [own.genesis(case["game"]) for case in cases("genesis")] == [case["hash"] for case in cases("genesis")]
    for case in cases("salt"):
        seed = bytes.fromhex(case["server_seed"])
        assert own.salt_of(seed, case["prev"], case["v"], case["field"]) == case["salt"]
    for case in cases("digest"):
        given = [case[name] for name in ("game", "v", "field", "salt", "value")]
        assert own.canonical(given).hex() == case["message_hex"]
        assert own.digest_of(*given) == case["digest"]
    for case in cases("commitment"):
        assert own.commitment_of(case["game"], case["client_seed"]) == case["commitment"]


def test_opens() -> None:
    for case in cases("opens"):
        opened = [case["open"][name] for name in ("v", "field", "salt", "value")]
        assert (own.digest_of(case["game"], *opened) == case["seal"]["digest"]) == case["opens"], case["what"]
    assert {case["opens"] for case in cases("opens")} == {True, False}


def counted(draw: Iterator[int], taken: list[int]) -> Iterator[int]:
    for word in draw:
        taken.append(word)
        yield word


def test_chance() -> None:
    for case in cases("entropy"):
        made = own.entropy_of(bytes.fromhex(case["server_seed"]), case["game"], case["client_seeds"])
        assert made.hex() == case["entropy"]
    for case in cases("words"):
        assert list(islice(own.words(bytes.fromhex(case["entropy"]), case["label"]), 20)) == case["words"]
    for case in cases("numbers"):
        taken: list[int] = []
        draw = counted(own.words(bytes.fromhex(case["entropy"]), case["label"]), taken)
        assert [own.below(draw, n) for n in case["below"]] == case["numbers"]
        assert len(taken) - len(case["below"]) == case["rejected"]
    assert any(case["rejected"] for case in cases("numbers"))


DECKS = {
    "bluff_king, 1 deck": own.FRENCH,
    "bluff_king, 2 decks": own.FRENCH * 2,
    "captains_orders": own.ORDERS,
    "captain_bluff, bags": own.BAGS,
    "captain_bluff, airport": own.AIRPORT,
    "captain_flip": own.TILES,
}


def test_decks_and_shuffles() -> None:
    assert VECTORS["primitives"]["decks"] == DECKS
    for case in cases("shuffle"):
        draw = own.words(bytes.fromhex(case["entropy"]), case["label"])
        assert own.shuffled(draw, case["items"] if "items" in case else DECKS[case["deck"]]) == case["shuffled"]
    assert {case.get("deck") for case in cases("shuffle")} >= set(DECKS)


def test_deals() -> None:
    for case in cases("deals"):
        deal = own.DEALS[case["ruleset"]](bytes.fromhex(case["entropy"]), case["seats"], case["options"])
        assert [due._asdict() for due in deal] == case["events"]
        assert own.can_deal(case["ruleset"], case["seats"], case["options"])
    assert {case["ruleset"] for case in cases("deals")} == set(own.DEALS)


def test_keys() -> None:
    for case in cases("keys"):
        x = bytes.fromhex(case["public_hex"])
        assert (own.base64url(x), own.kid_of(x)) == (case["jwk"]["x"], case["jwk"]["kid"])
        assert own.keys_in(case["jwk"]) == own.keys_in({"signing_keys": [case["jwk"]]}) == [x]


def test_only_one_spelling_of_base64url_counts() -> None:
    x = KNOWN_KEYS[0]["x"]
    assert own.unbase64url(x) == KEYS[0]
    for other in (f"{x}=", f"{x}\n", f"{x[:-1]}h", x.replace("_", "/"), "A", "é"):
        assert own.unbase64url(other) is None


def says(signed: Json) -> str:
    x = BY_KID.get(signed["key"])
    return "unknown key" if x is None else "valid" if own.signature_fits(signed, x) else "invalid"


def test_signatures() -> None:
    for case in cases("signed_head"):
        assert own.signed_message(case["signed"]).hex() == case["message_hex"]
        assert says(case["signed"]) == case["says"]
    assert {case["says"] for case in cases("signed_head")} == {"valid", "invalid", "unknown key"}
    for case in cases("signed_report"):
        assert own.sha256(own.canonical(case["report"])) == case["report_hash"] == case["signed"]["report"]
        assert own.signed_message(case["signed"]).hex() == case["message_hex"]
        assert says(case["signed"]) == "valid"
    for case in cases("conflict"):
        assert own.conflict(*case["heads"], BY_KID) == case["conflict"]


# --- logs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", LOGS, ids=lambda case: case["name"])
def test_logs(case: Json) -> None:
    assert expected(found(case["text"].encode(), KEYS, case["receipts"])) == case["expect"]


def test_every_check_fails_somewhere() -> None:
    failed = {case["expect"]["check"] for case in VECTORS["broken_logs"]}
    assert failed == {
        "cut_short", "unreadable", "not_canonical", "version", "batch", "chain", "head", "header", "seal", "open",
        "commitment", "seed", "salt", "draw", "signature", "receipt",
    }  # fmt: skip


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_logs_are_sound(path: Path) -> None:
    """Games of all sizes: later rounds, renewed piles, every Airport card."""
    lines = served(path)
    made = found(b"".join(lines), own.keys_in(SIGNER.public.jwk()))
    assert (made["verdict"], made["failure"]) == ("sound", None)
    assert made["checked"]["records"] == len(lines) - 2
    assert made["checked"]["salts"] == made["checked"]["seals"] > 0


def test_a_log_is_read_once_and_never_held_whole() -> None:
    """It can come through a pipe, and a line without end does no harm."""

    class Endless(io.RawIOBase):
        asked = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size == own.MAX_LINE
            self.asked += 1
            return b"x" * size if self.asked < 20 else b""

    made = own.verify(Endless(), (), ())
    assert made["failure"]["check"] == "cut_short"


# --- the command line ------------------------------------------------------------------------------------------------

SOUND = log("bluff_king")["text"].encode()
TOOL = Path(own.__file__)


def run(*arguments: str | Path, given: bytes = b"", python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *python, TOOL, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)


@pytest.fixture
def server(tmp_path: Path) -> Path:
    path = tmp_path / "server.json"
    path.write_text(json.dumps({"signing_keys": KNOWN_KEYS}))
    return path


def test_a_sound_log_from_standard_input(server: Path, tmp_path: Path) -> None:
    kept = tmp_path / "receipts"
    heads = log("bluff_king with a receipt of every batch")["receipts"]
    kept.write_text("".join(json.dumps({"version": 1, "signed": head}) + "\n" for head in heads))
    done = run("-", "--key", server, "--receipt", kept, given=SOUND)
    said = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr, said[-1]) == (0, b"", "sound")
    assert [line.split()[1] for line in said[1:-1]] == [
        "lines", "order", "chain", "seals", "seed", "draws", "signature", "receipts",
    ]  # fmt: skip
    assert said[-2].split(maxsplit=2)[2] == f"{len(heads)} fit"


def test_json_and_a_key_as_text(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(SOUND)
    done = run(path, "--json", "--key", KNOWN_KEYS[0]["x"])
    assert json.loads(done.stdout) == json.loads(json.dumps(found(SOUND, KEYS[:1])))
    assert json.loads(run(path, "--json").stdout)["verdict"] == "sound_unsigned"


def test_the_failure_is_named_and_nothing_after_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(log("another order of a value")["text"])
    done = run(path)
    *_, failed, verdict = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr, verdict) == (1, b"", "unsound")
    assert failed.startswith("4 seals      FAILED seal at version 11: ")


def test_without_the_package_signatures_are_not_checked_and_it_says_so(server: Path, tmp_path: Path) -> None:
    kept = tmp_path / "receipts"
    kept.write_text(json.dumps(log("bluff_king with a receipt of every batch")["receipts"]))
    # -I -S: no environment and no site-packages, so nothing but the standard library.
    done = run("-", "--key", server, "--receipt", kept, given=SOUND, python=("-I", "-S"))
    *_, signature, receipts, verdict = done.stdout.decode().splitlines()
    assert (done.returncode, verdict) == (0, "sound_unsigned")
    assert "NOT CHECKED" in signature
    assert "NOT CHECKED" in receipts
    head = json.loads(SOUND.splitlines()[-1])["signed"]["hash"].encode()
    other = SOUND.replace(b'"hash":"' + head, b'"hash":"' + head[::-1])
    assert run("-", "--key", server, given=other, python=("-I", "-S")).returncode == 1


BAD = {
    "empty": (b"", "cut_short"),
    "one end of a line": (b"\n", "unreadable"),
    "binary": (bytes(range(256)) * 40, "cut_short"),
    "binary lines": (bytes(range(256)) * 40 + b"\n", "unreadable"),
    "no log but JSON": (b'{"a":1}\n', "cut_short"),
    "a number": (b"1\n", "cut_short"),
    "truncated": (SOUND[:5000], "cut_short"),
    "truncated at a line": (SOUND[: SOUND.rindex(b"\n", 0, -1) + 1], "cut_short"),
    "two logs in one file": (SOUND + SOUND, "unreadable"),
    "two lines": (b'{"a":1}\n{"complete":true}\n', "unreadable"),
    "a trailer alone": (SOUND[SOUND.rindex(b"\n", 0, -1) + 1 :], "unreadable"),
    "not UTF-8": (SOUND.replace(b"ANNE", b"ANN\xff"), "unreadable"),
    "a byte order mark": (b"\xef\xbb\xbf" + SOUND, "unreadable"),
    "line ends of another kind": (SOUND.replace(b"\n", b"\r\n"), "not_canonical"),
    "too deep": (SOUND.replace(b'"left":1', b'"left":' + b"[" * 5000 + b"]" * 5000, 1), "unreadable"),
    "too long": (SOUND.replace(b"ANNE", b"A" * own.MAX_LINE, 1), "unreadable"),
    "a number of 5000 digits": (SOUND.replace(b'"left":1', b'"left":' + b"1" * 5000, 1), "not_canonical"),
    "a header with other members": (SOUND.replace(b'"status"', b'"statuS"', 1), "unreadable"),
    "a record with another type of member": (SOUND.replace(b'"left":1', b'"left":true', 1), "unreadable"),
}


@pytest.mark.parametrize("name", BAD)
def test_no_input_is_too_bad_for_a_verdict(name: str) -> None:
    text, check = BAD[name]
    made = found(text, KEYS)
    assert (made["verdict"], made["failure"]["check"]) == ("unsound", check)
    assert list(own.report(made))[-1] == "unsound"


def test_a_header_and_a_trailer_without_records() -> None:
    header, *_, trailer = SOUND.splitlines(keepends=True)
    made = found(header + trailer)
    assert made["failure"] == {"phase": "order", "check": "batch", "v": 0, "why": "there is no record"}


def test_a_hostile_text_does_not_reach_the_terminal() -> None:
    game = json.dumps("\x1b[2J\u202e", ensure_ascii=False).replace("\x1b", "\\u001b").encode()
    made = found(SOUND.replace(b'"01VECTORBLUFFKING000000001"', game, 1))
    assert (made["game"], made["failure"]["check"]) == ("\x1b[2J\u202e", "chain")
    assert all(line.isascii() and line.isprintable() for line in own.report(made))


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["nowhere"], {}),
        (["."], {}),
        (["log", "--key", "nowhere"], {}),
        (["log", "--key", "key"], {"key": b"\xff\x00"}),
        (["log", "--key", "key"], {"key": b'{"kty":"RSA"}'}),
        (["log", "--key", "key"], {"key": b"[" * 5000}),
        (["log", "--receipt", "nowhere"], {}),
        (["log", "--receipt", "receipt"], {"receipt": b'{"signed":1}'}),
        (["log", "--receipt", "receipt"], {"receipt": b"not JSON"}),
    ],
)
def test_what_cannot_be_read(
    arguments: list[str], files: dict[str, bytes], tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in {"log": SOUND, **files}.items():
        (tmp_path / name).write_bytes(content)
    assert own.main(arguments) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines())) == ("", 1)
