"""An operator who cheats: it owns the store, the seeds and the signing key, and rewrites what has happened.

Its forgeries are perfect: legal moves, right seals, right chain, right signature. Players catch it all the same, with
nothing but the receipts that they were given at the time and the log that is shown to everybody.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain import canonical, sealing
from domain.audit import Verdict, audit
from domain.commands import Command, Play
from domain.decide import decide
from domain.events import Event
from domain.game import Game
from domain.moves import Move, Pass
from domain.reexecute import command_of
from domain.registry import REGISTRY
from domain.signing import SignedHead
from eventstore.keys import game_keys
from eventstore.replies import StoredRecord
from eventstore.store import Store
from eventstore.stored import secrets_of
from tests import forging
from tests.api.client import Client, filled
from tests.keys import KEYS

RULES, CODEC = REGISTRY.newest("bluff_king"), REGISTRY.codec("bluff_king", 1)


class Player:
    """A client that keeps the signed head of every receipt."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.receipts: list[SignedHead] = []

    def post(self, path: str, body: Any) -> None:
        answer = self.client.post(path, body)
        assert answer.status_code == 201, answer.text
        self.receipts.append(SignedHead(**answer.json["signed"]))

    def audits(self, game: str, *more: SignedHead) -> Verdict:
        """What this player finds in the log that everybody is shown, with its receipts and those it was handed."""
        lines = self.client.get(f"/v1/games/{game}/log?as=all").data.splitlines(keepends=True)
        return audit(lines, keys=KEYS, receipts=[*self.receipts, *more])


@pytest.fixture
def players(ann: Client, bob: Client) -> tuple[Player, Player]:
    return Player(ann), Player(bob)


@pytest.fixture
def game(players: tuple[Player, Player]) -> str:
    """A finished game of two, in which somebody called a claim."""
    ann, bob = players
    rng = random.Random(5)
    for _ in range(20):
        game = ann.client.game(auto_start=True)
        ann.receipts.clear(), bob.receipts.clear()
        bob.post(f"/v1/games/{game}/seats", {})
        for _ in range(40):
            asked = ann.client.view(game)["asked"]
            if not asked:
                break
            player = players[asked[0]["seat"]]
            form = rng.choice(player.client.view(game)["decision"]["moves"])
            player.post(f"/v1/games/{game}/moves", filled(form))
        if "challenged" in {
            event["type"] for event in ann.client.get(f"/v1/games/{game}/events?limit=200").json["items"]
        }:
            if ann.client.view(game)["asked"]:
                bob.client.delete(f"/v1/games/{game}/seats/me")
            return game
    raise AssertionError("nobody ever called a claim")


# --- what the operator can do ----------------------------------------------------------------------------------------


def history(opened: Store, game: str) -> list[tuple[Game, Command, tuple[Event, ...]]]:
    """Each batch of a game: the game before it, the command, the events."""
    found, before, batch = [], Game(id=game), []
    for stored in opened.log.read(game):
        batch.append(CODEC.event(canonical.loads(stored.record), secrets_of(stored)))
        if not batch[-1].left:
            command = command_of(RULES, before, batch)
            found.append((before, command, tuple(batch)))
            before, batch = decide(RULES, before, command, found[-1][2][0].at).game, []
    return found


def rewrite(
    opened: Store, game: str, choose: Callable[[Game, Play, tuple[Event, ...]], Move | None]
) -> list[sealing.SealedRecord]:
    """Another history: at the first move for which `choose` has another one; then both players play on to the end."""
    batches = history(opened, game)
    created = batches[0][2][0]
    seed = created.server_seed.value
    state, made, hashes, forked = Game(id=game), list[sealing.SealedRecord](), [sealing.genesis(game)], False
    rng = random.Random(1)

    def add(command: Command, at: int) -> None:
        nonlocal state
        decided = decide(RULES, state, command, at)
        sealed = sealing.seal(game, seed, decided.events, hashes)
        made.extend(sealed)
        hashes.extend(one.hash for one in sealed)
        state = decided.game

    for before, command, events in batches:
        other = choose(before, command, events) if isinstance(command, Play) else None
        if isinstance(command, Play) and other is not None:
            add(Play(command.seat, command.decision, other), events[0].at)
            forked = True
            break
        add(command, events[0].at)
    assert forked, "there was nothing to rewrite"
    while state.result is None:
        asked = next(a for a in state.asked if a.decision.required)
        form = rng.choice(RULES.forms(state.table, asked.decision))
        add(Play(asked.decision.seat, asked.id, form.sample(rng)), state.at + 10)
    return made


