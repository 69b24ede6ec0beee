"""Signed heads: the server's word, which it cannot take back, that a game's log stood so at a version.

A head is the hash of the record of a version. What is signed (Ed25519, RFC 8032) is `canonical({"at", "game", "hash",
"version"})`, `at` the record's time in ms. Ed25519 gives the same bytes for the same statement, so two signed heads of
one game and version with different hashes prove that two histories were shown. A report is signed in the same way, with
`report`, the hash of its canonical bytes, as one member more.

Keys are JSON Web Keys (RFC 8037), named by their thumbprint (RFC 7638).
"""

import hashlib
from base64 import b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain import canonical
from domain.values import Value

SEED_BYTES = 32
_CURVE = {"crv": "Ed25519", "kty": "OKP"}


class BadKey(ValueError):
    """Not an Ed25519 key in the form of a JSON Web Key; the text says what is wrong."""


class SignedHead(Value, frozen=True):
    """That the record of `version` of `game` was made at `at` (ms) and has this hash, signed with the key `key`."""

    at: int
    game: str
    hash: str
    key: str
    signature: str
    version: int

    @property
    def statement(self) -> bytes:
        """The bytes that are signed."""
        return statement(self.game, self.version, self.hash, self.at)


def statement(game: str, version: int, head: str, at: int, report: str | None = None) -> bytes:
    """What a signature speaks of: a head, and with `report` (64 hex digits) a report about the log up to it."""
    said: dict[str, Any] = {"at": at, "game": game, "hash": head, "version": version}
    return canonical.dumps(said if report is None else {**said, "report": report})


def report_hash(report: Any) -> str:
    """The hash that stands for a report in its signature, 64 hex digits."""
    return hashlib.sha256(canonical.dumps(report)).hexdigest()


class Public:
    """A public key that checks signatures; `kid` is its name."""

    def __init__(self, x: bytes) -> None:
        try:
            self._key = Ed25519PublicKey.from_public_bytes(x)
        except ValueError as error:
            raise BadKey(f"a public key has {SEED_BYTES} bytes") from error
        self.x = encoded(x)
        self.kid = thumbprint(self.x)

    def holds(self, signature: str, said: bytes) -> bool:
        """Whether `signature` (base64url) is one of this key for these bytes."""
        try:
            self._key.verify(decoded(signature), said)
        except (BadKey, InvalidSignature):
            return False
        return True

    def jwk(self) -> dict[str, str]:
        """The key as a JSON Web Key."""
        return {**_CURVE, "kid": self.kid, "use": "sig", "x": self.x}


class Signer:
    """The private key that signs; never shown, not even by its `repr`."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise BadKey(f"a private key has {SEED_BYTES} bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = Public(self._key.public_key().public_bytes_raw())

    def sign(self, said: bytes) -> str:
        """The signature of these bytes, base64url without padding."""
        return encoded(self._key.sign(said))

    def head(self, game: str, version: int, head: str, at: int) -> SignedHead:
        """The signed head of a game at a version."""
        signature = self.sign(statement(game, version, head, at))
        return SignedHead(at=at, game=game, hash=head, key=self.public.kid, signature=signature, version=version)


class Keys:
    """The keys of one server: the one that signs, and all that ever did, which still verify; the active one first."""

    def __init__(self, signer: Signer, retired: Iterable[Public] = ()) -> None:
        self.signer = signer
        self.retired = tuple([key for key in retired if key.kid != signer.public.kid])

    def __iter__(self) -> Iterator[Public]:
        yield self.signer.public
        yield from self.retired

    def jwks(self) -> list[dict[str, str]]:
        """All of them as JSON Web Keys, with the `status` of each."""
        active, *retired = self
        return [{**active.jwk(), "status": "active"}, *({**key.jwk(), "status": "retired"} for key in retired)]


def thumbprint(x: str) -> str:
    """The name of a public key, given as base64url: SHA-256 of its required members (RFC 7638), base64url."""
    return encoded(hashlib.sha256(canonical.dumps({**_CURVE, "x": x})).digest())


def public_of(jwk: Mapping[str, Any]) -> Public:
    """The public key of a JSON Web Key; `BadKey` if it is none, or if it is named by another name than its own."""
    if jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519" or not isinstance(jwk.get("x"), str):
        raise BadKey('a signing key is a JSON Web Key with "kty":"OKP", "crv":"Ed25519" and "x"')
    public = Public(decoded(jwk["x"]))
    if jwk.get("kid", public.kid) != public.kid:
        raise BadKey(f"the key is called {jwk['kid']!r}, but its thumbprint is {public.kid!r}")
    return public


def encoded(raw: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of base64url without padding; `BadKey` if it is none."""
    try:
        raw = b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except (NotBase64, ValueError) as error:
        raise BadKey("not base64url") from error
    if encoded(raw) != text:
        # There may be spare bits at the end: only one spelling counts.
        raise BadKey("not base64url as it is written")
    return raw
