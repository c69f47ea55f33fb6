"""What was not called or has no value to compare is never equal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch.verify import listed_cases
from np2torch.verify.rows import Row
from np2torch.verify.run import verify_modules
from np2torch_cli import cli

CASES = "CASES = {}\n"


@pytest.fixture
def verify_apart(tmp_path):
    """Verify two texts in processes of their own; the second is the first where only one is given."""

    def compare(old: str, new: str | None = None, *options: str) -> Result:
        (tmp_path / "old.py").write_text(old)
        (tmp_path / "new.py").write_text(old if new is None else new)
        paths = str(tmp_path / "old.py"), str(tmp_path / "new.py")
        return CliRunner().invoke(cli, ["verify", "--no-generate", *paths, *options])

    return compare


@pytest.fixture
def verify(verify_apart, monkeypatch):
    """Verify likewise, but compare in this process, which has torch by now, and texts once, however they are shown."""
    known: dict[tuple[str, str], list[Row]] = {}

    def rows(old: Path, new: Path, timeout: float, device: str) -> list[Row]:
        texts = old.read_text(), new.read_text()
        if texts not in known:
            known[texts] = list(verify_modules(old, new, timeout))
        return known[texts]

    monkeypatch.setattr(listed_cases, "listed_rows", rows)
    return verify_apart


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "Nothing was compared"),
        ("def f(x):\n    return x\nprint(1)\n", "never called"),
        ("async def f(x):\n    return x\n", "never called"),
        ("class A:\n    def f(self):\n        return 1\n", "Nothing was compared"),
        ("CASES = {}\ndef f():\n    return 1\n", "Nothing was compared"),
        ("CASES = {'f': []}\ndef f():\n    return 1\n", "CASES lists no inputs"),
        ("CASES = {'f': lambda: []}\ndef f():\n    return 1\n", "CASES lists no inputs"),
        ("CASES = [('f', 1)]\ndef f(x):\n    return x\n", "CASES must be a dict"),
        ("CASES = {'f': [(1, 2)]}\ndef f(x):\n    return x\n", "cannot be called so"),
        ("CASES = {'g': [(1,)]}\ndef f(x):\n    return x\n", "has no g"),
        ("def f():\n    return object()\n", "which has no value"),
        ("raise ValueError('both')\n", "cannot be imported"),
        ("if __name__ == '__main__':\n    raise ValueError('both')\n", "neither program comes to its end"),
    ],
)
def test_nothing_compared_is_no_agreement(verify, text, said):
    done = verify(text)
    assert done.exit_code == 1 and said in " ".join(done.stdout.split())
    rows = json.loads(verify(text, None, "--output-format", "json").stdout)
    assert not rows or any(row["difference"] is not None for row in rows)


RUNS = """import sys

def f(x):
    return x

def g():
    return f(1)

async def awaited():
    return 1

async def given():
    yield 1

def mapped():
    return map(str, [1, 2])

print(1)
if __name__ == "__main__":
    print(f(2), sys.argv is None)
"""


def test_what_ran_on_both_sides_agrees(verify):
    done = verify(RUNS)
    assert done.exit_code == 0 and " comparisons agree" in done.stdout
    rows = json.loads(verify(RUNS, None, "--output-format", "json").stdout)
    assert {row["name"] for row in rows} == {"(program)", "g", "awaited", "given", "mapped"}


@pytest.mark.parametrize(
    "text",
    [
        "CASES = {'f': [(1,)]}\ndef f(x):\n    return x\ndef g(x):\n    return x\n",
        "CASES = {'f': [(1,)]}\ndef f(x):\n    raise TypeError('its own')\n",
    ],
)
def test_listed_cases_agree(verify, text):
    done = verify(text)
    assert done.exit_code == 0 and " comparisons agree" in done.stdout


def test_functions_that_cases_leave_out_are_named(verify):
    text = "CASES = {'f': [(1,)]}\ndef f(x):\n    return x\ndef g(x):\n    return x\ndef _h(x):\n    return x\n"
    assert "CASES does not name g:" in verify(text).stdout


DIFFERENCES = [
    ("return map(str, [1, 2])", "return map(str, [1, 3])", "'2' became '3'"),
    ("return 1, iter([1])", "return 1, iter([2])", "value 1 became 2"),
    ("return (i for i in range(3))", "return [0, 1, 2]", "became list"),
    ("from types import SimpleNamespace as N; return N(a=1)", "from types import SimpleNamespace as N; return N(a=2)", "became"),
    ("from argparse import Action; return Action([], 'a')", "from argparse import Action; return Action([], 'b')", "dest"),
]  # fmt: skip


def test_iterators_and_objects_are_looked_into(verify):
    texts = ["".join(f"def f{at}():\n    {row[side]}\n" for at, row in enumerate(DIFFERENCES)) for side in (0, 1)]
    rows = json.loads(verify(*texts, "--output-format", "json").stdout)
    said = {row["name"]: row["difference"] for row in rows}
    assert all(found in said[f"f{at}"] for at, (_, _, found) in enumerate(DIFFERENCES))


def test_programs_that_end_otherwise(verify_apart):
    program = "import sys\nprint(1)\nif __name__ == '__main__':\n    sys.exit({})\n"
    assert verify_apart(program.format(0), program.format(3)).exit_code == 1


@pytest.mark.long
def test_coroutines_are_awaited(verify_apart):
    done = verify_apart("async def f():\n    return 1\n", "async def f():\n    return 2\n")
    assert done.exit_code == 1 and "value 1 became 2" in done.stdout


def test_a_module_that_cannot_be_imported_stops_nothing(verify_apart):
    done = verify_apart("import os\nos._exit(3)\n")
    assert done.exit_code == 1 and "the process ended with 3" in " ".join(done.stdout.split())