def show(opened: Store, game: str, records: list[sealing.SealedRecord]) -> None:
    """Put another history into the store, as if it had never been otherwise."""
    forging.put(opened, game, [StoredRecord(r.v, r.type, r.sv, r.record, r.secrets) for r in records])
    opened.writer.hset(game_keys(game).meta, mapping={"v": records[-1].v, "h": records[-1].hash})


def another_card(before: Game, command: Play, events: tuple[Event, ...]) -> Move | None:
    """For a claim of one card: the same claim with another card of that hand."""
    if events[0].type != "cards_claimed" or len(command.move.cards) != 1:
        return None
    held = [card for card in before.table.hands[command.seat].known if card != command.move.cards[0]]
    return replace(command.move, cards=(held[0],)) if held else None


def no_challenge(before: Game, command: Play, events: tuple[Event, ...]) -> Move | None:
    """For a call: that nobody called."""
    return Pass() if any(event.type == "challenged" for event in events) else None


# --- and how it is caught --------------------------------------------------------------------------------------------


def test_an_honest_log_agrees_with_every_receipt(players: tuple[Player, Player], game: str):
    for player in players:
        verdict = player.audits(game)
        assert (verdict.verdict, verdict.complete, verdict.findings) == ("sound", True, ())


@pytest.mark.parametrize("choose", [another_card, no_challenge])
def test_a_rewritten_history_is_perfect_but_for_the_receipts(players, game: str, opened: Store, anybody, choose):
    show(opened, game, rewrite(opened, game, choose))
    stranger = Player(anybody).audits(game)
    assert (stranger.verdict, stranger.complete) == ("sound", True), "the forgery is to be perfect"
    for player in players:
        verdict = player.audits(game)
        assert verdict.verdict == "unsound"
        assert {finding.rule for finding in verdict.findings} == {"receipt"}


def test_the_end_cut_off_is_noticed_by_whoever_saw_more(players, game: str, opened: Store):
    batches = history(opened, game)
    keep = batches[len(batches) // 2][0].version
    seed = batches[0][2][0].server_seed.value
    events = [event for _, _, batch in batches for event in batch if event.v <= keep]
    show(opened, game, sealing.seal(game, seed, events, [sealing.genesis(game)]))
    lines = players[0].client.get(f"/v1/games/{game}/log").data.splitlines(keepends=True)
    verdict = audit(lines, keys=KEYS, receipts=players[0].receipts)
    assert verdict.verdict == "unsound"
    assert ("receipt", "version") in {(finding.rule, finding.field) for finding in verdict.findings}


def test_two_histories_for_two_players_are_proven_by_two_receipts(players, game: str, opened: Store):
    """Each is shown the history that its own receipts fit; together they hold the proof, whatever log is shown."""
    ann, bob = players
    other = rewrite(opened, game, another_card)
    hashes = {one.v: one.hash for one in other}
    both = {head.version for head in ann.receipts if hashes.get(head.version, head.hash) != head.hash}
    assert both, "the histories are to part while both are given receipts"
    show(opened, game, other)
    bob.receipts[:] = [KEYS.signer.head(game, v, other[v - 1].hash, _at(other[v - 1])) for v in sorted(both)]
    assert bob.audits(game).verdict == "sound"
    together = bob.audits(game, *ann.receipts)
    assert together.verdict == "unsound"
    assert {f.version for f in together.findings if f.field == "histories"} == both


def _at(record: sealing.SealedRecord) -> int:
    return canonical.loads(record.record)["at"]
