"""The data of the pipeline: a file as read, the sites found in it, the problems met on the way."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from np2torch.source import patterns
from np2torch.source.document import Document
from np2torch.source.literals import Summary
from np2torch.source.notebook import Notebook
from np2torch.source.scan import imported_modules, mentions_numpy

Outcome = Literal["native", "cast", "shim", "boundary", "todo"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
CONVERTIBLE: tuple[Outcome, ...] = ("native", "cast", "shim", "boundary")


PROBLEM_CODES = {
    "NPT512": "torch is hidden by a module of the project",
    "NPT901": "the file cannot be decoded",
    "NPT902": "the file cannot be read or written",
    "NPT903": "syntax error",
    "NPT904": "syntax newer than a parser knows",
    "NPT905": "nested too deeply, or too large",
    "NPT906": "internal error; the file is left as it was",
    "NPT907": "the file has changed since it was read",
    "NPT908": "the file is not to be written",
    "NPT909": "a file of `.np2torch` cannot be used",
    "NPT910": "a notebook that is not read",
}


@dataclass(frozen=True)
class SourceFile:
    """A Python file, decoded; `text` has no byte order mark and keeps its newlines as they are.

    `display` is the path shown to people, `newline` the first line ending in the file, `mode` its permission bits.
    `summary` is what its text was cut from, for the analysis, where it has large literals. `notebook` is what its text
    stands for, where that are the cells of one, or the code of a document.
    """

    path: Path
    display: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    newline: str = "\n"
    mode: int = 0o644
    summary: Summary | None = None
    notebook: Notebook | Document | None = None

    @property
    def whole_text(self) -> str:
        """The text as it is in the file."""
        return self.text if self.summary is None else self.summary.restore(self.text) or ""

    @cached_property
    def mentions_numpy(self) -> bool:
        """Tell whether the text contains `numpy` at all; without it the file cannot import NumPy directly."""
        return mentions_numpy(self.text)

    @cached_property
    def imported_modules(self) -> frozenset[str]:
        """List names of modules that the file may import, relative ones with their dots, without parsing."""
        return frozenset(imported_modules(self.text))


class Problem(NamedTuple):
    """Why a file could not be handled. Line and column count from 1; 0 when the whole file is meant."""

    path: Path
    line: int
    column: int
    code: str
    message: str


class Site(NamedTuple):
    """One use of NumPy and what became of it. Line and column count from 1, in the text before conversion.

    `function` is the dotted name, in the file, of the function or class that it stands in; `text` the whole expression
    in one line, empty for what is none.
    """

    line: int
    column: int
    outcome: Outcome
    code: str
    source: str
    message: str
    function: str = ""
    text: str = ""


class Remark(NamedTuple):
    """Something to know about a file that is neither a site nor a problem. Line and column count from 1."""

    line: int
    column: int
    code: str
    message: str


class Guard(NamedTuple):
    """A line at the entry of a function that normalises or checks its parameters; it is no site.

    The line counts from 1, in the text before conversion: that of the function. `function` is its dotted name in the
    file, `text` the guard as written, `reason` what would be silently different without it.
    """

    path: Path
    line: int
    function: str
    text: str
    reason: str

    @property
    def code(self) -> str:
        """The code of guards."""
        return "NPT540"


class Origin(NamedTuple):
    """One reason for a fact: its kind, `file:line` (empty for what stands nowhere), its words, and what it says."""

    kind: str
    place: str
    text: str
    fact: str = ""


class AcceptedTypes(NamedTuple):
    """The types that a function accepts for a parameter, as spelled in pragmas, and their origins."""

    parameter: str
    accepts: str
    origins: tuple[Origin, ...]


class Contract(NamedTuple):
    """The types that a function accepts, its callers, and its guard.

    The line counts from 1, in the text before conversion. `function` is its dotted name in the file; `audience` is
    "public" or "closed", `because` why. `guard` is the line at its entry, empty where it has none, `reason` why it has
    this one or none.
    """

    path: Path
    line: int
    function: str
    audience: str
    because: str
    parameters: tuple[AcceptedTypes, ...]
    guard: str
    reason: str


class Converted(NamedTuple):
    """A file after conversion; `before == after` when nothing was to be done."""

    path: Path
    before: str
    after: str
    sites: tuple[Site, ...] = ()
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Remark, ...] = ()
    guards: tuple[Guard, ...] = ()
    contracts: tuple[Contract, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Tell whether the conversion altered the text."""
        return self.before != self.after


