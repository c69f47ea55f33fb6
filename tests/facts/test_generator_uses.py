"""Parameters that are generators of random numbers by their use, and NumPy's generators that callers pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.facts import notation
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.facts import one

TEXT = """import numpy as np


def order(n, rng):
    z = np.arange(n)
    rng.shuffle(z)
    return z, rng.permutation(n), rng.normal(size=n) * 2


def noise(x, rng=None):
    if rng is None:
        rng = np.random.default_rng()
    return x + rng.standard_normal(len(x))


def by_default(n, rng=np.random):
    z = np.arange(n)
    rng.shuffle(z)
    return z


def seeded(n, seed):
    return np.random.default_rng(seed).random(n)


class Deck:
    def __init__(self, rng):
        self.rng = rng

    def cards(self, n):
        z = np.arange(n)
        self.rng.shuffle(z)
        return z


def dealt(n, rng):
    return Deck(rng).cards(n)


class Walk:
    def __init__(self, rng):
        self.rng = rng

    def steps(self, n):
        return self.rng.normal(size=n) * 2


def walked(n, rng):
    return Walk(rng).steps(n)


def is_state(rng):
    return isinstance(rng, np.random.RandomState), isinstance(rng, np.random.Generator)


def checked(seed):
    if isinstance(seed, (np.random.Generator, np.random.RandomState)):
        return seed
    return np.random.RandomState(seed)


def tested(n, seed):
    rng = checked(seed)
    z = np.arange(n)
    rng.shuffle(z)
    return z


class Fit:
    def __init__(self, seed):
        self.seed = seed

    def drawn(self, n):
        rng = self.seed
        if not isinstance(rng, np.random.Generator):
            rng = np.random.default_rng(rng)
        z = np.arange(n)
        rng.shuffle(z)
        return z


def fitted(n, seed):
    return Fit(seed).drawn(n)
"""


def _sides() -> tuple[dict[str, Any], dict[str, Any]]:
    (done,) = convert_project([SourceFile(Path("draws.py"), "draws.py", TEXT)], Settings())
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for text, names in zip((TEXT, done.after), sides, strict=True):
        exec(text, names)
    return sides


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("rng.standard_normal(3); show(rng.normal(size=3))", "float64[n]"),
        ("x = rng.uniform(0, 1, 4); show(x)", "float64[n]"),
        ("rng.randn(2); show(rng.rand(2, 3))", "float64[n, m]"),
        ("if rng is None: rng = np.random.default_rng(0)\n    show(rng.uniform(size=5))", "float64[n]"),
        ("show(rng.normal(rng))", "unknown"),  # the normal of a surface
        ("show(rng.uniform(0, 1))", "unknown"),  # Python's generator has that too
        ("rng = g(rng); show(rng.normal(size=3))", "unknown"),
        ("rng = rng if isinstance(rng, int) else rng; rng.randn(3); show(rng.normal(size=3))", "unknown"),
        ("rng.randn(3); rng.integers(3); show(rng.normal(size=3))", "unknown"),  # no class has both
    ],
)
def test_what_is_drawn_from(body: str, expected: str) -> None:
    assert notation.show_fact(one(f"def f(rng, g):\n    {body}")).startswith(expected)


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("name", ["order", "noise", "by_default", "dealt", "seeded", "walked", "tested", "fitted"])
def test_generators_of_numpys_are_drawn_from_as_before(make: Any, name: str) -> None:
    """Their numbers come as tensors, arrays are shuffled, and the stream goes on where it was left."""
    first = np.linspace(0, 1, 5) if name == "noise" else 7
    found = []
    for side, convert in zip(_sides(), (lambda x: x, shim.from_numpy), strict=True):
        rng = make(3)
        found.append((side[name](convert(first), rng), rng.integers(99) if hasattr(rng, "integers") else rng.rand()))
    (old, old_rest), (new, new_rest) = found
    assert old_rest == new_rest
    for one_old, one_new in zip(*((x if isinstance(x, tuple) else (x,)) for x in (old, new)), strict=True):
        assert isinstance(one_new, torch.Tensor)
        assert one_new.numpy().dtype == one_old.dtype
        np.testing.assert_array_equal(one_new.numpy(), one_old)


def test_a_generator_is_asked_for_its_class() -> None:
    old, new = _sides()
    for rng in (np.random.RandomState(0), np.random.default_rng(0), 3):
        assert old["is_state"](rng) == new["is_state"](rng)
    for rng in (shim.random.RandomState(0), shim.random.default_rng(0)):
        assert any(new["is_state"](rng))


def test_the_line_stands_where_callers_may_pass_numpys() -> None:
    """Where the project itself passes one of ours there is none; the second conversion adds none."""
    closed = TEXT.replace("def order(", "def _order(") + "\n\nprint(_order(4, np.random.default_rng(0)))\n"
    (done,) = convert_project([SourceFile(Path("draws.py"), "draws.py", closed)], Settings())
    assert done.after.count("rng = shim.generator(rng)") == 3
    assert done.after.count("seed = shim.generator(seed)") == 1
    (again,) = convert_project([SourceFile(Path("draws.py"), "draws.py", done.after)], Settings())
    assert again.after == done.after
