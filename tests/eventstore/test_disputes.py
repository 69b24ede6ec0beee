"""Case files in the store: filed once, answered once for each obligation, whoever was faster."""

import threading
from typing import Any

import pytest
from redis import Redis

from domain.errors import Corrupt, Refused
from eventstore import connect
from eventstore.commands import Command
from eventstore.disputes import AUDIT, Disputes, case_of, game_of, number_of
from eventstore.keys import case_keys, shard_of
from eventstore.log import Log
from eventstore.obligation import Obligation
from eventstore.owed import Owed
from eventstore.store import Store
from eventstore.stored import KeyReused

GAME = "01GAME"
CASE = case_of(GAME)
REPORT: dict[str, Any] = {"final": False, "outcome": "pending"}


@pytest.fixture
def client(store) -> Redis:
    made = connect.appending(store.url)
    made.flushall()
    return made


@pytest.fixture
def disputes(client: Redis) -> Disputes:
    return Disputes(Log(client, keys=case_keys))


def file(disputes: Disputes, name: str = "k", seat: int = 0, challenge: int | None = None, content: bytes = b"x"):
    command = Command.of_request("player", name, content)
    return disputes.file(GAME, seat=seat, player="p", challenge=challenge, reason="why", command=command)


def owed(client: Redis) -> list[Obligation]:
    return [due.obligation for due in Owed(client).list_due(shard_of(CASE), CASE)]


def test_a_game_that_nobody_disputed_has_an_empty_file(disputes: Disputes) -> None:
    assert disputes.read(GAME).disputes == ()


def test_filing_owes_a_report(disputes: Disputes, client: Redis) -> None:
    filed = file(disputes, challenge=9)
    assert (filed.dispute.number, filed.dispute.challenge, filed.replayed) == (1, 9, False)
    assert owed(client) == [Obligation(CASE, AUDIT, 0, "1")]
    assert (game_of(CASE), number_of(owed(client)[0])) == (GAME, 1)


def test_a_repeat_files_nothing(disputes: Disputes, client: Redis) -> None:
    first = file(disputes)
    again = file(disputes)
    assert (again.dispute, again.replayed) == (first.dispute, True)
    with pytest.raises(KeyReused):
        file(disputes, content=b"y", challenge=3)
    with pytest.raises(Refused, match="already_disputed"):
        file(disputes, name="other")
    assert disputes.read(GAME).version == 1
    assert len(owed(client)) == 1


def test_a_report_fulfils_what_was_owed_and_owes_the_next_until_it_is_final(disputes: Disputes, client: Redis) -> None:
    file(disputes)
    (first,) = owed(client)
    disputes.report(first, REPORT, {"signature": "s"}, 10**13)
    (then,) = Owed(client).list_due(shard_of(CASE), CASE)
    assert (then.obligation.decision, then.at) == ("1.final", 10**13)
    disputes.report(then.obligation, {**REPORT, "final": True}, {"signature": "t"}, 0)
    assert owed(client) == []
    (dispute,) = disputes.read(GAME).disputes
    assert (dispute.final, dispute.signed) == (True, {"signature": "t"})


def test_a_report_that_is_made_twice_is_written_once(disputes: Disputes, client: Redis) -> None:
    file(disputes)
    (first,) = owed(client)
    for outcome in ("pending", "upheld"):
        disputes.report(first, {**REPORT, "outcome": outcome}, {}, 10**13)
    (dispute,) = disputes.read(GAME).disputes
    assert dispute.report is not None
    assert dispute.report["outcome"] == "pending"
    assert disputes.read(GAME).version == 2


def test_many_who_file_at_once_all_succeed_once(disputes: Disputes, client: Redis) -> None:
    def run(seat: int) -> None:
        for challenge in range(1, 6):
            for _ in range(2):
                file(disputes, f"{seat} {challenge}", seat, challenge)

    threads = [threading.Thread(target=run, args=(seat,)) for seat in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = disputes.read(GAME)
    assert {(d.seat, d.challenge) for d in found.disputes} == {(s, c) for s in range(4) for c in range(1, 6)}
    assert found.version == len(found.disputes) == len(owed(client)) == 20


def test_a_case_file_that_was_changed_is_not_read(disputes: Disputes, client: Redis) -> None:
    file(disputes)
    file(disputes, name="two", seat=1)
    client.xdel(case_keys(CASE).stream, "1-0")
    with pytest.raises(Corrupt):
        disputes.read(GAME)


def test_case_files_are_no_games(store, client: Redis) -> None:
    """They are not swept for downtime, not reconciled, not listed."""
    from workers.reconcile import reconcile_all
    from workers.reindex import games

    opened = Store(store.url, allow_unsafe=True)
    try:
        file(opened.disputes)
        assert list(opened.owed.open_games(shard_of(CASE))) == []
        assert list(games(opened)) == []
        assert reconcile_all(opened) == []
        assert owed(client) == [Obligation(CASE, AUDIT, 0, "1")]
    finally:
        opened.close()
