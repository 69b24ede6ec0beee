import hashlib
import json
from base64 import urlsafe_b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.signing import BadKey, Keys, Public, SignedHead, Signer, decoded, encoded, public_of, statement, thumbprint
from tests.keys import SIGNER

HASH = "ab" * 32


def test_a_head_is_signed_over_its_canonical_json_and_any_ed25519_verifies_it() -> None:
    head = SIGNER.head("G1", 7, HASH, 1_790_000_000_000)
    said = json.dumps({"at": head.at, "game": "G1", "hash": HASH, "version": 7}, separators=(",", ":")).encode()
    assert head.statement == said
    raw = urlsafe_b64decode(SIGNER.public.x + "=")
    Ed25519PublicKey.from_public_bytes(raw).verify(urlsafe_b64decode(head.signature + "=="), said)


def test_the_same_head_is_signed_with_the_same_bytes() -> None:
    assert SIGNER.head("G1", 7, HASH, 5) == SIGNER.head("G1", 7, HASH, 5)


@pytest.mark.parametrize(
    "other",
    [
        ("G2", 7, HASH, 5),
        ("G1", 8, HASH, 5),
        ("G1", 7, "cd" * 32, 5),
        ("G1", 7, HASH, 6),
        ("G1", 7, HASH, 5, "ef" * 32),
    ],
)
def test_a_signature_holds_for_its_own_statement_only(other: tuple[str, int, str, int]) -> None:
    signature = SIGNER.head("G1", 7, HASH, 5).signature
    assert SIGNER.public.holds(signature, statement("G1", 7, HASH, 5))
    assert not SIGNER.public.holds(signature, statement(*other))


def test_another_key_does_not_hold() -> None:
    assert not Signer(b"x" * 32).public.holds(SIGNER.sign(b"said"), b"said")


@pytest.mark.parametrize("shape", ["", "{}A", "{}==", "!{}", " {}"])
def test_what_is_not_a_signature_does_not_hold(shape: str) -> None:
    assert not SIGNER.public.holds(shape.format(SIGNER.sign(b"said")), b"said")


def test_a_signature_has_one_spelling() -> None:
    signature = SIGNER.sign(b"said")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    # 64 bytes are 86 letters, the last of which has four spare bits.
    others = [signature[:-1] + other for other in letters if other != signature[-1]]
    assert not any(SIGNER.public.holds(other, b"said") for other in others)


def test_the_thumbprint_is_that_of_rfc_8037() -> None:
    # RFC 8037, appendix A.3.
    assert thumbprint("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo") == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_a_key_of_rfc_8037_signs_as_it_says() -> None:
    # RFC 8037, appendix A.1 and A.2: the private half and its public one.
    signer = Signer(decoded("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
    assert signer.public.x == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"


def test_keys_as_json_web_keys_and_back() -> None:
    old = Signer(bytes(32)).public
    keys = Keys(SIGNER, [old, SIGNER.public])
    first, second = keys.jwks()
    assert (first["kid"], first["status"], second["kid"], second["status"]) == (
        SIGNER.public.kid, "active", old.kid, "retired",
    )  # fmt: skip
    assert public_of(first).kid == first["kid"]
    assert "d" not in first


@pytest.mark.parametrize(
    "jwk",
    [
        {},
        {"kty": "RSA", "crv": "Ed25519", "x": SIGNER.public.x},
        {"kty": "OKP", "crv": "X25519", "x": SIGNER.public.x},
        {"kty": "OKP", "crv": "Ed25519", "x": 5},
        {"kty": "OKP", "crv": "Ed25519", "x": "short"},
        {"kty": "OKP", "crv": "Ed25519", "x": SIGNER.public.x + "="},
        {"kty": "OKP", "crv": "Ed25519", "x": SIGNER.public.x, "kid": "another"},
    ],
)
def test_what_is_not_a_key_is_refused(jwk) -> None:
    with pytest.raises(BadKey):
        public_of(jwk)


def test_a_private_key_of_another_length_is_refused() -> None:
    with pytest.raises(BadKey):
        Signer(b"short")
    with pytest.raises(BadKey):
        Public(b"short")


def test_base64url_is_read_strictly() -> None:
    raw = hashlib.sha256(b"").digest()
    assert decoded(encoded(raw)) == raw
    for wrong in ("a b", "+/==", "é", "a"):
        with pytest.raises(BadKey):
            decoded(wrong)


def test_the_private_half_is_shown_by_no_repr() -> None:
    assert "object at" in repr(SIGNER) or "Signer" in repr(SIGNER)
    assert isinstance(SIGNER.head("g", 1, HASH, 1), SignedHead)
    assert encoded(bytes(range(32))) not in repr(SIGNER) + repr(Keys(SIGNER)) + str(Keys(SIGNER).jwks())
