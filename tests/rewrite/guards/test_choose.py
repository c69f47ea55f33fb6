"""Guards of open functions: chosen where they help, right for all that they take, loud for the rest."""

from __future__ import annotations

import ast
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.rewrite.guards import inner, runs, stage
from np2torch.rewrite.guards.candidates import is_stated_container
from np2torch.source.model import Settings, SourceFile
from support.guards import HALF, both, convert, is_equal, outcome, tensors

SOFTMAX = """def softmax(x):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
DOUBLED = "def doubled(x):\n    y = np.sqrt(x)\n    return x + x, y\n"
CENTRED = """def centred(x, origin=None):
    if origin is None:
        origin = np.mean(x, axis=0)
    return x - origin
"""
WEIGHED = """def weighed(x, weights=None):
    x = np.asarray(x)
    if weights is None:
        weights = np.ones(x.shape)
    return np.sqrt(x) / np.sum(weights), np.sqrt(weights)
"""
FILLED = "def filled(x, s):\n    x[:] = np.exp(s) * x\n    return x\n"
CLOSE = "def near(a, b):\n    return bool(np.all(np.abs(a - b) < 1e-9))\n"
LATE = "def late(x, f):\n    def g(t):\n        return t // x\n    return np.exp(x) + f(g)\n"
PICKED = "def picked(x):\n    return x[x == 300], x[x > -129]\n"
F64, F32 = np.array([0.5, -1.25, 3.0]), np.array([0.5, -1.25, 3.0], dtype=np.float32)
I64, U8, B = np.array([1, 2, 4]), np.array([200, 100, 7], dtype=np.uint8), np.array([True, False, True])
I8 = [np.array([44, 127, -128], dtype=np.int8), np.array([300, 44], dtype=np.int16), np.array([300, 44], np.int32)]
C128, C64 = np.array([1 + 2j, 0.5j, 3.0]), np.array([1 + 2j, 0.5j, 3.0], dtype=np.complex64)
ONE = [
    F64, F32, I64, U8, B, C128, C64, F64[::-1], F64[:0], np.ones((2, 3)), np.float64(2.5), 2.5, 3, True, [1, 2],
    (0.5, 1),
]  # fmt: skip


CASES = {
    "softmax": (SOFTMAX, [[x] for x in ONE]),
    "half": (HALF, [[x, d] for x in ONE for d in (F64, F32, I64, 0.1, 2, np.float64(0.5))]),
    "doubled": (DOUBLED, [[x] for x in ONE]),
    "centred": (CENTRED, [[x] for x in ONE] + [[x, 1] for x in ONE] + [[I64, F32], [F32, F64]]),
    "weighed": (WEIGHED, [[x] for x in ONE] + [[x, w] for x in ONE for w in (None, F64, I64, [1, 2, 4], 2)]),
    "filled": (FILLED, [[x, s] for x in ONE for s in (0.5, np.float64(0.5))]),
    "picked": (PICKED, [[x] for x in (*ONE, *I8)]),
    "near": (CLOSE, [[x, y] for x in ONE for y in (F64, F32, I64, U8, 2.5)]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_guard_takes_comes_out_equal_and_the_rest_is_loud(name: str) -> None:
    text, calls = CASES[name]
    old, new, _ = both(text, name)
    equal = 0
    for arguments in calls:
        before = outcome(old, [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments])
        after = outcome(new, [tensors(a) for a in arguments])
        if after is not None and before is not None:
            assert all(map(is_equal, before, after)), (name, arguments, before, after)
            equal += 1
    assert equal >= len(calls) // 4


@pytest.mark.parametrize("name", CASES)
def test_nobody_who_is_seen_narrows_it(name: str) -> None:
    text, _ = CASES[name]
    alone = convert(text).after
    call = f"print({name}(np.ones(3)" + (", 1.5))" if "," in text.split(")")[0] and name != "centred" else "))")
    assert convert(text, call + "\n").after == alone


STATE = """class Mean:
    def __init__(self, start):
        self.value = np.exp(start)

    def step(self, x):
        return 0.5 * self.value + np.sqrt(x)
