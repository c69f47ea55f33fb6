"""Where inputs come from, and how they are moved by last bits."""

from __future__ import annotations

import ast
import datetime
import enum

import numpy as np
import pytest

from np2torch.verify import replay, vary
from np2torch.verify.calls import Call, Observation, Step
from np2torch.verify.decode import unpack
from np2torch.verify.draw import DEFAULT, SHAPED, Drawer
from np2torch.verify.encode import pack
from np2torch.verify.explore import Explorer
from np2torch.verify.hints import Body, Hints, hints
from np2torch.verify.judge import judge
from np2torch.verify.kinds import Kind, accepts, kinds
from np2torch.verify.moved_inputs import as_floats, as_scalars, move_floats
from np2torch.verify.pairs import Function, Parameter
from np2torch.verify.seeds import arrange, of_call, of_examples
from np2torch.verify.standard import FORMS
from np2torch.verify.target import Target
from np2torch.verify.vary import at_bounds, stretch

X, N = Parameter("x", "positional", None, ""), Parameter("n", "positional", "3", "")
DOCSTRING = """Do it.

>>> import numpy as np
>>> a, b = 2, [1.0, 2]
>>> m.f(np.array(b) * 2, n=a)
>>> f(np.eye(3), 4)
array(1)
>>> f(open("x"))
>>> f(np.zeros(10 ** 9)); f(np.zeros(1000000000))
>>> f((np.pi, -1))
"""


def nothing(module: str, name: str) -> object:
    raise AssertionError


def test_packed_inputs_are_moved_with_what_shares_their_memory():
    x = np.array([1.0, 2.0, 0.0, np.inf])
    values = [x, x[1:], np.arange(3), 0.5, (np.float32(2), {"a": 3.0}), "s", None, np.array([1 + 2j])]
    packed = pack(values, is_layout_kept=True)
    a, b, c, d, (e, f), g, h, z = unpack(
        move_floats(packed, lambda value: stretch(value, 1 + 2.0**-51)), False, nothing
    )
    assert (a[:2] > x[:2]).all() and a[3] == np.inf and np.shares_memory(a, b) and b[0] == a[1]
    assert (c == np.arange(3)).all() and d > 0.5 and f["a"] > 3.0 and (g, h) == ("s", None)
    assert type(e) is np.float32 and z.dtype == complex
    assert packed == pack(values, is_layout_kept=True)


def test_integers_are_moved_as_floats():
    packed = pack([np.arange(6)[::2], [np.int8([3])], 0.5], is_layout_kept=True)
    found = as_floats(packed)
    assert found is not None
    a, (b,), c = unpack(found, False, nothing)
    assert a.dtype == float and a.tolist() == [0.0, 2.0, 4.0] and b.tolist() == [3.0] and c == 0.5
    assert as_floats(pack([np.ones(2), 3])) is None


def test_arrays_without_axes_are_made_scalars():
    found = as_scalars(pack([np.arange(6)[2:3].reshape(()), [np.float32(0.5).reshape(())], 0.5], is_layout_kept=True))
    assert found is not None
    a, (b,), c = unpack(found, False, nothing)
    assert (type(a), a, type(b), b, c) == (np.int64, 2, np.float32, 0.5, 0.5)
    assert as_scalars(pack([np.ones(1), 3])) is None


def test_arguments_are_put_to_their_parameters():
    rest, key = Parameter("r", "*", None, ""), Parameter("k", "keyword", None, "")
    assert arrange([X, N], [1], {}) == [1, DEFAULT] and arrange([X, N], [1], {"n": 2}) == [1, 2]
    assert arrange([X, rest, key], [1, 2, 3], {"k": 4}) == [1, (2, 3), 4]
    assert arrange([X], [], {}) is None and arrange([X], [1, 2], {}) is None and arrange([X], [1], {"q": 1}) is None


def test_examples_of_docstrings_are_inputs():
    found = list(of_examples(DOCSTRING, "f", [X, N]))
    assert [type(values[0]).__name__ for values in found] == ["ndarray", "ndarray", "tuple"]
    assert found[0][0].tolist() == [2.0, 4.0] and found[0][1] == 2 and found[1][1] == 4
    assert found[2] == ((np.pi, -1), DEFAULT)


def test_shapes_are_read_from_documentation_and_messages():
    text = '''def f(x, axes, centre, p):
    """Turn.

    x : array, shape (M, 4)
    :param axes: of shape (3, 3)
    p : in [0, 1], or (0, 1)
    """
    raise ValueError("centre must be a np.array (3,)!")
'''
    found = {name: one.shapes for name, one in hints(ast.parse(text)).parameters.items() if one.shapes}
    assert (found["x"], found["axes"], found["centre"]) == (("M,4",), ("3,3",), ("3",)) and "p" not in found


