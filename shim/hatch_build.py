"""Where the parts of the distribution lie: in the repository, or in an sdist of it."""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
SOURCES = next(one for one in (HERE / "np2torch", HERE.parent / "src" / "np2torch") if one.is_dir())


def version() -> str:
    """Give the version, which is np2torch's."""
    package = SOURCES / "__init__.py"
    text = package.read_text("utf-8") if package.is_file() else (HERE / "PKG-INFO").read_text("utf-8")
    found = re.search(r'^(?:__version__ = "|Version: )([\w.+]+)', text, re.MULTILINE)
    assert found is not None
    return found[1]


class Files(BuildHookInterface):
    """Add the shim, which lies outside of this folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name what is added, and where it goes."""
        build_data["force_include"][str(SOURCES / "shim")] = "np2torch/shim"