"""


def test_attributes_get_one_dtype() -> None:
    after = convert(STATE).after
    assert "start = shim.floating(start, exact=True, single=False)" in after, after
    assert "self.value = torch.exp(start)" in after
    new: dict[str, Any] = {}
    exec(after, new)
    found = new["Mean"](torch.tensor([1, 2])).step(torch.tensor([4.0, 9.0], dtype=torch.float64))
    assert np.allclose(found.numpy(), 0.5 * np.exp([1.0, 2.0]) + [2.0, 3.0], rtol=1e-12, atol=0)
    with pytest.raises(TypeError, match="double precision"):
        new["Mean"](torch.ones(2))


def test_a_private_function_gets_one_where_its_callers_do_not_say() -> None:
    scaled = "def _scaled(x):\n    return 2.5 * x - np.exp(x)\n\n\n"
    after = convert(scaled + "def f(several):\n    return [_scaled(s[0]) for s in several]\n").after
    assert "def _scaled(x):\n    x = shim." in after and "shim.operator" not in after


def test_a_body_that_needs_no_guard_gets_none() -> None:
    for body in ("x[0]", "len(x)", "np.zeros(x)"):
        assert not convert(f"def f(x):\n    return {body}\n").guards


def test_what_the_project_passes_is_taken() -> None:
    text = "def joined(a, b):\n    return a + b, np.exp(a) - b\n"
    assert "lists=(True, False)" in convert(text).after
    assert "lists=" not in convert(text, "print(joined([1.0], np.ones(1)), joined(np.ones(1), [1.0]))\n").after


def test_whole_numbers_that_the_project_passes_are_taken_for_what_is_written() -> None:
    wave = "t = np.cos(b) * x + np.sin(b) * y\n    return np.array([t, np.sin(a) * x])"
    turned = f"def turned(x, y, a, b):\n    a *= 0.5\n    b *= 0.5\n    {wave}\n"
    old, new, after = both(turned, "turned", "print(turned(2.5, 1.5, 42, -82), turned(2.5, 1.5, 42.5, -82.5))\n")
    assert "copy=(" in convert(turned).after and "copy=(" not in after
    np.testing.assert_allclose(new(2.5, 1.5, 42, -82).numpy(), old(2.5, 1.5, 42, -82), rtol=1e-12)


def test_a_function_in_the_body_that_others_call_is_looked_at() -> None:
    _, new, after = both(LATE, "late")
    assert "shim." in after
    with pytest.raises(TypeError):
        new(torch.tensor([4, 9]), lambda g: g(torch.tensor([9, 9])))


def test_settings_choose() -> None:
    assert "shim.operator.add" in convert(HALF, unknown="shim").after
    assert not convert(HALF, unknown="shim").guards
    closed = convert(HALF, "print(half(np.ones(3), np.ones(3)))\n", closed=("lib.py",))
    assert not closed.guards and "return 0.5 * u + d" in closed.after


def test_private_and_nested_functions_and_programs_are_closed() -> None:
    assert not convert("def _half(u, d):\n    return 0.5 * u + d\n").guards
    assert not convert(HALF + "\n\nprint(half(np.ones(3), 1.0))\n").guards
    assert not convert(HALF + "\n\nif __name__ == '__main__':\n    half(np.ones(3), 1.0)\n").guards
    assert convert(HALF + "\n\n__all__ = ['half']\n").guards


def test_helpers_behind_a_guard_are_plain_torch() -> None:
    helper = "def _scaled(x):\n    return 2.5 * x - x.mean()\n\n\n"
    after = convert(helper + "def public(x):\n    x = np.asarray(x)\n    return np.exp(_scaled(x))\n").after
    assert "shim.operator" not in after and after.count("shim.") == 1


def test_methods_generators_and_coroutines_get_one_too() -> None:
    text = (
        "class Filter:\n    def apply(self, x):\n        return np.exp(0.5 * x) / 2\n\n\n"
        "def steps(x):\n    yield np.exp(x) * 0.5\n\n\nasync def later(x):\n    return np.exp(x) * 0.5\n"
    )
    done = convert(text)
    assert [guard.function for guard in done.guards] == ["Filter.apply", "steps", "later"]
    assert done.after.count("= shim.") == 3


def test_a_second_conversion_changes_nothing() -> None:
    for text, _ in CASES.values():
        after = convert(text).after
        again = next(iter(convert_project([SourceFile(Path("lib.py"), "lib.py", after)], Settings())))
        assert again.after == after and {guard.reason for guard in again.guards} <= {"in the file already"}


def test_what_may_be_a_shape_is_left_alone() -> None:
    text = "def placed(n, rng):\n    side = np.sqrt(n)\n    return rng.uniform(0, 1 / side, (n, 2))\n"
    assert [guard.text for guard in convert(text).guards] == ["rng = shim.generator(rng)"]


def test_no_guard_where_objects_stay_on_numpy() -> None:
    kept = "class Signal(np.ndarray):\n    def __array_ufunc__(self, *args, **kwargs):\n        return self\n\n\n"
    assert convert(HALF).guards and not convert(kept + HALF).guards


def test_a_guard_of_long_names_is_broken():
    names = [f"operand_{number}" for number in range(5)]
    head = f"def combined({', '.join(names)}):\n"
    done = convert(f"{head}    return 0.5 * {names[0]} + {' * '.join(names[1:3])} - {' / '.join(names[3:])}\n")
    assert done.guards and max(map(len, done.after.splitlines())) <= 88
    again = next(iter(convert_project([SourceFile(Path("lib.py"), "lib.py", done.after)], Settings())))
    assert again.after == done.after
    assert [guard.function for guard in again.guards] == ["combined"]



TOUCHED = """def length_of(xyz):
    return np.sqrt((xyz * xyz).sum(axis=0))


