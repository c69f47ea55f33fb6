"""The registry of rules: nothing is registered twice, and no order of registering counts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from np2torch.rules import core
from np2torch.rules.core import Area, Registry, Rule
from support.handlers import agree

SOURCES = Path(core.__file__).parent


def a_rule(area: str, declared: bool = False) -> Rule:
    """A rule that does nothing."""
    return Rule("numpy.f", "NPT100", (), lambda bound: frozenset(), None, "", (), area, declared=declared)


@pytest.mark.parametrize("first", [False, True])
def test_an_entry_takes_the_place_of_its_declaration_in_any_order(first):
    registry, entry, declaration = Registry(), a_rule("entry"), a_rule("declaration", declared=True)
    for one in (entry, declaration) if first else (declaration, entry):
        registry.add(one, "numpy.f")
    assert registry["numpy.f"] is entry


@pytest.mark.parametrize("declared", [False, True])
def test_a_second_entry_is_refused(declared):
    registry = Registry()
    registry.add(a_rule("here", declared), "numpy.f")
    with pytest.raises(ValueError, match=r"numpy\.f is registered twice: in here and in there"):
        registry.add(a_rule("there", declared), "numpy.f")


def test_a_rule_above_its_declaration_stands(monkeypatch):
    registry = Registry()
    monkeypatch.setattr(core, "FUNCTIONS", registry)
    monkeypatch.setattr(core, "METHODS", Registry())

    @core.rule("f", returns=lambda bound: frozenset())
    def f(x: str) -> core.Spelling:
        raise AssertionError

    core.declare("fft", {"f(x)": lambda bound: frozenset()})
    assert registry["numpy.f"].body is f


def test_what_rules_have_in_common_is_stated_where_they_are():
    """The name of the file decides nothing: the same text under another name registers the same traits."""
    traits = {}
    for module in ("np2torch.rules.sorting", "np2torch.rules.elsewhere"):
        names = {"__name__": module, "AREA": Area("sorting", takes_text=True)}
        exec("def f(x: 'Value'): return x", names)
        registry = Registry()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(core, "FUNCTIONS", registry)
            core.rule("f", returns=lambda bound: frozenset())(names["f"])
        traits[module] = registry["numpy.f"].area, registry["numpy.f"].takes_text
    assert set(traits.values()) == {("sorting", True)}


def test_nobody_goes_past_the_registry():
    names = {"FUNCTIONS", "METHODS", "METHODS_OF_UFUNCS"}
    written = [
        f"{path.name}:{node.lineno}"
        for path in SOURCES.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name) and node.value.id in names
    ]  # fmt: skip
    assert not written


def test_flags_that_are_numbers() -> None:
    """NumPy takes 0 and 1 for False and True, torch does not."""
    agree(
        """
        x = np.array([[3.0, 1.0], [2.0, 5.0]])
        s = np.linalg.svd(x, full_matrices=0)[1]
        t = np.linalg.svd(x, 1)[1]
        same = np.allclose(x, x, equal_nan=1)
        each = np.isclose(x, x, equal_nan=0)
        columns = np.vander(x[0], increasing=1)
        """,
        """
        x = torch.tensor([[3.0, 1.0], [2.0, 5.0]], dtype=torch.float64)
        s = torch.linalg.svd(x, full_matrices=False)[1]
        t = torch.linalg.svd(x, full_matrices=True)[1]
        same = torch.allclose(x, x, equal_nan=True)
        each = torch.isclose(x, x, equal_nan=False)
        columns = torch.vander(x[0], increasing=True)
        """,
    )
