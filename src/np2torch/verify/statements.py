"""The analysis of the functions of the old side: contracts, guards, and the rules that rewrote them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from np2torch.rewrite import convert
from np2torch.source.mentions import EVERY, dtypes_in
from np2torch.source.model import Contract, Converted, Settings, SourceFile
from np2torch.verify.kinds import ANYTHING, Kind, kinds
from np2torch.verify.pairs import Function

CLOSED = "closed"


class Statement(NamedTuple):
    """The kinds that one function accepts, by parameter; those of its class with `__init__.` before them.

    Attributes
    ----------
    is_closed
        Whether its project alone calls it, so that nothing guards it against other values.
    unspoken
        The dtypes that a program never speaks of, which nobody passes to its functions.
    """

    accepts: dict[str, tuple[Kind, ...]]
    rests_on: tuple[str, ...] = ()
    is_closed: bool = False
    unspoken: frozenset[str] = frozenset()


NOTHING = Statement({})


class Statements:
    """The statements about the functions of some files."""

    def __init__(self, converted: Sequence[Converted], said: frozenset[str] = EVERY) -> None:
        """Take files after conversion, and the dtypes that their texts speak of."""
        self._files = {os.path.realpath(one.path): one for one in converted}
        is_program = all(contract.audience == CLOSED for one in converted for contract in one.contracts)
        self._unspoken = EVERY - said if is_program else frozenset[str]()

    @classmethod
    def of(cls, files: Sequence[SourceFile], settings: Settings) -> Statements:
        """Analyse files, without running anything."""
        said = dtypes_in(file.text for file in files).computed
        return cls(list(convert.convert_project(files, settings)), said)

    def of_function(self, path: Path, function: Function) -> Statement:
        """Give the statement about a function of a file."""
        done = self._files.get(os.path.realpath(path))
        if done is None:
            return NOTHING
        dotted = f"{function.owner}.{function.name}" if function.owner else function.name
        by_name = {contract.function: contract for contract in done.contracts}
        accepts: dict[str, tuple[Kind, ...]] = {}
        constructor, own = by_name.get(f"{function.owner}.__init__"), by_name.get(dotted)
        for prefix, contract in (("__init__.", constructor), ("", own)):
            if contract is not None:
                accepts |= {prefix + one.parameter: kinds(one.accepts) for one in contract.parameters}
        is_closed = own is not None and own.audience == CLOSED
        return Statement(accepts, _rests_on(done, function, own), is_closed, self._unspoken)


def _rests_on(done: Converted, function: Function, contract: Contract | None) -> tuple[str, ...]:
    """The codes of the rules at work in a function, and its guard."""
    codes = [site.code for site in done.sites if function.line <= site.line <= function.last_line and site.code]
    guards = [contract.guard] if contract is not None and contract.guard else []
    return (*dict.fromkeys(sorted(codes)), *guards)


def is_known(alternatives: tuple[Kind, ...]) -> bool:
    """Tell whether anything is stated."""
    return any(kind != ANYTHING for kind in alternatives)
