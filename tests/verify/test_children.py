"""A function that hangs, crashes, floods its output, ends the process or forks has that as its result, no other has."""

from __future__ import annotations

import time

import pytest

from np2torch.verify.calls import Call, Step
from np2torch.verify.children import Child, Limits, ModuleError, Place
from np2torch.verify.encode import pack

HOSTILE = {
    "spin": ("while True:\n        pass", "hang"),
    "crash": ("ctypes.string_at(0)", "SIGSEGV"),
    "flood": ("for _ in range(1000):\n        print('x' * 1_000_000)", "output"),
    "leave": ("os._exit(3)", "exit 3"),
    "split": ("os.fork()", "fork"),
    "swell": ("held = [bytearray(2**30) for _ in range(64)]", "memory"),
}
"""What functions do, and how their calls end."""


def text(is_hostile: bool) -> str:
    """A module of these functions, harmless or not, with one before and one after them that never is."""
    lines = ["import ctypes, os\n\ndef first(x: float):\n    return x * 2\n"]
    for name, (body, _) in HOSTILE.items():
        lines.append(f"def {name}(x: float):\n    {body if is_hostile else 'pass'}\n    return x\n")
    return "\n".join([*lines, "def last(x: float):\n    return x + 1\n"])


@pytest.mark.parametrize("is_old_hostile", [False, True])
def test_the_run_ends_and_reports_each_hostile_function_and_the_rest(verify, is_old_hostile):
    begun = time.monotonic()
    done, rows = verify(text(is_old_hostile), text(True), "--seconds", "0.3", "--memory", "500")
    assert rows["first"]["verdict"] == rows["last"]["verdict"] == "equal"
    for name, (_, ending) in HOSTILE.items():
        row = rows[name]
        assert row["verdict"] == ("not exercised" if is_old_hostile else "different"), row
        assert ending in row["difference"], row
    assert len(rows) == len(HOSTILE) + 2 and time.monotonic() - begun < 300
    assert done.exit_code == (0 if is_old_hostile else 1)


def test_whole_numbers_in_the_place_of_files_reach_none_of_ours(tmp_path):
    (tmp_path / "m.py").write_text("import os\ndef f(n):\n    return os.read(n, 1), os.write(n, b'x')\n")
    calls = [Call((Step("f", None, 1),), pack([number])) for number in range(100)]
    with Child("old", Limits(0.5)) as child:
        child.open(Place(tmp_path, "m"))
        for is_shared in (False, True):
            seen = child.run(calls, is_shared=is_shared)
            assert not [one.ended for one in seen if one.ended]
            assert sum(one.raised is not None and one.raised.name == "OSError" for one in seen) > 80


def test_modules_of_one_tree_are_opened_in_one_process(tmp_path):
    texts = {"a/__init__.py": "import os\nPLACE = os.getpid()\n", "a/bad.py": "1 / 0\n"}
    texts |= {f"a/{name}.py": f"from a import PLACE\ndef f():\n    return PLACE, '{name}'\n" for name in "bc"}
    for root in ("one", "two"):
        for name, content in texts.items():
            path = tmp_path / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    call = Call((Step("f", None, 0),), pack([]))
    with Child("old", Limits()) as child:

        def place(root: str, name: str) -> object:
            child.open(Place(tmp_path / root, f"a.{name}"))
            (seen,) = child.run([call])
            assert seen.values is not None
            (_, process), (_, told) = seen.values.values[0][1][0][1]
            assert told == name
            return process

        first = place("one", "b")
        assert place("one", "c") == first and place("two", "b") != first
        with pytest.raises(ModuleError, match="ZeroDivisionError"):
            child.open(Place(tmp_path / "two", "a.bad"))
        assert place("two", "c") != first


@pytest.mark.parametrize(
    ("path", "by"),
    [
        ("root/helper.py", "own"),
        ("root/np2torch/helper.py", "own"),
        ("root/env/lib/site-packages/helper.py", "outside"),
        ("root/env/lib/dist-packages/helper.py", "outside"),
        ("beside/helper.py", "outside"),
        ("root/np2torch/shim/helper.py", "outside"),
        ("root/_np2torch/helper.py", "outside"),
        (None, "outside"),
    ],
)
def test_an_error_is_the_projects_own_where_its_raise_lies_below_a_root_of_it(tmp_path, path, by):
    helper = tmp_path / (path or "nowhere/helper.py")
    called = "statistics.mean([])" if path is None else "__import__('helper').g()"
    content = f"import statistics, sys\nsys.path[:0] = [{str(helper.parent)!r}]\ndef f():\n    {called}\n"
    for file, code in ((tmp_path / "root/m.py", content), (helper, "def g():\n    raise ValueError('no')\n")):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code)
    with Child("old", Limits()) as child:
        child.open(Place(tmp_path / "root", "m"))
        (seen,) = child.run([Call((Step("f", None, 0),), pack([]))])
    assert seen.raised is not None and seen.raised.by == by
