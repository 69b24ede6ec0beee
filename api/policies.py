"""How much of what may be asked in which time: the buckets and their sizes."""

from collections.abc import Mapping
from typing import NamedTuple


class Policy(NamedTuple):
    """At most `amount` requests of a kind in any `seconds`.

    `shared` says where it is counted: in the queue's Redis, exactly, for all web processes; or in each process by
    itself, without a round trip.
    """

    name: str
    amount: int
    seconds: int
    shared: bool = False


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("reads", 1200, 60),
        Policy("writes", 120, 60),
        # A table may be played by programs, and a vote window asks all seats at once: ten a second for ten seconds.
        Policy("moves", 100, 10),
        Policy("polls", 600, 60),
        # What is rare and costs something that stays is counted exactly, for a round trip.
        Policy("players", 60, 60, shared=True),
        Policy("games", 60, 60, shared=True),
        Policy("streams", 120, 60, shared=True),
        Policy("tickets", 120, 60, shared=True),
    )
}
"""Each is counted by player; by address where no token is asked for or none was sent, and always for `players`."""

BY_ADDRESS = frozenset(("players",))


def changed(changes: Mapping[str, tuple[int, int] | None]) -> dict[str, Policy]:
    """The policies with other amounts and seconds; None takes one away."""
    found = dict(POLICIES)
    for name, size in changes.items():
        if size is None:
            del found[name]
        else:
            found[name] = found[name]._replace(amount=size[0], seconds=size[1])
    return found


def told(policies: Mapping[str, Policy]) -> dict[str, dict[str, object]]:
    """The policies as /v1/server tells them."""
    return {
        name: {"limit": one.amount, "window_s": one.seconds, "per": "address" if name in BY_ADDRESS else "player"}
        for name, one in policies.items()
    }
