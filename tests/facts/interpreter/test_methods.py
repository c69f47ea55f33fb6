"""Facts of lists that functions and methods change in place: their lengths, and the order of their items."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one

MIXED = v.join(v.FLOAT, v.array("float64", 1))


@pytest.mark.parametrize("call", ["heapq.heappush(xs, 2.0)", "bisect.insort(xs, 2.0)", "bisect.insort_left(xs, 2.0)"])
def test_an_item_is_inserted(call):
    fact = one(f"import heapq, bisect\n\ndef f():\n    xs = [1.0]\n    {call}\n    show(len(xs))\n\nf()\n")
    assert v.kinds(fact) == {"number"} and v.constant(fact) is None


@pytest.mark.parametrize("call", ["xs.reverse()", "xs.sort(key=len)", "random.shuffle(xs)", "heapq.heapify(xs)"])
def test_items_change_places(call):
    text = f"import heapq, random\n\ndef f():\n    xs = [1.5, np.ones(3)]\n    {call}\n    show(xs[0])\n\nf()\n"
    assert v.kinds(one(text)) == {"number", "array"}
    assert v.lengths_of(one(text.replace("xs[0]", "xs"))) == {2}


def test_items_put_in_front_are_items():
    made = "from collections import deque\n\ndef f():\n    xs = deque([1.5])\n"
    fact = one(f"{made}    xs.extendleft(np.ones((2, 3)))\n    show(xs[0])\n\nf()\n")
    assert v.kinds(fact) == {"number", "array"}
