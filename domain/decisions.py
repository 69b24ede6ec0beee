"""What a game asks of its seats, and when an answer is too late."""

from domain.errors import Refused
from domain.moves import Move
from domain.values import Value


class Decision(Value, frozen=True):
    """A question to one seat: public, and the same in every fold.

    `key` changes when the question does (turn, phase, belt ...); `moves` are the classes that may answer. A
    decision that is not `required` is an offer and has a `name` of its own; the members of a vote window
    (`vote`) share one deadline.
    """

    seat: int
    kind: str
    key: tuple[int | str, ...]
    moves: tuple[type[Move], ...]
    required: bool = True
    vote: bool = False
    name: str = ""


class Asked(Value, frozen=True):
    """A decision that is open: its id, and when (ms) the batch was made in which it was first asked."""

    decision: Decision
    id: str
    since: int

    def refines_to(self, other: "Asked") -> bool:
        """Questions are public: equal in every fold."""
        return self == other


def ask(now: tuple[Decision, ...], before: tuple[Asked, ...], version: int, at: int) -> tuple[Asked, ...]:
    """The open decisions at a batch end: a question that stands keeps its id, a new one is named by `version`."""
    if not now:
        return ()
    known = {(a.decision.seat, a.decision.key): a for a in before}
    asked = []
    for d in now:
        old = known.get((d.seat, d.key))
        if old is None:
            asked.append(Asked(d, f"{version}-{d.name}" if d.name else str(version), at))
        else:
            # The question stands; which moves may answer it can have changed.
            asked.append(old if old.decision == d else Asked(d, old.id, old.since))
    return tuple(asked)


def answered(open_now: tuple[Decision, ...], seat: int, move: Move) -> Decision:
    """The decision that `move` of `seat` answers. `Refused` if there is none: the first check of every `decide`."""
    mine = [decision for decision in open_now if decision.seat == seat]
    if not mine:
        raise Refused("not_asked", asked=sorted({d.seat for d in open_now if d.required}))
    for decision in mine:
        if isinstance(move, decision.moves):
            return decision
    raise Refused("illegal_move", reason="not_an_answer", moves=sorted({m.type for d in mine for m in d.moves}))
