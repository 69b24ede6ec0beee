"""Fair play: the audit of a game, its challenges with their proofs, and disputes."""

import re
from typing import Any

from flask import Response
from msgspec import to_builtins

from api import access, auth, commanding
from api.answers import answer, of_log, rfc3339, unchanged
from api.fair_play_schemas import AuditSchema, ChallengeDetail, ChallengePage, DisputePage, DisputeSchema
from api.problems import Problem
from api.requests import NewDispute
from api.resource import CONDITIONAL, Resource
from api.routing import Whole
from api.state import state, store
from domain import challenges as domain
from domain.disputes import Dispute
from domain.errors import Refused
from domain.game import Game
from domain.observers import EVERYTHING, SPECTATOR
from eventstore.cache import Entry

fair_play = Resource(
    "fair play", __name__, url_prefix="/v1", description="Audits, challenges with their proofs, and disputes."
)

Json = dict[str, Any]
WHOLE = re.compile(Whole.regex)


def _read(game: str) -> Entry:
    access.readable(game, auth.caller())
    return store().repository.entry(game)


# --- the audit -------------------------------------------------------------------------------------------------------


@fair_play.operation(
    "GET",
    "/games/<string:game>/audit",
    answer=AuditSchema,
    access="optional",
    scope="read",
    fails=("unknown_game", "game_not_over"),
    doc=CONDITIONAL,
)
def get_audit(game: str) -> Response:
    """Get the audit of a game that is over: whether its log is sound, and what was found.

    You need not take the server's word: `captain audit` does the same with the log, and other verifiers are described
    in the docs on fair play.
    """
    entry = _read(game)
    if not entry.game.over:
        raise Problem("game_not_over")
    tag, headers = of_log(entry, "audit")
    return unchanged(tag, headers) or answer(
        store().audits.audit(game, state().signing_keys()).as_json(), headers=headers
    )


# --- challenges ------------------------------------------------------------------------------------------------------


@fair_play.operation(
    "GET", "/games/<string:game>/challenges", answer=ChallengePage, access="optional", scope="read",
    fails=("unknown_game",), yields={"v": "/items/0/v"}, doc=CONDITIONAL,
)  # fmt: skip
def list_challenges(game: str) -> Response:
    """List every challenge of a game: who claimed what, who called it, what was shown, and who was right.

    All are told the same, seated or not. Once the game is over, `provenance` tells more.
    """
    entry = _read(game)
    tag, headers = of_log(entry, "challenges")
    same = unchanged(tag, headers)
    if same is not None:
        return same
    entries = store().audits.entries(game, _eyes(entry.game))
    found = domain.challenges(entry.rules.rules, entry.rules.codec, entries)
    items = [_challenge(one, entry.game) for one in found]
    return answer({"items": items, "next": None}, headers=headers)


@fair_play.operation(
    "GET", "/games/<string:game>/challenges/<whole:v>", answer=ChallengeDetail, access="optional", scope="read",
    fails=("unknown_game", "unknown_challenge"), doc=CONDITIONAL,
)  # fmt: skip
def get_challenge(game: str, v: int) -> Response:
    """Get the challenge that the event of a version resolved, with its proof.

    The proof is good without trusting this server now: the sealed record, its opening, and their places in the chain
    under signed heads. Once the game is over, `provenance` tells how each card came to the claimant.
    """
    entry = _read(game)
    tag, headers = of_log(entry, f"challenge{v}")
    same = unchanged(tag, headers)
    if same is not None:
        return same
    entries = store().audits.entries(game, _eyes(entry.game))
    try:
        found = domain.challenge(entry.rules.rules, entry.rules.codec, entries, v)
    except Refused:
        raise Problem("unknown_challenge") from None
    proof = domain.proof(game, entries, v, state().signer())
    return answer({**_challenge(found, entry.game), "proof": proof}, headers=headers)


def _eyes(game: Game) -> Any:
    """With everything open once the game is over; before that all are told the same, whatever they know besides."""
    return EVERYTHING if game.over else SPECTATOR


