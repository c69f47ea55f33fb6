"""The keys of `[tool.np2torch]`: their kinds, their meaning, and the JSON schema made of both."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from np2torch.source import setting_kinds as kinds
from np2torch.source.setting_kinds import Kind, one_of

ASSUMPTIONS = ("float",)
"""The assumptions about arrays of unknown dtype."""
PUBLIC = ("tensor", "ndarray")
"""The arrays that callers of public functions get."""
FLOATS = ("numpy", "float32", "default")
"""The replacement of float64; "default": it is torch's default in programs."""
RANDOM = ("exact", "torch")
"""Whose stream `np.random` draws from."""
UNKNOWNS = ("guard", "shim")
"""The code for a parameter of unknown type that decides."""
SCALARS = ("number", "tensor")
"""The representation of scalars if both give the same."""
LOOPS = ("numpy", "tensor")
"""The arrays that loops over elements run on."""
FUNCTIONS = ("called", "numpy", "tensor")
"""The arrays that functions run on which only take arrays apart and compute with the elements."""

Reach = Literal["file", "run", "project", "table"]


class Key(NamedTuple):
    """A key.

    Attributes
    ----------
    reach
        "file": each file takes it from the nearest settings. "run": it is taken from the settings above all files, and
        others are not heard. "project": it is put together from all settings. "table": it is about the table itself.
    meaning
        What it says, for people and their editors.
    """

    kind: Kind
    reach: Reach
    meaning: str


KEYS: dict[str, Key] = {
    "exclude": Key(kinds.STRINGS, "file", "patterns as in .gitignore of files and folders to leave out"),
    "respect-gitignore": Key(kinds.BOOLEAN, "file", "leave out what git ignores"),
    "indirect": Key(kinds.BOOLEAN, "file", "convert files too that only handle arrays made elsewhere"),
    "jobs": Key(kinds.PROCESSES, "run", "processes to use; 0 for one per core"),
    "select": Key(kinds.CODES, "file", "only these codes or beginnings of codes; empty for all"),
    "ignore": Key(kinds.CODES, "file", "all codes but these; the longer match wins over select"),
    "per-file-ignores": Key(kinds.CODES_OF_FILES, "file", "codes to ignore, by patterns of files"),
    "types": Key(kinds.TYPES, "project", "dotted names of the project and what they are"),
    "keep": Key(kinds.ENTRIES, "run", "what stays on NumPy behind a border"),
    "unguarded": Key(kinds.ENTRIES, "run", "functions that get no guard"),
    "assume": Key(one_of(*ASSUMPTIONS), "run", "what arrays of unknown dtype are taken for"),
    "public-api": Key(one_of(*PUBLIC), "run", "what callers of public functions use"),
    "public-modules": Key(kinds.STRINGS, "run", "the modules whose names are public"),
    "float": Key(one_of(*FLOATS), "run", "what float64 becomes"),
    "random": Key(one_of(*RANDOM), "run", "whose stream the functions of np.random draw from"),
    "unknown": Key(one_of(*UNKNOWNS), "run", "what stands where the type of a parameter is unknown"),
    "closed": Key(kinds.STRINGS, "file", "patterns of files whose functions nobody but the project calls"),
    "scalars": Key(one_of(*SCALARS), "run", "what scalars are where both come out the same"),
    "loops": Key(one_of(*LOOPS), "run", "what loops that go element by element run on"),
    "functions": Key(one_of(*FUNCTIONS), "run", "what functions that only compute element by element run on"),
    "vectorize": Key(kinds.BOOLEAN, "run", "make whole-array code of loops whose passes are independent"),
    "device": Key(kinds.DEVICE, "run", "where tensors are made"),
    "requirements": Key(kinds.BOOLEAN, "run", "convert what the project requires too: torch in, NumPy out"),
    "migrated": Key(kinds.STRINGS, "file", "patterns of files in which check allows no NumPy that is convertible"),
    "baseline": Key(kinds.FILE, "run", "the file of what check allows"),
    "max-shim": Key(kinds.COUNT, "run", "how many calls of the shim check allows"),
    "max-guards": Key(kinds.COUNT, "run", "how many guards check allows"),
    "max-todo": Key(kinds.COUNT, "run", "how many TODOs check allows"),
    "required-version": Key(kinds.VERSION, "table", "the versions of np2torch that may run"),
    "extend": Key(kinds.FILE, "table", "a TOML file whose settings hold where this table says nothing"),
}
"""In the order in which they are documented."""


def field(key: str) -> str:
    """Give the name that a key has in `Settings`."""
    return key.replace("-", "_")


def schema() -> dict[str, Any]:
    """Make the JSON schema of the table `[tool.np2torch]`."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of np2torch, the table [tool.np2torch]",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"description": key.meaning, **key.kind.schema} for name, key in KEYS.items()},
    }