def touched(start, towards, radii):
    if len(getattr(start, "shape", ())) > 1:
        radii = radii.reshape((3, 1))
    first = np.divide(start, radii)
    way = np.divide(towards, radii)
    near = length_of(first) < 1.0
    point = first + np.where(near, 1.0, -1.0) * way
    return start * point, point * radii
"""


def test_an_option_is_given_once_where_some_numbers_could_stay_and_others_are_refused() -> None:
    old, new, _ = both(TOUCHED, "touched")  # a keyword that is repeated is a SyntaxError
    calls = [[F64, F64, F64], [F32, F32, F32], [C128, F64, F64], [F64, 0.5, F64]]
    answers = [outcome(new, [tensors(one) for one in call]) for call in calls]
    assert answers[0] is not None
    for call, answer in zip(calls, answers, strict=True):
        assert answer is None or all(map(is_equal, outcome(old, call), answer))


ADVECTED = "def advected(u, c):\n    return u - c * (u - np.roll(u, 1))\n"


def test_numbers_are_refused_of_those_parameters_alone_that_must_be_arrays() -> None:
    """`np.roll` makes an array of a number, of which it makes no difference that the other one may be a number."""
    old, new, after = both(ADVECTED, "advected", "print(advected(np.ones(3), 0.5))\n")
    assert "numbers=(False, " in after and after.count("shim.") == 1
    for u in (np.linspace(0, 1, 4), np.linspace(0, 1, 4, dtype="f4")):
        for c in (0.5, 2):
            expected, found = old(u, c), new(torch.from_numpy(u), c)
            assert str(found.dtype)[6:] == str(expected.dtype) and found.tolist() == expected.tolist()
    with pytest.raises(TypeError, match="an array is expected"):
        new(0.5, torch.ones(3))


def test_what_comes_back_in_a_deep_tuple_keeps_its_dtype() -> None:
    """What is nested deeper than the analysis looks is of unknown dtype, whatever is passed."""
    held = "    out = [m.argmin() + 2 * np.sum(m > 2)]\n    out.append((k, (k, sorted(y))))\n    return out, m\n"
    old, new, after = both(f"def deep(y, m, k):\n{held}", "deep")
    assert "m = shim." in after
    (_, theirs), (_, ours) = old([2.5, 1.5], I64, 3), new([2.5, 1.5], torch.from_numpy(I64), 3)
    assert ours.dtype == torch.int64 and np.array_equal(ours.numpy(), theirs)


def test_a_parameter_annotated_with_several_dtypes_may_have_a_guard() -> None:
    body = "def sines(x: NDArray[np.inexact] | float):\n    return 2.0 * np.sin(x)\n"
    old, new, after = both(f"from numpy.typing import NDArray\n\n\n{body}", "sines")
    assert "x = shim.inexact(x" in after and after.count("shim.") == 1
    for x in (np.ones(2), np.ones(2, "f4"), np.ones(2, "c16"), 0.5):
        expected, found = np.asarray(old(x)), new(torch.from_numpy(x) if isinstance(x, np.ndarray) else x)
        assert str(found.dtype)[6:] == str(expected.dtype)


@pytest.mark.parametrize("coercion", [
    "list(map(np.asanyarray, (s, t)))", "map(np.asarray, [s, t])", "[np.asarray(q) for q in (s, t)]",
    "np.asarray(s), np.asarray(t)",
])  # fmt: skip
def test_a_guard_takes_the_line_that_coerces_several_parameters(coercion: str) -> None:
    text = f"def scaled(s, t):\n    s, t = {coercion}\n    return (s - 35) * np.sqrt(t)\n"
    old, new, after = both(text, "scaled")
    assert after.count("shim.") == 1 and after.count("s, t = ") == 1
    for s, t in (([1, 2.5], 4), ([1, 2], [3, 4]), (np.ones(2, "f4"), np.full(2, 4, "f4"))):
        expected = old(s, t)
        found = new(*(torch.from_numpy(one) if isinstance(one, np.ndarray) else one for one in (s, t)))
        assert str(found.dtype)[6:] == str(expected.dtype) and found.tolist() == expected.tolist()


@pytest.mark.parametrize("items", ["[p.real for p in p]", "[q for x in p for p in x]", "[x for x in p for p in x]"])
def test_what_a_loop_binds_is_looked_for_where_it_is_read(items):
    """The iterable of a comprehension is no use of its target: that was asked without end."""
    converted = convert(f"def f(p, q):\n    a = {items}\n    return np.sqrt(q) * p[0], a\n")
    assert not converted.problems and "torch.sqrt" in converted.after


def test_names_of_numpy_are_known_by_their_synonyms() -> None:
    after = convert("def arc(angle):\n    return np.sin(np.radians(angle)) * 0.5\n").after
    assert after.count("shim.") == 1 and "angle = shim." in after


def test_what_says_which_elements_are_meant_stays_whole() -> None:
    text = "def corners(points, faces):\n    a, b = points[faces[:, 0]], points[faces[:, 1]]\n"
    text += "    return np.sqrt(b - a)\n"
    old, new, after = both(text, "corners")
    assert 'faces = shim.tensor(faces, kinds="ib"' in after and "points = shim." in after
    points, faces = np.linspace(0, 1, 4), np.array([[0, 1], [2, 3]])
    assert new(torch.from_numpy(points), torch.from_numpy(faces)).tolist() == old(points, faces).tolist()


def test_defaults_that_are_numbers_stay_possible() -> None:
    text = "def sharpe(returns, free=0.0, periods=252):\n    excess = returns - free\n"
    old, new, after = both(f"{text}    return np.sqrt(periods) * excess.mean() / excess.std()\n", "sharpe")
    assert after.count("shim.") == 1 and "numbers=(" in after
    assert new(torch.from_numpy(F64)).item() == pytest.approx(old(F64))


def test_floats_are_taken_where_whole_numbers_are_not() -> None:
    text = "def present(cash, rate):\n    return np.sum(cash / (1 + rate) ** np.arange(len(cash)))\n"
    old, new, after = both(text, "present")
    assert after.count("shim.") == 1
    for rate in (0.05, 1):
        assert new(torch.from_numpy(F64), rate).item() == pytest.approx(old(F64, rate))


@pytest.mark.parametrize("named", ["import numpy as xp", "xp = np", "from numpy import ma as xp_ma"])
def test_masked_arrays_are_known_by_any_name(named: str) -> None:
    ma = "xp_ma" if "ma as" in named else "xp.ma"
    text = f"{named}\n\n\ndef positive(x):\n    return {ma}.masked_less(x, 0)\n\n\n"
    assert convert(HALF).guards and not convert(text + HALF.replace("u + d", "positive(u) + d")).guards
    own = "class Filter:\n    def __init__(self, ma):\n        self.ma = ma\n\n\n"
    assert convert(own + HALF).guards


def test_what_is_spent_is_settled_with_what_was_found(monkeypatch):
    whole = convert(WEIGHED).after
    monkeypatch.setattr(inner, "MOST_SPENT", -1)
    monkeypatch.setattr(runs, "MOST_SPENT", -1)
    assert "shim.inexact(" in whole and "shim.inexact(" not in convert(WEIGHED).after
    monkeypatch.setattr(runs, "MOST_SPENT", 6_000)
    assert "shim.inexact(" in convert(WEIGHED).after


def test_more_is_spent_where_more_can_be_saved_and_less_in_a_project_of_many_functions(monkeypatch):
    monkeypatch.setattr(inner, "MOST_SPENT", -1)
    monkeypatch.setattr(runs, "FEW_SPENT", 0)
    assert "shim.inexact(" in convert(WEIGHED).after
    monkeypatch.setattr(runs, "MANY_FUNCTIONS", 0)
    assert "shim.inexact(" not in convert(WEIGHED).after
    monkeypatch.setattr(runs, "MANY_FUNCTIONS", 500)
    monkeypatch.setattr(runs, "EACH_SITE", 0)
    assert "shim.inexact(" not in convert(WEIGHED).after


def test_lists_are_not_refused_for_one_site_where_the_function_makes_arrays_itself() -> None:
    text = """def fitted(x, y, method):
    x = np.atleast_2d(x)
    y = np.atleast_2d(y)
    return method(x, y)
