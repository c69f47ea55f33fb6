"""What it takes to run a loop in NumPy."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from np2torch.rules.loops.flow import Loop

CODE = "NPT575"
VIEW, ANY, STRONG = "view", "any", "strong"
"""How a value goes in: by `.numpy()`, as run time tells, as the NumPy scalar that a Python number stands for."""
BACK, NUMBER = "back", "number"
"""How it comes back: as a tensor, as a Python number."""


class Refused(Exception):
    """The loop cannot run in NumPy, and why."""


@dataclass
class Region:
    """A loop that runs in NumPy.

    Attributes
    ----------
    views
        The names and attributes that the loop reads and never binds: how they go in, and what their views are called.
    renamed
        The expressions in the loop that read a view.
    going, coming
        The names that the loop binds: how they go in before it, and come back after it.
    crossing
        Expressions in the loop whose values leave it, and how.
    """

    loop: Loop
    views: dict[str, tuple[str, str]] = field(default_factory=dict)
    renamed: dict[ast.expr, str] = field(default_factory=dict)
    going: dict[str, str] = field(default_factory=dict)
    coming: dict[str, str] = field(default_factory=dict)
    crossing: dict[ast.expr, str] = field(default_factory=dict)
