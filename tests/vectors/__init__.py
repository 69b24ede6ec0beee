"""The test vectors of docs/fair-play.md, and a verifier that shares no code with the domain.

`python -m tests.vectors` writes docs/fair-play-vectors.json from the domain's own primitives.
"""
