"""What counts for a verdict is asked of the old side: how large the inputs are that matter, and which bits do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np
import pytest

from np2torch.verify import precision
from np2torch.verify.calls import Call, Observation, RaisedError, Step
from np2torch.verify.check import Sides, _Judging, check_trials
from np2torch.verify.decode import unpack
from np2torch.verify.drawn_values import Before, Inputs
from np2torch.verify.encode import pack
from np2torch.verify.hints import Body
from np2torch.verify.pairs import Function
from np2torch.verify.probes import AROUND, EXTENDED
from np2torch.verify.tally import growing_parts
from np2torch.verify.target import Target
from np2torch.verify.vary import above


class Here:
    """Makes calls of one function in this process."""

    spent = 0.0

    def __init__(self, function: Callable) -> None:
        self.function = function

    def run(self, calls, probe="", **_):
        found = []
        for call in calls:
            values = unpack(call.packed, False, lambda module, name: None)
            values = precision.widen(values) if probe == EXTENDED else values
            with AROUND[probe](None) if probe in AROUND else contextlib.nullcontext():
                try:
                    given = [[self.function(*values)], [[values, {}]], []]
                    found.append(Observation(values=pack(precision.narrow(given) if probe == EXTENDED else given)))
                except ValueError as error:
                    raised = RaisedError("ValueError", ("ValueError", "Exception"), str(error), "own", 0)
                    found.append(Observation(raised=raised))
        return found

    def lines(self, calls):
        return [frozenset()] * len(calls)


class Singular(Here):
    """Raises as torch does for a singular matrix."""

    def run(self, calls, probe="", **_):
        raised = RaisedError("_LinAlgError", ("_LinAlgError", "RuntimeError", "Exception"), "singular", "outside", 0)
        return [Observation(raised=raised) for _ in calls]


def verdict(old: Callable, new: Callable | Here, *values, names=()) -> str:
    """The verdict on a call of both sides with these values."""
    target = Target(Function("f", "", 1, 2, ()), {}, Body({}, (), frozenset(names)))
    sides = Sides(Here(old), new if isinstance(new, Here) else Here(new), True)  # type: ignore[arg-type]
    call = Call((Step("f", None, len(values)),), pack(values, is_layout_kept=True))
    (a,), (b,) = (one.run([call]) for one in sides[:2])
    return _Judging(target, sides).judge(Inputs(values, ()), call, a, b).kind


@pytest.mark.parametrize(
    ("old", "off", "kind"),
    [
        (lambda x, big: x * 2.0, 1e-11, "different"),
        (lambda x, big: x * 2.0, 1e-15, "equal"),
        (lambda x, big: (x + big) - big, 1e-11, "equal"),
    ],
)
def test_large_inputs_that_do_not_count_allow_nothing(old, off, kind):
    x = np.array([0.3, 0.7])
    assert verdict(old, lambda x, big: old(x, big) * (1 + off), x, 6378137.0) == kind
    assert verdict(old, lambda x, big: old(x, big) * (1 + off), x, np.array([6378137.0, 1e7])) == kind


@pytest.mark.parametrize(
    ("old", "off", "kind"),
    [
        (lambda x, big: x * (1e-9 * big), 1e-11, "different"),
        (lambda x, big: x * (1e-9 * big), 1e-15, "equal"),
        (lambda x, big: (x + big) - big, 1e-11, "equal"),
        (lambda x, big: np.mean(np.repeat(x, big)), 1e-14, "equal"),
    ],
)
def test_large_whole_numbers_allow_what_the_old_side_rounds_off(old, off, kind):
    big = 40000 if "repeat" in old.__code__.co_names else 63781370
    assert verdict(old, lambda x, big: old(x, big) * (1 + off), np.array([0.3, 0.7]), big) == kind


def test_large_floats_alone_are_changed():
    double = lambda x: x * 2.0  # noqa: E731
    found = above(np.array([1.0, 1e9, -1e9, np.nan, np.inf]), 10.0, double)
    assert found[:3].tolist() == [1.0, 2e9, -2e9] and np.isnan(found[3]) and np.isinf(found[4])
    assert above([1.0, 1e9, 30], 10.0, double) == [1.0, 2e9, 30] and above(1e9, 10.0, double) == 2e9


def test_single_precision_is_told_by_what_does_not_move():
    def old(x):
        return float(x.astype("float32").sum()) / 7

    for off, kind in ((1e-7, "equal"), (1e-3, "different")):
        assert verdict(old, lambda x, off=off: old(x) * (1 + off), np.array([0.3, 0.7]), names=("float32",)) == kind
    new = lambda x: float(x.sum()) * (1 + 1e-7)  # noqa: E731
    assert verdict(lambda x: float(x.sum()), new, np.ones(2), names=("float32",)) == "different"


def raising(x):
    """-1 for a result that is not finite."""
    try:
        with np.errstate(divide="raise"):
            return np.float64(1.0) / x
    except FloatingPointError:
        return -1.0


@pytest.mark.parametrize(("plain", "kind"), [(np.inf, "announced"), (2.0, "different")])
def test_an_error_of_arithmetic_that_torch_does_not_raise_is_known(plain, kind):
    assert verdict(raising, lambda x: np.float64(plain), 0, names=("errstate",)) == kind
    assert verdict(raising, lambda x: np.float64(plain), 0) == "different"
    assert np.errstate.__name__ == "errstate" and raising(np.float64(0.0)) == -1.0


@pytest.mark.parametrize(("factor", "kind"), [(1, "announced"), (2, "different")])
def test_an_array_without_axes_stands_for_a_number(factor, kind):
    assert verdict(lambda x: type(x).__name__, lambda x: "float64", np.array(0.5)) == "announced"
    assert verdict(lambda x: x if x.ndim else x * isinstance(x, float), lambda x: x * factor, np.array(0.5)) == kind
    assert verdict(lambda x: type(x).__name__, lambda x: "float64", np.array([0.5])) == "different"


@pytest.mark.parametrize(("wrong", "kind"), [(0.0, "equal"), (1e-3, "different")])
def test_memory_that_is_never_written_may_hold_anything(wrong, kind):
    def half_written(x):
        found = np.empty(4)
        found[:2] = x
        return found

    new = lambda x: np.append(x + wrong, [np.nan, 3e307])  # noqa: E731
    assert verdict(half_written, new, np.array([0.3, 0.7]), names=["empty"]) == kind


@pytest.mark.parametrize(("given", "kind"), [(np.nan, "announced"), (2.0, "different")])
def test_what_is_left_of_equal_numbers_is_zero_or_not(given, kind):
    x = np.repeat(np.arange(1, 40)[:, None] / 10, 3, axis=1)
    part = lambda x: np.var(x, axis=1).sum() / np.sum(np.var(x, axis=1))  # noqa: E731
    assert part(x) == 1.0
    assert verdict(part, lambda _: np.float64(given), x, names=["var"]) == kind


@pytest.mark.parametrize(("names", "kind"), [(["maximum"], "equal"), (["abs"], "different")])
def test_which_zero_is_the_larger_is_up_to_their_order(names, kind):
    assert verdict(lambda x: x * 0.0, lambda x: x * -0.0, np.array([0.3, 0.7]), names=names) == kind


@pytest.mark.parametrize(("off", "kind"), [(1e-11, "equal"), (1e-3, "different")])
def test_results_of_ill_conditioned_matrices_that_no_input_moves_move_with_these(off, kind):
    hilbert = 1.0 / (np.arange(8)[:, None] + np.arange(8) + 1.0)
    old = lambda n: np.linalg.pinv(hilbert)[int(n)]  # noqa: E731
    assert verdict(old, lambda n: old(n) * (1.0 + off), 3, names=["pinv"]) == kind


def test_few_calls_are_made_first():
    assert [len(one) for one in growing_parts(range(200))] == [30, 90, 80]


@pytest.mark.parametrize(("dtype", "kind"), [("float32", "different"), ("float64", "skipped")])
def test_a_dtype_counts_where_values_hang_on_last_bits(dtype, kind):
    def old(x):  # as of a matrix without full rank
        return np.floor(x * 2.0**54) % 3 - 1.5

    assert verdict(old, lambda x: -old(x).astype(dtype), np.array([0.3, 0.7])) == kind


@pytest.mark.parametrize(("names", "kind"), [(("sum",), "skipped"), ((), "different")])
def test_an_error_for_a_sum_may_hang_on_last_bits(names, kind):
    def old(x):
        if float(x.sum()) != 0.6000000000000001:
            return 1.0
        raise ValueError("the sum")

    assert verdict(old, lambda x: 1.0, np.array([0.1, 0.2, 0.3]), names=names) == kind


@pytest.mark.parametrize(("function", "kind"), [(np.linalg.inv, "skipped"), (lambda x: np.trace(x + 1), "loud")])
def test_a_singular_matrix_may_be_none_by_a_last_bit(function, kind):
    nearly = np.array([[0.1, 0.2], [0.3, 0.6000000000000001]])
    assert verdict(function, Singular(function), nearly, names=("inv",)) == kind


@pytest.mark.parametrize(("imaginary", "kind"), [(1e-18, "skipped"), (0.0, "different"), (1e-3, "different")])
def test_eigenvalues_may_be_complex_by_rounding(imaginary, kind):
    def new(x):
        return np.array([0.5 + imaginary * 1j, 0.5 - imaginary * 1j])

    assert verdict(lambda x: np.array([0.5, 0.5]), new, np.eye(2), names=("eig",)) == kind


@pytest.mark.parametrize(("names", "kind"), [(("dot",), "skipped"), (("rfft",), "skipped"), ((), "different")])
def test_a_choice_by_last_bits_of_products_may_give_another_type(names, kind):
    def old(x):
        return np.array([1.0 if x[0] == x[1] else 2.0])

    assert verdict(old, lambda x: [], np.array([0.3, 0.3]), names=names) == kind


@pytest.mark.parametrize(("names", "kind"), [(("rfft",), "skipped"), (("dot",), "different")])
def test_transforms_make_floats_of_integers_whose_last_bits_decide(names, kind):
    def old(x):
        rest = np.abs(np.fft.rfft(x)[1:]).sum()
        return rest if rest else 0

    assert verdict(old, lambda x: np.float64(1e-15), np.full(8, -1), names=names) == kind


@pytest.mark.parametrize(("factor", "kind"), [(1.0, "skipped"), (1 + 1e-9, "skipped"), (1.1, "different")])
def test_eigenvalues_count_where_vectors_are_any(factor, kind):
    def old(x):
        return np.abs(x).sum(), np.floor(x * 2.0**54) % 3 - 1.5  # the vectors of equal ones

    def new(x):
        return np.abs(x).sum() * factor, 1 - old(x)[1]

    assert verdict(old, new, np.array([0.3, 0.7]), names=("eigh",)) == kind


@pytest.mark.parametrize(("off", "kind"), [(1e-3, "skipped"), (1e3, "different")])
def test_what_is_left_of_large_numbers_that_are_not_steady_has_their_last_bits(off, kind):
    def old(x):
        return (np.floor(x * 2.0**54) % 3 + 1) * 1e13, np.zeros(2)  # a centre that lies anywhere, and distances from it

    assert verdict(old, lambda x: (5e13 - old(x)[0], off + old(x)[1]), np.array([0.3, 0.7]), names=("det",)) == kind


@pytest.mark.parametrize(("raises", "kind"), [(True, "skipped"), (False, "loud")])
def test_a_choice_in_linear_algebra_may_raise_by_a_last_bit(raises, kind):
    def old(x):  # as by the sign of what `svd` makes of rows that are multiples of each other
        if raises and np.floor(float(x[0]) * 2.0**40) % 2:
            raise ValueError("index 2")
        return 1.0

    def new(x):
        raise ValueError("index 2")

    assert verdict(old, new, np.array([2.0**-40 * 6, 0.7]), names=("svd",)) == kind


def test_an_error_of_values_says_nothing_where_any_value_is_right():
    def old(x):  # as the logarithm of what is zero but for last bits
        return np.floor(x * 2.0**54) % 3 - 1.5

    def new(x):
        raise ValueError("range is not finite")

    assert verdict(old, new, np.array([0.3, 0.7]), names=("qr",)) == "skipped"
    assert verdict(old, new, np.array([0.3, 0.7])) == "loud"


CLOSED = """
import numpy as np
def {name}(x):
    return x * 0.5, x.astype(float)
