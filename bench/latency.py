"""How long a player waits: the real system, from the POST of a move to the bot's answer in the player's hands.

Run `python -m bench latency`; it starts `captain up` in a folder of its own.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time

from tests.e2e.client import OVER, Client, Json
from tests.e2e.instance import running
from tests.e2e.playing import a_move

MOVES = 100
WAIT = {"Prefer": "wait=20"}


def measure(client: Client, bots: int, moves: int) -> Iterator[tuple[float, float]]:
    """Play moves that a bot answers; gives ms from the POST to the receipt, and to the bot's event."""
    rng, game = Random(bots), ""
    while moves:
        if not game:
            game = client.create(bots=["standard"] * bots, auto_start=True)
        view = client.until_asked(game)
        if view["status"] in OVER:
            game = ""
            continue
        move = a_move(view["decision"], rng, bold=0)
        before = perf_counter()
        receipt = client.move(game, move).json()
        posted = perf_counter()
        if receipt["events"][-1]["type"] == "game_ended" or client_is_next(receipt):
            continue
        page = client.get(f"/games/{game}/events", params={"after": receipt["cursor"]}, headers=WAIT)
        answered = perf_counter()
        if page["items"][0]["by"] == "bot":
            moves -= 1
            yield (posted - before) * 1000, (answered - before) * 1000


def client_is_next(receipt: Json) -> bool:
    """Whether the move brought the lead to its player again, so that no bot answers."""
    last = receipt["events"][-1]
    return last["type"] == "lead_passed" and last["seat"] == 0


def print_times(label: str, times: list[float]) -> None:
    """One line: median, 95th percentile, most."""
    print(f"{label:52} {median(times):6.1f} {quantiles(times, n=20)[-1]:6.1f} {max(times):6.1f}")


def share_of_a_core() -> float:
    """How much of a core a busy process gets here; with less than all of it the times pay for others' work."""
    wall, cpu, number = perf_counter(), process_time(), 0
    while process_time() - cpu < 0.3:
        number += 1
    return (process_time() - cpu) / (perf_counter() - wall)


def main() -> None:
    """Print the table, after some moves that warm everything up."""
    print(f"a busy process gets {share_of_a_core():.0%} of a core here")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as instance, instance.client("Ann") as ann:
        print(f"{'ms':52} median    p95    max")
        for bots in (1, 3):
            list(measure(ann, bots, 20))
            posts, answers = zip(*measure(ann, bots, MOVES), strict=True)
            print_times(f"POST of a move, {bots} bots", list(posts))
            print_times(f"from the POST to the bot's event read, {bots} bots", list(answers))


if __name__ == "__main__":
    main()
