"""The prepared HMAC is the library's."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from domain.mac import Mac, mac_of


@given(st.binary(max_size=100), st.binary(max_size=200))
def test_the_prepared_mac_equals_hmac_sha256(key: bytes, message: bytes) -> None:
    assert Mac(key)(message) == hmac.digest(key, message, "sha256")


def test_a_key_in_hex_is_its_bytes() -> None:
    assert mac_of("00ff")(b"x") == Mac(b"\x00\xff")(b"x")