def public(n: int):
    return {name}(np.ones(max(n, 0)))[0] + 1.0
"""
CONVERTED = """
import torch
def {name}(x):
    return x * 0.5, x.to(torch.float64)
def public(n: int):
    return {name}(torch.ones(max(n, 0), dtype=torch.float64))[0] + 1.0
"""


@pytest.mark.parametrize(("name", "verdict"), [("_half", "equal"), ("half", "different")])
def test_a_function_that_its_project_alone_calls_is_called_as_that_does(verify, name, verdict):
    done, rows = verify(CLOSED.format(name=name), CONVERTED.format(name=name))
    assert rows[name]["verdict"] == verdict and rows["public"]["verdict"] == "equal", done.output


BESIDE = """
import numpy as np
def {name}(x, y):
    return x * 2.0 + y
def public(n: int, held):
    return {name}(np.ones(max(n, 0)), held.y)
"""


@pytest.mark.parametrize(("name", "verdict"), [("_beside", "equal"), ("beside", "different")])
def test_a_list_that_no_contract_names_is_refused_by_what_the_project_alone_calls(verify, name, verdict):
    old = BESIDE.format(name=name)
    done, rows = verify(old, old.replace("numpy as np", "torch").replace("np.ones(max(n, 0)", "torch.ones(max(n, 0)"))
    assert rows[name]["verdict"] == verdict, done.output


COMPILED = """
import numpy as np
def njit(function):
    return function
