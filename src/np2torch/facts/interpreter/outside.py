"""Statements about code outside of the analysis."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from np2torch.facts.guards import GuardLine
    from np2torch.facts.interpreter.environment import Place


class Outside(NamedTuple):
    """The callers and modules that an analysis does not see.

    Attributes
    ----------
    public
        Functions that callers outside the project may call with ndarrays.
    open
        Functions that callers outside the project may call with anything.
    guards
        The lines that stand at the entry of functions, by the place of these.
    unread
        Modules of the project that are not looked into.
    called_outside
        Names of functions that these may call.
    extensions
        Modules of the project that no Python text is of.
    """

    public: Set[ast.AST] = frozenset()
    open: Set[ast.AST] = frozenset()
    guards: Mapping[Place, GuardLine] = {}
    unread: Set[str] = frozenset()
    called_outside: Set[str] = frozenset()
    extensions: Set[str] = frozenset()
