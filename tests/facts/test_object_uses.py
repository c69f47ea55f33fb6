"""Parameters that are neither arrays nor numbers by their use."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


def build(model, x, part):
    {body}


def size(x):
    return np.zeros(3) + x
"""


def _converted(body: str, more: str = "") -> str:
    text = TEXT.format(body=body) + more
    (done,) = convert_project([SourceFile(Path("parts.py"), "parts.py", text)], Settings())
    return done.after


@pytest.mark.parametrize(
    "body",
    [
        "print(part.owner); model.seen[part] = 1; return part in model.params",
        "model.seen[part] = part.owner; model.known.add(part)",
        "for one in part.owners: print(one)\n    return model.sig[part]['in']",
        "for part in x: model.seen[part] = part.owner",
        "return {part: part.owner for part in x}, [model.seen[part].owner for part in x if part.owner]",
        "with part.entered() as f: return model.params[part]",
    ],
)
def test_an_object_is_a_key_as_it_is(body: str) -> None:
    text = _converted(body)
    assert not any(one in text for one in ("shim.key(part)", "shim.index(part)", "sig, part", "params, part"))


@pytest.mark.parametrize(
    "body",
    [
        "model.seen[part] = 1",
        "part.sum(); model.seen[part] = 1",
        "part.name; model.seen[part] = 1",  # a dtype has one
        "part.values; model.seen[part] = 1",  # a dict has them
        "if x: part.owner\n    model.seen[part] = 1",
        "if x: return model.seen[part]\n    return part.owner",
        "[part.owner for one in x]; model.seen[part] = 1",
        "if hasattr(part, 'owner'): print(part)\n    part.owner; model.seen[part] = 1",
        "for part in x:\n        if part in model.seen: continue\n        print(part.owner)",
        "for part in x:\n        if x: print(part.owner)\n        model.seen[part] = 1",
        "for part in x: part = part.owner; model.seen[part] = 1",
        "part = part.owner; model.seen[part] = 1",
    ],
)
def test_what_may_be_a_number_is_a_key_by_its_value(body: str) -> None:
    text = _converted(body)
    assert any(before in text for before in ("shim.key(part)", "shim.index(part)", "seen, part"))


@pytest.mark.parametrize(
    ("more", "is_object"),
    [
        ("", True),
        ("\n\nfrom collections import namedtuple\n\nPoint = namedtuple('Point', 'owner y')\n", False),
        ("\n\nfrom collections import namedtuple\n\nPoint = namedtuple('Point', 'x y')\n", True),
        ("\n\nfrom typing import NamedTuple\n\n\nclass Point(NamedTuple):\n    owner: float\n", False),
        ("\n\nimport collections\n\nPoint = collections.namedtuple('Point', size(3))\n", False),
    ],
)
def test_named_tuples_hold_numbers(more: str, is_object: bool) -> None:
    """A tuple with named items is a key by the values in it: `Point(x[0], x[1])`."""
    text = _converted("model.seen[part] = part.owner", more)
    assert ("[part]" in text) is is_object


def test_attributes_of_objects_stay_open() -> None:
    """That it is an object says nothing of what it holds."""
    text = _converted("part.connect(x); return part.bias / 2, part.n[0]")
    assert "shim.operator.truediv(part.bias, 2)" in text
    assert "shim.element(part.n[0])" in text
