"""The server's word: signed heads in receipts, and the keys to check them with."""

from domain.signing import SignedHead, public_of
from tests.api.client import Client
from tests.keys import SIGNER


def test_a_receipt_is_signed_with_a_key_that_the_server_names(ann: Client):
    receipt = ann.post("/v1/games", {"ruleset": "bluff_king"}).json
    head = SignedHead(**receipt["signed"])
    assert (head.game, head.version, head.hash) == (receipt["game"], receipt["to"], receipt["hash"])
    keys = {key["kid"]: public_of(key) for key in ann.get("/v1/server").json["signing_keys"]}
    assert keys[head.key].holds(head.signature, head.statement)


def test_the_active_key_stands_first_and_retired_ones_stay(anybody: Client):
    first, second = anybody.get("/v1/server").json["signing_keys"]
    assert (first["kid"], first["status"], second["status"]) == (SIGNER.public.kid, "active", "retired")
    assert not any("d" in key for key in (first, second))


def test_a_repeat_is_signed_alike(ann: Client):
    game = ann.game()
    key = {"Idempotency-Key": "again"}
    first, again = (ann.post(f"/v1/games/{game}/seats", {"bot": "novice"}, headers=key) for _ in range(2))
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json["signed"] == first.json["signed"]