"""
    old, new, _ = both(text.replace("    x =", "    if method is None:\n        return 0\n    x ="), "fitted")
    for lists in ([[1, 2]], [[1.0, 2.0]]):
        mine, theirs = new(lists, lists, torch.add), old(lists, lists, np.add)
        np.testing.assert_array_equal(mine.numpy(), theirs)
    handing = """def chosen(x, method="best"):
    if method == "best":
        x = np.atleast_2d(x)
        method = max if x.shape[1] != 3 else min
    return method(x)
"""
    old, new, _ = both(handing, "chosen")
    assert new([1, 2, 3], sum) == old([1, 2, 3], sum) == 6


def test_integers_are_taken_by_promote_where_the_project_may_pass_them() -> None:
    text = """def rate(n, p, x):
    (n, p, x) = map(np.asarray, [n, p, x])
    return _step(0.1, n, p, x)


def _step(r, n, p, x):
    t1 = (r + 1) ** n
    return (p * t1 + x * (t1 - 1) / r) / (n * p * t1 + x * t1)
"""
    old, new, _ = both(text, "rate")
    for call in ((2, 3, 4), (2.0, 3, 4.0), (2, 3.0, 4)):
        np.testing.assert_allclose(float(new(*call)), old(*call), rtol=1e-12)


@pytest.mark.parametrize("stated", ["tuple", "list | None", "'tuple'"])
def test_what_is_stated_to_be_a_container_is_not_refused(stated: str) -> None:
    text = f"""def payoffs(pair: {stated}, a):
    u = pair[1].reshape(pair[1].size, 1)
    v = pair[0].reshape(pair[0].size, 1)
    return np.dot(a, u), np.dot(a.T, v), pair[1].sum(), pair[0].max()
