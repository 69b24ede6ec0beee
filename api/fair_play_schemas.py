"""The shapes of audits, challenges with their proofs, and disputes: as in `schemas.py`, for the spec only."""

from marshmallow import fields
from marshmallow.validate import Length, OneOf

from api.schemas import ObserverSchema, SignedHeadSchema
from api.shapes import Answer, anything, flag, many, nested, text, time, whole


class FindingSchema(Answer):
    """One thing that an audit found wrong: at which version (null: of the file as a whole), by which rule."""

    version = whole(allow_none=True)
    rule = text()
    field = text()
    expected = fields.Raw(required=True)
    found = fields.Raw(required=True)


class CheckedSchema(Answer):
    """How much was checked: records, seals opened and still closed, salts and batches of moves derived again."""

    records = whole()
    seals = whole()
    sealed = whole()
    salts = whole()
    moves = whole()


class AuditSchema(Answer):
    """The outcome of an audit: see the docs on fair play.

    `good` is the version up to which, at a batch end, nothing was found wrong; `complete` says that everything was open
    and every recorded move was run again; `more` counts findings beyond those listed.
    """

    verdict = text(validate=OneOf(["sound", "sound_unsigned", "unsound"]))
    game = text()
    ruleset = text()
    rules_version = whole()
    status = text()
    observer = nested(ObserverSchema)
    version = whole()
    head = text(validate=Length(equal=64))
    at = whole(metadata={"description": "The time of the head's record, in ms since 1970."})
    good = whole()
    complete = flag()
    key = text(allow_none=True)
    checked = nested(CheckedSchema)
    findings = many(FindingSchema)
    more = whole()


class ChallengeSchema(Answer):
    """A challenge: what `claimant` claimed with the event `claim_v`, what was shown, and whether it was the truth.

    `proven` is `seal` where opening a whole seal proves it at once, else `audit`: by running the finished game again.
    """

    v = whole()
    at = time()
    claimant = whole()
    challenger = whole()
    claim = anything("The ruleset's own.")
    claim_v = whole()
    revealed = many(fields.String())
    truthful = flag()
    proven = text(validate=OneOf(["seal", "audit"]))
    provenance = fields.List(
        fields.Dict(), required=True, allow_none=True,
        metadata={"description": "How each card shown came to the claimant; null until the game is over."},
    )  # fmt: skip


class ChallengePage(Answer):
    """All challenges of a game, the oldest first."""

    items = many(ChallengeSchema)
    next = fields.String(required=True, allow_none=True)


class PlaceSchema(Answer):
    """A record's place in the chain: the texts from it to the end of its batch, and the signed head the last one is."""

    records = many(fields.String())
    signed = nested(SignedHeadSchema)


class OpeningProof(PlaceSchema):
    """An opened seal: the digest for `field` in the first of `records` is that of `value` with `salt`."""

    v = whole()
    field = text()
    value = fields.Raw(required=True)
    salt = text()


class ProofSchema(Answer):
    """What proves a challenge to a stranger."""

    challenge = nested(PlaceSchema)
    openings = many(OpeningProof)


class ChallengeDetail(ChallengeSchema):
    """A challenge with its proof."""

    proof = nested(ProofSchema)


class ReportSchema(Answer):
    """What was found about a dispute. `pending`: nothing is wrong so far, and the game goes on."""

    game = text()
    dispute = whole()
    seat = whole()
    challenge = whole(allow_none=True)
    explained = fields.Dict(required=True, allow_none=True)
    outcome = text(validate=OneOf(["upheld", "rejected", "pending"]))
    final = flag()
    audit = nested(AuditSchema)


class SignedReport(SignedHeadSchema):
    """The server's word for a report: Ed25519 over the canonical JSON of `at`, `game`, `hash`, `report`, `version`."""

    report = text(validate=Length(equal=64), metadata={"description": "SHA-256 of the canonical JSON of the report."})


class DisputeSchema(Answer):
    """A dispute: `open` until there is a report, `closed` once that is final."""

    id = text()
    game = text()
    seat = whole()
    challenge = whole(allow_none=True)
    reason = text()
    filed = time()
    status = text(validate=OneOf(["open", "reported", "closed"]))
    outcome = text(allow_none=True)
    reported = fields.DateTime(required=True, allow_none=True)
    report = nested(ReportSchema, allow_none=True)
    signed = nested(SignedReport, allow_none=True)


class DisputePage(Answer):
    """The disputes about a game."""

    items = many(DisputeSchema)
    next = fields.String(required=True, allow_none=True)
