"""Browsers: any page may use the API (CORS), unless the operator names those that may.

Who is asking is said by a token that a page must hold itself, never by a cookie that a browser adds: so nothing is
gained by asking from another's page, and `*` is right. `Access-Control-Allow-Credentials` is never sent.
"""

from flask import Flask, Response, current_app, request

from api.answers import nothing

ALLOWED = (
    "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "Last-Event-ID",
    "X-Request-Id",
)  # fmt: skip
"""The request headers that a page may set."""

EXPOSED = (
    "ETag", "Location", "Link", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed",
    "Preference-Applied", "Server-Time", "X-Request-Id", "WWW-Authenticate", "Allow",
)  # fmt: skip
"""The response headers that a page may read, beside those that it always may."""

MAX_AGE_S = 7200
"""How long a browser may remember what is allowed; Chromium remembers no longer."""


def register(app: Flask, origins: frozenset[str] | None) -> None:
    """Answer preflights, and let pages from `origins` (None: from everywhere) read every answer of `app`."""

    def options() -> Response | None:
        if request.method != "OPTIONS" or request.routing_exception is not None:
            return None
        methods = current_app.make_default_options_response().headers["Allow"]
        answer = nothing(204, {"Allow": methods})
        if "Access-Control-Request-Method" in request.headers:
            answer.headers["Access-Control-Allow-Methods"] = methods
            answer.headers["Access-Control-Allow-Headers"] = ", ".join(ALLOWED)
            answer.headers["Access-Control-Max-Age"] = str(MAX_AGE_S)
        return answer

    def let_read(answer: Response) -> Response:
        if origins is None:
            answer.headers["Access-Control-Allow-Origin"] = "*"
        else:
            answer.vary.add("Origin")
            origin = request.headers.get("Origin")
            if origin not in origins:
                return answer
            answer.headers["Access-Control-Allow-Origin"] = origin
        answer.headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED)
        return answer

    app.before_request(options)
    app.after_request(let_read)