"""
    old, new, _ = both(text, "payoffs")
    pair, a = (np.array([0.5, 0.5]), np.array([0.25, 0.75])), np.array([[1.0, 2.0], [3.0, 4.0]])
    mine, theirs = new(tuple(map(tensors, pair)), tensors(a)), old(pair, a)
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-12)


def test_a_guard_is_no_reason_to_write_what_torch_refuses_for_every_dtype_there() -> None:
    after = convert("def f(x):\n    m = np.sqrt(x) > 1\n    return np.abs(m), np.exp(x)\n").after
    assert "shim.abs(m)" in after and "torch.exp(x)" in after


LOAD = """def load(z, port):
    if port >= z.shape[1]:
        raise IndexError
    if z.shape[1] == 1:
        return np.ones_like(z) * 1e99
    return 1.0 / np.sum(1.0 / z, axis=1)


def empty(n):
    return np.zeros(n, dtype=%s)
"""


@pytest.mark.parametrize(("made", "is_taken"), [("complex", True), ("float", False)])
def test_complex_numbers_are_refused_later_in_a_project_that_speaks_of_them(made: str, is_taken: bool) -> None:
    old, new, after = both(LOAD % made, "load")
    z = np.array([[1 + 2j, 0.5j], [3.0, 2.0]])
    assert (outcome(new, [tensors(z), 0]) is not None) is is_taken, after
    if is_taken:
        np.testing.assert_allclose(new(tensors(z), 0).numpy(), old(z, 0), rtol=1e-12)


RANKED = """def ranked(m, d):
    r = np.full(m.shape[0], 0.5%s)
    return d * m @ r


