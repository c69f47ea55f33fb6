"""Files of `h5py`: groups, datasets and their attributes, in which arrays are kept.

What a name in a file stands for is not in the text: a group, a dataset, a type. It is `h5py.Node()`, of which an index
that is no name reads an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel

GROUP = v.Opaque("h5py.Group()")
"""A group or a file, which is one."""
DATASET = v.Opaque("h5py.Dataset()")
NODE = v.Opaque("h5py.Node()")
ATTRIBUTES = v.Opaque("h5py.AttributeManager()")
OBJECTS = frozenset({GROUP, DATASET, NODE, ATTRIBUTES})
MADE = {
    "File": GROUP, "Group": GROUP, "create_group": GROUP, "require_group": GROUP, "__enter__": GROUP,
    "Dataset": DATASET, "create_dataset": DATASET, "require_dataset": DATASET, "create_dataset_like": DATASET,
    "create_virtual_dataset": DATASET, "astype": DATASET, "asstr": DATASET, "fields": DATASET,
}  # fmt: skip
"""What functions and methods give; views of a dataset (`astype`) are read as it is."""
NOTHING = frozenset(
    "close flush copy move visit_links read_direct write_direct refresh create modify resize make_scale".split()
)
"""Methods that give nothing."""
READING = {"attrs": ATTRIBUTES, "file": GROUP, "parent": GROUP}


class H5py(LibraryModel):
    """Groups, datasets and attributes."""

    packages: ClassVar = {"h5py": "array"}

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Open a file, make what is in one, or go through it."""
        owner, _, name = origin.rpartition(".")
        if owner == "h5py":
            return v.one(MADE[name]) if name in ("File", "Group", "Dataset") else None
        if v.Opaque(owner) not in OBJECTS:
            return None
        if name in MADE and name not in ("File", "Group", "Dataset"):
            return v.one(MADE[name])
        if owner in (GROUP.origin, NODE.origin):  # a dataset has no such methods
            if name in WALKS:
                return v.one(v.Iterator(WALKS[name]))
            if name == "get" and len(arguments.positional) == 1 and not arguments.keywords:
                return v.join(v.one(NODE), v.NONE)
        return v.NONE if name in NOTHING else v.TOP

    def attribute(self, owner: v.Opaque, name: str) -> v.Fact | None:
        """Give the attributes of a group, or where it is."""
        return v.one(READING[name]) if owner in OBJECTS and name in READING else None

    def item(self, owner: v.Opaque, entries: Sequence[v.Fact]) -> v.Fact | None:
        """Give what a name stands for, or what is read of a dataset: text and records too."""
        if owner not in OBJECTS:
            return None
        if len(entries) == 1 and owner == GROUP:  # it takes nothing but names and references
            return v.one(NODE)
        if len(entries) != 1 or not v.only(entries[0], "text"):
            return v.TOP
        return v.join(v.TOP, v.one(NODE)) if owner == NODE else v.TOP  # the field of a dataset of records

    def iterate(self, owner: v.Opaque) -> v.Fact | None:
        """Give the names in a group; the rows of a dataset cross no border."""
        if owner not in OBJECTS:
            return None
        return v.TEXT if owner in (GROUP, ATTRIBUTES) else v.TOP

    def operator(self, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
        """Compute with what is read of a dataset beside an array."""
        return v.TOP if any(map(self.stays, (left, right))) else None

    def stays(self, fact: v.Fact) -> bool:
        """Tell whether this is an object of a file for certain."""
        return bool(fact) and all(atom in OBJECTS for atom in fact)


WALKS = {"keys": v.TEXT, "values": v.one(NODE), "items": v.tuple_of(v.TEXT, v.one(NODE))}
"""What methods of a group go through."""
