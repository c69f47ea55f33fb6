"""A project converted step by step, or again: each run sees it as it was, and changes what is asked for."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from np2torch.rewrite.answers import converted_or_recalled
from np2torch.source import originals, vendored_shim
from np2torch.source.folder import DamagedError, digest
from np2torch.source.model import Converted, Problem, Settings, SourceFile
from np2torch.source.originals import EMPTY, JOURNAL, Original, Record
from np2torch.source.read import read_file
from np2torch.source.scope import Scope
from np2torch.source.store import Store
from np2torch.source.write import sweep

Progress = Callable[[int, int], None]


class Steps:
    """One step.

    Parameters
    ----------
    files
        The whole project as it lies there.
    scope
        What to convert, by resolved path; None for all.
    place
        Where the record of what was converted lies, or will.
    paths
        What is converted as a whole, from the project's folder; none where only parts are.
    store
        Where answers of earlier runs are kept; None where none are to be used.

    Attributes
    ----------
    prepared
        What comes of the files, where somebody has converted them already.
    """

    def __init__(
        self,
        files: Sequence[SourceFile],
        settings: Settings,
        scope: Scope | None,
        place: Path,
        paths: tuple[str, ...] = (),
        store: Store | None = None,
    ) -> None:
        self.files, self.scope, self.place, self.store = files, scope, place, store
        self.prepared: Iterable[Converted] | None = None
        self.real = {file.path: Path(os.path.realpath(file.path)) for file in files}
        self.copies = {file.path: name for file in files if (name := vendored_shim.without_copy(file.text)[1])}
        self.damaged: list[Problem] = []
        self.saved = self._loaded(place)
        begun = self._loaded(place.with_name(JOURNAL))
        self.was_stopped = begun != EMPTY
        texts = {self.real[file.path]: file.text for file in files}
        self.record = originals.recover(self.saved, begun, texts) if self.was_stopped else self.saved
        self.paths = paths or self.record.paths
        self.known: Mapping[Path, Original] = self.record.files
        self.done = {real: one for file in files if (one := self._original(file, real := self.real[file.path]))}
        self.settings = dataclasses.replace(settings, scope=self._all_parts(), stubs=tuple(self._stubs()))

    def _loaded(self, path: Path) -> Record:
        try:
            return originals.load(path)
        except DamagedError as error:
            self.damaged.append(error.problem)
            return EMPTY

    def _original(self, file: SourceFile, real: Path) -> Original | None:
        known = self.known.get(real)
        if known is None:
            return None
        return known if known.fits(file.text) or known.fits(vendored_shim.without_copy(file.text)[0]) else None

    def _stubs(self) -> Iterator[tuple[str, str]]:
        """The stubs that were converted, as they were; modules are analysed with what they said."""
        for path, one in self.known.items():
            if path.suffix == ".pyi" and isinstance(file := read_file(path), SourceFile) and one.fits(file.text):
                yield str(path), one.text

    def _all_parts(self) -> Scope | None:
        """Give the parts to convert in this step, with those converted before in the same files."""
        if self.scope is None:
            return None
        parts: dict[Path, frozenset[str] | None] = {}
        for path, real in self.real.items():
            if real in self.scope:
                new, before = self.scope[real], self.done[real].parts if real in self.done else frozenset()
                parts[path] = None if new is None or before is None else new | before
        return parts

    @property
    def edited_files(self) -> list[SourceFile]:
        """Files that were converted before and changed by hand since: what they hand on is not known."""
        real = self.real
        known = [(f, self.known[real[f.path]]) for f in self.files if real[f.path] in self.known]
        return [f for f, one in known if real[f.path] not in self.done and f.text != one.text]

    @property
    def waiting(self) -> list[SourceFile]:
        """Files with NumPy that are not converted after this step."""
        scope = self.settings.scope
        if scope is None:
            return []
        after = {path for path in scope if scope[path] is None}
        done = {path for path, real in self.real.items() if real in self.done and self.done[real].parts is None}
        return [file for file in self.files if file.mentions_numpy and file.path not in after | done]

    @property
    def sources(self) -> list[SourceFile]:
        """The files as they were before they were converted."""
        before = {path: self.done[real].text for path, real in self.real.items() if real in self.done}
        return [dataclasses.replace(file, text=before.get(file.path, file.text)) for file in self.files]

    def prepare(self, converted: Iterable[Converted]) -> None:
        """Take what somebody has converted already."""
        self.prepared = converted

    def run(self, progress: Progress | None = None) -> Iterator[Converted]:
        """Convert; `before` is the text that lies there now."""
        now = {file.path: file.text for file in self.files}
        scope = self.settings.scope
        found = self.prepared
        if found is None:
            found = converted_or_recalled(self.sources, self.settings, self.store, progress)
        for converted in map(self._with_its_copy, found):
            if scope is not None and converted.path not in scope:
                yield Converted(converted.path, now[converted.path], now[converted.path])
            elif converted.problems:
                yield converted._replace(before=now[converted.path], after=now[converted.path])
            else:
                done_before = converted.before != now[converted.path] and converted.after == now[converted.path]
                sites = () if done_before else converted.sites
                yield converted._replace(before=now[converted.path], sites=sites)

    def _with_its_copy(self, converted: Converted) -> Converted:
        """Let a file whose shim is a copy in its package keep that."""
        package = self.copies.get(converted.path)
        return converted._replace(after=vendored_shim.with_copy(converted.after, package)) if package else converted

    def begin(self, planned: Sequence[Converted]) -> None:
        """Write the coming record to the journal, so that the run may be stopped at any point.

        Raises
        ------
        OSError
            Where that cannot be written: then nothing should be.
        """
        folders = {self.real[converted.path].parent for converted in planned if converted.is_changed}
        if self.was_stopped:
            folders |= {real.parent for real in self.real.values()}
        sweep([*folders, self.place.parent])
        if self.was_stopped and self.record != self.saved:
            self._save(self.place, self.record)
        after = self._after(planned)
        if after != self.record:
            self._save(self.place.with_name(JOURNAL), after)

    def finish(self, written: Sequence[Converted]) -> None:
        """Note what was written, for the steps and runs to come."""
        with suppress(OSError):  # the journal says it already
            after = self._after(written)
            if after != self.record:
                self._save(self.place, after)
            originals.drop_journal(self.place)

    def _save(self, path: Path, record: Record) -> None:
        if any(problem.path == path for problem in self.damaged) and os.path.lexists(path):
            os.replace(path, path.with_name(f"{path.name}.bad"))
        originals.save(path, record)

    def _after(self, written: Sequence[Converted]) -> Record:
        """The record once these files are written."""
        kept, scope = dict(self.known), self.settings.scope
        for converted in written:
            if converted.problems or scope is not None and converted.path not in scope:
                continue
            real = self.real[converted.path]
            parts = None if scope is None else scope[converted.path]
            has_numpy = "numpy" in converted.before and scope is not None
            if parts is None and real not in self.done and converted.after == converted.before and not has_numpy:
                kept.pop(real, None)
                continue
            text = self.done[real].text if real in self.done else converted.before
            kept[real] = Original(text, parts, digest(converted.after))
        return Record(kept, self.paths if kept else ())