def tone(x):
    return np.sum(x * np.exp(-1j * np.arange(len(x))))
"""


@pytest.mark.parametrize(("own", "is_taken"), [("", False), (" + 0j", True)])
def test_complex_numbers_of_other_functions_cost_no_site(own: str, is_taken: bool) -> None:
    """Where the function itself speaks of them, a guard that takes them may leave more to the shim."""
    old, new, after = both(RANKED % own, "ranked")
    m = np.array([[1.0, 2.0], [0.25, -3.0]])
    np.testing.assert_allclose(new(tensors(m), 0.85).numpy(), old(m, 0.85), rtol=1e-12)
    assert (outcome(new, [tensors(m * 1j), 0.85]) is not None) is is_taken, after
    assert is_taken or "shim.operator" not in after.partition("def tone")[0]


@pytest.mark.parametrize(("told", "part"), [("complex array", "z[0]"), ("array_like", "np.conj(z[0])")])
def test_what_is_documented_as_complex_or_has_its_parts_taken_is_not_refused(told: str, part: str) -> None:
    text = f"""def f(z):
    '''Give a reciprocal.

    Parameters
    ----------
    z : {told}
    '''
    z = np.asarray(z)
    return np.reciprocal({part})
"""
    old, new, _ = both(text, "f")
    z = np.array([1 + 2j, 0.5j])
    np.testing.assert_allclose(complex(new(tensors(z))), old(z), rtol=1e-12)


def test_numbers_are_not_refused_for_what_is_optional_and_only_calculated_with() -> None:
    text = """def error(n, rho, k=None):
    if not callable(rho):
        return rho * (n + k + 1.0) / (n - k - 1)
"""
    old, new, _ = both(text, "error")
    assert new(tensors(F64), 0.5, 2).numpy() == pytest.approx(old(F64, 0.5, 2), rel=1e-12)


@pytest.mark.parametrize(("told", "is_taken"), [("float or array", True), ("array", False)])
def test_numbers_are_not_refused_for_what_is_documented_as_a_float_too(told: str, is_taken: bool) -> None:
    text = f"""def wrapped(angle):
    \"\"\"Wrap an angle.

    Parameters
    ----------
    angle : {told}
    \"\"\"
    return angle <= 3, np.sin(angle) + np.cos(angle) / np.exp(angle)
