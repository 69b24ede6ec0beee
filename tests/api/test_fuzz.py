"""Requests that the document allows, and requests that it does not, by the thousand: chains of them along its links.

No answer may be a fault, of an undocumented status or another shape than documented, and nothing that the document
forbids may be taken. FUZZ is how many requests (`make fuzz FUZZ=20000`).
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from tests.api.client import Client

FUZZ = int(os.environ.get("FUZZ", "500"))
STEPS = 10
HELD = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
]


class Told:
    """What was sent and answered so far, by operation and status."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()

    def __len__(self) -> int:
        return self.answers.total()

    def statuses(self) -> Counter[int]:
        found: Counter[int] = Counter()
        for (_, status), count in self.answers.items():
            found[status] += count
        return found


def machine(app: Flask, client: Client, told: Told) -> Any:
    """The state machine of the document, whose requests are those of one player."""
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
    # A stream does not end, so it would be waited for; its tests read it from a socket.
    chosen = schema.exclude(path_regex="/stream$")

    class Machine(chosen.as_state_machine()):  # type: ignore[misc]
        """Each step is held against the document."""

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": {"Authorization": f"Bearer {client.token}"}}

        def validate_response(self, response: Any, case: Any, **kwargs: Any) -> None:
            told.answers[case.operation.label, response.status_code] += 1
            case.validate_response(response, checks=HELD, **kwargs)

    return Machine


def fuzz(app: Flask, client: Client, wanted: int) -> Told:
    """Send about so many requests."""
    told = Told()
    while len(told) < wanted:
        machine(app, client, told).run(
            settings=settings(
                max_examples=max(1, (wanted - len(told)) // STEPS),
                stateful_step_count=STEPS,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
                derandomize=wanted == 500,
                database=None,
            )
        )
    return told


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::Warning")  # of schemathesis and what it uses: they are not about our answers
def test_whatever_is_sent_the_answer_is_documented(app: Flask, ann: Client, capsys):
    told = fuzz(app, ann, FUZZ)
    with capsys.disabled():
        if FUZZ != 500:
            print(f"\n{len(told)} requests: {dict(sorted(told.statuses().items()))}")
            for (operation, status), count in sorted(told.answers.items()):
                print(f"{count:7} {status} {operation}")
    assert {200, 201} <= told.statuses().keys()
    assert len({operation for operation, _ in told.answers}) > 15
