"""The file of the signing keys: a JSON Web Key Set (RFC 7517) whose first key signs; the others still verify.

Only the first key has its private half (`d`): a retired one can sign no more, whoever reads the file.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from captain.settings import SettingsError
from domain.signing import SEED_BYTES, BadKey, Keys, Signer, decoded, encoded, public_of

Json = dict[str, Any]


def load(path: Path) -> Keys:
    """The keys in a file; raises SettingsError if there is none, or if it cannot be used."""
    entries = _read(path)
    if not entries:
        raise SettingsError(f"No signing keys in {path}: `captain keys new` makes the first one (SIGNING_KEYS).")
    try:
        first, *rest = entries
        if not isinstance(first.get("d"), str):
            raise BadKey('the first key signs, and has no private half ("d")')
        signer = Signer(decoded(first["d"]))
        if public_of(first).kid != signer.public.kid:
            raise BadKey("the halves of the first key do not belong together")
        return Keys(signer, [public_of(entry) for entry in rest])
    except BadKey as bad:
        raise SettingsError(f"{path}: {bad}.") from None


def new(path: Path) -> str:
    """Make a key that signs from the next start on, and retire the one that did; return its id.

    Raises SettingsError if the file cannot be read or written.
    """
    entries = _read(path)
    seed = secrets.token_bytes(SEED_BYTES)
    public = Signer(seed).public
    made = {**public.jwk(), "created": datetime.now(UTC).isoformat(timespec="seconds"), "d": encoded(seed)}
    retired = [{name: value for name, value in entry.items() if name != "d"} for entry in entries]
    _write(path, [made, *retired])
    return public.kid


def ensure(path: Path) -> None:
    """Make the first key where there is none; raises SettingsError if what is there cannot be used."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        new(path)
    load(path)


def listed(path: Path) -> list[Json]:
    """The keys without their private halves, the one that signs first, with `status` and, if known, `created`."""
    created = {entry.get("x"): entry.get("created") for entry in _read(path)}
    return [{**jwk, "created": created.get(jwk["x"])} for jwk in load(path).jwks()]


def _read(path: Path) -> list[Json]:
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SettingsError(f"SIGNING_KEYS: {path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise SettingsError(f"SIGNING_KEYS: {path} is not JSON.") from None
    entries = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise SettingsError(f'SIGNING_KEYS: {path} is not a JSON Web Key Set, {{"keys": [...]}}.')
    return entries


def _write(path: Path, entries: list[Json]) -> None:
    """Replace the file as a whole: whoever reads it meanwhile, or after a crash, finds the old one or the new one."""
    half = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"keys": entries}, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        with suppress(OSError):
            half.unlink()
        raise SettingsError(f"SIGNING_KEYS: {path} cannot be written: {error.strerror}.") from None
