"""Bit generators, seeding and states against NumPy's."""

import copy
import pickle
import random

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import random as R
from np2torch.shim.random import twins


@pytest.fixture(autouse=True, params=["ours", "numpys"])
def whose(request, monkeypatch):
    """Every test is run with our own generators, and with NumPy's wherever they may draw."""
    monkeypatch.setattr(twins, "FEWEST", 2**63 if request.param == "ours" else 1)

ENTROPY = [0, 1, 2**32, 12345678901234567890123, [1, 2, 3], [2**40, 5], list(range(9))]


@pytest.mark.parametrize("entropy", ENTROPY, ids=str)
@pytest.mark.parametrize("key", [(), (3,), (1, 2**35)])
def test_seed_sequence(entropy, key):
    expected, found = (m.SeedSequence(entropy, spawn_key=key) for m in (np.random, R))
    assert found.generate_state(9).tolist() == expected.generate_state(9).tolist()
    assert found.pool.tolist() == expected.pool.tolist()
    assert repr(found) == repr(expected)
    assert R.PCG64(found).seed_seq is found
    for a, b in zip(expected.spawn(2) + expected.spawn(1), found.spawn(2) + found.spawn(1), strict=True):
        assert b.generate_state(5, "u8").tolist() == a.generate_state(5, np.uint64).tolist()
        assert b.spawn_key == a.spawn_key
    assert (found.n_children_spawned, found.pool_size) == (expected.n_children_spawned, expected.pool_size)
    assert found.state == expected.state


@pytest.mark.parametrize("name", ["PCG64", "MT19937"])
@pytest.mark.parametrize("seed", [0, 42, [1, 2, 3], None])
def test_words(name, seed):
    if seed is None:
        seed = np.random.SeedSequence().entropy
    expected, found = getattr(np.random, name)(seed), getattr(R, name)(seed)
    theirs, ours = np.random.Generator(expected), R.Generator(found)
    for n in (1, 5, 48, 49, 1024, 1025, 70000, 3):
        assert np.array_equal(found.random_raw(n).numpy(), expected.random_raw(n))
        assert np.array_equal(ours.random(n).numpy(), theirs.random(n))
        assert ours.random() == theirs.random()
        assert np.array_equal(ours.integers(0, 2**32, n, dtype="u4").numpy(), theirs.integers(0, 2**32, n, dtype="u4"))
        assert np.array_equal(ours.standard_normal(n).numpy(), theirs.standard_normal(n))
    assert found.random_raw() == expected.random_raw()
    left, right = found.state, expected.state
    if name == "PCG64":
        assert left == right
    else:
        assert left["state"]["key"].tolist() == right["state"]["key"].tolist()
        assert left["state"]["pos"] == right["state"]["pos"]


def test_pcg64_jumps():
    assert R.PCG64(3).jumped(2).random_raw(3).tolist() == np.random.PCG64(3).jumped(2).random_raw(3).tolist()
    assert R.PCG64(3).advance(2**70).random_raw(3).tolist() == np.random.PCG64(3).advance(2**70).random_raw(3).tolist()


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, [1], [1, 2, 0], list(range(1000)), np.int64(5), np.array([4, 5])])
def test_legacy_seeding(seed):
    expected, found = np.random.RandomState(seed), R.RandomState(seed)
    assert np.array_equal(found.randn(700).numpy(), expected.randn(700))


@pytest.mark.parametrize("seed", [-1, 2**32, [], [-1], [[1, 2]], 1.5, [1.5], [2**32]])
def test_legacy_seeding_errors(seed):
    with pytest.raises(Exception) as error:
        np.random.RandomState(seed)
    with pytest.raises(type(error.value)):
        R.RandomState(seed)


def test_legacy_states_travel_both_ways():
    expected, found = np.random.RandomState(3), R.RandomState(9)
    expected.randn(701)
    found.set_state(expected.get_state())
    state = found.get_state()
    assert state[0] == "MT19937" and state[1].tolist() == expected.get_state()[1].tolist()
    assert state[2:] == expected.get_state()[2:]
    first = found.randn(5)
    assert np.array_equal(first.numpy(), expected.randn(5))
    found.set_state(state)
    assert torch.equal(found.randn(5), first)
    found.set_state(expected.get_state(legacy=False))
    assert found.randn() == expected.randn()
    dictionary = found.get_state(legacy=False)
    first = found.randn(5)
    found.set_state(dictionary)
    assert torch.equal(found.randn(5), first)
    with pytest.raises(ValueError, match="MT19937"):
        found.set_state(("PCG64", [], 0))


def test_modern_states_travel_both_ways():
    expected, found = np.random.default_rng(3), R.default_rng(9)
    expected.integers(5, dtype=np.int32)
    found.bit_generator.state = expected.bit_generator.state
    assert np.array_equal(found.integers(0, 9, 7).numpy(), expected.integers(0, 9, 7))
    with pytest.raises(ValueError, match="PCG64"):
        found.bit_generator.state = {"bit_generator": "MT19937"}


@pytest.mark.parametrize("make", [lambda: R.default_rng(3), lambda: R.RandomState(3)])
def test_copies_continue_the_stream(make):
    one = make()
    one.normal(size=7)
    for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert torch.equal(other.normal(size=9), copy.deepcopy(one).normal(size=9))


