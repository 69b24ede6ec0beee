"""What setuptools cannot be told in pyproject.toml: the texts that the server shows go into the package with it."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent


class WithTexts(build_py):
    """Copies `docs` and the changelog to `api/texts`; in the source tree they are read where they are."""

    def run(self) -> None:
        """Build, and copy."""
        super().run()
        if self.editable_mode:
            return
        texts = Path(self.build_lib) / "api" / "texts"
        shutil.rmtree(texts, ignore_errors=True)
        shutil.copytree(ROOT / "docs", texts, ignore=lambda folder, names: [n for n in names if n == "released"])
        shutil.copy(ROOT / "CHANGELOG.md", texts)


setup(cmdclass={"build_py": WithTexts})
