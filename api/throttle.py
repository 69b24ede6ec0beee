"""How often one may ask: counts each request, refuses what is too much, and tells where a caller stands.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10. A request is counted before its body is read, and its
Idempotency-Key looked up: what is refused here did nothing, and its key is still good.
"""

import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final, NamedTuple, cast

from flask import Flask, Response, current_app, g, request

from api import auth, problems
from api.address import group, peer
from api.counters import Count, Counters
from api.policies import BY_ADDRESS, Policy, told
from api.problems import Problem


class Picked(NamedTuple):
    """The policies of requests that differ: `pick` tells from the present one by which of `names` it is counted."""

    names: tuple[str, ...]
    pick: Callable[[], str]


Bucket = str | Picked | None
"""What a request is counted as: the name of a policy, or one of some; None: not at all."""

HEADERS: dict[str, Any] = {
    "RateLimit-Policy": {
        "schema": {"type": "string"},
        "description": 'What is allowed: `"moves";q=100;w=10` is 100 in 10 s.',
    },
    "RateLimit": {
        "schema": {"type": "string"},
        "description": 'Where you stand: `"moves";r=42;t=3` is 42 more now, and more in 3 s.',
    },
}
"""The headers of a counted answer, for the spec."""

_NAME: Final = "captains-table-throttle"
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Throttle:
    """What limits one application."""

    policies: Mapping[str, Policy]
    counters: Counters
    trusted_proxies: int
    warned: bool = field(default=False)

    def caller(self, policy: Policy) -> str:
        """Who is counted: the player, or whoever sent no token by address."""
        player = None if policy.name in BY_ADDRESS else auth.caller()
        return f"player:{player.id}" if player else f"address:{group(self._address())}"

    def _address(self) -> str:
        if not self.trusted_proxies and not self.warned and "X-Forwarded-For" in request.headers:
            self.warned = True
            log.warning(
                "a request came with X-Forwarded-For, and TRUSTED_PROXIES is 0: behind a proxy all are counted as one"
            )
        return peer(self.trusted_proxies)


def register(app: Flask, policies: Mapping[str, Policy], counters: Counters, trusted_proxies: int) -> None:
    """Let `app` limit by these policies; by none if there are none."""
    app.extensions[_NAME] = Throttle(policies, counters, trusted_proxies)
    app.after_request(_tell)


def limits() -> dict[str, dict[str, object]]:
    """The policies of the present application, as they are told."""
    return told(_throttle().policies)


def _throttle() -> Throttle:
    return cast(Throttle, current_app.extensions[_NAME])


def throttled(bucket: Bucket) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a view: a request is counted before anything else is done for it, once it is known who asks."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        if bucket is None:
            return view

        @wraps(view)
        def counted(*args: Any, **kwargs: Any) -> Any:
            spend(bucket if isinstance(bucket, str) else bucket.pick())
            return view(*args, **kwargs)

        return counted

    return decorate


def spend(name: str) -> None:
    """Count the present request by a policy; `rate_limited` if that is more than it allows."""
    throttle = _throttle()
    policy = throttle.policies.get(name)
    if policy is None:
        return
    count = throttle.counters.hit(policy, throttle.caller(policy))
    g.rate = (policy, count)
    if not count.allowed:
        raise _refusal(policy, count)


def _refusal(policy: Policy, count: Count) -> Problem:
    return Problem(
        "rate_limited",
        headers={"Retry-After": str(_seconds(count))},
        policy=policy.name,
        limit=policy.amount,
        window_s=policy.seconds,
        retry_after_ms=math.ceil(count.reset_s * 1000) + 1,
    )


def _seconds(count: Count) -> int:
    """In how many whole seconds there is more; 0 would be taken for at once."""
    return max(1, math.ceil(count.reset_s))


def _tell(answer: Response) -> Response:
    if answer.status_code == problems.about("token_invalid").status and "rate" not in g:
        # Whoever has no good token is counted by address, so that guessing is no cheaper than asking.
        answer = _counted(answer)
    if "rate" in g:
        policy, count = g.rate
        answer.headers["RateLimit-Policy"] = f'"{policy.name}";q={policy.amount};w={policy.seconds}'
        answer.headers["RateLimit"] = f'"{policy.name}";r={count.remaining};t={_seconds(count)}'
    return answer


def _counted(answer: Response) -> Response:
    try:
        spend("reads")
    except Problem as refused:
        return problems.response(refused.code, refused.facts, refused.headers)
    return answer
