"""The test vectors of docs/fair-play.md.

`python -m tests.vectors` writes docs/fair-play-vectors.json from the domain's own primitives. tools/verify_log.py and
web/verify.mjs, which share no code with the domain, must agree with each of them.
"""
