"""The laws of the lattice: joins come to rest, or rounds of the analysis would not."""

from __future__ import annotations

from functools import reduce

from hypothesis import example, given
from hypothesis import strategies as st

from np2torch.facts import values as v

DTYPES = ("bool", "int64", "float64")
plain = st.one_of(
    st.builds(v.array, st.none() | st.sampled_from(DTYPES), st.none() | st.integers(0, 3)),
    st.builds(v.scalar, st.none() | st.sampled_from(DTYPES), st.booleans()),
    st.integers(-2, 2).map(v.number),
    st.sampled_from([v.TEXT, v.NONE, v.TOP, v.FOREIGN, v.BOOL, v.FLOAT]),
)


def _sequences(items: st.SearchStrategy[v.Fact]) -> st.SearchStrategy[v.Fact]:
    lists = st.tuples(st.none() | st.lists(items, max_size=3).map(tuple), items, st.integers(0, 8)).map(
        lambda parts: v.Sequence("list", *parts)
    )
    tuples = st.lists(items, max_size=3).map(lambda parts: v.Sequence("tuple", tuple(parts)))
    iterators = st.tuples(st.lists(items, min_size=1, max_size=3).map(tuple), st.booleans(), st.booleans()).map(
        lambda parts: v.Iterator(v.join(*parts[0]), parts[1], items=parts[0] if parts[2] else None)
    )
    return (lists | tuples | iterators).map(v.one)


facts = st.recursive(plain, _sequences, max_leaves=6).map(v.join)
ROWS = [v.one(v.Sequence("list", (v.TEXT,) * (site % 2), site=site)) for site in range(1, 9)]
"""A table written out: lists made at more places than are told apart."""


@given(st.lists(facts, min_size=2, max_size=8))
@example(ROWS)
def test_a_join_holds_what_went_into_it(parts):
    whole = reduce(v.join, parts)
    assert all(v.join(whole, part) == whole for part in parts)


@given(st.lists(facts, min_size=1, max_size=8))
@example(ROWS)
def test_what_grows_comes_to_rest(parts):
    """Each further round joins the same facts: from the second on nothing may change, as often as it goes round."""
    held = v.BOTTOM
    for _ in range(8):
        before = held
        for part in parts:
            held = v.join(held, v.widen(part))
    assert held == before
