"""The document as linters see it: without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.clients.tools import SPEC, node


@pytest.mark.long
def test_redocly_has_nothing_to_say(npm: Path):
    said = node(npm, "redocly", "lint", "--config", "redocly.yaml", str(SPEC))
    assert "valid" in said
    assert "warning" not in said.lower()


@pytest.mark.long
def test_spectral_has_nothing_to_say(npm: Path):
    said = node(npm, "spectral", "lint", "--fail-severity", "hint", "--ruleset", "spectral.yaml", str(SPEC))
    assert "No results" in said


@pytest.mark.long
def test_linters_see_what_is_wrong(npm: Path, tmp_path: Path):
    """A document without descriptions, examples and codes does not pass."""
    text = SPEC.read_text("utf-8").replace("x-problems:", "x-gone:").replace("description: The bearer", "x: The bearer")
    broken = tmp_path / "openapi.yaml"
    broken.write_text(text, "utf-8")
    with pytest.raises(AssertionError, match="every-operation-lists-its-problems"):
        node(npm, "spectral", "lint", "--fail-severity", "hint", "--ruleset", "spectral.yaml", str(broken))