@dataclass(frozen=True)
class Settings:
    """The settings from `[tool.np2torch]` and the command line.

    Parameters
    ----------
    exclude
        Patterns in the style of .gitignore, relative to `root`, for files and folders to leave out.
    respect_gitignore
        Leave out what git ignores.
    indirect
        Convert files too that never mention NumPy but handle arrays made elsewhere.
    jobs
        Processes to use; 0 means one per core.
    select, ignore
        Codes or their beginnings ("NPT2"); empty `select` means all.
    types
        Dotted names of the project and what they are: `("pkg.mod.func.x", "float64[n, 3]")`.
    assume
        "float": arrays of unknown dtype are float64. Nothing is assumed by default.
    trace
        The recorded run to use as evidence.
    keep
        What stays on NumPy, with a border around it: `pkg.module:Class.method`, or a module.
    unguarded
        The functions that get no guard, named in the same way.
    public_api
        "ndarray": public functions and classes take and give ndarrays to callers outside; else tensors.
    public_modules
        The modules, or packages with all below them, whose names are public; empty for all but tests.
    float
        "float32": every float64 becomes float32, every complex128 complex64; "default": programs make float64 torch's
        default and leave it out.
    unknown
        What stands where the type of a parameter decides and nobody states it: "guard" for a line at the entry of the
        function where that makes its body plain torch, "shim" for functions of the shim at each site.
    closed
        Patterns in the style of .gitignore, relative to `root`, for files whose functions nobody else calls.
    random
        "torch": draws of `np.random`'s functions are torch's own.
    scalars
        "number": scalars are Python numbers where that comes out the same; "tensor": floats through which a gradient
        may flow stay tensors. By default the project's text decides.
    loops
        What loops that go element by element run on: "numpy", views of the tensors' memory; "tensor", the tensors. By
        default NumPy, unless gradients, a device or float32 are asked for.
    functions
        What functions run on that only compute: "called", NumPy where loops in NumPy call them or they call themselves;
        "numpy", also where they take arrays apart; "tensor", the tensors. NumPy only where loops may run in it.
    vectorize
        Loops whose passes are proved to be independent, or only to sum up, become whole-array code.
    device
        What tensors are made on; "default" for what torch takes by itself, "parameter" for where the tensors are that
        a function is given.
    scope
        By path, the names in a file that are converted, None for the whole file; None for all files.
    per_file_ignores
        Codes to ignore, by patterns of files: `(("tests/**", ("NPT6",)),)`.
    requirements
        Convert what the project requires too.
    migrated
        Patterns of files in which `check` allows no NumPy that is convertible, whatever the baseline says.
    baseline
        The file of what `check` allows, relative to `root`.
    max_shim, max_guards, max_todo
        How many calls of the shim, guards and TODOs `check` allows; None for any number.
    origins
        Where the values that are no defaults come from, by their names here.
    stubs
        The texts of stub files before they were converted, by their resolved paths.
    root
        The folder of the file the settings came from.
    nested
        The settings of folders below it, which hold for what they say of files.
    is_only
        No nested settings count: these were chosen by name.
    """

    exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    indirect: bool = True
    jobs: int = 1
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    keep: tuple[str, ...] = ()
    unguarded: tuple[str, ...] = ()
    assume: str = ""
    trace: Path | None = None
    public_api: str = "tensor"
    public_modules: tuple[str, ...] = ()
    float: str = "numpy"
    unknown: str = "guard"
    closed: tuple[str, ...] = ()
    random: str = "exact"
    scalars: str = ""
    loops: str = ""
    functions: str = "called"
    vectorize: bool = False
    device: str = "default"
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    requirements: bool = True
    migrated: tuple[str, ...] = ()
    baseline: str = ""
    max_shim: int | None = None
    max_guards: int | None = None
    max_todo: int | None = None
    origins: Mapping[str, Path | str] = field(default_factory=dict, compare=False)
    scope: Mapping[Path, frozenset[str] | None] | None = None
    stubs: tuple[tuple[str, str], ...] = ()
    root: Path = field(default_factory=Path.cwd)
    nested: Mapping[Path, Settings] = field(default_factory=dict)
    is_only: bool = False

    def for_file(self, path: Path) -> Settings:
        """The settings that lie nearest above a file, with what they say of it alone."""
        own = self
        if self.nested:
            folders = Path(os.path.abspath(path)).parents
            own = next((self.nested[folder] for folder in folders if folder in self.nested), self)
        ignored = [
            code for pattern, codes in own.per_file_ignores if patterns.names((pattern,), path, own.root)
            for code in codes
        ]  # fmt: skip
        return replace(own, ignore=(*own.ignore, *ignored)) if ignored else own

    def is_migrated(self, path: Path) -> bool:
        """Tell whether a file is to have no NumPy left that is convertible."""
        own = self.for_file(path)
        return patterns.names(own.migrated, path, own.root)

    @property
    def shim_import(self) -> str:
        """The line that brings in the shim for these policies."""
        device = [] if self.device in ("default", "parameter") else [self.device.replace(":", "_")]
        name = "_".join(device + ["float32"] * (self.float == "float32"))
        return f"from np2torch.shim.policies import {name} as shim" if name else "from np2torch import shim"

    def selects(self, code: str) -> bool:
        """Tell whether rewrites with this code are wanted; the longest matching prefix decides, `ignore` on a tie."""
        wanted = max((len(p) for p in self.select if code.startswith(p)), default=-1 if self.select else 0)
        unwanted = max((len(p) for p in self.ignore if code.startswith(p)), default=-1)
        return wanted > unwanted
