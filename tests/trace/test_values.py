"""What is recorded of calls: some of each make, and the past of objects."""

from __future__ import annotations

import json

import numpy as np
import pytest

from np2torch.trace import values
from np2torch.trace.values import MOST_ALIKE, MOST_CALLS, MOST_STEPS, ValueRecorder
from np2torch.verify import calls
from np2torch.verify.encode import pack


def scaled(x, axis=0, way="sum"):
    return x


@pytest.fixture
def recorded(tmp_path):
    """The recorded form of `scaled`, and how many calls of it were written."""
    recorder = ValueRecorder(str(tmp_path), lambda path: True, pack)

    def count() -> list[object]:
        lines = [line for file in tmp_path.glob("*.values") for line in file.read_text().splitlines()]
        return [json.loads(line) for line in lines]

    return recorder._function("m.py", scaled), count


def test_properties_are_named_as_verify_reads_them():
    """Nothing of ours is imported where the recorder runs, so that it has the word for itself."""
    assert values.SETTING == calls.SETTING


def test_calls_of_one_make_are_kept_a_few_times_and_others_as_well(recorded):
    function, calls = recorded
    for number in range(50):
        function(np.full(3, float(number)))
    assert len(calls()) == MOST_ALIKE
    for arguments in [(np.ones(4),), (np.ones((3, 1)),), (np.ones(3, "f4"),), (np.ones(3), 1), (np.ones(3), 0, "max")]:
        function(*arguments)
    function([1.0, (2.0, 3.0)])
    function([1.0, (2, 3.0)])
    assert len(calls()) == MOST_ALIKE + 7


def test_no_more_than_some_calls_are_kept(recorded):
    function, calls = recorded
    for number in range(2 * MOST_CALLS):
        function(np.ones(number))
    assert len(calls()) == MOST_CALLS


class Counter:
    def __init__(self, start):
        self.total = start

    def add(self, more):
        self.total += more


def test_arguments_of_methods_are_looked_at_no_more_than_they_tell(tmp_path, monkeypatch):
    looked = []
    recorder = ValueRecorder(str(tmp_path), lambda path: True, lambda *values: looked.append(0) or pack(*values))
    monkeypatch.setattr(values, "MOST_TRIES", 5)
    made, add = (recorder._method("m.py", one) for one in (Counter.__init__, Counter.add))
    for start in range(9):
        own = Counter(0)
        made(own, start)
        for more in range(20):
            add(own, more)
    constructed, added = 5, 5
    assert len(looked) == constructed + added < MOST_STEPS * 9


def first(items, count=2):
    return [item for item, _ in zip(items, range(count), strict=False)]


def test_what_iterators_give_is_left_to_the_program(tmp_path):
    recorder = ValueRecorder(str(tmp_path), lambda path: True, pack)
    function = recorder._function("m.py", first)
    assert function(iter([1, 2, 3])) == [1, 2] and function(enumerate("ab")) == [(0, "a"), (1, "b")]
    assert function([iter([5])][0]) == [5] and function(one for one in [7]) == [7]


def test_the_class_of_an_object_is_named_as_the_module_of_each_method_knows_it(tmp_path):
    recorder = ValueRecorder(str(tmp_path), lambda path: True, pack)
    texts = {
        "base": "class Base:\n    def twice(self):\n        return 2 * self.x\n",
        "below": "class Below(Base):\n    def __init__(self, x):\n        self.x = x\n"
        "    def once(self):\n        return self.x\n",
    }
    known: dict = {}
    for name, text in texts.items():
        known = {**known, "__name__": name}
        exec(text, known)
    below = known["Below"]
    made, once, twice = (
        recorder._method(path, function)
        for path, function in (
            ("below.py", below.__init__), ("below.py", below.once), ("base.py", known["Base"].twice)
        )
    )  # fmt: skip
    own = below.__new__(below)
    made(own, 3)
    assert once(own) == 3 and twice(own) == 6 and once(own) == 3
    lines = [json.loads(line) for file in tmp_path.glob("*.values") for line in file.read_text().splitlines()]
    assert [(path, steps[0][0][0]) for path, _, steps in lines] == [
        ("below.py", "Below"), ("base.py", "below:Below"), ("below.py", "Below"),
    ]  # fmt: skip
