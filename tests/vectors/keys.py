"""The signing keys of the vectors, and what is signed with them. Their secrets are public: never use them."""

import base64
import hashlib
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain import canonical

Json = Any

KEY, OLD_KEY, STRANGER = "active", "retired", "unknown"
SECRETS = {KEY: bytes(range(32)), OLD_KEY: bytes(range(32, 64)), STRANGER: bytes(range(64, 96))}
HEAD = ("at", "game", "hash", "version")


def b64(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def public(name: str) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(SECRETS[name]).public_key().public_bytes_raw()


def thumbprint(x: str) -> str:
    """The RFC 7638 thumbprint of an Ed25519 key: its `kid`."""
    return b64(hashlib.sha256(canonical.dumps({"crv": "Ed25519", "kty": "OKP", "x": x})).digest())


def jwk(name: str) -> Json:
    x = b64(public(name))
    status = "retired" if name == OLD_KEY else "active"
    return {"kty": "OKP", "crv": "Ed25519", "x": x, "kid": thumbprint(x), "use": "sig", "status": status}


def known_keys() -> Json:
    """The keys that the server of the vectors lists; a third one is of somebody else."""
    return [jwk(KEY), jwk(OLD_KEY)]


def sign(name: str, message: bytes) -> str:
    return b64(Ed25519PrivateKey.from_private_bytes(SECRETS[name]).sign(message))


def signed_head(game: str, version: int, head: str, at: int, name: str = KEY) -> Json:
    body = {"at": at, "game": game, "hash": head, "version": version}
    return {**body, "key": jwk(name)["kid"], "signature": sign(name, canonical.dumps(body))}
