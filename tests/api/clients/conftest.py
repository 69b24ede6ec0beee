"""Clients that were made from the document alone, against a real server."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.api.clients.tools import NPM, ROOT, SPEC, modules, run


@pytest.fixture(scope="session")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of `tools/npm`; NPM_FOLDER names one that is there already."""
    ready = os.environ.get("NPM_FOLDER")
    return Path(ready) if ready else modules(tmp_path_factory.mktemp("node") / NPM.name)


@pytest.fixture(scope="session")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python client, generated; its folder is the root of its package."""
    made = tmp_path_factory.mktemp("python") / "client"
    said = run(
        "openapi-python-client", "generate", "--path", SPEC, "--output-path", made,
        "--config", ROOT / "tools" / "python-client.yaml", "--fail-on-warning",
    )  # fmt: skip
    assert "WARNING" not in said
    return made