TABLE = np.array([5, 2, 7])
{note}
@njit
def looked_up(i: int, dx: np.ndarray):
    return TABLE[i % 3] * dx
def total(n: int):
    return looked_up(n, np.full(2, 0.1)).sum().item()
"""
NOTE = "# TODO(np2torch): {} `looked_up` is compiled by numba, which knows no tensors; it stays on NumPy."


@pytest.mark.parametrize(("code", "verdict"), [("NPT570", "equal"), ("NPT310", "different")])
def test_what_numba_compiles_is_called_with_ndarrays(verify, code, verdict):
    done, rows = verify(COMPILED.format(note=""), COMPILED.format(note=NOTE.format(code)))
    assert rows["looked_up"]["verdict"] == verdict and rows["total"]["verdict"] == "equal", done.output


CALLED_BACK = """
import numpy as np
from scipy import stats
{note}
class Logistic(stats.rv_continuous):
    def _cdf(self, x, k):
        return np.where(k > 1, np.exp(-x), 2.0 * x) / (3 + k)
"""
CLASS_NOTE = "# TODO(np2torch): {} `Logistic` is called by SciPy with ndarrays; the class stays on NumPy."


@pytest.mark.parametrize(("code", "verdict"), [("NPT308", "equal"), ("NPT310", "different")])
def test_a_class_that_stays_on_numpy_is_called_with_ndarrays(verify, code, verdict):
    done, rows = verify(CALLED_BACK.format(note=""), CALLED_BACK.format(note=CLASS_NOTE.format(code)))
    assert rows["Logistic._cdf"]["verdict"] == verdict, done.output


def polynomial(small: float) -> Callable:
    return lambda p: 1e-4 + 1e-8 * p * np.array([1.0]) + small * (p * np.array([1.0])) ** 2


def cosine(off: float) -> Callable:
    return lambda p: 1.0 - np.cos(p / 4e5) + off


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (polynomial(1e-17), polynomial(1.00000003e-17), "equal"),
        (polynomial(1e-15), polynomial(1.00000003e-15), "different"),
        (cosine(0.0), cosine(2.3e-16), "equal"),
        (lambda p: cosine(0.0)(p.astype("float64")), cosine(2e-14), "equal"),
        (cosine(0.0), cosine(2e-14), "different"),
    ],
)
def test_large_inputs_that_count_allow_what_the_old_side_rounds_off(old, new, kind):
    assert verdict(old, new, np.array([4000.0, 3000.0])) == kind


@pytest.mark.parametrize(("count", "kind"), [(2, "different"), (1, "skipped")])
def test_the_number_of_vectors_counts_where_these_are_any(count, kind):
    def old(x):
        return np.stack([np.floor(x * 2.0**54) % 3 - 1.5])  # the vectors of equal values

    assert verdict(old, lambda x: np.stack([1 - old(x)[0]] * count), np.array([0.3, 0.7]), names=("eigh",)) == kind


@pytest.mark.parametrize(("step", "kind"), [(1, "skipped"), (2, "different")])
def test_a_call_that_comes_before_and_raises_says_nothing(step, kind):
    target = Target(Function("f", "", 1, 2, ()), {}, Body({}, (), frozenset()))
    own = RaisedError("ValueError", ("ValueError", "Exception"), "no", "own", 2)
    other = RaisedError("KeyError", ("KeyError", "LookupError", "Exception"), "no", "outside", step)
    call = Call((Step("f", None, 1),), pack([1.0], is_layout_kept=True))
    judging = _Judging(target, Sides(Here(abs), Here(abs), True))  # type: ignore[arg-type]
    inputs = Inputs((1.0,), (), before=(Before(0, (), ()),))
    assert judging.judge(inputs, call, Observation(raised=own), Observation(raised=other)).kind == kind


def test_recorded_calls_are_judged_until_one_is_answered_where_no_time_is_left():
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return x**0.5

    target = Target(Function("f", "", 1, 2, ()), {}, Body({}, (), frozenset()))
    sides = Sides(Here(root), Here(root), True, 0.0)  # type: ignore[arg-type]
    calls = [Call((Step("f", None, 1),), pack([x], is_layout_kept=True), "replayed") for x in (-1.0, -2.0, 4.0, 9.0)]
    result = check_trials(target, sides, [(None, one) for one in calls])
    assert result.verdict == "equal" and result.counts["replayed"] == 1


class Floats(Here):
    """Raises as torch does for integers."""

    def run(self, calls, probe="", **_):
        raised = RaisedError("RuntimeError", ("RuntimeError", "Exception"), "expected floats", "outside", 0)
        found = super().run(calls, probe)
        kinds = [unpack(call.packed, False, lambda module, name: None)[0].dtype.kind for call in calls]
        return [one if kind == "f" else Observation(raised=raised) for one, kind in zip(found, kinds, strict=True)]


@pytest.mark.parametrize(
    ("is_closed", "factor", "kind"), [(True, 1.0, "refused"), (False, 1.0, "loud"), (True, 2.0, "loud")]
)
def test_recorded_integers_that_a_guard_of_its_callers_makes_floats_are_refused_by_a_closed_function(
    is_closed, factor, kind
):
    target = Target(Function("f", "", 1, 2, ()), {}, Body({}, (), frozenset()))
    target.is_closed = is_closed
    sides = Sides(Here(np.sqrt), Floats(lambda x: np.sqrt(x) * factor), True)  # type: ignore[arg-type]
    call = Call((Step("f", None, 1),), pack([np.array([1, 4])], is_layout_kept=True), "replayed")
    (a,), (b,) = (one.run([call]) for one in sides[:2])
    assert _Judging(target, sides).judge(None, call, a, b).kind == kind


@pytest.mark.parametrize(("names", "kind"), [(("cumsum",), "equal"), (("maximum",), "equal"), ((), "different")])
def test_signs_of_zeros_that_are_up_to_an_order_or_to_where_a_sum_begins_do_not_count(names, kind):
    assert verdict(lambda x: x * -0.0, lambda x: x * 0.0, np.array([0.3, 0.7]), names=names) == kind


def size(x):
    return np.sqrt(x**2)


@pytest.mark.parametrize(
    ("old", "new", "given", "kind"),
    [
        (size, size, 2**33, "announced"),
        (size, lambda x: size(2 * x), 2**33, "different"),
        (size, lambda x: size(x) + 1, 2**13, "different"),
        (np.square, np.square, 2**33, "different"),
    ],
)
def test_large_integers_that_a_guard_makes_floats_do_not_wrap_around(old, new, given, kind):
    assert verdict(old, lambda x: new(x.astype("float64")), np.array([given, 3])) == kind


@pytest.mark.parametrize(("times", "kind"), [(3.0, "different"), (3.3, "skipped")])
def test_a_whole_number_is_left_as_it_is_where_it_counts_what_comes_back(times, kind):
    def old(x, lag):
        return np.nansum(x[int(lag) :]), len(x) - int(3 * lag)

    x = np.array([0.5, 0.25, np.nan, 3.0, 0.1])
    new = lambda x, lag: (np.sum(x[int(lag) :]), len(x) - int(3 * lag))  # noqa: E731
    assert verdict(old, old, x, np.float64(1.0)) == "equal"
    lag = np.float64(1.0) if times == 3.0 else np.float64(4 / 3)
    assert verdict(old, new, x, lag) == kind


TIES = [(1, ["sum"], "skipped"), (2, ["sum"], "different"), (1, [], "different")]


@pytest.mark.parametrize(("far", "names", "kind"), TIES)
def test_which_of_two_equal_sums_is_the_smaller_hangs_on_their_last_bits(far, names, kind):
    """As of two centres that are as far from a point."""
    cos, sin = np.cos(0.3), np.sin(0.3)
    x = np.array([[cos, sin, 0.1], [-sin, cos, 0.1], [0.0, 0.0, far + 0.1]])
    nearest = lambda x: np.argmin([((x[0] - x[1]) ** 2).sum(), ((x[2] - x[1]) ** 2).sum()])  # noqa: E731
    assert verdict(nearest, lambda x: 1 - nearest(x), x, names=names) == kind
