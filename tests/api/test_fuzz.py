"""Requests that the document allows, and some that it does not, by the thousand: single ones, and chains along links.

No answer may be a fault, of an undocumented status or another shape than documented, and nothing that the document
forbids may be taken. FUZZ is how many requests (`make fuzz FUZZ=20000`).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks
from werkzeug.datastructures import Headers

from eventstore.store import Store
from tests.api.client import document
from tests.api.world import World

FUZZ = int(os.environ.get("FUZZ", "500"))
IN_SUITE = FUZZ == 500
ROUND = 1000
"""After so many requests the world is made anew: by then its games are over, and its seats left."""
STEPS = 10
CALLERS = ("ann", "ann", "ann", "bob", "bob", "cat", "nobody", "wrong")
HELD = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
]


@dataclass
class Fuzzer:
    """Sends requests, holds the answers against the document, and counts them by operation and status."""

    app: Flask
    store: Store
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    rounds: int = 0
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # A stream does not end, so it would be waited for; its tests read it from a socket.
        self.schema = schemathesis.openapi.from_wsgi("/openapi.json", self.app).exclude(path_regex="/stream$")
        self.operations = [found.ok() for found in self.schema.get_all_operations()]

    def run(self, wanted: int) -> None:
        """Send about so many requests."""
        while (rest := wanted - self.answers.total()) > 0:
            self.rounds += 1
            self.world = World(self.app, self.store, self.rounds)
            most = min(rest, ROUND)
            self._each(most * 2 // 3)
            self._chains(most // 3)

    def _settings(self, examples: int, **more: Any) -> Any:
        return settings(
            max_examples=max(1, examples),
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
            derandomize=IN_SUITE,
            database=None,
            **more,
        )

    def _each(self, wanted: int) -> None:
        """Each operation by itself, with ids that name something and others, good requests and bad ones."""
        examples = wanted // (2 * len(self.operations))
        for operation in self.operations:
            for mode in GenerationMode:
                if mode.is_positive or can_be_wrong(operation):
                    self._one(operation, mode, examples)

    def _one(self, operation: Any, mode: GenerationMode, examples: int) -> None:
        named = st.sampled_from(self.world.paths(set(re.findall(r"{(\w+)}", operation.path))))
        cases = named.flatmap(lambda values: operation.as_strategy(mode, path_parameters=values))
        if mode.is_positive:
            cases |= operation.as_strategy(mode)

        @self._settings(examples)
        @given(case=cases, who=st.sampled_from(CALLERS), seed=st.integers(0, 99))
        def send(case: Any, who: str, seed: int) -> None:
            likely = self.world.likely(operation.label, seed) if mode.is_positive and seed % 2 else None
            if likely is not None:
                who, case.path_parameters, case.body = likely
                case.headers.pop("If-Match", None)
            headers = self.world.caller(who)
            self.held(case, case.call(headers=headers), headers=headers)

        with suppress(Flaky):
            send()

    def held(self, case: Any, response: Any, **kwargs: Any) -> None:
        """Hold an answer against the document, as the tools of others read it, and as all our tests do."""
        self.answers[case.operation.label, response.status_code] += 1
        headers = Headers({name: values[0] for name, values in response.headers.items()})
        path = urlsplit(response.request.url).path
        try:
            case.validate_response(response, checks=HELD, transport_kwargs=kwargs)
            document(id(self.app), self.app).check(case.method, path, response.status_code, headers, response.content)
        except Exception as failure:
            # Kept, since the same request may be right next time, when a seat is taken or a token revoked.
            self.wrong.append(f"{case.as_curl_command(**kwargs)}\n{response.status_code} {failure}")
            raise

    def _chains(self, wanted: int) -> None:
        """Along the links: what one answer names, the next request asks for."""
        fuzzer = self

        class Machine(self.schema.as_state_machine()):  # type: ignore[misc]
            """A chain of requests of one player."""

            def setup(self) -> None:
                self.headers = fuzzer.world.caller("ann")

            def get_call_kwargs(self, case: Any) -> dict[str, Any]:
                return {"headers": self.headers}

            def validate_response(self, response: Any, case: Any, **kwargs: Any) -> None:
                fuzzer.held(case, response, **kwargs)

        # What a link leads to depends on answers, and those on all that was sent before: that is no fault.
        with suppress(Flaky):
            Machine.run(settings=self._settings(wanted // STEPS, stateful_step_count=STEPS))

    def table(self) -> Iterator[str]:
        """What was answered, for people to read."""
        statuses: Counter[int] = Counter()
        for (_, status), count in self.answers.items():
            statuses[status] += count
        yield f"{self.answers.total()} requests: {dict(sorted(statuses.items()))}"
        for operation in self.operations:
            told = {status: count for (label, status), count in self.answers.items() if label == operation.label}
            yield f"  {operation.label}: {dict(sorted(told.items()))}"


def can_be_wrong(operation: Any) -> bool:
    """Whether a request can be wrong beside its address."""
    return bool(operation.body or operation.query)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::Warning")  # of schemathesis and what it uses: they are not about our answers
def test_whatever_is_sent_the_answer_is_documented(app: Flask, opened: Store, capsys):
    fuzzer = Fuzzer(app, opened)
    fuzzer.run(FUZZ)
    if not IN_SUITE:
        with capsys.disabled():
            print("", *fuzzer.table(), sep="\n")
    assert not fuzzer.wrong, "\n\n".join(fuzzer.wrong[:5])
    labels = {operation.label for operation in fuzzer.operations}
    done = {label for label, status in fuzzer.answers if status < 300}
    assert {label for label, _ in fuzzer.answers} == labels
    # Few requests may miss some: they are drawn by chance.
    assert len(labels - done) <= (8 if FUZZ < 5000 else 0), labels - done
