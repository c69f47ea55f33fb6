# ruff: noqa: E501 (tables of source texts)
"""The laws of the lattice: joins come to rest, or rounds of the analysis would not."""

from __future__ import annotations

from functools import reduce

from hypothesis import example, given, settings
from hypothesis import strategies as st

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN, Domain
from support.facts import F64

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


FOUR = ["bool", "int64", "float64", "float32"]


def leaves() -> st.SearchStrategy[v.Atom]:
    """Atoms without parts."""
    dtypes = st.none() | st.frozensets(st.sampled_from(FOUR), min_size=1, max_size=2)
    ranks = st.none() | st.frozensets(st.integers(0, 3), min_size=1, max_size=2)
    return st.one_of(
        st.tuples(dtypes, ranks).map(lambda parts: v.Array(*parts)),  # `st.builds` draws a kind as well
        st.tuples(dtypes, st.booleans()).map(lambda parts: v.Scalar(*parts)),
        st.sampled_from([v.Num("int", 3, True), v.Num("int", -1), v.Num("float", 0.5, True), v.Num("float"), v.Num("bool", True, True)]),
        st.sampled_from([v.Text(), v.Text("a"), v.Text("b")]),
        st.sampled_from([v.Nothing(), v.Top(), v.Module("numpy"), v.Foreign(), v.Opaque("os"), v.DType(F64), v.DType()]),
    )


FACTS = st.recursive(
    st.frozensets(leaves(), max_size=3).map(lambda atoms: v.join(frozenset(atoms))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2).map(lambda items: v.tuple_of(*items)),
        inner.map(lambda fact: v.one(v.Sequence("list", None, fact, 7))),
        inner.map(lambda fact: v.one(v.Iterator(fact))),
    ),
    max_leaves=6,
)

LAWS = settings(max_examples=150, deadline=None)


@LAWS
@given(FACTS)
def test_join_is_idempotent(a):
    assert v.join(a, a) == v.join(a) == a


@LAWS
@given(FACTS, FACTS)
def test_join_is_commutative(a, b):
    assert v.join(a, b) == v.join(b, a)


@LAWS
@given(FACTS, FACTS)
def test_join_covers_both(a, b):
    """Joining once more with either changes nothing: it was an upper bound."""
    both = v.join(a, b)
    assert v.join(both, a) == both
    assert v.join(both, b) == both


@LAWS
@given(FACTS)
def test_bottom_is_neutral(a):
    assert v.join(a, v.BOTTOM) == a


@LAWS
@given(FACTS, FACTS)
def test_more_alternatives_never_mean_more_knowledge(a, b):
    both = v.join(a, b)
    for fact in (a, b):
        if v.dtypes_of(both) is not None and v.known_to_include(fact, "array"):
            assert v.dtypes_of(v.keep(fact, lambda x: x.kind == "array")) is not None
        if fact and v.is_tensor(both):
            assert v.is_tensor(fact)
        if fact and v.rank_of(both) is not None:
            assert v.rank_of(fact) == v.rank_of(both)


@LAWS
@given(FACTS)
def test_widening_ends(a):
    once = v.widen(a)
    assert v.widen(once) == once
    assert all(not isinstance(x, v.Num) or x.value is None or isinstance(x.value, bool) for x in once)


def test_too_many_alternatives_are_unknown():
    many = [v.one(v.Opaque(str(n))) for n in range(v.MOST_ATOMS + 1)]
    assert v.join(*many) == v.GIVEN_UP and v.is_anything(v.join(*many))


def test_what_is_given_up_takes_in_all_others():
    many = v.join(*(v.one(v.Opaque(str(n))) for n in range(v.MOST_ATOMS + 1)))
    assert v.join(many, v.INT) == many
    assert v.join(v.TOP, v.INT) != v.TOP


def test_an_array_of_unknown_dtype_may_stay_an_ndarray_where_a_text_names_what_torch_lacks(monkeypatch):
    array, scalar, known = v.array(None, 1), v.scalar(), v.array("float64")
    assert [v.perhaps_unheld(fact) for fact in (array, scalar, known)] == [array, scalar, known]
    monkeypatch.setattr(DOMAIN, "__dict__", Domain(names_unheld=True).__dict__)
    unheld = [v.perhaps_unheld(fact) for fact in (array, scalar, known, v.TEXT)]
    assert unheld == [array | v.TOP, scalar | v.TOP, known, v.TEXT]
