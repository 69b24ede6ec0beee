"""`openapi.yaml`, a build product of the code: `python -m api.spec` writes it, `--check` tells if it is stale."""

import argparse
import sys
from pathlib import Path

import yaml

from api.application import make
from api.compatible import skeleton
from api.document import yaml_of
from api.meta import release
from domain.registry import REGISTRY

FILE = Path(__file__).resolve().parent.parent / "openapi.yaml"
RELEASED = FILE.with_name("docs") / "released"


def build() -> str:
    """`openapi.yaml` of the rulesets that this server plays."""
    return yaml_of(make(None, REGISTRY).extensions["openapi"])


def main(arguments: list[str] | None = None) -> int:
    """Write `openapi.yaml`, or with `--check` say whether it is what the code would write."""
    parser = argparse.ArgumentParser(prog="python -m api.spec", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if the file is stale")
    parser.add_argument("--release", action="store_true", help="keep it as that of this release, in docs/released")
    given = parser.parse_args(arguments)
    wanted = build()
    if given.release:
        path = RELEASED / f"openapi-{'.'.join(release().split('.')[:2])}.yaml"
        path.write_text(yaml_of(skeleton(yaml.safe_load(wanted))), encoding="utf-8")
        return 0
    if given.check:
        if FILE.exists() and FILE.read_text(encoding="utf-8") == wanted:
            return 0
        sys.stderr.write("openapi.yaml is stale: run `make spec`\n")
        return 1
    FILE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
