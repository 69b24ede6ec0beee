"""The shapes of what is told of the server itself."""

from marshmallow import fields
from marshmallow.validate import OneOf

from api.schemas import RulesetSummary
from api.shapes import Answer, anything, flag, many, nested, text, time, whole


class SigningKey(Answer):
    """A key that signs, or once did, as a JSON Web Key (RFC 8037); `kid` is its RFC 7638 thumbprint."""

    kid = text()
    kty = text(validate=OneOf(["OKP"]))
    crv = text(validate=OneOf(["Ed25519"]))
    x = text()
    use = text(validate=OneOf(["sig"]))
    status = text(validate=OneOf(["active", "retired"]))


class ServerSchema(Answer):
    """What this server is."""

    name = text()
    version = text()
    time = time()
    durability = text(
        metadata={
            "description": "What of the log survives a crash: all of it with `always` and `replicated`, all but a "
            "second or two with `everysec`; `dev` promises nothing."
        }
    )
    limits = anything("Numbers: see /docs/limits. `rates` has how many requests of each kind are answered.")
    rulesets = many(RulesetSummary)
    signing_keys = many(SigningKey)


class Health(Answer):
    """How the server is."""

    status = text()


class CheckSchema(Answer):
    """Whether one thing is as it should be, and what was measured."""

    ok = flag()


class StoreCheck(CheckSchema):
    """How long the log store took to answer."""

    ms = fields.Float(required=True)


class DoorbellCheck(CheckSchema):
    """For how long the reader of the doorbells has had no answer; it asks every second."""

    silent_ms = whole(allow_none=True)


class ObligationsCheck(CheckSchema):
    """For how long the oldest obligation has been due; null if that is not known."""

    oldest_overdue_ms = whole(allow_none=True)


class ChecksSchema(Answer):
    """What was looked at."""

    store = nested(StoreCheck)
    doorbell = nested(DoorbellCheck)
    queue = nested(CheckSchema)
    obligations = nested(ObligationsCheck)


class Readiness(Health):
    """Whether this process can serve, and if it is as it should be: `status` is `ok` or `degraded`."""

    durability = text()
    degraded = many(fields.String())
    checks = nested(ChecksSchema)
