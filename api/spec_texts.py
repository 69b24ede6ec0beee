"""What the document says in words: of the API as a whole, of its groups, of its promises."""

from typing import Any

DESCRIPTION = """\
Turn-based tabletop games with hidden information. Start with [getting started](/docs/getting-started); the rules of
each game are at `/rules/{key}`.

**Errors** are `application/problem+json` (RFC 9457) on every path; `type` is the address of a page about it and
`code` its last segment. Each operation lists its codes in `x-problems`; what each means, and the facts that come with
it, stands in `x-codes` of the schema `Problem` and at [/problems](/problems). A refused request changes nothing. Any
address may answer 400 `bad_request`, 404 `not_found` and 405 `method_not_allowed` to what is no operation of this
document, and 414 `uri_too_long`, 417 `expectation_failed`, 431 `headers_too_large` and 501 `transfer_coding_unknown` to
what is no request that it reads.

**Moves** answer a decision: each names the `decision` it answers, and the forms in the view are exactly the legal ones.

**Retries**: with an `Idempotency-Key` a request can be repeated until an answer comes; it happens once, and a repeat is
answered with `Idempotency-Replayed: true`. Repeat after a lost connection, 429, 500, 502, 503 and 504, after
`Retry-After` if it is there. [More](/docs/retries).

**Conditional requests**: send the `ETag` of a view back as `If-None-Match` and you are told 304 while nothing has
changed, or as `If-Match` with what changes a game and you are refused with 412 `stale` if it has moved on.

**Pages** have `items` and `next`, the address of the next page or null; `Link` says the same (RFC 8288).

**Streams** are Server-Sent Events (`text/event-stream`): `StreamFrame` is one of them, its `event` the field `event`,
its `data` the JSON in the field `data`, its `id` the cursor to come again with. [More](/docs/streaming).

**Limits**: an answer tells what is allowed (`RateLimit-Policy`) and where you stand (`RateLimit`). 429 `rate_limited`
did nothing: wait for `Retry-After` and send it again. Each operation lists in
`x-rate-limits` what it is counted by; the numbers are in `GET /v1/server`. [More](/docs/limits).

**Browsers**: every page may use the API (CORS), unless the operator names those that may.

**Tokens** are for *scopes*: those of an operation stand in its `security`. Every answer has an `X-Request-Id`, yours if
you sent one: name it when you ask the operator for help.

**Compatibility**: what is in this document under `/v1` is not removed, narrowed or given another meaning. New
operations, fields, parameters that need not be sent, event types, kinds, codes and values of enumerations may come at
any time: tolerate those that you do not know. [Changes](/docs/changes).
"""

INFO: dict[str, Any] = {
    "description": DESCRIPTION,
    "license": {"name": "MIT", "identifier": "MIT"},
    "contact": {"name": "The operator of this server"},
}

SERVERS = [{"url": "/", "description": "The server that this document came from."}]

EXTERNAL = {"url": "/docs/getting-started", "description": "Guides for those who write clients."}
