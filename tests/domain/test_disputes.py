import pytest

from domain import canonical
from domain.audit import audit
from domain.disputes import CaseFile, evolve, file_dispute, report, report_dispute, sign
from domain.errors import Refused
from domain.signing import report_hash, statement
from tests.golden.served import golden, served
from tests.keys import KEYS, SIGNER

LINES = served(golden("bluff_king-v1-random-1"))
SOUND = audit(LINES, keys=KEYS)
UNSOUND = audit(LINES[:5] + LINES[6:], keys=KEYS)


def filed(file: CaseFile, seat: int = 0, challenge: int | None = None) -> CaseFile:
    event = file_dispute(file, seat=seat, player=f"p{seat}", challenge=challenge, reason="why", at=100 + file.version)
    return evolve(file, event)


def answered(file: CaseFile, number: int, *, final: bool) -> CaseFile:
    dispute = file.dispute(number)
    assert dispute is not None
    made = report(dispute, SOUND.game, SOUND, None, final)
    return evolve(file, report_dispute(file, number, made, sign(made, SIGNER), 500))


def test_each_seat_disputes_each_thing_once() -> None:
    file = filed(filed(filed(filed(CaseFile()), seat=1), challenge=9), seat=1, challenge=9)
    assert [(d.number, d.seat, d.challenge) for d in file.disputes] == [
        (1, 0, None),
        (2, 1, None),
        (3, 0, 9),
        (4, 1, 9),
    ]
    with pytest.raises(Refused) as refused:
        filed(file, seat=1, challenge=9)
    assert (refused.value.code, refused.value.facts) == ("already_disputed", {"number": 4})


def test_a_dispute_is_answered_until_it_is_answered_for_good() -> None:
    file = filed(filed(CaseFile()), seat=1)
    first = answered(file, 2, final=False)
    assert [(d.final, d.report is None, d.reported) for d in first.disputes] == [(False, True, 0), (False, False, 500)]
    last = answered(first, 2, final=True)
    assert [d.final for d in last.disputes] == [False, True]
    with pytest.raises(Refused, match="dispute_closed"):
        answered(last, 2, final=True)
    assert file.dispute(3) is None


@pytest.mark.parametrize(
    ("verdict", "final", "outcome"),
    [(SOUND, True, "rejected"), (SOUND, False, "pending"), (UNSOUND, True, "upheld"), (UNSOUND, False, "upheld")],
)
def test_the_outcome_follows_from_the_audit(verdict, final: bool, outcome: str) -> None:
    (dispute,) = filed(CaseFile(), challenge=7).disputes
    made = report(dispute, verdict.game, verdict, {"v": 7}, final)
    assert (made["outcome"], made["final"], made["challenge"], made["explained"]) == (outcome, final, 7, {"v": 7})
    canonical.check(made)


def test_a_report_is_signed_with_the_head_that_it_speaks_about() -> None:
    (dispute,) = filed(CaseFile()).disputes
    made = report(dispute, SOUND.game, SOUND, None, True)
    signed = sign(made, SIGNER)
    assert signed["report"] == report_hash(made)
    said = statement(SOUND.game, SOUND.version, SOUND.head, SOUND.at, signed["report"])
    assert SIGNER.public.holds(signed["signature"], said)
    assert not SIGNER.public.holds(signed["signature"], statement(SOUND.game, SOUND.version, SOUND.head, SOUND.at))


def test_a_report_is_canonical_whatever_stood_in_the_log() -> None:
    first = canonical.loads(LINES[3])["record"]
    strange = LINES[3].replace(b'"left":%d' % first["left"], b'"left":1.5e300')
    verdict = audit([*LINES[:3], strange, *LINES[4:]], keys=KEYS)
    (dispute,) = filed(CaseFile()).disputes
    made = report(dispute, verdict.game, verdict, None, True)
    canonical.check(made)
    assert canonical.dumps(canonical.loads(canonical.dumps(made))) == canonical.dumps(made)
