"""The description of a loop that runs in NumPy."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

CODE = "NPT575"
VIEW, ANY, STRONG, WITHIN, STREAM = "view", "any", "strong", "within", "stream"
"""The ways in: a view, as run time tells, as the NumPy scalar that a Python number stands for; a function as it is in
NumPy; a generator of random numbers as NumPy's."""
BACK, NUMBER = "back", "number"
"""How it comes back: as a tensor, as a Python number."""
ELEMENTS = "elements"
"""A lambda that runs in NumPy as a whole."""


class LoopRefusal(Exception):
    """The loop cannot run in NumPy, and why."""


@dataclass
class Region:
    """A loop that runs in NumPy, or the first statement of a body that does.

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
    calls
        The functions of the module that it calls, which have to run in NumPy too.
    stream
        The generator that it draws from; empty for that of `numpy.random` itself, None where it does not.
    own
        The lists of the function that it takes for itself.
    last
        The last of the statements, where it is no loop but several in their order.
    """

    loop: ast.AST
    views: dict[str, tuple[str, str]] = field(default_factory=dict)
    renamed: dict[ast.expr, str] = field(default_factory=dict)
    going: dict[str, str] = field(default_factory=dict)
    coming: dict[str, str] = field(default_factory=dict)
    crossing: dict[ast.expr, str] = field(default_factory=dict)
    calls: set[ast.AST] = field(default_factory=set)
    stream: str | None = None
    own: set[str] = field(default_factory=set)
    last: ast.stmt | None = None

    def note_calls(self, functions: Iterable[ast.AST]) -> None:
        """Note functions of the module that it calls."""
        self.calls.update(functions)

    def end_with(self, last: ast.stmt) -> None:
        """Note the last of the statements."""
        self.last = last

    def draw_from(self, stream: str) -> None:
        """Note the generator that it draws from."""
        self.stream = stream
