"""The shapes of what is told of players, their tokens and invitations."""

from marshmallow import fields
from marshmallow.validate import OneOf, Regexp

from api.shapes import Answer, anything, flag, many, nested, text, time, whole
from eventstore.tokens import SCOPES


class Account(Answer):
    """A player, as others see one."""

    id = text()
    name = text()
    bot = flag(metadata={"description": "A program plays."})


class OwnAccount(Account):
    """A player, as it sees itself."""

    created = time()


class Registered(Answer):
    """A new account. The token is shown this once."""

    player = nested(OwnAccount)
    token = text(validate=Regexp(r"^ct_[A-Za-z0-9_-]{22,}$"))


class Waiting(Answer):
    """A game that waits for me."""

    game = text()
    ruleset = text()
    seat = whole()
    decision = text()
    kind = text()
    deadline = time()


class Me(Answer):
    """Who I am, what I may, and what waits for me."""

    player = nested(OwnAccount)
    limits = anything("The limits of the server, as in /v1/server.")
    waiting = many(Waiting)


class PlayedSchema(Answer):
    """How many public games of a ruleset a player has finished, and won."""

    ruleset = text()
    played = whole()
    won = whole()


class PlayerPage(OwnAccount):
    """A player, with counts by ruleset of those that it has played."""

    games = many(PlayedSchema)


class StandingSchema(Answer):
    """A player in a leaderboard; equal ratings share a rank. Counted are its rated games."""

    rank = whole()
    player = nested(Account)
    rating = fields.Float(required=True, metadata={"description": "`mu` - 3 `sigma`."})
    mu = fields.Float(required=True)
    sigma = fields.Float(required=True)
    games = whole()
    won = whole()


class LeaderboardPage(Answer):
    """A page of a leaderboard, the best first."""

    items = many(StandingSchema)
    next = fields.String(required=True, allow_none=True)


class TokenSchema(Answer):
    """A token, without its text. `used` is when it was used last, to about ten minutes; null: not yet."""

    id = text()
    label = text()
    scopes = many(fields.String(validate=OneOf(SCOPES)))
    created = time()
    expires = fields.DateTime(required=True, allow_none=True)
    used = fields.DateTime(required=True, allow_none=True)
    current = flag(metadata={"description": "It is the one that this request was sent with."})


class TokenPage(Answer):
    """The tokens of a player that work, the oldest first."""

    items = many(TokenSchema)
    next = fields.String(required=True, allow_none=True)


class GivenToken(TokenSchema):
    """A new token. Its text is shown this once."""

    token = text(validate=Regexp(r"^ct_[A-Za-z0-9_-]{22,}$"))


class InviteSchema(Answer):
    """An invitation, without its code. `used` of `uses` players came by it."""

    id = text()
    game = text()
    seat = whole(allow_none=True)
    created = time()
    expires = time()
    uses = whole()
    used = whole()


class ListedInvite(InviteSchema):
    """An invitation in a list, and who made it."""

    by = nested(Account)


class InvitePage(Answer):
    """Invitations that are still good, the oldest first."""

    items = many(ListedInvite)
    next = fields.String(required=True, allow_none=True)


class GivenInvite(InviteSchema):
    """A new invitation. Its code is shown this once."""

    code = text(validate=Regexp(r"^[A-Za-z0-9_-]{22}$"))


class AcceptedSchema(Answer):
    """The game that an invitation was for, and the seat, if it named one."""

    game = text()
    seat = whole(allow_none=True)
