"""Requirements as they are written, and what is to become of a list of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

TORCH, SHIM = "torch>=2.6", "np2torch[runtime]"
"""The requirements of converted code, without and with calls of the shim."""
SHIMS = ("np2torch", "np2torch-shim")
"""The distributions that bring the shim."""
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


class Needs(NamedTuple):
    """The requirements of a project's code after a conversion.

    `copied`: it has a copy of the shim, and needs no distribution of it any more.
    """

    torch: bool
    shim: bool
    numpy: bool
    copied: bool = False

    def loses(self, name: str) -> bool:
        """Tell whether a requirement of that name goes."""
        return self.copied and name in SHIMS


def name_of(requirement: str) -> str:
    """Give the name of what is required, in its normal form."""
    found = _NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", found[1]).lower() if found else ""


def names_to_add(present: Sequence[str], needs: Needs) -> list[str]:
    """Give what is to be added to a list of names that has NumPy in it."""
    wanted = [TORCH] * needs.torch + [SHIM] * needs.shim
    return [one for one in wanted if name_of(one) not in present]
