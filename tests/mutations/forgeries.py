"""Perfect forgeries: whole logs that the rules allow, by somebody who has everything, the server seed included."""

from random import Random

from msgspec.structs import replace

from domain.commands import Create, Play
from domain.decide import decide
from domain.decisions import Asked
from domain.errors import Refused
from domain.game import Game
from domain.laws.play import Step, choose
from domain.signing import Signer
from tests.mutations.draft import Draft
from tests.mutations.sources import Source, play_on, recorded
from tests.served import serve


def other_game(source: Source, rng: Random, signer: Signer) -> list[bytes] | None:
    """Another game under the same id, of the same table, with another server seed."""
    game = Game(id=source.game.id)
    steps: list[Step] = []
    for step in source.steps:
        command = step.command
        if isinstance(command, Create):
            command = replace(command, server_seed=rng.randbytes(32).hex())
        steps.append(Step(game, command, step.at, decide(source.rules, game, command, step.at)))
        game = steps[-1].decided.game
        if game.table is not None:
            # It is dealt: from here on the moves are others.
            break
    return _served(source, [*steps, *play_on(source.rules, game, steps[-1].at, rng)], signer)


def other_move(source: Source, rng: Random, signer: Signer) -> list[bytes] | None:
    """The same game up to a move, another move there, and all that follows from it, played on to an end."""
    numbers = [number for number, step in enumerate(source.steps) if _of_the_table(step)]
    for _ in range(20):
        number = rng.choice(numbers)
        step = source.steps[number]
        command = step.command
        if not isinstance(command, Play):
            continue
        asked = next(a for a in step.before.asked if a.id == command.decision and a.decision.seat == command.seat)
        another = replace(command, move=choose(source.rules, step.before, asked, rng))
        try:
            made = Step(step.before, another, step.at, decide(source.rules, step.before, another, step.at))
        except Refused:
            continue
        if made.decided.events != step.decided.events:
            rest = play_on(source.rules, made.decided.game, step.at, rng)
            return _served(source, [*source.steps[:number], made, *rest], signer)
    return None


def _of_the_table(step: Step) -> bool:
    """Whether a step is a move of the game itself."""
    return isinstance(step.command, Play) and step.before.table is not None


def later_move(source: Source, rng: Random, signer: Signer) -> list[bytes] | None:
    """A move a little later, within its deadline, and all that came after it as much later."""
    late = [(number, left) for number in range(len(source.steps)) if (left := _left(source, number)) > 0]
    if not late:
        return None
    number, left = rng.choice(late)
    ms = rng.choice((1, rng.randint(1, left), left))
    draft = Draft(source.lines)
    for entry in draft.entries:
        entry.record["at"] += ms if entry.batch >= number else 0
    return _resigned(draft, signer)


def _left(source: Source, number: int) -> int:
    """How much later a move may come, ms: whoever is asked at the same time and answers later must still be in time."""
    step = source.steps[number]
    if not isinstance(step.command, Play):
        return 0
    open_now = {(asked.decision.seat, asked.id) for asked in step.before.asked}
    slack = [
        later.before.enforced(asked) - later.at
        for later in source.steps[number:]
        for asked in later.before.asked
        if (asked.decision.seat, asked.id) in open_now and asked.decision.required and _answers(later, asked)
    ]
    return min(slack, default=0)


def _answers(step: Step, asked: Asked) -> bool:
    command = step.command
    return isinstance(command, Play) and (command.seat, command.decision) == (asked.decision.seat, asked.id)


def other_player(source: Source, rng: Random, signer: Signer) -> list[bytes] | None:
    """Another player in a seat, from the first to the last record."""
    draft = Draft(source.lines)
    players = sorted({e.record["data"]["player"] for e in draft.entries if e.record["data"].get("player")})
    if not players:
        return None
    player = rng.choice(players)
    for entry in draft.entries:
        for name in ("player", "host"):
            if entry.record["data"].get(name) == player:
                entry.record["data"][name] = "stranger"
    return _resigned(draft, signer)


def _served(source: Source, steps: list[Step], signer: Signer) -> list[bytes]:
    return serve(source.game.id, recorded(steps), signer=signer)


def _resigned(draft: Draft, signer: Signer) -> list[bytes]:
    draft.rehash(signer)
    return draft.lines()


FORGERIES = {
    "other game under the id": other_game,
    "other move and its consequences": other_move,
    "later move within its deadline": later_move,
    "other player in a seat": other_player,
}
