"""What errors say depends on the inputs: those that people pass, or others."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.verify.calls import Call, Observation, RaisedError
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.encode import pack
from np2torch.verify.judge import Verdict, judge
from np2torch.verify.kinds import Kind, kinds
from np2torch.verify.ordinary import JudgedCall, narrowed_inside, too_loud
from support.observed import seen


def raised(name, by):
    return Observation(raised=RaisedError(name, (name, "Exception", "BaseException", "object"), "no", by, 0))


def called(value, old, new):
    """A call with one array, judged."""
    return JudgedCall(Inputs((value,), ("",)), Call((), pack([value])), judge(old, new), old, new)


@pytest.mark.parametrize(
    ("value", "by", "name", "is_shown"),
    [
        (np.ones((3, 3)), "outside", "RuntimeError", True),
        (np.array(1.0), "outside", "RuntimeError", False),  # where arrays are passed; torch has refused it earlier
        (np.array(1.0), "outside", "AttributeError", True),
        (np.array(1.0), "own", "TypeError", True),
    ],
)
def test_another_class_of_error_counts_for_inputs_that_people_pass(value, by, name, is_shown):
    one = called(value, raised("ValueError", "own"), raised(name, by))
    answered = [called(np.ones((3, 3)), seen(1.0), seen(1.0)) for _ in range(9)]
    assert bool([one for one in [one] if one.verdict.kind == "different"] or too_loud([*answered, one])) == is_shown


def test_numbers_are_out_of_place_where_documentation_names_a_shape():
    refused = Observation(raised=RaisedError("RuntimeError", ("RuntimeError", "Exception"), "1-D", "outside", 0))
    loud = [called(np.array(float(number)), seen(1.0), refused) for number in range(9)]
    assert len(too_loud(loud)) == 9 and not too_loud(loud, (), [("3",)])
    loud = [called(np.full(3, float(number)), seen(1.0), refused) for number in range(9)]
    assert len(too_loud(loud, (), [("n,3", "3")])) == 9 and not too_loud(loud, (), [("n,3", "4")])


def test_shapes_that_documentation_names_count_for_nothing_where_the_old_side_answers_none_of_them():
    refused = Observation(raised=RaisedError("RuntimeError", ("RuntimeError", "Exception"), "1-D", "outside", 0))
    loud = [called(np.full(3, float(number)), seen(1.0), refused) for number in range(9)]
    rows = called(np.ones((1, 3)), refused, refused)
    assert len(too_loud([*loud, rows], (), [("1,3",)])) == 9
    assert not too_loud([*loud, rows, called(np.ones((1, 3)), seen(1.0), seen(1.0))], (), [("1,3",)])


def test_the_project_itself_never_raises_for_what_torch_does_not_serve():
    answered = [called(np.full(3, float(number)), seen(1.0), seen(1.0)) for number in range(60)]
    for by, count in (("own", 1), ("outside", 0)):
        one = called(np.ones(3), seen(1.0), raised("NotImplementedError", by))
        assert len(too_loud([*answered, one])) == count


def test_what_is_never_served_may_be_a_choice_of_dtypes():
    refused = Observation(raised=RaisedError("RuntimeError", ("RuntimeError", "Exception"), "Long", "outside", 0))
    answered = [called(np.full(3, float(number)), seen(1.0), seen(1.0)) for number in range(60)]
    loud = [called(value, seen(1.0), refused) for value in (np.arange(3), [1, 2, 3], np.arange(5))]
    assert len(too_loud([*answered, *loud])) == 3
    assert not too_loud([*answered, *loud, called(np.arange(4), seen(1.0), seen(1.0))])
    assert not too_loud([*answered, *loud], [kinds("float64[n]")])  # the contract names floats alone
    assert len(too_loud([*answered, *loud], [kinds("float64 or int64[n]")])) == 3
    other = Observation(raised=refused.raised._replace(message="the first tensor must be 1D"))
    assert not too_loud([*answered, *(called(one.inputs.values[0], seen(1.0), other) for one in loud)])


def test_what_is_never_served_may_be_the_dtype_of_one_array_whatever_the_others_are():
    refused = Observation(raised=RaisedError("RuntimeError", ("RuntimeError", "Exception"), "Long", "outside", 0))

    def called_with(*values, new):
        return JudgedCall(Inputs(values, ("", "")), Call((), pack(list(values))), judge(seen(1.0), new), seen(1.0), new)

    x, k = np.ones(3), np.arange(1, 4)
    answered = [called_with(x * number, x, new=seen(1.0)) for number in range(1, 60)]
    loud = [called_with(one, k, new=refused) for one in (x, k, x * 2)]
    both = [kinds("float64 or int64[n]")] * 2
    assert len(too_loud([*answered, *loud], both)) == 3
    assert not too_loud([*answered, *loud, called_with(x, k * 2, new=seen(1.0))], both)


@pytest.mark.parametrize(
    ("value", "message", "count"),
    [
        (np.int64(3), "argument 1 (x) is a float32 tensor of shape ()", 1),  # made by the function itself
        (np.float32(3), "argument 1 (x) is a float32 tensor of shape ()", 0),
        (np.int8(3), "argument 1 (x) is a float16 tensor of shape ()", 0),
        (np.int64(3), "argument 1 (x) is an int64 tensor of shape ()", 0),
        (np.array([1.0, np.nan]), "argument 1 (x) is a float32 tensor of shape ()", 0),
    ],
)
def test_a_guard_refuses_no_narrow_float_that_nobody_passed(value, message, count):
    refused = Observation(raised=RaisedError("TypeError", ("TypeError", "Exception"), message, "guard", 0))
    assert len(narrowed_inside([called(value, seen(1.0), refused)])) == count


@pytest.mark.parametrize(("value", "count"), [([True, False], 0), ([(True,), (False,)], 0), ([True, 2], 9), ([], 9)])
def test_a_list_of_bools_is_no_more_ordinary_than_an_array_of_them(value, count):
    refused = Observation(raised=RaisedError("NotImplementedError", ("NotImplementedError",), "Bool", "outside", 0))
    assert len(too_loud([called(value, seen(1.0), refused) for _ in range(9)])) == count


def test_calls_of_which_nothing_is_said_count_for_nothing():
    refused = Observation(raised=RaisedError("TypeError", ("TypeError", "Exception"), "Box", "outside", 0))
    loud = [called(np.full(3, float(number)), seen(1.0), refused) for number in range(6)]
    others = [called(np.full(3, float(number)), seen(1.0), seen(1.0)) for number in range(60)]
    assert not too_loud([*loud, *others])
    skipped = [one._replace(verdict=Verdict("skipped", "a call that comes before raises")) for one in others]
    assert too_loud([*loud, *skipped]) == loud


def test_a_line_at_which_each_call_raises_counts_where_others_do_not_come_to_it():
    refused = Observation(raised=RaisedError("RuntimeError", ("RuntimeError",), "Float", "outside", 0))
    found = [called(np.full((3, 1 + n), 1.0), seen(1.0), seen(1.0)) for n in range(30)]
    found += [called(np.full((3, 2, 1 + n % 2), 1.0), seen(1.0), seen(1.0) if n > 2 else refused) for n in range(6)]
    for lost, count in (([4, 5], 3), ([4], 0)):  # all that come to 5 raise; others come to 4 too

        def lines_of(calls, lost=lost):
            places = [next(at for at, one in enumerate(found) if one.call is call) for call in calls]
            return [frozenset(lost if 30 <= at < 33 else [4]) for at in places]

        assert len(too_loud(found, lines_of=lines_of)) == count


def test_a_path_on_which_each_call_raises_counts_where_others_come_to_its_lines():
    refused = Observation(raised=RaisedError("TypeError", ("TypeError", "Exception"), "list", "outside", 0))
    found = [called(np.full((3, 1 + n), 1.0), seen(1.0), seen(1.0)) for n in range(40)]
    found += [called(np.full((3, 2, 1 + n % 2), 1.0), seen(1.0), seen(1.0) if n > 2 else refused) for n in range(6)]
    for paths, count in ((({4, 5}, {4, 6}, {5, 6}), 3), (({4, 5}, {4, 5, 6}, {4, 5}), 0)):

        def lines_of(calls, paths=paths):
            places = [next(at for at, one in enumerate(found) if one.call is call) for call in calls]
            return [frozenset(paths[2] if 40 <= at < 43 else paths[at % 2]) for at in places]

        assert len(too_loud(found, lines_of=lines_of)) == count


@pytest.mark.parametrize(
    ("dtype", "named", "count"), [("uint8", True, 3), ("bool", True, 3), ("uint8", False, 0), ("uint16", True, 0)]
)
def test_bools_and_bytes_count_where_the_contract_names_them_and_none_is_served(dtype, named, count):
    refused = Observation(raised=RaisedError("RuntimeError", ("RuntimeError", "Exception"), "Byte", "outside", 0))
    found = [called(np.full(3 + n, 1.0), seen(1.0), seen(1.0)) for n in range(30)]
    found += [called(np.ones(3 + n, dtype), seen(1.0), refused) for n in range(3)]
    kind = Kind("array", ("float64", dtype) if named else ("float64",))
    assert len(too_loud(found, [(kind,)], lines_of=lambda calls: [frozenset([4])] * len(calls))) == count
    found.append(called(np.ones(9, dtype), seen(1.0), seen(1.0)))
    assert not too_loud(found, [(kind,)], lines_of=lambda calls: [frozenset([4])] * len(calls))


@pytest.mark.parametrize(
    ("message", "size", "is_shown"),
    [
        ("The expanded size of the tensor (4) must match the existing size (3)", 3, True),
        ("The size of tensor a (4) must match the size of tensor b (3) at dimension 0", 3, True),
        ("The expanded size of the tensor (4) must match the existing size (3)", 4, False),
        ("not implemented", 3, False),
    ],
)
def test_sizes_that_do_not_fit_count_where_others_of_the_same_sizes_are_served(message, size, is_shown):
    error = RaisedError("RuntimeError", ("RuntimeError", "Exception"), message, "outside", 0)
    loud = called(np.arange(3), seen(1.0), Observation(raised=error))
    served = [called(np.full(size, float(number)), seen(1.0), seen(1.0)) for number in range(9)]
    assert (too_loud([*served, loud]) == [loud]) == is_shown
