"""What is encoded stays small: objects are looked into up to a number of values, the same on both sides."""

from __future__ import annotations

import pytest

from np2torch.verify import encode
from np2torch.verify.calls import Observation
from np2torch.verify.encode import pack
from np2torch.verify.judge import judge


class Node:
    """An object with a number and another one."""

    def __init__(self, number: float, inner: object = None) -> None:
        self.number = number
        self.inner = inner


def observed(*values: object) -> Observation:
    return Observation(values=pack([[list(values)], [[], {}], []]))


def test_objects_are_looked_into_up_to_a_number_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    far = Node(2.0)
    numbers = [0.5] * 40
    whole = observed(Node(1.0), numbers, far, far)
    monkeypatch.setattr(encode, "MOST_VALUES", 20)
    cut = observed(Node(1.0), numbers, far, far)
    assert whole.values is not None and cut.values is not None
    near, listed, beyond, again = cut.values.values[0][1][0][1]
    assert near[0] == "object" and len(listed[1]) == 40 and beyond == ["opaque", "Node"] and again[0] == "again"
    assert judge(whole, cut).kind == judge(cut, whole).kind == "equal"
    assert judge(cut, observed(Node(3.0), numbers, far, far)).kind == "different"
