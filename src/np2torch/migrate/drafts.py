"""The texts of a file for trials: converted three times, then put together for whatever functions are left on NumPy."""

from __future__ import annotations

import ast
from collections.abc import Callable, Set
from functools import cached_property

from np2torch.migrate.splicing import HEAD, Cut, Name, name_of, splice, whole
from np2torch.names.keeping import KeptNodes
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.convert import Work
from np2torch.rewrite.keeping import Keeping
from np2torch.source.model import Converted

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Drafts:
    """A file of an analysed project.

    Notes
    -----
    A function is written one of three ways, whatever is left beside it: converted, converted for callers on NumPy too,
    or left there. So is a class, as a whole. Where statements are left, a draft cannot be made.
    """

    def __init__(self, work: Work, number: int) -> None:
        self._work, self._number = work, number
        file = work.analysed.run.parsed.files[number]
        self._info = work.infos[file.path]
        self._names = name_of(self._info.tree)

    def text(self, left: KeptNodes, reached: Set[ast.AST]) -> str | None:
        """The text with these left, where code on NumPy calls those that are reached; None where it cannot be made."""
        if left.statements or any(one not in self._names for one in left.definitions):
            return None
        functions = [one for one in left.definitions if isinstance(one, FUNCTIONS)]
        classes = [one for one in left.definitions if not isinstance(one, FUNCTIONS)]
        inside = {below for one in left.definitions for below in tree_walk(one)}
        called = [node for node in self._names if node in reached and node not in inside]
        if self._plain is None:
            return None
        others: dict[Name, Cut | None] = {whole(self._names[node]): self._classes for node in classes}
        others.update({self._names[node]: self._kept for node in functions})
        others.update({self._names[node]: self._called for node in called})
        cuts = {name: cut for name, cut in others.items() if cut is not None}
        return splice(self._plain, cuts) if len(cuts) == len(others) else None

    @cached_property
    def _plain(self) -> Cut | None:
        return self._cut(lambda keep: None)

    @cached_property
    def _kept(self) -> Cut | None:
        names = (name for node, (name, _) in self._names.items() if isinstance(node, FUNCTIONS))
        return self._cut(lambda keep: None, [f"{self._info.name}:{name}" for name in names])

    @cached_property
    def _classes(self) -> Cut | None:
        names = (name.removesuffix(f".{HEAD}") for name, _ in self._names.values() if name.endswith(HEAD))
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
