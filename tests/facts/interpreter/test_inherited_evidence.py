"""What the docstring of an overridden method says of one that has none."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one
from support.guards import convert

BASE = '''class Base:
    def step(self, x, dt):
        """Go on.

        Parameters
        ----------
        x : ndarray
        dt : float

        Returns
        -------
        ndarray
        """
        raise NotImplementedError


'''
HEIR = '''class Heir(Base):
    def step(self, x, dt):
        {docstring}
        show({name})
        return other(x)


def use(heir: Heir, x, dt):
    heir.step(x, dt)
'''


@pytest.mark.parametrize(("name", "kind"), [("x", "array"), ("dt", "number")])
def test_a_method_without_docstring_has_that_of_the_one_it_overrides(name: str, kind: str) -> None:
    assert v.only(one(BASE + HEIR.format(docstring="", name=name)), kind, "scalar")


def test_it_is_handed_on_from_class_to_class() -> None:
    between = "class Between(Base):\n    def step(self, x, dt):\n        return x\n\n\n"
    assert v.only(one(BASE + between + HEIR.format(docstring="", name="x").replace("Base", "Between")), "array")


def test_a_docstring_of_its_own_counts_alone() -> None:
    assert v.known_to_include(one(BASE + HEIR.format(docstring='"""Go on."""', name="dt")), "unknown")


def test_no_guard_refuses_the_numbers_that_the_base_speaks_of() -> None:
    heir = "class Heir(Base):\n    def step(self, x, dt):\n        return self.inner.step(x, 1.0 / np.sqrt(dt))\n"
    assert "shim.tensor(dt" not in convert(BASE + heir).after