def test_recorded_calls_are_inputs():
    call = Call((Step("f", None, 1, ("n",)),), pack([np.ones(2), 5]), "replayed")
    values = of_call(call, None, [X, N])
    assert values is not None and values[0].tolist() == [1.0, 1.0] and values[1] == 5
    made = Call((Step("A", None, 1), Step("A.f", 0, 1)), pack([2.0, 3]))
    assert of_call(made, [N], [X]) == (2.0, 3) and of_call(made, None, [X]) is None
    odd = Call((Step("f", None, 1),), pack([open]))
    assert of_call(odd, None, [X]) is None


def test_what_is_given_is_tried_first_and_varied():
    target = Target(Function("f", "", 1, 2, (X, N)), {}, Body({}, (), frozenset()))
    explorer = Explorer(target, 0, [(np.arange(3.0), DEFAULT)])
    seen: list[Call] = []

    def run(calls: list[Call]) -> list[object]:
        seen.extend(calls)
        return [Observation(values=pack([[1], [], []]))] * len(calls)

    explorer.search(run)  # type: ignore[arg-type]
    firsts = [unpack(call.packed, False, nothing) for call in seen[:17]]
    assert any(
        len(one) == 1 and isinstance(one[0], np.ndarray) and one[0].tolist() == [0.0, 1.0, 2.0] for one in firsts
    )
    assert any("given 0" in inputs.recipe for inputs in explorer.adversarial())


def test_arrays_without_axes_are_drawn_in_every_style():
    drawer = Drawer("a", ())
    for _ in range(60):
        assert drawer.of_kind(Kind("array", ("float64",), ()), drawer.sizes()).shape == ()


def test_arrays_reach_the_bounds_that_they_are_compared_with():
    body = hints(ast.parse("def f(x, low):\n    return x[low - 1e-6 <= x]\n"))
    assert body.offsets == (1e-6,)
    found = dict(at_bounds((np.zeros(8), 0.25), body.offsets))
    double = found["at the bounds, float64"][0]
    assert {0.25, 0.25 - 1e-6, 0.25 + 1e-6} <= set(double.tolist()) and found["at the bounds, float32"][
        0
    ].dtype == np.float32
    assert len(list(at_bounds((np.zeros(6), 2**2000, 2.5), ()))) == len(list(at_bounds((np.zeros(6), 2.5), ())))
    assert not list(at_bounds((np.zeros(6), "a"), ())) and not list(at_bounds((np.arange(6), 1.0), ()))


class Colour(enum.Enum):
    RED = 1


class Node:
    def __init__(self, items: list[object]) -> None:
        self.items, self.table = items, {"self": self}


def test_what_appears_twice_is_one_thing():
    items: list[object] = [1]
    node = Node(items)
    items += [items, node]
    first, second, third = unpack(pack([items, (node, {"a": items}), node]), False, lambda module, name: Node)
    assert first[1] is first and first[2] is second[0] is third and third.items is first is second[1]["a"]
    assert third.table["self"] is third
    step = [["f", None, 1, []], pack([items]).as_json()]
    call = replay._call([[["A", None, 2, []], pack([[2], {"b": [3]}]).as_json()], step])
    values = unpack(call.packed, False, lambda module, name: Node)
    assert values[0] == [2] and values[2][1] is values[2] and values[2][2].items is values[2]


class Slotted:
    __slots__ = ("own", "x")


def test_slots_and_identities_travel():
    node = Slotted()
    node.x, node.own = [1], id(node)
    (new,) = unpack(pack([node]), False, lambda module, name: Slotted)
    assert new.x == [1] and new.own == id(new)


def test_arrays_are_drawn_as_numerical_code_asks_for_them():
    x = np.random.default_rng(0).standard_normal((5, 3, 3))
    made = {name: shape(x) for name, shape in SHAPED.items()}
    assert np.allclose(np.linalg.norm(made["directions"], axis=-1), 1) and np.allclose(made["weights"].sum(-1), 1)
    assert np.allclose(made["rotations"] @ made["rotations"].swapaxes(1, 2), np.eye(3))
    assert np.allclose(np.linalg.det(made["rotations"]), 1) and (np.linalg.eigvalsh(made["definite"]) > 0).all()
    drawer = Drawer("a", (3,))
    shapes = {drawer.of_kind(Kind("array", ("float64",)), drawer.sizes()).shape for _ in range(300)}
    assert {(3,), (3, 3), ()} <= shapes and any(shape[1:] == (3, 3) for shape in shapes)