"""
    old, new, after = both(text, "wrapped")
    assert (outcome(new, [0.5]) is not None) is is_taken, after
    assert not is_taken or new(0.5)[0] is True and float(new(0.5)[1]) == pytest.approx(old(0.5)[1], rel=1e-12)


def test_what_is_named_a_shape_is_a_tuple_as_well() -> None:
    function = ast.parse("def grown(input_shape, shape, shapes, reshaped: list, x): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    names = [one.arg for one in function.args.args]
    assert [name for name in names if is_stated_container(function, name)] == ["input_shape", "shape", "reshaped"]


def test_numbers_are_not_refused_to_save_a_single_call() -> None:
    text = "def left(rate, time, ks):\n    return [np.expm1(k.rate * time) * (k.amount * rate) for k in ks]\n"
    old, new, _ = both(text, "left")
    ks = [SimpleNamespace(rate=0.5, amount=2.0)]
    assert new(1.5, 2.0, ks)[0].item() == pytest.approx(old(1.5, 2.0, ks)[0])


def test_a_division_that_no_parameter_takes_part_in_refuses_no_numbers() -> None:
    text = (
        "def angle(x):\n    last = 2 * np.pi\n    for i in range(3):\n        try:\n"
        "            last = np.arctan(x) / 3 + last / (i + 1)\n        except ArithmeticError:\n"
        "            last = np.pi\n    return np.sin(x) * last\n"
    )
    assert "x = shim.inexact(x, exact=True)" in convert(text).after


def test_what_contexts_found_when_the_project_ran_settles_a_function_that_is_not_run_again(monkeypatch):
    both_sums = """def _sum(a, b):
    return a + b


def sums(n):
    x = np.ones(n)
    return _sum(x, x), _sum([1, 2], [3])


"""
    monkeypatch.setattr(stage, "MOST_AGAIN", -1)
    monkeypatch.setattr(stage, "FEW_AGAIN", -1)
    assert "return a + b" in convert(both_sums + HALF).after


def test_what_is_copied_and_asked_for_what_no_array_has_gets_no_guard():
    text = "def scaled(net, k):\n    made = net.copy()\n    made.s = made.s * k\n    return made\n"
    assert "net.clone()" not in convert(text).after
    assert "net.clone()" in convert(text.replace("made.s", "made.real")).after


def test_what_has_items_that_are_asked_for_what_no_array_has_gets_no_guard() -> None:
    text = "def offset(table, k):\n    part = table[k]\n    return table[0] * 2 + table[1] * part.real\n"
    assert "table = shim" in convert(text).after
    assert "table = shim" not in convert(text.replace("part.real", "part.offset")).after


def test_a_parameter_of_which_items_with_axes_are_read_by_number_is_no_array() -> None:
    text = "def spread(pair):\n    return np.sqrt(pair[1].T) + np.exp(pair[0] / 2)\n"
    assert "pair = shim" not in convert(text).after
    assert "pair = shim" in convert(text.replace("pair[1].T", "pair[1]")).after


def test_what_is_read_under_attributes_alone_gets_no_guard() -> None:
    text = "def made(signals, op):\n    return np.sqrt(signals[op.output]) + signals[op.input]\n"
    assert "signals = shim" not in convert(text).after
    assert "signals = shim" in convert(text.replace("op.output", "0").replace("op.input", "1")).after


def test_what_is_asked_for_its_data_gets_no_guard() -> None:
    assert "sim = shim" not in convert("def read(sim, k):\n    return np.sqrt(sim.data[k]) * 2\n").after


def test_bools_that_torch_refuses_are_not_among_what_a_guard_takes() -> None:
    assert 'kinds="fic"' in convert("def f(signal):\n    return np.sum(np.abs(np.diff(signal)))\n").after
    assert "kinds=" not in convert("def f(signal):\n    return np.sqrt(signal[::2])\n").after


def test_a_product_with_what_may_be_a_number_may_be_multiplied() -> None:
    """Of vectors it is a number as well, which NumPy's `dot` multiplies by and torch's products refuse."""
    doubles = "np.typing.NDArray[np.float64]"
    text = f"def update(P: '{doubles} | float', K: {doubles}): return np.dot(np.dot(K, P), K)\n"
    old, new, after = both(text, "update")
    assert "shim.dot(shim.dot(K, P), K)" in after
    one = np.array([1.5, 2.0])
    for P in (2.0, one):
        torch.testing.assert_close(new(tensors(P), tensors(one)), tensors(old(P, one)), rtol=1e-12, atol=0)


@pytest.mark.parametrize("x", [np.arange(5), np.array([2**40, 5]), np.array([250, 3], dtype=np.uint8), [5, 6], 7])
def test_what_is_shifted_is_given_integers(x):
    text = "def f(x, k):\n    x = np.asarray(x)\n    return x // k, x % k, x * k, -x, x << 1, x & 3, x / k, x.mean()\n"
    old, new, _ = both(text, "f")
    given, expected = outcome(new, [tensors(x), 3]), outcome(old, [x, 3])
    assert given is not None and all(map(is_equal, expected[:8], given[:8]))


SEARCH = """def search(func, x0, scaling, bounds, step=1.0, tol=1e-3, factor=2.0, eps=1e-9, gain=0.5, alpha=0.05):
    x = np.asarray(x0) * np.asarray(scaling) - np.asarray(bounds)
    while step > tol - eps:
        if func(x + step * gain) + alpha * step / factor < func(x) - eps:
            x = x + step * gain
        else:
            step /= factor
    return x, step, gain * factor + alpha
