"""Proof must not be cheap: what differs has to show, and what agrees has to pass."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.verify.brief import brief
from np2torch.verify.compare import difference
from np2torch.verify.inputs import NotCarriedError, carry_over
from np2torch.verify.output import tensors_print_as_arrays, text_difference
from np2torch.verify.run import verify_modules
from np2torch.verify.sides import Side
from np2torch.verify.table import print_table, verdict_line


@pytest.fixture
def rows(tmp_path):
    """Verify two texts and give the verdicts by function."""

    def compare(old: str, new: str) -> dict[str, str | None]:
        (tmp_path / "old.py").write_text("import numpy as np\n" + old)
        (tmp_path / "new.py").write_text("import torch\nimport numpy as np\n" + new)
        return {row.name: row.difference for row in verify_modules(tmp_path / "old.py", tmp_path / "new.py")}

    return compare


F = "def f(x):\n    return {}\n"
ARRAY = "CASES = {'f': [(np.arange(4.0),)]}\n"


# ------------------------------------------------------------------------------------------------ functions
@pytest.mark.parametrize(
    ("cases", "old", "new", "found"),
    [
        (ARRAY, "np.exp(x)", "torch.exp(x)", None),
        (ARRAY, "x.sum()", "x.sum()", None),
        (ARRAY, "x.std()", "x.std()", "value"),
        (ARRAY, "x + 1", "x.float() + 1", "dtype float64 became float32"),
        (ARRAY, "x[:2]", "x[:2][None]", "shape (2,) became (1, 2)"),
        (ARRAY, "x.tolist()", "x", "list became Tensor"),
        (ARRAY, "len(x)", "torch.tensor(len(x))", "Python int became a tensor"),
        (ARRAY, "x", "x.numpy()", "a NumPy ndarray is left"),
        (ARRAY, "(x, [x.max(), 1])", "(x, [x.max(), 1])", None),
        (ARRAY, "{'a': x}", "{'b': x}", "keys"),
        (ARRAY, "x[9]", "x[9]", None),
        (ARRAY, "x[9]", "x[3]", "IndexError became a result"),
        (ARRAY, "x[3]", "x[9]", "raises IndexError"),
        (ARRAY, "x[9]", "int('x')", "IndexError became ValueError"),
        (ARRAY, "np.linalg.inv(x[:1].reshape(1, 1))", "int('x')", None),  # LinAlgError is a ValueError
        (ARRAY, "(v for v in x.tolist())", "(v for v in x.tolist())", None),
        (ARRAY, "x.fill(7)", "x.fill_(7) and None", "raises RuntimeError"),
        (ARRAY, "x.fill(7)", "None", "argument 0 afterwards"),
        (ARRAY, "print(x.sum())", "print(x.sum())", None),
        (ARRAY, "print(x.sum())", "print(x.sum() + 1)", "printed: line 1"),
        (ARRAY, "np.random.seed(3)", "None", None),
        ("CASES = {'f': lambda: [(np.float32(2),)]}\n", "x * 2", "x * 2", None),
        ("CASES = {'f': [(np.float64,)]}\n", "np.ones(2, x)", "torch.ones(2, dtype=x)", None),
        ("CASES = {'f': [(np.array(['a']),)]}\n", "x == 'a'", "x == 'a'", "a NumPy ndarray"),
        ("CASES = {'f': [3]}\n", "x", "x", "CASES must list tuples"),
        ("CASES = {'f': lambda: 1 / 0}\n", "x", "x", "CASES fails: ZeroDivisionError"),
        ("CASES = {'f': [(object(),)]}\n", "1", "1", "inputs cannot be given"),
        ("CASES = {'g': [(1,)]}\n", "1", "1", "old.py has no g"),
    ],
)  # fmt: skip
def test_one_function(rows, cases, old, new, found):
    verdict = next(iter(rows(cases + F.format(old), F.format(new)).values()))
    assert (verdict is None) if found is None else (verdict is not None and found in verdict), verdict


def test_arguments_that_are_one_array_stay_one(rows):
    both = "def f(x, y):\n    x[0] = 5\n    return y\n"
    assert rows("x = np.zeros(2)\nCASES = {'f': [(x, x)]}\n" + both, both) == {"f": None}


def test_calls_do_not_see_each_other(rows):
    old = "x = np.zeros(2)\nCASES = {'f': [(x,), (x,)]}\ndef f(x):\n    x += 1\n    return x.sum()\n"
    assert rows(old, "def f(x):\n    x += 1\n    return x.sum()\n") == {"f": None}


def test_functions_and_classes_of_the_module_are_swapped(rows):
    both = "class P:\n    def __init__(self, a):\n        self.a, self.me = a, self\ndef g(x):\n    return x + 1\n"
    both += "def f(h, kind):\n    return h(3), kind([1.0])\n"
    assert rows(both + "CASES = {'f': [(g, P)]}\n", both) == {"f": None}
    other = both.replace("= a, self", "= a * 2, self")
    assert rows(both + "CASES = {'f': [(g, P)]}\n", other)["f"] == "[1] .['a'] 1 items became 2"


@pytest.mark.long
def test_the_new_cases_stand_in_where_inputs_cannot_be_carried(rows):
    old = "CASES = {'f': [(np.random.default_rng(0),)]}\ndef f(r):\n    return 1\n"
    new = "CASES = {'f': [('another',)]}\ndef f(r):\n    return 1 if r == 'another' else 2\n"
    assert rows(old, new)["f"] == "argument 0 afterwards: Generator became str"


@pytest.mark.long
def test_numpy_that_a_todo_announces_is_no_difference(tmp_path):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text("import numpy as np\ndef f():\n    return np.float64(3)\n")
    new.write_text("import numpy as np\ndef f():\n    return np.float64(3)  # TODO(np2torch): NPT302 stays\n")
    found = {row.name: row for row in verify_modules(old, new)}
    assert found["f"].difference is None and found["f"].stays_numpy
    new.write_text("import numpy as np\ndef f():\n    return np.float64(4)  # TODO(np2torch): NPT302 stays\n")
    found = {row.name: row for row in verify_modules(old, new)}
    assert found["f"].difference == "value 3. became 4."


@pytest.mark.long
# ------------------------------------------------------------------------------------------------ programs
def test_programs_are_compared_by_output_and_functions_without_arguments(rows):
    old = "def g(n=3):\n    return np.zeros(n)\ndef h(x):\n    return x\ndef _p():\n    return 1\n"
    old += "if __name__ == '__main__':\n    print(g().sum(), np.ones(2) / 3, np.float32)\n"
    new = old.replace("np.zeros(n)", "torch.zeros(n, dtype=torch.float64)")
    new = new.replace("np.ones(2) / 3", "torch.ones(2, dtype=torch.float64) / 3")
    found = rows(old, new)
    assert found.pop("h").startswith("nothing compared: never called")
    assert found == {"(program)": None, "g": None}
    assert rows(old, new.replace("/ 3", "/ 4"))["(program)"].startswith('line 1: "0.0 [0.33333333 0.33333333]')
    assert rows(old, new + "raise SystemExit('no')\n")["import"].endswith("SystemExit: no")
    assert "fails (exit 1: ValueError: 3)" in rows(old, new + "    raise ValueError(3)\n")["(program)"]


def test_a_program_without_end_is_stopped(tmp_path):
    for name in ("old.py", "new.py"):
        (tmp_path / name).write_text("if __name__ == '__main__':\n    while True: pass\n")
    (row,) = verify_modules(tmp_path / "old.py", tmp_path / "new.py", timeout=0.2)
    assert row.old == row.new == "(no end after 0.2 s)"
    assert row.difference == "neither program comes to an end"


def test_a_module_that_cannot_be_imported_is_a_difference(rows):
    assert rows("", "import nowhere\n") == {
        "import": "cannot be imported: ModuleNotFoundError: No module named 'nowhere'"
    }


def test_last_bits_of_printed_numbers_may_differ():
    assert text_difference("a 0.30000000000000004 x", "a 0.3 x") is None
    assert text_difference("dtype float64", "dtype torch.float64") is None
    assert text_difference("a 0.3001", "a 0.3") == "line 1: 'a 0.3001' became 'a 0.3'"
    assert text_difference("v1.0", "v1.1") == "line 1: 'v1.0' became 'v1.1'"
    assert text_difference("a\nb", "a") == "2 lines became 1"
    assert text_difference("nan", "0.0") is not None


def test_tensors_print_as_arrays_only_for_a_while():
    tensor = torch.tensor([1.5, 2.0], dtype=torch.float64)
    with tensors_print_as_arrays():
        assert (str(tensor), repr(tensor), str(tensor[0])) == ("[1.5 2. ]", "array([1.5, 2. ])", "1.5")
    assert str(tensor) == "tensor([1.5000, 2.0000], dtype=torch.float64)"


# ------------------------------------------------------------------------------------------------ two sides
def test_each_side_sees_its_own_modules(tmp_path):
    for side, value in (("old", 1), ("new", 2)):
        package = tmp_path / side / "pkg"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "helper.py").write_text(f"value = {value}\n")
        (package / "late.py").write_text(f"value = {value * 10}\n")
        (package / "main.py").write_text(
            "from .helper import value\nimport lonely\n"
            "def f():\n    from pkg import late\n    return value, late.value, lonely.value\n"
        )
        (tmp_path / side / "lonely.py").write_text(f"value = {value * 100}\n")
    before, path = set(sys.modules), list(sys.path)
    found = {}
    for side in ("old", "new"):
        loaded = Side(tmp_path / side / "pkg" / "main.py")
        assert loaded.name == "pkg.main" and loaded.in_package
        module = loaded.load()
        with loaded:
            found[side] = module.f()
        assert loaded.load() is module
    assert found == {"old": (1, 10, 100), "new": (2, 20, 200)}
    assert set(sys.modules) == before and sys.path == path


def test_a_file_may_be_named_like_a_module_in_use(tmp_path):
    (tmp_path / "json.py").write_text("value = 3\n")
    import json

    assert Side(tmp_path / "json.py").load().value == 3
    assert sys.modules["json"] is json


# ------------------------------------------------------------------------------------------------ values
def test_inputs_are_carried_over():
    module = sys.modules[__name__]
    x = np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::-1]
    y = carry_over({"a": [x, x], "b": (np.float32(2), None, "s", 3, slice(1))}, module)
    assert y["a"][0] is y["a"][1] and difference(x, y["a"][0]) is None
    assert difference(np.float32(2), y["b"][0]) is None and y["b"][1:] == (None, "s", 3, slice(1))
    assert difference(np.arange(3, dtype=">f8"), carry_over(np.arange(3, dtype=">f8"), module)) is None
    assert carry_over(np.dtype("i4"), module) is torch.int32 and carry_over(np.float64, module) is torch.float64
    assert carry_over(np.array(["a"]), module).dtype.kind == "U"
    assert carry_over(len, module) is len
    assert carry_over((np.integer, np.inexact), module) == (shim.integer, shim.inexact)
    with pytest.raises(NotCarriedError, match="numpy's sin"):
        carry_over(np.sin, module)
    with pytest.raises(NotCarriedError, match="no dtype"):
        carry_over(np.dtype("M8[s]"), module)


@pytest.mark.long
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.arange(4.0), "float64(4,) 0 1 2 …"),
        (torch.ones(2, 1), "float32(2, 1) 1 1"),
        (np.float64(1 / 3), "float64 0.333333"),
        (torch.tensor(True), "bool True"),
        ((np.ones(1), 2), "(float64(1,) 1, 2)"),
        ("x" * 100, "x" * 43 + "…"),
        (None, "None"),
    ],
)
def test_brief(value, shown):
    assert brief(value) == shown


def test_the_table_says_what_differs(tmp_path, capsys):
    (tmp_path / "old.py").write_text("def f():\n    return 1\ndef g():\n    return 2\n")
    (tmp_path / "new.py").write_text("def f():\n    return 1\ndef g():\n    return [3]\n")
    rows = list(verify_modules(tmp_path / "old.py", tmp_path / "new.py"))
    print_table(rows, "old.py", "new.py")
    printed = capsys.readouterr().out
    assert "int became list" in printed and "1 of 2 comparisons differ." in printed
    assert verdict_line([]).startswith("Nothing was compared")


def test_places_in_memory_are_no_difference():
    assert text_difference("<function line at 0x7fb0317d2020>", "<function line at 0x7f8337366020>") is None
    assert text_difference("at 0x10", "at 0x11") is not None and text_difference("x at 0x7fb0317d2020", "x") is not None
