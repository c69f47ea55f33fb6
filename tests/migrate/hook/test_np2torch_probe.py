"""What the plugin says of errors: those of the shim are told wherever the project raises others for them."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from np2torch import shim
from np2torch.migrate.runner import HOOK

SLOW = """
import time

from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=2)
@given(st.integers())
def test_slow(n):
    time.sleep(0.25)
"""


OWN = """

@settings(max_examples=2, deadline=100.0)
@given(st.integers())
def test_own(n):
    time.sleep(0.25)


settings.register_profile("own", deadline=100.0, max_examples=2)
settings.load_profile("own")


@given(st.integers())
def test_of_profile(n):
    time.sleep(0.25)
"""


@pytest.fixture
def configured(tmp_path, monkeypatch):
    settings = {"root": str(Path(__file__).parent), "reports": str(tmp_path), "tests": None, "without": []}
    settings |= {"limits": {}, "limit": 1.0, "functions": False, "tree": str(tmp_path / "tree"), "parameters": {}}
    (tmp_path / "probe.json").write_text(json.dumps(settings), "utf-8")
    monkeypatch.setenv("NP2TORCH_PROBE", str(tmp_path / "probe.json"))
    return tmp_path


@pytest.fixture
def probe(configured, monkeypatch):
    monkeypatch.syspath_prepend(str(HOOK))
    found = importlib.import_module("np2torch_probe")
    yield found
    found.REPORT.close()
    monkeypatch.delitem(sys.modules, "np2torch_probe")


def refused():
    shim.tensor("text")


def wrapped():
    try:
        refused()
    except TypeError as error:
        raise Exception(f"node failed: {error!r}") from error


def caught(function):
    with pytest.raises(Exception) as found:
        function()
    return found.value


def test_an_error_raised_for_one_of_the_shim_is_described_as_that(probe):
    error = caught(wrapped)
    assert probe.describe(error).startswith("TypeError: shim.tensor")
    assert [name for _, _, name in probe.frames_of(error)][-1] == "refused"


def test_other_errors_speak_for_themselves(probe):
    def assertion():
        try:
            raise KeyError("a")
        except KeyError:
            shim.testing.assert_equal(torch.ones(2), torch.zeros(2))

    assert probe.describe(caught(assertion)).startswith("AssertionError")
    assert probe.describe(caught(lambda: 1 / 0)) == "ZeroDivisionError: division by zero"


def test_hypothesis_knows_no_deadline_where_only_the_tests_import_it(configured):
    """Nor one that tests set themselves: on torch, and on a busy machine, it says nothing of what they compute."""
    (configured / "test_slow.py").write_text(SLOW + OWN, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "np2torch_probe", "test_slow.py"]
    environment = os.environ | {"PYTHONPATH": str(HOOK)}
    done = subprocess.run(command, cwd=configured, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_is_installed_with_plugins_is_not_imported_before_pytest(configured):
    """Where warnings are errors, all tests of a process that has imported it would fail."""
    (configured / "test_given.py").write_text("import hypothesis\nimport numpy\n\n\ndef test_one(): pass\n")
    paths = os.pathsep.join([str(HOOK), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "np2torch_probe", str(configured / "test_given.py")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    events = [json.loads(line) for file in configured.glob("*.jsonl") for line in file.read_text().splitlines()]
    (names,) = [event["names"] for event in events if event["event"] == "imported"]
    assert "numpy" in names and not [name for name in names if name.partition(".")[0] == "hypothesis"]


def test_tests_that_all_take_longer_are_limited_by_what_they_took_on_torch(probe, monkeypatch):
    """A single one may take as long as its own limit says; each of thousands may not."""
    now = [0.0]
    monkeypatch.setattr(probe.time, "monotonic", lambda: now[0])
    pace = probe.Pace({"slow": 0.5, "slower": 1.0}, 10.0)
    assert pace.begin("slow", 20.0) == 20.0
    now[0] += 9.0
    pace.end("slow")
    assert pace.begin("slower", 20.0) == 20.0
    now[0] += 6.0
    pace.end("slower")
    assert pace.begin("slow", 20.0) == 6.0
    assert pace.begin("slower", 5.0) == 5.0
    assert pace.begin("new", 20.0) == 20.0
    now[0] += 50.0
    pace.end("new")
    assert pace.left == 10.0 - 7.5 - 3.0