def test_default_rng_takes_what_numpys_takes():
    rng = R.default_rng(5)
    assert R.default_rng(rng) is rng
    assert R.default_rng(rng.bit_generator).bit_generator is rng.bit_generator
    assert R.default_rng(R.SeedSequence(5)).random() == np.random.default_rng(5).random()
    assert R.default_rng(torch.tensor([1, 2])).random() == np.random.default_rng(np.array([1, 2])).random()
    assert [g.random() for g in R.default_rng(5).spawn(2)] == [g.random() for g in np.random.default_rng(5).spawn(2)]
    assert R.RandomState(R.MT19937(4)).normal() == np.random.RandomState(np.random.MT19937(4)).normal()
    assert R.default_rng().random() != R.default_rng().random()
    with pytest.raises(ValueError):
        R.default_rng(-1)
    with pytest.raises(TypeError):
        R.default_rng(1.5)


def test_the_stream_behind_the_functions_is_copied_as_numpys() -> None:
    theirs, ours = np.random.mtrand._rand, R._rand
    theirs.seed(5), ours.seed(5)
    theirs.standard_normal(), ours.standard_normal()  # one more is kept
    for copied in (copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        expected, found = copied(theirs), copied(ours)
        assert type(expected) is np.random.RandomState and type(found) is R.RandomState
        assert found.standard_normal(3).tolist() == expected.standard_normal(3).tolist()
    assert ours.standard_normal(3).tolist() == theirs.standard_normal(3).tolist()


@pytest.mark.parametrize("make", ["default_rng", "RandomState"])
def test_a_library_draws_from_the_stream_it_is_given(make: str) -> None:
    module = shim if make == "default_rng" else shim.random
    ours, theirs = getattr(module, make)(7), getattr(np.random, make)(7)
    lent = shim.to_numpy(ours)
    assert shim.to_numpy([ours])[0] is lent and isinstance(lent, type(theirs))
    for _ in range(3):
        assert float(ours.normal()) == theirs.normal()
        assert np.array_equal(lent.normal(size=3), theirs.normal(size=3))
        assert np.array_equal(lent.permutation(5), theirs.permutation(5))
        assert np.array_equal(ours.uniform(size=2).numpy(), theirs.uniform(size=2))
        assert np.array_equal(lent.random(2), theirs.random(2))
    copied = copy.deepcopy(ours)
    assert np.array_equal(copied.normal(size=3).numpy(), ours.normal(size=3).numpy())


def test_numpys_own_stream_begins_where_ours_does():
    for seed in (5, [1, 2]):
        shim.random.seed(seed)
        assert np.random.rand(3).tolist() == np.random.RandomState(seed).rand(3).tolist()
    state = np.random.RandomState(7).get_state()
    shim.random.set_state(state)
    assert np.random.rand() == np.random.RandomState(7).rand() == shim.random.rand()
    before = np.random.get_state()[1].tolist()
    R.RandomState(3).seed(4)
    R.default_rng(3)
    assert np.random.get_state()[1].tolist() == before


def test_what_is_no_generator_of_ours_is_drawn_from_as_it_is():
    theirs, pythons = np.random.default_rng(1), random.Random(1)
    assert shim.numpy_stream(theirs) is theirs
    assert shim.numpy_stream(pythons) is pythons
    shim.random.seed(5)
    assert shim.numpy_stream(R).random() == np.random.RandomState(5).random()


LEGACY = [
    "random_sample()", "rand(3)", "randn(20)", "randn()", "randint(0, 5, 30)", "randint(10)", "normal()", "choice(5)",
    "permutation(20)", "shuffle(x)", "bytes(3)", "tomaxint()", "poisson(3.0)", "seed(5)", "multinomial(5, [0.2, 0.8])",
]  # fmt: skip
MODERN = [
    "random()", "random(20)", "standard_normal()", "standard_normal(2)", "integers(10)", "integers(0, 9, 20)",
    "integers(5, dtype='i4')", "choice(30, 20, replace=False)", "permutation(20)", "shuffle(x)", "bytes(5)",
    "random(15, dtype='f4')", "multinomial(5, [0.2, 0.8])", "bit_generator.random_raw()",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["RandomState", "default_rng"])
def test_the_state_goes_to_numpy_and_back_wherever_it_is_asked_for(kind, monkeypatch):
    monkeypatch.setattr(twins, "FEWEST", min(twins.FEWEST * 3, 2**63))  # some draws are ours
    for seed in range(6):
        draw = random.Random(seed)
        theirs, ours = getattr(np.random, kind)(seed), getattr(R, kind)(seed)
        calls = draw.choices(LEGACY if kind == "RandomState" else MODERN, k=40)
        for call in calls:
            if draw.random() < 0.1:
                theirs, ours = copy.deepcopy(theirs), draw.choice([copy.deepcopy, copy.copy])(ours)
            x, y = np.arange(15.0), torch.arange(15.0, dtype=torch.float64)
            expected, found = eval(f"g.{call}", {"g": theirs, "x": x}), eval(f"g.{call}", {"g": ours, "x": y})
            assert np.array_equal(found, expected) if isinstance(expected, np.ndarray) else found == expected, calls
            assert np.array_equal(x, y.numpy())


def test_two_who_draw_from_one_bit_generator():
    bits, theirs = R.MT19937(3), np.random.MT19937(3)
    for make, numpys in ((R.RandomState, np.random.RandomState), (R.Generator, np.random.Generator)):
        pairs = [(make(bits), numpys(theirs)) for _ in range(2)]
        for _ in range(3):
            for ours, expected in pairs:
                assert np.array_equal(ours.normal(size=15).numpy(), expected.normal(size=15))
                assert ours.normal() == expected.normal()
