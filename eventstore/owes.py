"""What a game owes next, computed from its state alone: so it can be recomputed at any time."""

from domain.game import Game
from eventstore.obligation import CLOCK, Due, Obligation

BOT = "bot"
EXPIRE = "expire"
INDEX = "index"


def owes(game: Game) -> frozenset[Due]:
    """The bots' answers, the timeouts and the lobby's expiry, each with its due time in ms.

    Every required decision has a clock, a bot's too: whatever fails, the game goes on. A lobby in which seeds are
    revealed expires no more: that has a clock, and the game starts.
    """
    if game.status == "lobby" and not game.revealing:
        return frozenset([Due(Obligation(game.id, EXPIRE, None, "lobby"), game.expires)]) if game.version else _NONE
    dues = []
    for asked in game.asked:
        if not asked.decision.required:
            continue
        seat = asked.decision.seat
        dues.append(Due(Obligation(game.id, CLOCK, seat, asked.id), game.enforced(asked)))
        if game.seats[seat].controller == "bot":
            answer = min(asked.since + game.clock.bot_pace_ms, game.deadline(asked))
            dues.append(Due(Obligation(game.id, BOT, seat, asked.id), answer))
    return frozenset(dues)


_NONE: frozenset[Due] = frozenset()


def owed_change(before: Game, after: Game) -> tuple[tuple[Due, ...], tuple[Obligation, ...]]:
    """What an append from `before` to `after` must add and remove.

    An entry in the lists (`index`) is owed when the seats or the status changed; it is done by a job
    without an append, and so removed by that job.
    """
    old, new = owes(before), owes(after)
    added = sorted(new - old, key=lambda due: (due.at, due.obligation.print()))
    if after.listed != before.listed:
        added.append(Due(Obligation(after.id, INDEX, None, str(after.listed)), after.at))
    removed = sorted(due.obligation.print() for due in old - new)
    return tuple(added), tuple([Obligation.parse(member) for member in removed])
