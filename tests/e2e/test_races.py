"""Many at once: two web processes and one seat, eight seats and one vote window."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from threading import Barrier
from urllib.parse import urlsplit

import pytest

from tests.e2e.client import OVER, Client, Json, code_of
from tests.e2e.conftest import Join
from tests.e2e.instance import Instance
from tests.e2e.playing import a_move

RACES = 200
WINDOWS = 12
HUNG_S = 30


def served_by(instance: Instance, client: Client) -> int:
    """The process that holds the other end of a client's connection."""
    answer = client.send("GET", "/server")
    mine = answer.extensions["network_stream"].get_extra_info("client_addr")[1]
    port = urlsplit(instance.address).port or 0
    ends = f":{port:04X} [0-9A-F]+:{mine:04X} "
    inode = next(row.split()[9] for row in Path("/proc/net/tcp").read_text().splitlines() if re.search(ends, row))
    for pid in instance.pids("web"):
        if f"socket:[{inode}]" in {str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir() if fd.is_symlink()}:
            return pid
    raise AssertionError(f"nobody holds {ends}")


@contextmanager
def two_processes(instance: Instance, player: Client) -> Iterator[tuple[Client, Client]]:
    """Two connections of one player, to two web processes."""
    with ExitStack() as stack:
        first = stack.enter_context(player.twin())
        one = served_by(instance, first)
        for _ in range(200):
            second = stack.enter_context(player.twin())
            if served_by(instance, second) != one:
                yield first, second
                return
        raise AssertionError("one process took all connections")


@pytest.mark.slow
def test_of_two_answers_to_one_question_one_is_played_and_one_is_refused(captain: Instance, join: Join) -> None:
    ann, bob = join("Ann"), join("Bob")
    rng, codes, raced = Random(1), Counter[str](), 0
    with (
        two_processes(captain, ann) as anns,
        two_processes(captain, bob) as bobs,
        ThreadPoolExecutor(2) as pool,
    ):
        game, length = "", 0
        while raced < RACES:
            if not game:
                game = ann.create(auto_start=True)
                length = bob.sit(game)["to"]
            view = ann.view(game)
            if view["status"] in OVER:
                game = ""
                continue
            pair = (anns, bobs)[view["asked"][0]["seat"]]
            question = pair[0].question(game)
            assert question
            codes[race(pool, pair, game, question, rng, length)] += 1
            events = ann.log(game, after=length)
            assert events, "the accepted one is in the log"
            assert [event["left"] for event in events] == list(range(len(events)))[::-1], "and it alone: one batch"
            length += len(events)
            raced += 1
    print(f"refused with: {dict(codes)}")
    # The accepted answer may bring another question to the same seat, to another one, or end the game.
    assert set(codes) <= {"decision_closed", "not_asked", "game_over"}


def race(
    pool: ThreadPoolExecutor, pair: tuple[Client, Client], game: str, question: Json, rng: Random, length: int
) -> str:
    """Two answers at once, not the same ones; the code with which one of them was refused."""
    moves = [a_move(question, rng), a_move(question, rng)]
    start = Barrier(2)

    def send(client: Client, move: Json):
        start.wait(HUNG_S)
        return client.move(game, move)

    answers = list(pool.map(send, pair, moves))
    accepted = [answer for answer in answers if answer.status_code == 201]
    refused = [answer for answer in answers if answer.status_code == 409]
    assert (len(accepted), len(refused)) == (1, 1), [answer.text for answer in answers]
    assert accepted[0].json()["from"] == length + 1
    return code_of(refused[0])


@pytest.mark.slow
def test_eight_seats_answer_one_vote_window_at_once_and_all_votes_count(join: Join) -> None:
    host, *others = table = [join(name) for name in "ABCDEFGH"]
    game = host.create(seats=8, options={"adding": "after_no_challenge"}, auto_start=True)
    for other in others:
        other.sit(game)
    rng, windows = Random(2), 0
    with ThreadPoolExecutor(8) as pool:
        while windows < WINDOWS:
            view = host.view(game)
            assert view["status"] == "playing", "eight hands of thirteen last longer than that"
            asked = [table[one["seat"]] for one in view["asked"]]
            if view["asked"][0]["kind"] != "vote":
                (mover,) = asked
                question = mover.question(game)
                assert question
                assert mover.move(game, a_move(question, rng)).status_code == 201
                continue
            vote_at_once(pool, asked, game, rng, view["version"])
            windows += 1


def vote_at_once(pool: ThreadPoolExecutor, asked: list[Client], game: str, rng: Random, version: int) -> None:
    """All seats of a window vote at the same time; each vote is in the log, and the last one closes the window."""
    assert len(asked) == 7
    questions = [client.question(game) for client in asked]
    moves = [a_move(question, rng) for question in questions if question]
    start = Barrier(len(asked))

    def vote(client: Client, move: Json):
        start.wait(HUNG_S)
        return client.move(game, move)

    answers = list(pool.map(vote, asked, moves))
    assert [answer.status_code for answer in answers] == [201] * 7, [answer.text for answer in answers]
    events = asked[0].log(game, after=version)
    cast = [event for event in events if event["type"] == "vote_cast"]
    assert len({event["seat"] for event in cast}) == len(cast) == 7
    (closed,) = [event for event in events if event["type"] == "vote_closed"]
    counted = Counter(opened["value"] for opened in closed["opens"])
    assert counted == Counter(move["type"] for move in moves)
    assert (closed["data"]["challenger"] is not None) == ("challenge" in counted)
