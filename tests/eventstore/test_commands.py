"""Command ids and fingerprints."""

from eventstore.commands import Command
from tests.eventstore.world import owes


def test_the_ids_of_requests_and_obligations_never_collide() -> None:
    obligation = owes("bot")
    ids = {
        Command.of_request("bot", "1").digest,
        Command.of_request("bot1", "").digest,
        Command.of_request("", "bot1").digest,
        Command.of_request("obligation", obligation.print()).digest,
        obligation.command.digest,
    }
    assert len(ids) == 5
    assert obligation.command.fingerprint == obligation.command.digest
    assert Command.of_request("p", "k", b"ab", b"c") != Command.of_request("p", "k", b"a", b"bc")
