"""Every public name of NumPy has an outcome: the lists are NumPy's, each name is in the table, each TODO says why."""

from __future__ import annotations

import importlib.util
import json
from types import ModuleType

import numpy
import pytest
from click.testing import CliRunner
from numpy.tests import test_public_api

from np2torch.names import resolve
from np2torch.report.coverage import AREAS, counts, coverage, missing
from np2torch.report.coverage_pages import COLUMNS, asked_for, counts_rows
from np2torch.rewrite.convert import shim_names
from np2torch.rules.core import FUNCTIONS, METHODS
from np2torch.rules.unsupported_names import KEPT, kept_group
from np2torch.source.model import OUTCOMES
from np2torch_cli import cli
from support.paths import ROOT

ENTRIES = [entry for entries in coverage().values() for entry in entries]
NAMES = [name for entry in ENTRIES for name in entry.names]
SAME_NUMPY = numpy.__version__.split(".")[:2] == ["2", "4"]


def tool(name: str) -> ModuleType:
    """A tool of the project, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not SAME_NUMPY, reason="the lists follow NumPy 2.4")
def test_the_lists_are_those_of_numpy():
    lister = tool("list_api")
    assert lister.public() == resolve.public(), "run `python tools/list_api.py`"
    assert lister.members() == resolve.members(), "run `python tools/list_api.py`"


@pytest.mark.skipif(not SAME_NUMPY, reason="the lists follow NumPy 2.4")
def test_no_public_module_is_left_out():
    """Those that NumPy's own tests call public; `numpy.distutils` is gone with Python 3.12."""
    modules = {name for name, kind in resolve.public().items() if kind == "module"}
    theirs = {*test_public_api.PUBLIC_MODULES, *test_public_api.PUBLIC_ALIASED_MODULES}
    assert {name for name in theirs - modules if not name.startswith("numpy.distutils")} == set()


def test_every_public_name_has_one_outcome():
    public = {name.removeprefix("numpy.") for name, kind in resolve.public().items() if kind != "module"}
    assert public - set(NAMES) == set()
    assert set(resolve.members()) - set(NAMES) == set()
    assert len(NAMES) == len(set(NAMES))
    assert {entry.outcome for entry in ENTRIES} <= set(OUTCOMES)


def test_what_stays_says_why_and_what_to_do_instead():
    assert missing() == []
    for entry in ENTRIES:
        if entry.outcome == "todo":
            assert " Instead: " in entry.doc
    assert all(group.reason.endswith(".") and group.instead.endswith(".") for group in KEPT)


def test_reasons_are_for_names_that_stay():
    """A pattern that means nothing is a mistake, and a rule needs no reason to stay."""
    stays = {entry.name for entry in ENTRIES if entry.outcome == "todo"}
    used = {kept_group(name) for name in stays}
    assert [group.names for group in KEPT if group not in used] == []


def test_outcomes_follow_the_rules_and_the_shim():
    by_name = {name: entry for entry in ENTRIES for name in entry.names}
    assert by_name["exp"].outcome == "native" and by_name["exp"].spelling == "torch.exp(x)"
    assert by_name["ndarray.flatten"].outcome in ("native", "cast")
    assert by_name["loadtxt"].outcome == "boundary"
    assert by_name["ma.masked_array"].outcome == "todo" and "bool mask" in by_name["ma.masked_array"].doc
    assert by_name["amax"] is by_name["max"]
    assert by_name["emath.sqrt"].outcome == by_name["random.Generator.normal"].outcome == "shim"
    assert by_name["dtype.'f'"].spelling == "torch.float32" and by_name["dtype.'U'"].outcome == "todo"
    shim = shim_names()
    for entry in ENTRIES:
        if entry.outcome == "shim":
            short = entry.name.removeprefix("ndarray.").removeprefix("generic.")
            known = {*entry.names, short, f"ndarray.{short}", entry.name.rpartition(".")[2]} & shim
            assert known or f"numpy.{entry.name}" in FUNCTIONS or short in METHODS, entry


def test_counts_add_up():
    *areas, (_, _, total) = counts_rows()
    assert [area for area, _, _ in areas] == list(AREAS)
    for column in COLUMNS:
        assert total[column] == sum(found[column] for _, _, found in areas)
    assert total["names"] == len(NAMES) == sum(total[outcome] for outcome in OUTCOMES)
    assert counts(coverage()["fft"])["torch._numpy"] == sum("fft." in name for name in resolve.in_torch_numpy())


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("np.linalg.norm", {"linalg.norm"}),
        ("numpy.amax", {"max"}),
        ("fromrecords", {"rec.fromrecords", "ma.mrecords.fromrecords"}),
        (".itemsize", {"ndarray.itemsize", "generic.itemsize", "dtype.itemsize"}),
        ("rec.array", {"rec.array"}),
    ],
)  # fmt: skip
def test_names_are_found_however_they_are_written(asked, expected):
    assert {entry.name for entry in asked_for([asked])} == expected


# --------------------------------------------------------------------------------------------- the command line
def run(*arguments: str):
    """Run `np2torch apis`."""
    return CliRunner().invoke(cli, ("apis", *arguments))


def test_the_counts_on_the_command_line():
    lines = run().stdout.splitlines()
    assert lines[0].split() == ["area", *COLUMNS]
    assert lines[-1].split()[0] == "all" and len(lines) == len(AREAS) + 2
    assert run("--format", "md").stdout.splitlines()[2].startswith("| Creation | ")
    document = json.loads(run("--format", "json").stdout)
    assert document["all"]["names"] == len(NAMES) and set(document["areas"]) == set(AREAS)


def test_a_name_on_the_command_line():
    shown = run("np.std").stdout
    assert "std: native (NPT111)\n  torch  torch.std(a, correction=0)\n" in shown
    assert "Instead: " in run("np.datetime64").stdout
    (entry,) = json.loads(run("--format", "json", "np.interp").stdout)["entries"]
    assert (entry["name"], entry["outcome"]) == ("interp", "shim")
    assert "| `interp` | shim |" in run("--format", "md", "interp").stdout


def test_a_name_that_is_none():
    result = run("np.flurble")
    assert result.exit_code == 2 and "NumPy has no public name np.flurble." in result.stderr