def _challenge(found: domain.Challenge, game: Game) -> Json:
    told: Json = to_builtins(found.explanation)
    return {
        **told,
        "at": rfc3339(found.at),
        "proven": "seal" if found.sealed else "audit",
        "provenance": told["provenance"] if game.over else None,
    }


# --- disputes --------------------------------------------------------------------------------------------------------


@fair_play.operation(
    "POST", "/games/<string:game>/disputes", status=202, answer=DisputeSchema, access="required", scope="play",
    body=NewDispute, keyed=True, fails=("unknown_game", "not_seated", "unknown_challenge", "already_disputed"),
    located=True, yields={"dispute": "/id"},
)  # fmt: skip
def file_dispute(new: Json, game: str) -> Response:
    """Dispute a challenge of a game that you play or played, or the whole game.

    The log is audited, and a signed report follows: see `Location`. While the game goes on it says what can be proven
    by then; another one follows when the game is over. Each seat may dispute each challenge, and the game, once.
    """
    player = auth.player()
    facts = access.readable(game, player)
    if facts.place_of(player.id) is None:
        facts = store().repository.game(game).game
    seat = facts.place_of(player.id)
    if seat is None:
        raise Problem("not_seated")
    challenge = new.get("challenge")
    if challenge is not None:
        _known_challenge(game, challenge)
    try:
        filed = store().disputes.file(
            game, seat=seat, player=player.id, challenge=challenge, reason=new["reason"], command=commanding.identity()
        )
    except Refused as refused:
        raise Problem("already_disputed", dispute=_id(game, int(str(refused.facts["number"])))) from None
    headers = {"Location": f"/v1/disputes/{_id(game, filed.dispute.number)}"}
    if filed.replayed:
        headers["Idempotency-Replayed"] = "true"
    return answer(_dispute(game, filed.dispute), 202, headers)


def _known_challenge(game: str, v: int) -> None:
    entry = store().repository.entry(game)
    record = store().log.read(game, v - 1, 1) if v <= entry.game.version else ()
    if not record or record[0].type not in entry.rules.rules.info.challenge_events:
        raise Problem("unknown_challenge")


@fair_play.operation(
    "GET",
    "/games/<string:game>/disputes",
    answer=DisputePage,
    access="optional",
    scope="read",
    fails=("unknown_game",),
    yields={"dispute": "/items/0/id"},
)
def list_disputes(game: str) -> Response:
    """List the disputes about a game, the oldest first.

    Whoever may read the game may read them.
    """
    access.readable(game, auth.caller())
    items = [_dispute(game, dispute) for dispute in store().disputes.read(game).disputes]
    return answer({"items": items, "next": None})


@fair_play.operation(
    "GET",
    "/disputes/<string:dispute>",
    answer=DisputeSchema,
    access="optional",
    scope="read",
    fails=("unknown_dispute",),
)
def get_dispute(dispute: str) -> Response:
    """Get a dispute, and the report on it as soon as there is one.

    `status` says how far it has come: `open`, `reported` for what can be proven by now, `closed`.
    """
    game, _, number = dispute.partition("-")
    try:
        access.readable(game, auth.caller())
    except Problem:
        raise Problem("unknown_dispute") from None
    found = store().disputes.read(game).dispute(int(number)) if WHOLE.fullmatch(number) else None
    if found is None:
        raise Problem("unknown_dispute")
    return answer(_dispute(game, found))


def _id(game: str, number: int) -> str:
    return f"{game}-{number}"


def _dispute(game: str, dispute: Dispute) -> Json:
    report = dispute.report
    return {
        "id": _id(game, dispute.number),
        "game": game,
        "seat": dispute.seat,
        "challenge": dispute.challenge,
        "reason": dispute.reason,
        "filed": rfc3339(dispute.filed),
        "status": "open" if report is None else "closed" if dispute.final else "reported",
        "outcome": None if report is None else report["outcome"],
        "reported": None if report is None else rfc3339(dispute.reported),
        "report": report,
        "signed": dispute.signed,
    }
