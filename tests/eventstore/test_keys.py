"""Key names: fixed for ever, as stored logs lie under them."""

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore.keys import GAME_ID, SHARDS, case_keys, game_keys, presence_key, shard_keys, shard_of


def test_the_names_never_change() -> None:
    assert astuple(game_keys("01GAME")) == (
        "{s28}:g:01GAME:e", "{s28}:g:01GAME:m", "{s28}:g:01GAME:c", "{s28}:open",
    )  # fmt: skip
    assert astuple(case_keys("01GAME-disputes")) == (
        "{s49}:d:01GAME-disputes:e", "{s49}:d:01GAME-disputes:m", "{s49}:d:01GAME-disputes:c", "{s49}:cases",
    )  # fmt: skip
    assert presence_key("01GAME") == "{s28}:g:01GAME:p"
    names = ("due", "tries", "open", "bell", "alive", "fence")
    assert astuple(shard_keys(5)) == tuple(f"{{s05}}:{name}" for name in names)
    assert [shard_of(game) for game in ("01GAME", "a", "z_-9")] == [28, 3, 14]


@given(st.from_regex(GAME_ID, fullmatch=True))
def test_all_keys_of_a_game_and_its_shard_have_one_hash_tag(game: str) -> None:
    shard, case = astuple(shard_keys(shard_of(game))), astuple(case_keys(game))
    keys = (*astuple(game_keys(game))[:3], *case, presence_key(game), *shard)
    assert len({key[: key.index("}")] for key in keys}) == 1
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("game", ["", "a b", "a:b", "a}", "\u00e9", "x" * 65, "a\n"])
def test_what_cannot_be_a_game_id_has_no_keys(game: str) -> None:
    with pytest.raises(ValueError, match="game id"):
        game_keys(game)


@pytest.mark.parametrize("shard", [-1, SHARDS])
def test_there_is_no_other_shard(shard: int) -> None:
    with pytest.raises(ValueError, match="0 to 63"):
        shard_keys(shard)