def test_values_of_the_standard_library_travel():
    values = [*(form.sample for form in FORMS.values()), datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC), Colour.RED]
    packed = pack(values)
    assert unpack(packed, False, lambda module, name: Colour) == values
    assert kinds("datetime.datetime()")[0].name == "standard"
    for kind in kinds("datetime.datetime() | timedelta()"):
        assert accepts((kind,), Drawer("a", ()).of_kind(kind, Drawer("a", ()).sizes()))
    seen = [Observation(values=pack([[one], [], []])) for one in (values[0], values[-2])]
    assert judge(seen[0], seen[0]).kind == "equal" and judge(*seen).kind == "different"


def test_parameters_are_text_by_their_methods_and_documentation():
    text = 'def f(a, b, c):\n    """Doc.\n\n    b : str, optional\n    c : array of str\n    """\n    a.find("x")\n'
    found = {name: one.uses for name, one in hints(ast.parse(text)).parameters.items()}
    assert "text" in found["a"] and "text" in found["b"] and "c" not in found


@pytest.mark.parametrize(
    ("line", "shapes"),
    [
        ("x : 2d-array", ("n,m",)),
        ("* `x` : input matrix (1d array)", ("n",)),
        ("x : 1-D ndarray of length n", ("n",)),
        ("x : 3D point", ()),
    ],
)
def test_numbers_of_axes_are_read_from_documentation(line, shapes):
    found = hints(ast.parse(f'def f(x):\n    """Do.\n\n    {line}\n    """')).parameters
    assert found.get("x", Hints()).shapes == shapes


def test_lists_of_numbers_hold_nan_too():
    found = dict(vary.variations([1, 2.0, 3.0]))
    assert str(found["NaN"]) == "[1.0, nan, 3.0]" and found["inf"] == [1.0, float("inf"), 3.0]
    assert dict(vary.variations((1.0,)))["inf"] == (float("inf"),) and "NaN" not in dict(vary.variations(["a"]))


def test_labels_are_few_numbers_that_come_unequally_often():
    text = (
        "def f(x, a, b, c, y):\n    np.unique(a), set(b), x == y\n    for cl in a:\n        x[c == cl]\n"
        "    return [cl == y for y in x]\n"
    )
    found = {name: one.uses for name, one in hints(ast.parse(text)).parameters.items()}
    assert {name for name, uses in found.items() if "labels" in uses} == {"a", "b", "c", "x"}
    drawer = Drawer("a", ())
    for value in (np.linspace(0, 1, 60), np.arange(60), list(range(60))):
        drawn = drawer.as_labels(value)
        counts = np.bincount(np.array(drawn, int))
        assert type(drawn) is type(value) and np.array(drawn).dtype == np.array(value).dtype
        assert 2 <= len(counts) <= 3 and len(set(counts)) > 1 and counts.min() > 0
    for value in (np.ones((2, 2)), np.array([]), 3, "ab", ["a"]):
        assert drawer.as_labels(value) is value
    assert set(vary.ARRAYS["larger"](np.array([0.0, 1, 0, 1]))) == {0.0, 1.0}
    for labels in (np.array([0.0, 1] * 9), np.array(["a", "b"] * 9)):
        assert vary.move_but_labels(labels, lambda value: value).tolist() == labels.tolist()


def test_documented_words_are_what_text_may_be():
    text = '''
class A:
    def __init__(self, how='b', n=1):
        """Make it.

        Parameters
        ----------
        how : string, optional (default='b')
            One of 'a', 'b-c' or "d": it's not 'e f'.

        n : int
            'many'
        """
'''
    body = hints(ast.parse(text))
    assert body.parameters["how"].words == ("b", "a", "b-c", "d") and not body.parameters.get("n", Hints()).words
    assert body.words == ()
    owner = [Parameter("how", "positional", "'b'", ""), Parameter("n", "positional", "1", "")]
    function = Function("f", "A", 1, 2, (X,), tuple(owner))
    explorer = Explorer(Target(function, {"__init__.how": kinds("str")}, body), 0)
    drawn = [explorer._draw(0).values for _ in range(60)]
    assert sum(one[0] is one[1] is DEFAULT for one in drawn) > 12
    assert {"a", "b-c", "d"} <= {str(one[0]) for one in drawn}


def test_vectors_are_parallel_and_opposite_in_part():
    x, y = np.arange(12.0).reshape(4, 3), np.ones((4, 3))
    found = dict(vary.joint((x, y)))["parallel in part"][1]
    assert np.array_equal(found[[0, 3]], x[[0, 3]]) and np.array_equal(found[1], -x[1]) and found[2].tolist() == [1] * 3
    assert "parallel in part" not in dict(vary.joint((x > 1, y > 1)))
