"""Distance vectors, by the cases of textbooks."""

from __future__ import annotations

import pytest

from np2torch.rules.vectorize.dependence import Access, why_not
from np2torch.rules.vectorize.linear import Linear

I, J, K, N = Linear(((0, 1),)), Linear(((1, 1),)), Linear(((2, 1),)), Linear((("n", 1),))


def read(at: int, *forms: Linear, loops: tuple[int, ...] = (0, 1)) -> Access:
    return Access("x", forms, loops, at, is_store=False)


def store(at: int, *forms: Linear, loops: tuple[int, ...] = (0, 1), sums: str = "") -> Access:
    return Access("x", forms, loops, at, is_store=True, sums=sums)


FREE = {
    "the same element": [read(0, I, J), store(1, I, J)],
    "a later pass writes what this one has read": [read(0, I.shift(1), J), store(1, I, J)],
    "an earlier pass has written what this one reads, further up": [store(0, I, J), read(1, I.shift(-1), J)],
    "even and odd": [read(0, I.times(2), J), store(1, I.times(2).shift(1), J)],
    "two columns": [store(0, I, Linear(), loops=(0,)), store(1, I, Linear(constant=1), loops=(0,))],
    "sums alone": [store(0, I, loops=(0, 1), sums="+")],
    "loops one after the other": [store(0, I, J, loops=(0, 1)), read(1, I, K, loops=(0, 2))],
}
BOUND = {
    "the pass before": [read(0, I.shift(-1), J), store(1, I, J)],
    "the pass before, along the second loop": [read(0, I, J.shift(-1)), store(1, I, J)],
    "a later pass, but read below": [store(0, I, J), read(1, I.shift(1), J)],
    "one place": [store(0, Linear(), Linear())],
    "another row": [read(0, N, J), store(1, I, J)],
    "turned": [read(0, J, I), store(1, I, J)],
    "summed up and read": [read(0, I, loops=(0, 1)), store(1, I, loops=(0, 1), sums="+")],
}


@pytest.mark.parametrize("accesses", FREE.values(), ids=FREE)
def test_all_passes_may_run_at_once(accesses: list[Access]):
    assert why_not(accesses, lambda _: 1, lambda _: False) is None


@pytest.mark.parametrize("accesses", BOUND.values(), ids=BOUND)
def test_passes_need_each_other(accesses: list[Access]):
    assert why_not(accesses, lambda _: 1, lambda _: False) is not None


def test_a_loop_that_runs_downwards_turns_the_order():
    accesses = [read(0, I.shift(-1), J), store(1, I, J)]
    assert why_not(accesses, lambda loop: -1 if loop == 0 else 1, lambda _: False) is None


def test_ranges_that_do_not_touch_are_apart():
    low, high = Linear(), N.shift(-1)
    one = read(0, J, loops=(0,))._replace(forms=(N,), ranges=((N, N),))
    other = store(1, I, loops=(0,))._replace(ranges=((low, high),))
    assert why_not([one, other], lambda _: 1, lambda form: form.is_constant and form.constant > 0) is None
