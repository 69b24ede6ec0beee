"""Law 3: forms are exact in both directions."""

from domain.decisions import Asked
from domain.entropy import Rng, pick
from domain.errors import Refused
from domain.game import Game, meant
from domain.laws.guess import guess, hints_of
from domain.laws.verdict import require
from domain.moves import Move
from domain.ruleset import Moment, Ruleset

_GUESSES = 3


def never(label: str) -> Rng:
    """Draws for a decision of which only the acceptance counts: every number is 0."""
    return _Zero()


class _Zero:
    def randrange(self, n: int, /) -> int:
        return 0


def guess_move(moves: tuple[type[Move], ...], rng: Rng) -> Move:
    """A random well-shaped move of one of the classes, legal or not."""
    cls = pick(rng, moves)
    hints = hints_of(cls)
    return cls(**{name: guess(hints[name], rng) for name in cls.__struct_fields__})


def accepted(rules: Ruleset, game: Game, asked: Asked, move: Move) -> bool:
    """Whether the rules take `move` as an answer to `asked`."""
    if meant(rules, game, asked, move) is not None:
        return False
    try:
        rules.decide(game.table, asked.decision.seat, move, Moment(game.version + 1, never))
    except Refused:
        return False
    return True


def check_offers(rules: Ruleset, game: Game, rng: Rng) -> None:
    """For a random open decision: samples are accepted, and guesses are accepted exactly if a form holds them."""
    if not game.asked:
        return
    asked = pick(rng, game.asked)
    forms = rules.forms(game.table, asked.decision)
    require(3, bool(forms), f"{asked.decision.kind}: a decision without a legal move")
    default = rules.default_move(game.table, asked.decision) if asked.decision.required else None
    tries = [pick(rng, forms).sample(rng)]
    tries += [guess_move(asked.decision.moves, rng) for _ in range(_GUESSES)]
    for move in tries if default is None else [*tries, default]:
        offered = any(form.contains(move) for form in forms)
        taken = accepted(rules, game, asked, move)
        story = "is offered and refused" if offered else "is accepted and not offered"
        require(3, offered == taken, f"{move.type} {story}, version {game.version}")
        if move is default:
            require(3, taken, f"the default move {move.type} is refused, version {game.version}")
