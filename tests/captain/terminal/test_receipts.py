import json
from pathlib import Path

import pytest

from captain.terminal.receipts import Receipts


def test_each_signed_head_is_a_line_of_its_games_file(tmp_path: Path) -> None:
    receipts = Receipts(tmp_path)
    for version in (3, 4):
        receipts.keep({"game": "G1", "signed": {"game": "G1", "version": version}})
    lines = receipts.path("G1").read_text().splitlines()
    assert [json.loads(line)["version"] for line in lines] == [3, 4]


@pytest.mark.parametrize(
    "answer", [{}, {"signed": None}, {"signed": {}}, {"signed": {"game": "../../evil"}}, {"signed": {"game": "a/b"}}]
)
def test_what_is_no_receipt_of_a_game_is_not_kept(tmp_path: Path, answer) -> None:
    Receipts(tmp_path).keep(answer)
    assert list(tmp_path.rglob("*")) == []