"""
SEARCHED = [
    {}, {"step": 2}, {"step": np.float64(1.5)}, {"tol": np.float64(0.1), "gain": np.float64(0.25)}, {"factor": 4},
    {"step": np.float32(1.0)}, {"gain": np.float32(0.25)}, {"factor": np.int64(3)}, {"alpha": True},
]  # fmt: skip


def test_numbers_by_their_defaults_have_a_line_of_their_own() -> None:
    old, new, text = both(SEARCH, "search")
    assert 'only="double", ndim=0' in text and "step = step / factor" in text and "while step > tol - eps" in text
    x = [np.array([0.5, -1.25]), np.array([1.0, 2.0]), np.array([0.25, 0.5])]
    equal = 0
    for options in SEARCHED:
        mine = {name: tensors(value) for name, value in options.items()}
        expected = outcome(partial(old, lambda y: (y * y).sum(), **options), x)
        found = outcome(partial(new, lambda y: (y * y).sum(), **mine), list(map(tensors, x)))
        assert found is None or all(map(is_equal, expected, found))
        equal += found is not None
    assert equal >= 5


def test_a_number_that_is_added_to_leaves_what_callers_hold() -> None:
    text = 'def halve(rate, k=2.0):\n    """Halve.\n\n    Parameters\n    ----------\n    rate : float\n    """\n'
    text += "    d = rate\n    d /= k\n    return d * 2 - rate / k + rate * k\n"
    old, new, _ = both(text, "halve")
    rate = torch.tensor(3.0, dtype=torch.float64)
    assert float(new(rate)) == old(np.float64(3.0)) == new(3.0) and float(rate) == 3.0
    with pytest.raises(TypeError, match="axes"):
        new(torch.ones(3, dtype=torch.float64))


def test_arrays_of_text_that_a_value_may_be_keep_no_guard_away() -> None:
    """Nothing is known of what is passed, but that it may be an array of text."""
    text = "def spread(c):\n    return np.sqrt((c - c.mean()) ** 2)\n\n\n"
    calls = "def of(named, found):\n    return spread(np.array(['a', 'b']) if named else found.values)\n"
    assert "shim.operator" not in convert(text + calls).after
    assert "shim.operator" in convert(text + calls.replace(" if named else found.values", "")).after
