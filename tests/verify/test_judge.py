"""Functions of two trees are called with drawn and recorded inputs; each bug shows, and nothing a function does spreads."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from np2torch import shim
from np2torch.shim.policies import float32
from np2torch.trace.values import GIVEN
from np2torch.verify import listed_cases
from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.children import Child, Limits, ModuleError, Place
from np2torch.verify.decode import unpack
from np2torch.verify.encode import TooLargeError, pack
from np2torch.verify.judge import How, judge
from np2torch.verify.kinds import ANYTHING, accepts, kinds
from np2torch.verify.pairs import functions
from np2torch.verify.replay import ReplayError, load
from np2torch.verify.vary import nudge, scale, stretch
from np2torch_cli import cli
from support.observed import seen
from support.trees import NEW, OLD

BUGS = {
    "spread": ("x: np.ndarray", "x.std()", "shim.std(x)", "shim.std(x, ddof=1)"),
    "middle": ("x: np.ndarray", "np.median(x)", "shim.median(x)", "torch.median(x)"),
    "place": ("x: np.ndarray", "np.argsort(x, kind='stable')", "shim.argsort(x, kind='stable')", "torch.argsort(x, descending=True)"),
    "bin": ("x: np.ndarray", "np.digitize(x, np.array([0.0, 1.0]))", "shim.digitize(x, torch.tensor([0.0, 1.0], dtype=torch.float64))",
            "torch.bucketize(x, torch.tensor([0.0, 1.0], dtype=torch.float64))"),
    "cut": ("x: np.ndarray", "x[1:]", "x[1:]", "x[2:]"),
    "fresh": ("x: np.ndarray", "np.array(x)", "shim.array(x)", "x"),
    "half": ("n: int", "np.zeros(max(n, 0))", "torch.zeros(max(n, 0), dtype=torch.float64)", "torch.zeros(max(n, 0))"),
    "total": ("x: np.ndarray, axis=None", "x.sum(axis=axis)", "shim.sum(x, axis=axis)", "shim.sum(x)"),
    "shifted": ("x: np.ndarray", "x - 1.0", "shim.operator.sub(x, 1.0)", "x.sub_(1.0)"),
    "coerced": ("x", "np.asarray(x) * 2", "shim.asarray(x) * 2", "x * 2"),
    "split": ("x: np.ndarray", "np.array_split(x, 2)", "shim.array_split(x, 2)", "list(torch.split(x, 2))"),
    "nan": ("x: np.ndarray", "np.maximum(x, 0)", "shim.maximum(x, 0)", "torch.where(x > 0, x, 0 * torch.nan_to_num(x))"),
    "said": ("x: np.ndarray", "print(x.shape)", "print(tuple(x.shape))", "print(len(x.shape))"),
    "kind": ("mode: str", "{'up': 1, 'down': 2}[mode]", "{'up': 1, 'down': 2}[mode]", "{'up': 1}.get(mode, 2)"),
}  # fmt: skip


def texts(column: int, names: Collection[str] = tuple(BUGS)) -> str:
    """One module with these functions; 1 is the old side, 2 the new one, 3 the new one with bugs."""
    return "".join(f"def {name}({row[0]}):\n    return {row[column]}\n" for name, row in BUGS.items() if name in names)


def shares() -> list[object]:
    """The bugs in three parts, of which CI has time for one."""
    parts = [list(BUGS)[at::3] for at in range(3)]
    return [parts[0], *(pytest.param(part, marks=pytest.mark.long) for part in parts[1:])]


def test_generators_come_with_their_state_to_both_sides():
    for made in (np.random.RandomState(3), np.random.default_rng(3)):
        made.standard_normal()
        packed = pack([made], is_layout_kept=True)
        (old,), (new,) = (unpack(packed, is_torch, lambda module, name: None) for is_torch in (False, True))
        assert type(new).__module__.startswith("np2torch.shim") and accepts(kinds("numpy.random." + type(made).__name__), made)
        wanted = made.standard_normal(4)
        assert np.array_equal(old.standard_normal(4), wanted) and np.array_equal(new.standard_normal(4).numpy(), wanted)
    assert pack([np.random.Generator(np.random.SFC64())], is_layout_kept=True).values[0][0] == "opaque"


def test_doubles_that_have_the_digits_of_single_precision_were_computed_in_it():
    third = float(np.float32(1 / 3))
    for a, b, kind in (
        (third, float(np.nextafter(np.float32(third), np.float32(1))), "equal"),
        (third, third * (1 + 1e-7), "different"),
        (0.5, float(np.nextafter(np.float32(0.5), np.float32(1))), "different"),
        (1 / 3, third, "different"),
    ):
        assert judge(seen(a), seen(b)).kind == kind, (a, b)


def test_arrays_without_axes_need_not_share_memory():
    for shape, kind in (((), "equal"), ((2,), "different")):
        one, other = np.ones(shape), np.ones(shape)
        assert judge(seen((one, one)), seen((one, other)), How(numpy_left=True)).kind == kind


def test_a_generator_of_a_policy_is_a_generator():
    for name in ("default_rng", "RandomState"):
        old, new = (pack([getattr(module.random, name)(3), [], []]) for module in (np, float32))
        assert judge(Observation(values=old), Observation(values=new)).kind == "skipped"


def test_what_is_written_into_an_array_without_axes_is_not_compared():
    for shape, kind in (((), "equal"), ((1,), "different")):
        assert judge(passing(np.ones(shape)), passing(np.zeros(shape)), How(numpy_left=True)).kind == kind


def test_a_scalar_stands_for_a_number_as_an_array_without_axes_does():
    old, new = (Observation(values=pack([[0.0], [[value], {}], []])) for value in (np.float64(2.0), np.array(1.0)))
    assert judge(old, new, How(numpy_left=True)).kind == "equal"


def test_what_float32_has_computed_is_compared_with_its_precision():
    old, new = seen(np.array([1.0, 2.0])), seen(np.array([1.0, 2.0 + 1e-7]))
    assert judge(old, new, How(numpy_left=True)).kind == "different"
    assert judge(old, new, How(numpy_left=True, is_single=True)).kind == "equal"
    assert judge(old, seen(np.array([1.0, 2.001])), How(numpy_left=True, is_single=True)).kind == "different"


def test_linear_algebra_of_many_numbers_may_be_further_off():
    old, new = seen(np.full((6, 6), 1e-3)), seen(np.full((6, 6), 1e-3 + 5e-14))
    assert judge(old, new, How(numpy_left=True, scale=1.0)).kind == "different"
    assert judge(old, new, How(numpy_left=True, scale=1.0, is_linear=True)).kind == "equal"


def test_zeros_of_vectors_up_to_a_sign_have_any_sign():
    old, new = seen(np.array([0.0, 1.0, -0.0])), seen(np.array([0.0, -1.0, -0.0]))
    assert judge(old, new, How(numpy_left=True)).kind == "different"
    assert judge(old, new, How(numpy_left=True, up_to_signs=True)).kind == "equal"


def test_complex_vectors_are_what_they_are_up_to_a_number_of_size_1():
    old = np.array([[0.6, 0.8j], [0.8, -0.6j]])
    for factor, kind in ((1j, "equal"), (0.6 - 0.8j, "equal"), (2.0, "different")):
        assert judge(seen(old), seen(old * factor), How(numpy_left=True, up_to_signs=True)).kind == kind
    assert judge(seen(old), seen(old.conj() * [1, 0.5]), How(numpy_left=True, up_to_signs=True)).kind == "different"


def test_which_numbers_of_complex_inputs_are_infinite_is_open():
    old, new, finite = (seen(np.array([1.0, x])) for x in (np.inf, np.nan, 2.0))
    assert judge(old, new, How(numpy_left=True)).kind == "different"
    assert judge(old, new, How(numpy_left=True, is_of_complex=True)).kind == "equal"
    assert judge(old, finite, How(numpy_left=True, is_of_complex=True)).kind == "different"


def test_bools_count_as_numbers_of_size_1():
    assert scale(np.array([False, True])) == scale([True]) == 1.0


def passing(argument):
    """What is seen of a function that leaves its argument so."""
    return Observation(values=pack([[1], [[[argument], {}]], []]))


@pytest.mark.parametrize("names", shares())
def test_each_bug_is_caught_and_nothing_else(verify, names):
    done, rows = verify(OLD + texts(1, names), NEW + texts(2, names))
    assert {name: row["difference"] for name, row in rows.items() if row["verdict"] != "equal"} == {}
    assert done.exit_code == 0 and set(rows) == set(names)
    done, rows = verify(OLD + texts(1, names), NEW + texts(3, names))
    assert [name for name, row in rows.items() if row["verdict"] != "different"] == []
    assert done.exit_code == 1


def test_contracts_are_those_of_the_converter_that_is_there_now(verify, monkeypatch):
    """A stand-in for the converter that was there when the module was first imported must not stay."""
    with monkeypatch.context() as patched:
        patched.setattr("np2torch.rewrite.convert.convert_project", lambda files, settings: iter(()))
        patched.delitem(sys.modules, "np2torch.verify.statements", raising=False)
        importlib.import_module("np2torch.verify.statements")
        _, rows = verify(OLD + texts(1), NEW + texts(2), "--only", "middle")
        assert rows["middle"]["rests_on"] == []
    _, rows = verify(OLD + texts(1), NEW + texts(2), "--only", "middle")
    assert "NPT113" in rows["middle"]["rests_on"]


def test_linear_algebra_of_nan_says_nothing(verify):
    old = "def f(n: float):\n    return np.linalg.inv(np.eye(2)) * (2.0 if n != n else 1.0)\n"
    new = "def f(n: float):\n    return torch.linalg.inv(torch.eye(2, dtype=torch.float64)) * (3.0 if n != n else 1.0)\n"
    _, rows = verify(OLD + old, NEW + new)
    assert rows["f"]["verdict"] == "equal", rows["f"]["difference"]
    _, rows = verify(OLD + old.replace("linalg.inv", "abs"), NEW + new.replace("linalg.inv", "abs"))
    assert rows["f"]["verdict"] == "different"


HOSTILE = {
    "endless": "while True: pass",
    "crash": "ctypes.string_at(0)",
    "flood": "while True: print('a' * 1_000_000)",
    "leave": "os._exit(3)",
    "forks": "return os.fork() * 0",
    "greedy": "return bytearray(10 ** 12)",
}


def test_what_a_function_does_to_its_process_is_its_own_result(verify):
    text = "".join(f"def {name}(x):\n    {body}\n" for name, body in HOSTILE.items()) + "def good(x):\n    return x\n"
    done, rows = verify(OLD + text, NEW + text, "--seconds", "0.3")
    assert rows.pop("good")["verdict"] == "equal" and done.exit_code == 0
    words = {
        "endless": "hang",
        "crash": "SIGSEGV",
        "flood": "output",
        "leave": "exit 3",
        "forks": "fork",
        "greedy": "memory",
    }
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(words, "not exercised")
    assert [row["difference"] for name, row in rows.items() if words[name] not in row["difference"]] == []
    plain = "".join(f"def {name}(x):\n    return 1\n" for name in HOSTILE)
    _, rows = verify(OLD + plain, NEW + text, "--seconds", "0.3")
    assert all(words[name] in row["difference"] for name, row in rows.items() if name != "good")


def test_a_missing_function_and_a_module_that_fails_are_differences(verify):
    done, rows = verify(OLD + "def f():\n    return 1\n", NEW)
    assert done.exit_code == 1 and "no such function" in rows["f"]["difference"]
    done, rows = verify(OLD + "def f():\n    return 1\n", "import nowhere\ndef f():\n    return 1\n")
    assert done.exit_code == 1 and "cannot be imported" in rows["f"]["difference"]
    done, rows = verify("import nowhere\ndef f():\n    return 1\n", NEW + "def f():\n    return 1\n")
    assert done.exit_code == 1 and rows["f"]["verdict"] == "not exercised"


CLASS = (
    "class Counter:\n    def __init__(self, start):\n        self.value = start\n"
    "    def add(self, x):\n        self.value = self.value + x\n        return self.value\n"
    "    @property\n    def double(self):\n        return self.value * 2\n"
)


@pytest.mark.long
def test_methods_are_called_on_objects_of_their_class(verify):
    good = NEW + CLASS.replace("self.value + x", "shim.operator.add(self.value, x)").replace(
        "self.value * 2", "shim.operator.mul(self.value, 2)"
    )
    _, rows = verify(OLD + CLASS, good)
    assert {row["verdict"] for row in rows.values()} == {"equal"} and set(rows) == {"Counter.add", "Counter.double"}
    _, rows = verify(OLD + CLASS, good.replace("return self.value\n    @", "self.value = 0\n        return x\n    @"))
    assert rows["Counter.add"]["verdict"] == "different"


def test_recorded_calls_are_made_again(verify, tmp_path):
    text = CLASS + "def only(key):\n    return {'secret': 3}[key]\n"
    program = "from pkg.m import Counter, only\nimport numpy as np\nc = Counter(np.ones(2))\nc.add(np.arange(2.0))\nc.add(2)\nonly('secret')\n"
    verify(OLD + text, NEW + text)
    (tmp_path / "old" / "program.py").write_text(program)
    command = [
        sys.executable,
        "-m",
        "np2torch_cli",
        "trace",
        "--root",
        "old",
        "--values",
        "calls.zip",
        "--",
        sys.executable,
        "old/program.py",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    calls = load(tmp_path / "calls.zip")
    assert [len(call.steps) for call in calls["pkg.m", "Counter.add"]] == [2, 3]
    replay = ("--replay", "calls.zip", "--no-generate")
    _, rows = verify(OLD + text, NEW + text, *replay)
    assert rows["only"]["counts"] == {"replayed": 1} and rows["Counter.add"]["counts"] == {"replayed": 2}
    assert rows["Counter.double"]["verdict"] == "not exercised"
    assert rows["Counter.add"]["old_seconds"] > 0 and rows["Counter.add"]["new_seconds"] > 0
    _, rows = verify(OLD + text, NEW + text.replace("+ x", "- x").replace(": 3", ": 4"), *replay)
    assert rows["only"]["verdict"] == rows["Counter.add"]["verdict"] == "different"
    (tmp_path / "bad.zip").write_text("no archive")
    with pytest.raises(ReplayError, match="no recording"):
        load(tmp_path / "bad.zip")


MANY = (
    "import numpy as np  # TODO(np2torch): stays\nclass Base:\n    def __init__(self, a):\n        self.a = a\n"
    "    def scaled(self, x):\n        return self.a * np.asarray(x)\n"
    "    @staticmethod\n    def plain(x):\n        return np.asarray(x) + 1\n"
    "    @classmethod\n    def of(cls, a):\n        return cls(a).a\n"
    "    @property\n    def twice(self):\n        return 2 * self.a\n"
    "class Sub(Base):\n    def more(self, x):\n        return self.scaled(x) + 1\n"
    "class Empty:\n    def put(self, x):\n        self.x = x\n        return x\n"
    "    @property\n    def held(self):\n        return self.x\n"
    "    @held.setter\n    def held(self, x):\n        self.x = [x]\n"
    "class Filled:\n    def __init__(self, n):\n        self.n = n\n        self.x = self._ones(1)\n"
    "    def _ones(self, more):\n        return [1.0] * (self.n - more)\n"
    "class New:\n    def __new__(cls, n):\n        own = object.__new__(cls)\n        own.n = n\n        return own\n"
    "    def less(self):\n        return self.n - 1\n"
)


def test_all_kinds_of_methods_are_recorded_and_called(verify, tmp_path):
    program = (
        "from pkg.m import Base, Empty, Filled, New, Sub\nimport other\ns = Sub(2.0)\ns.more([1.0])\ns.twice\ns.twice\ns.scaled([2.0])\n"
        "Base.plain([1])\nBase.of(3)\nEmpty().put(3)\nEmpty().held = 4\nother.Far(1.0).scaled([1.0])\n"
        "Filled(3)\nNew(4).less()\n"
    )
    verify(MANY, MANY)
    (tmp_path / "old" / "program.py").write_text(program)
    for side in ("old", "new"):
        (tmp_path / side / "other.py").write_text("from pkg.m import Base\nclass Far(Base):\n    pass\n")
    command = ["trace", "--root", "old", "--values", "calls.zip", "--", sys.executable, "old/program.py"]
    subprocess.run([sys.executable, "-m", "np2torch_cli", *command], cwd=tmp_path, check=True)
    steps = {function: [call.steps for call in found] for (_, function), found in load(tmp_path / "calls.zip").items()}
    assert set(steps) == {"Base.scaled", "Base.plain", "Base.of", "Base.twice", "Sub.more", "Empty.put", "Empty.held=", "Filled._ones", "New.less"}
    assert steps["Filled._ones"][0][0].target == GIVEN and steps["New.less"][0][0].target == "New"
    assert [len(found) for found in steps["Base.scaled"]] == [3, 2] and steps["Base.scaled"][1][0].target == "other:Far"
    _, rows = verify(MANY, MANY, "--replay", "calls.zip", "--no-generate")
    assert rows.pop("Empty.held")["verdict"] == "not exercised"  # it was never read
    assert {row["verdict"] for row in rows.values()} == {"equal"} and set(rows) == set(steps)
    _, rows = verify(
        MANY,
        MANY.replace("+ 1", "+ 2").replace("2 *", "3 *").replace("= x", "= 4").replace("[x]", "(x,)"),
        "--replay",
        "calls.zip",
        "--no-generate",
    )
    assert {name for name, row in rows.items() if row["verdict"] == "equal"} == {"Base.of", "Filled._ones", "New.less"}  # the calls before count too
    assert "x value 3 became 4" in rows["Empty.put"]["difference"]
    assert "x list became tuple" in rows["Empty.held="]["difference"]


@pytest.mark.long
def test_the_evidence_is_a_page_a_report_and_a_program(verify, tmp_path):
    f = "def f(x: np.ndarray):\n    return x{}\ndef g(x):\n    return 2\ndef h(x):\n    os._exit(1)\n"
    options = ("--markdown", "page.md", "--junit", "report.xml", "--scripts", "scripts")
    verify(OLD + f.format("[1:]"), NEW + f.format("[2:]"), *options)
    page = (tmp_path / "page.md").read_text()
    assert "2 of 3 (67 %) exercised: 1 equal, 1 different; 1 not exercised." in page
    assert (
        "| `pkg.m.f` | generated" in page
        and "**differs**: [0] shape" in page
        and "exit 1" in page.rpartition("`pkg.m.h`")[2]
    )
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    (program,) = (tmp_path / "scripts").iterdir()
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, cwd="/")
    assert "array([" in program.read_text()
    lines = [line.split(":")[0] for line in done.stdout.splitlines() if line]
    assert lines == ["old", "new"] and done.stdout.splitlines()[0] != done.stdout.splitlines()[-1].replace("new", "old")


def test_the_old_side_may_be_a_revision(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(listed_cases, "listed_rows", lambda old, new, timeout, device: [])

    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)

    git("init", "-q")
    Path("m.py").write_text("import numpy as np\ndef f(x: np.ndarray):\n    return x[1:]\n")
    git("add", "m.py")
    git("commit", "-qm", "old")
    Path("m.py").write_text("import torch\ndef f(x: torch.Tensor):\n    return x[1:]\n")
    assert CliRunner().invoke(cli, ["verify", "--rev", "HEAD", "m.py"]).exit_code == 0
    Path("m.py").write_text("import torch\ndef f(x: torch.Tensor):\n    return x\n")
    assert CliRunner().invoke(cli, ["verify", "--rev", "HEAD", "m.py"]).exit_code == 1
    done = CliRunner().invoke(cli, ["verify", "--rev", "none", "m.py"])
    assert done.exit_code == 2 and "none" in done.stderr


# ------------------------------------------------------------------------------------------------ parts
class Thing:
    """An object that may be a key."""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), "equal"),
        (np.array([1.0, np.nan]), np.array([1.0, 0.0]), "different"),
        (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-14]), "equal"),
        (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-11]), "different"),
        (np.array([0.0, 2.0]), np.array([-0.0, 2.0]), "different"),
        (np.array([1e-17, 2.0]), np.array([0.0, 2.0]), "equal"),
        (np.array([np.inf]), np.array([-np.inf]), "different"),
        (np.array([1], "i4"), np.array([1], "i8"), "different"),
        (np.array([1]), np.array([2]), "different"),
        (np.ones(2), np.ones((2, 1)), "different"),
        ({"a": 1}, {"b": 1}, "different"),
        ({np.float64(1.5): 1, (np.int64(1), True): 2}, {1.5: 1, (1, np.True_): 2}, "equal"),
        ({np.float64(1.5): 1}, {"1.5": 1}, "different"),
        ({0.3: 1}, {0.1 + 0.2: 1}, "equal"),
        ({np.complex128(1j), np.float64(0.5)}, {0.5, 1j}, "equal"),
        ((1, 2), [1, 2], "different"),
        ({1, 2}, {2, 1}, "equal"),
        ("0.1", "0.10000000000000001", "equal"),
        (1, 1.0, "different"),
        (None, None, "equal"),
    ],
)
def test_values_are_judged(old, new, kind):
    assert judge(seen(old), seen(new), How(numpy_left=True)).kind == kind


def test_an_array_that_appears_twice_is_seen():
    x, y = np.ones(2), np.ones(2)
    how = How(numpy_left=True)
    assert judge(seen(x, x), seen(x, x), how).kind == judge(seen(x, y), seen(y, x), how).kind == "equal"
    assert "no longer shares" in judge(seen(x, x[1:]), seen(x, y[1:]), how).text
    assert "shares memory" in judge(seen(x, y), seen(x, x), how).text
    assert judge(seen(x, x[::-1]), seen(x, y), how).kind == "equal"  # torch has no such view


def test_tensors_of_views_share_memory_whichever_comes_first():
    x = np.arange(4.0)
    views = [torch.from_numpy(one) for one in (x[2:], x, x[:2])]
    how = How(numpy_left=True)
    assert judge(seen(x[2:], x, x[:2]), seen(*views), how).kind == "equal"
    assert "no longer shares" in judge(seen(x[2:], x, x[:2]), seen(*views[:2], views[2].clone()), how).text


def test_functions_and_keys_that_are_objects_are_told_by_what_they_are():
    how = How(numpy_left=True)
    assert judge(seen({"f": np.fmin}), seen({"f": shim.fmin}), how).kind == "equal"
    assert judge(seen({"f": np.fmin}), seen({"f": shim.fmax}), how).kind == "different"
    assert judge(seen([1], {Thing(): 1}), seen([1], {Thing(): 1}), how).kind == "equal"
    assert judge(seen({Thing(): 1}), seen({Thing(): 2}), how).kind == "different"


def test_errors_are_judged():
    own = Observation(raised=RaisedError("KeyError", ("KeyError", "LookupError", "Exception", "BaseException"), "", "own", 0))
    other = own._replace(raised=RaisedError("ValueError", ("ValueError", "Exception", "BaseException"), "", "outside", 0))
    outside = own._replace(raised=own.raised._replace(by="outside"))
    assert judge(own, own).kind == "equal" and judge(own, other).kind == judge(own, seen(1)).kind == "different"
    assert judge(outside, other).kind == "equal" and judge(outside, other, is_strict=True).kind == "different"
    assert judge(outside, seen(1)).kind == "lenient" and judge(seen(1), other).kind == "loud"
    guard = other._replace(raised=other.raised._replace(by="guard"))
    assert judge(seen(1), guard).kind == "refused" and judge(seen(1), guard, is_strict=True).kind == "loud"
    assert judge(Observation(ended="hang"), seen(1)).kind == "skipped"
    assert judge(seen(1), Observation(ended="SIGSEGV")).kind == "different"


def test_values_travel_with_their_layout():
    x = np.arange(12.0).reshape(3, 4)
    values = [
        x,
        x[:, ::2],
        x[::-1],
        x.T,
        np.float32(2),
        (1, [None, 2j], "ä"),
        {"a": slice(1, None)},
        np.zeros((0, 3)),
        b"x",
    ]
    back = unpack(pack(values, is_layout_kept=True), False, lambda module, name: None)
    for one, other in zip(values, back, strict=True):
        if isinstance(one, np.ndarray):
            assert one.strides == other.strides or not one.size
            np.testing.assert_array_equal(one, other, strict=True)
        else:
            assert one == other and type(one) is type(other)
    back[0][0, 0] = 99.0
    assert back[1][0, 0] == back[2][-1, 0] == back[3][0, 0] == 99.0
    with pytest.raises(TooLargeError):
        pack([np.zeros(10**6)])


def test_contracts_are_read():
    read = kinds("float64[n, 3] | int >= 0 | list of (int 1, int 2) | None | str 'a | b'")
    assert [kind.name for kind in read] == ["array", "int", "list", "none", "str"] and read[4].value == "a | b"
    assert accepts(read, np.zeros((2, 3))) and accepts(read, 3) and accepts(read, None) and accepts(read, "a | b")
    assert not accepts(read, np.zeros(3)) and not accepts(read, -1) and not accepts(read, np.zeros((2, 3), "f4"))
    assert kinds("anything") == (ANYTHING,) and accepts(kinds("int 2 | anything"), "x")
    assert [kind.name for kind in kinds("iterator of tuple of (array[...], int)")] == ["other"]
    assert accepts(kinds("float64[...]"), np.float64(1)) and not accepts(kinds("float64[n]"), np.float64(1))


def test_nudges_keep_what_they_say():
    rng, x = np.random.default_rng(0), np.array([1.0, 1.0, 2.0, np.inf])
    assert (nudge(x, rng)[:3] != x[:3]).all() and np.allclose(nudge(x, rng)[:3], x[:3], 1e-15)
    y = stretch(x, 1 + 2**-51)
    assert y[0] == y[1] != x[0] and nudge((1.0, "a", 3), rng)[1:] == ("a", 3)


UNSTEADY = (
    "import time\nclass Node:\n    __slots__ = ('at', 'x')\n    def __init__(self, x):\n        self.at, self.x = time.perf_counter_ns(), x\n"
    "def made(x: float):\n    return Node(x)\ndef moment():\n    return time.perf_counter_ns()\n"
)


def test_what_differs_each_time_is_left_out_and_the_rest_compared(verify):
    _, rows = verify(OLD + UNSTEADY, NEW + UNSTEADY)
    assert (rows["made"]["verdict"], rows["moment"]["verdict"]) == ("equal", "not exercised")
    _, rows = verify(OLD + UNSTEADY, NEW + UNSTEADY.replace("Node(x)", "Node(-x)"))
    assert rows["made"]["verdict"] == "different" and ".x value" in rows["made"]["difference"]


def test_arrays_that_torch_cannot_hold_say_nothing_of_memory():
    backwards, forwards = np.arange(3.0)[::-1], torch.arange(3.0, dtype=torch.float64).flip(0)
    old = Observation(values=pack([[backwards.copy()], [[backwards], {}], []]))
    assert judge(old, Observation(values=pack([[forwards], [[forwards], {}], []]))).kind == "equal"


def test_numbers_that_the_contract_names_are_not_out_of_place(verify):
    old, new = "def f(x: float | np.ndarray):\n    return np.array(x)\n", "def f(x):\n    return torch.clone(x)\n"
    _, rows = verify(OLD + old, NEW + new)
    assert rows["f"]["verdict"] == "different" and "must be Tensor, not" in rows["f"]["difference"]


def test_words_are_those_that_the_class_asks_for(verify):
    text = (
        "class A:\n    def __init__(self, name: str):\n        self.kind = name\n"
        "    def of(self, x: float):\n        if self.kind == 'tanh':\n            return x\n"
    )
    _, rows = verify(OLD + text, NEW + text.replace("return x", "return -x"))
    assert rows["A.of"]["verdict"] == "different"


def test_functions_are_found_in_the_text(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(
        "def f(a, *b, c=1, **d):\n    pass\nclass A:\n    def __init__(self, x): pass\n    @staticmethod\n    def s(y): pass\n    def m(self, z): pass\n"
    )
    f, s, m = functions(path)
    assert [(one.name, one.kind) for one in f.parameters] == [
        ("a", "positional"),
        ("b", "*"),
        ("c", "keyword"),
        ("d", "**"),
    ]
    assert s.constructor is None and m.constructor is not None and [one.name for one in m.constructor] == ["x"]


def test_a_module_that_ends_the_process_is_an_error(tmp_path):
    (tmp_path / "m.py").write_text("import os\nos._exit(5)\n")
    (tmp_path / "good.py").write_text("def f():\n    return 1\n")
    with Child("old", Limits(1.0)) as child:
        with pytest.raises(ModuleError, match="exit 5"):
            child.open(Place(tmp_path, "m"))
        child.open(Place(tmp_path, "good"))
