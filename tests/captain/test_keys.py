import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from captain import keys
from captain.cli import main
from captain.settings import SettingsError


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "keys.json"
    monkeypatch.setenv("SIGNING_KEYS", str(found))
    return found


def captain(*words: str):
    return CliRunner().invoke(main, ["keys", *words])


def test_a_new_key_signs_and_those_before_it_still_verify(path: Path) -> None:
    first = keys.new(path)
    old = keys.load(path).signer
    signature = old.sign(b"said")
    second = keys.new(path)
    now = keys.load(path)
    assert [key.kid for key in now] == [second, first]
    assert now.signer.public.kid == second
    assert [key.holds(signature, b"said") for key in now] == [False, True]


def test_a_retired_key_has_no_private_half_left(path: Path) -> None:
    for _ in range(3):
        keys.new(path)
    assert ["d" in entry for entry in json.loads(path.read_text())["keys"]] == [True, False, False]


def test_nobody_else_may_read_the_file(path: Path) -> None:
    keys.new(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_the_first_start_makes_a_key_and_the_next_one_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "keys.json"
    keys.ensure(path)
    kid = keys.load(path).signer.public.kid
    keys.ensure(path)
    assert keys.load(path).signer.public.kid == kid


def _spoilt(text: str):
    return lambda path: path.write_text(text)


def _without_d(path: Path) -> None:
    keys.new(path)
    entries = json.loads(path.read_text())["keys"]
    path.write_text(json.dumps({"keys": [{k: v for k, v in e.items() if k != "d"} for e in entries]}))


def _mixed(path: Path) -> None:
    keys.new(path)
    one = json.loads(path.read_text())["keys"][0]
    path.unlink()
    keys.new(path)
    other = json.loads(path.read_text())["keys"][0]
    path.write_text(json.dumps({"keys": [{**one, "d": other["d"]}]}))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: None, "No signing keys"),
        (_spoilt("{"), "not JSON"),
        (_spoilt("[]"), "JSON Web Key Set"),
        (_spoilt('{"keys": ["a"]}'), "JSON Web Key Set"),
        (_spoilt('{"keys": []}'), "No signing keys"),
        (_spoilt('{"keys": [{"kty": "OKP", "d": "AA"}]}'), "32 bytes"),
        (_without_d, "private half"),
        (_mixed, "do not belong together"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_reason(path: Path, spoil, says: str) -> None:
    spoil(path)
    with pytest.raises(SettingsError, match=says):
        keys.load(path)


def test_the_commands(path: Path) -> None:
    assert captain("list").exit_code == 1
    first = captain("new").output.strip()
    second = captain("new").output.strip()
    lines = captain("list").output.splitlines()
    assert [line.split()[:2] for line in lines] == [[second, "active"], [first, "retired"]]
    shown = json.loads(captain("list", "--json").output)["keys"]
    assert [key["kid"] for key in shown] == [second, first]
    assert not any("d" in key for key in shown)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNING_KEYS", str(tmp_path / "none" / "keys.json"))
    done = captain("new")
    assert done.exit_code == 1
    assert "cannot be written" in done.output
