"""Games that bots play, with real processes and nobody connected."""

import pytest

from tests.waiting import until
from tests.workers.world import World


@pytest.mark.slow
def test_a_game_of_bots_plays_to_its_end_with_nobody_connected(world: World) -> None:
    world.start_all()
    games = [world.create(bots, host_seat=None) for bots in (2, 4)]
    until(lambda: all(world.over(game) for game in games), 60)
    until(world.settled)
    for game in games:
        assert world.types(game)[-1] == "game_ended"
        world.assert_whole(game)
    assert until(lambda: not world.client.keys("rq:job:*"))
    world.stop_all()
    assert [process.returncode for process in world.processes] == [0, 0, 0]
