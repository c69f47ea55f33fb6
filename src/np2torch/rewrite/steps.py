"""A project converted step by step, or again: each run sees it as it was, and changes what is asked for."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from np2torch.source import originals
from np2torch.source.folder import digest
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch.source.originals import Original
from np2torch.source.paths import common_folder
from np2torch.source.scope import Scope

Progress = Callable[[int, int], None]


class Steps:
    """One step.

    Parameters
    ----------
    files
        The whole project as it lies there.
    scope
        What to convert, by resolved path; None for all.
    """

    def __init__(self, files: Sequence[SourceFile], settings: Settings, scope: Scope | None) -> None:
        self.files, self.scope = files, scope
        self.real = {file.path: Path(os.path.realpath(file.path)) for file in files}
        self.place = originals.place(_root(settings.root, list(self.real.values())))
        self.known = originals.load(self.place)
        self.done = {real: one for file in files if (one := self._original(file, real := self.real[file.path]))}
        self.settings = dataclasses.replace(settings, scope=self._all_parts())

    def _original(self, file: SourceFile, real: Path) -> Original | None:
        known = self.known.get(real)
        return known if known is not None and known.fits(file.text) else None

    def _all_parts(self) -> Scope | None:
        """What is to be converted in this step, with what has been before in the same files."""
        if self.scope is None:
            return None
        parts: dict[Path, frozenset[str] | None] = {}
        for path, real in self.real.items():
            if real in self.scope:
                new, before = self.scope[real], self.done[real].parts if real in self.done else frozenset()
                parts[path] = None if new is None or before is None else new | before
        return parts

    @property
    def edited(self) -> list[SourceFile]:
        """Files that were converted before and changed by hand since: what they hand on is not known."""
        return [f for f in self.files if (real := self.real[f.path]) in self.known and real not in self.done]

    @property
    def waiting(self) -> list[SourceFile]:
        """Files with NumPy that are not converted after this step."""
        scope = self.settings.scope
        if scope is None:
            return []
        after = {path for path in scope if scope[path] is None}
        done = {path for path, real in self.real.items() if real in self.done and self.done[real].parts is None}
        return [file for file in self.files if file.mentions_numpy and file.path not in after | done]

    def run(self, progress: Progress | None = None) -> Iterator[Converted]:
        """Convert; `before` is the text that lies there now."""
        from np2torch.rewrite.convert import convert_project  # heavy: only where something is converted

        now = {file.path: file.text for file in self.files}
        before = {path: self.done[real].text for path, real in self.real.items() if real in self.done}
        sources = [dataclasses.replace(file, text=before.get(file.path, file.text)) for file in self.files]
        scope = self.settings.scope
        for converted in convert_project(sources, self.settings, progress):
            if scope is not None and converted.path not in scope:
                yield Converted(converted.path, now[converted.path], now[converted.path])
            elif converted.problems:
                yield converted._replace(before=now[converted.path], after=now[converted.path])
            else:
                done_before = converted.before != now[converted.path] and converted.after == now[converted.path]
                sites = () if done_before else converted.sites
                yield converted._replace(before=now[converted.path], sites=sites)

    def keep(self, written: Sequence[Converted]) -> None:
        """Note what was written, for the steps and runs to come."""
        kept, scope = dict(self.known), self.settings.scope
        for converted in written:
            if converted.problems or scope is not None and converted.path not in scope:
                continue
            real = self.real[converted.path]
            if scope is None and real not in self.done and converted.after == converted.before:
                kept.pop(real, None)
                continue
            text = self.done[real].text if real in self.done else converted.before
            parts = None if scope is None else scope[converted.path]
            kept[real] = Original(text, parts, digest(converted.after))
        if kept != self.known:
            with suppress(OSError):  # what was converted is written; only a later run knows less
                originals.save(self.place, kept)


def _root(settled: Path, files: Sequence[Path]) -> Path:
    """The folder whose `.np2torch` is meant: the project's, or for files elsewhere the one they have in common."""
    if not files or any(settled.resolve() in file.parents for file in files):
        return settled
    return common_folder(files)
