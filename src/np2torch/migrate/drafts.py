"""The texts of a file for trials: converted three times, then put together for whatever functions are left on NumPy."""

from __future__ import annotations

import ast
from collections.abc import Callable, Set
from functools import cached_property

from np2torch.migrate.splicing import Cut, Name, name_of, spliced
from np2torch.names.keeping import Kept
from np2torch.rewrite.convert import Work
from np2torch.rewrite.keeping import Keeping
from np2torch.source.model import Converted

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Drafts:
    """A file of an analysed project.

    Notes
    -----
    A function is written one of three ways, whatever is left beside it: converted, converted for callers on NumPy too,
    or left there. Where more than functions is left, a draft cannot be made.
    """

    def __init__(self, work: Work, number: int) -> None:
        self._work, self._number = work, number
        file = work.analysed.run.parsed.files[number]
        self._info = work.infos[file.path]
        self._names = name_of(self._info.tree)

    def text(self, left: Kept, reached: Set[ast.AST]) -> str | None:
        """The text with these left, where code on NumPy calls those that are reached; None where it cannot be made."""
        if left.statements or not all(isinstance(one, FUNCTIONS) and one in self._names for one in left.definitions):
            return None
        called = [node for node in self._names if node in reached and node not in left.definitions]
        if self._plain is None or left.definitions and self._kept is None or called and self._called is None:
            return None
        others: dict[Name, Cut] = {}
        for nodes, cut in ((left.definitions, self._kept), (called, self._called)):
            others.update({self._names[node]: cut for node in nodes if cut is not None})
        return spliced(self._plain, others)

    @cached_property
    def _plain(self) -> Cut | None:
        return self._cut(lambda keep: None)

    @cached_property
    def _kept(self) -> Cut | None:
        names = (name for node, (name, _) in self._names.items() if isinstance(node, FUNCTIONS))
        return self._cut(lambda keep: None, [f"{self._info.name}:{name}" for name in names])

    @cached_property
    def _called(self) -> Cut | None:
        def reach(keep: Keeping) -> None:
            keep.reached = frozenset(self._names)

        return self._cut(reach)

    def _cut(self, change: Callable[[Keeping], None], entries: list[str] | None = None) -> Cut | None:
        keep = Keeping(entries or [], self._work.infos, self._work.engine)
        change(keep)
        found = self._work.convert(self._number, keep)
        return None if found.problems else _cut_of(found)


def _cut_of(found: Converted) -> Cut | None:
    try:
        return Cut(found.after)
    except SyntaxError:
        return None
