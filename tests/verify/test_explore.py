"""Inputs that are drawn vary each parameter in each way, and have the shapes that documentation names."""

from __future__ import annotations

import ast
from functools import partial

import numpy as np
import pytest

from np2torch.verify import vary
from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.children import Child, Limits
from np2torch.verify.clock import Allowance
from np2torch.verify.decode import unpack
from np2torch.verify.draw import DEFAULT, Drawer, recipes
from np2torch.verify.drawn_values import Before, Inputs, cost
from np2torch.verify.encode import Table
from np2torch.verify.explore import DRAWN, MOST_IDLE, MOST_ROUNDS, OFTEN, Explorer, _size
from np2torch.verify.hints import Hints, hints, node_of, reachable_lines
from np2torch.verify.kinds import kinds
from np2torch.verify.linking import link
from np2torch.verify.pairs import functions, place_of
from np2torch.verify.target import Target
from support.observed import seen

TEXT = '''
def f(d, bounds=None, x=0):
    """Scale.

    bounds : array of shape (d, 2)
    """
    return bounds
'''


def test_sizes_of_documented_shapes_are_the_numbers_of_that_name(tmp_path):
    (tmp_path / "m.py").write_text(TEXT)
    (function,) = functions(tmp_path / "m.py")
    target = Target(function, {}, hints(ast.parse(TEXT)))
    drawn: list[tuple] = []

    def run(calls):
        values = [unpack(call.packed, False, lambda module, name: None) for call in calls]
        drawn.extend((row[0], row[1]) for row in values if len(row) > 1)
        return [Observation(refused="no") for _ in calls]

    Explorer(target, 0).search(run)
    given = [(d, bounds) for d, bounds in drawn if type(d) is int and 0 < d < 9 and isinstance(bounds, np.ndarray)]
    fitting = [bounds for d, bounds in given if bounds.shape == (d, 2)]
    assert len(fitting) > 7 and len(fitting) > len(given) / 5


KEEPER = """
class Keeper:
    def __init__(self, n):
        self.n, self.kept = n, []
    def keep(self, x):
        self.kept.append(x.reshape(self.n))
    def of(self, way):
        return self.kept[way]
    @property
    def last(self):
        return self.kept[-1]
"""


def linked(path, text):
    """The targets of the functions of a text."""
    path.write_text(text)
    body = hints(ast.parse(text))
    targets = [Target(one, {}, body) for one in functions(path)]
    link(targets)
    return {one.name: one for one in targets}


def test_methods_are_called_after_others_on_the_same_object(tmp_path):
    target = linked(tmp_path / "m.py", KEEPER)["Keeper.last"]
    assert [one.name for one in target.others] == ["Keeper.keep", "Keeper.of", "Keeper.last"]
    namespace: dict = {}
    exec(KEEPER, namespace)

    def run(calls):
        found = []
        for call in calls:
            values, results = iter(unpack(call.packed, False, lambda module, name: None)), []
            try:
                for step in call.steps:
                    owner = results[0] if step.on is not None else None
                    args = [next(values) for _ in range(step.positional)]
                    named = {name: next(values) for name in step.keywords}
                    made = namespace["Keeper"] if owner is None else getattr(owner, step.target.partition(".")[2])
                    results.append(made(*args, **named) if callable(made) else made)
                found.append(seen(1))
            except Exception as error:
                found.append(Observation(raised=RaisedError(type(error).__name__, (), "", "outside", len(results))))
        return found

    explorer = Explorer(target, 0)
    explorer.search(run)
    answered = [*explorer.answered.values(), *explorer.pasts]
    assert len(answered) > 5 and all(any(one.number == 0 for one in inputs.before) for inputs in answered)
    keep = target.others[0].name
    assert any(step.target == keep for one in explorer.adversarial() for step in target.call(one).steps)


def test_whole_numbers_are_tried_in_all_small_combinations(tmp_path):
    target = linked(tmp_path / "m.py", "def f(a: int, b: int):\n    return a\n")["f"]
    target.kinds = [kinds("int"), kinds("int")]
    explorer = Explorer(target, 0)
    explorer.search(lambda calls: [seen(1)] * len(calls))
    assert {one.values for one in explorer.small} == {(a, b) for a in range(9) for b in range(9)}
    assert len({one.values for one in explorer.adversarial()}) > 80


def test_what_is_cheap_is_called_where_others_cost_too_much(tmp_path):
    explorer = Explorer(linked(tmp_path / "m.py", "def f(a):\n    return a\n")["f"], 0)
    times = (1.0, 5.0, 0.1, 5.0, 0.1, 5.0)
    inputs = [explorer._paid(Inputs((number,), ()), Observation(cost=one)) for number, one in enumerate(times)]
    inputs += [Inputs((number,), ()) for number in (6, 7)]
    found = explorer.affordable(inputs, 4.0, 2)
    assert [one.values[0] for one in found] == [0, 1] and explorer.mean_seconds > 2
    assert [one.values[0] for one in explorer.affordable(inputs, 4.0, 1)] == [0, 2, 4, 6]


def test_fast_calls_are_varied_first():
    slow, listed = Inputs((1,), ("int",), seconds=0.2), Inputs(([1.0],), ("list",), seconds=0.01)
    usual, plain = Inputs((DEFAULT,), ("default",), seconds=0.01), Inputs((1.0,), ("float",), seconds=0.01)
    bools = Inputs((np.ones(3, bool),), ("array",), seconds=0.01)
    assert sorted([slow, listed, bools, usual, plain], key=cost) == [plain, usual, bools, listed, slow]


def test_most_arrays_of_several_dtypes_have_the_usual_one():
    drawer = Drawer("0", ())
    (whole,) = kinds("int64 or int32 or int8[n]")
    drawn = [drawer.of_kind(whole, drawer.sizes()).dtype.name for _ in range(200)]
    assert drawn.count("int64") > 100 and {"int32", "int8"} < set(drawn)
    (inexact,) = kinds("complex128 or float32 or float64[n]")
    drawn = [drawer.of_kind(inexact, drawer.sizes()).dtype.name for _ in range(200)]
    assert drawn.count("float64") > 100 and {"complex128", "float32"} < set(drawn)
    assert list(dict(vary.variations(np.array([3.0, 1.0, 2.0])))["int64, 0 and 1"]) == [1, 0, 0]


def test_calls_that_come_after_others_are_varied_too(tmp_path):
    explorer = Explorer(linked(tmp_path / "m.py", "def f(a):\n    return a\n")["f"], 0)
    explorer.answered = {(True,): Inputs((0.5,), ("float",))}
    explorer.pasts = [Inputs((1.5,), ("float",), before=(Before(0, (), ()),))]
    notes = {one.note for one in explorer.adversarial() if one.before}
    assert {"a: NumPy scalar", "a: NumPy integer", "a: NaN"} <= notes


def test_a_value_that_is_no_sequence_is_one_argument_of_several(tmp_path):
    (tmp_path / "m.py").write_text("def f(*x):\n    return x\n")
    (function,) = functions(tmp_path / "m.py")
    target = Target(function, {}, hints(ast.parse("")))
    for given, count in (((1, 2), 2), (3, 1), (None, 1)):
        call = target.call(Inputs((given,), ()))
        assert call is not None and call.steps[0].positional == count


def test_parameters_that_are_passed_on_are_what_the_other_function_accepts(tmp_path):
    text = "def inner(a, b):\n    return a\n\ndef outer(y, x, z):\n    return inner(x, y) + inner(z, z)\n"
    (tmp_path / "m.py").write_text(text)
    tree = ast.parse(text)
    contracts = {"inner": {"a": kinds("float64[n]")}, "outer": {"z": kinds("int")}}
    nodes = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    targets = [Target(one, contracts[one.name], hints(nodes[one.name])) for one in functions(tmp_path / "m.py")]
    link(targets)
    assert not targets[0].passed and targets[1].passed == {1: kinds("float64[n]")}
    drawn = [one.packed for one in Explorer(targets[1], 0).first_calls(40)]
    values = [unpack(one, False, lambda module, name: None)[1] for one in drawn]
    assert sum(isinstance(one, np.ndarray) and one.ndim == 1 for one in values) > 20


def test_the_search_goes_on_while_calls_come_to_new_lines(tmp_path):
    (tmp_path / "m.py").write_text("def f(x):\n    return x\n")
    (function,) = functions(tmp_path / "m.py")
    rounds = []
    for lines, each in (({2}, 0), ({2, 3}, 0), (set(range(2, 90)), 1)):
        target = Target(function, {}, hints(ast.parse("")), lines=frozenset(lines))
        made: list[int] = []

        def run(calls, made=made, each=each):
            made.append(len(calls))
            reached = frozenset(range(2, 3 + each * len(made)))
            return [seen(float(number))._replace(lines=reached) for number, _ in enumerate(calls)]

        Explorer(target, 0, allowance=Allowance(600.0)).search(run)
        rounds.append(sum(one >= DRAWN for one in made))
    assert rounds[0] < MOST_IDLE <= rounds[1] < MOST_ROUNDS - 1 <= rounds[2]


def test_calls_of_any_number_of_arguments_are_learnt_from(tmp_path):
    (tmp_path / "m.py").write_text("def f(x, *more):\n    return x\n")
    (function,) = functions(tmp_path / "m.py")
    explorer = Explorer(Target(function, {}, hints(ast.parse(""))), 0, [(1.0, 2.0)])
    assert explorer.search(lambda calls: [seen(1.0) for _ in calls])


SETTER = """
class A:
    @property
    def v(self):
        return self.w
    @v.setter
    def v(self, value):
        '''Text.'''
        if value:
            raise ValueError
        def inner():
            return 1
        try:
            self.w = value
        finally:
            pass
"""


def test_what_sets_a_property_has_a_name_of_its_own():
    tree = ast.parse(SETTER)
    assert reachable_lines(node_of(tree, "A.v")) == {5} and reachable_lines(node_of(tree, "A.v=")) == {9, 14, 16}
    assert node_of(tree, "A.v~") is None


KINDS_ASKED = """
def f(x):
    if isinstance(x, str):
        return 0
    return 1 if isinstance(x, (list, np.ndarray, pd.Series)) else 2
"""


def test_what_isinstance_asks_for_is_drawn(tmp_path):
    (tmp_path / "m.py").write_text(KINDS_ASKED)
    (function,) = functions(tmp_path / "m.py")
    body = hints(ast.parse(KINDS_ASKED))
    assert {"asked str", "asked list", "asked ndarray"} <= body.parameters["x"].uses
    explorer = Explorer(Target(function, {}, body), 0)
    drawn = [explorer._draw(0).values[0] for _ in range(60)]
    texts = [one for one in drawn if isinstance(one, str)]
    assert len(texts) > 3 and set("".join(texts)) <= set("abc")
    tables = [one for one in drawn if isinstance(one, Table)]
    assert tables and all(one.kind == "Series" and len(one.index) == len(one.columns[0]) for one in tables)


def test_floats_are_drawn_beside_the_constants_of_all_code_that_is_reached():
    named = dict(vary.near_constants([np.zeros(3), 2, np.zeros(3, "float32")], (14.0, 273.15, 1e-9)))
    assert list(named) == [f"near the constants, {number}" for number in range(4)]
    first = np.concatenate([x for x, _, _ in named.values()])
    assert len(first) == 320 and ((abs(first - 287.15) < 2) & (first != 287.15)).sum() > 30 and 287.15 in first
    assert all(n == 2 and y.dtype == np.float32 for _, n, y in named.values())
    assert not list(vary.near_constants([np.zeros(3)], ())) and not list(vary.near_constants([1.0], (14.0,)))


BARE = """
class Counter:
    def count(self):
        self.total = 1
        return self.total
    def add(self, x):
        self.total = x
"""


def test_a_method_without_parameters_is_called_though_lines_are_left(tmp_path):
    (tmp_path / "m.py").write_text(BARE)
    targets = [Target(one, {}, hints(ast.parse(BARE)), "", frozenset((4, 5))) for one in functions(tmp_path / "m.py")]
    link(targets)
    found = Explorer(targets[0], 0).search(lambda calls: [seen(np.ones(1)) for _ in calls])
    assert found and not any(one.values for one in found)


RARE = """
import numpy as np

def large(n, m, way):
    size = n * m
    if size > 900:
        return size
    elif int(way) == -7:
        return -size
    return 0

def bisector(a, b):
    total = a + b
    if not total.any():
        return np.cross(a, [1.0, 0.0, 0.0])
    return total

def slope(signal, other):
    rest = signal - other
    if len(rest) < 100:
        return np.nan
    return rest[-1] - rest[0]
"""


@pytest.mark.parametrize(
    ("name", "stated"),
    [("large", dict.fromkeys(("n", "m", "way"), "int")), ("bisector", {"a": "float64[3]"}), ("slope", {})],
)
def test_several_calls_come_to_branches_that_need_large_numbers_or_arguments_that_are_related(tmp_path, name, stated):
    (tmp_path / "m.py").write_text(RARE)
    (function,) = [one for one in functions(tmp_path / "m.py") if one.name == name]
    node = node_of(ast.parse(RARE), name)
    contract = {key: kinds(text) for key, text in ({"b": stated["a"]} | stated if "a" in stated else stated).items()}
    target = Target(function, contract, hints(node), lines=reachable_lines(node))
    with Child("old", Limits(2.0)) as old:
        old.open(place_of(tmp_path / "m.py"))
        explorer = Explorer(target, 0, allowance=Allowance(60.0))
        explorer.search(partial(old.run, is_shared=True, is_watched=True))
    reached = {line: explorer.reached[line] for line in sorted(target.lines)}
    assert min(reached.values()) >= OFTEN, reached


def test_numbers_that_are_made_whole_or_negative_where_they_are_compared_are_drawn():
    body = hints(ast.parse("def f(a, b):\n    if int(a) == 2 or b in (-1, 3): pass"))
    assert body.parameters["a"].numbers == (2,) and body.parameters["b"].numbers == (-1, 3)


def test_rows_of_documented_shapes_have_any_number_of_axes_before_them():
    text = 'def f(v):\n    """Args:\n        v ((..., 3) :class:`numpy.ndarray`): vectors.\n    """'
    assert hints(ast.parse(text)).parameters["v"].shapes == ("3", "n,3", "k,n,3")


def test_complex_arrays_are_tried_with_their_real_parts():
    z = np.array([1 + 2j, 3 - 1j])
    assert dict(vary.variations(z))["real part"].tolist() == [1.0, 3.0]
    assert "real part" not in dict(vary.variations(z.real)) and "real part" in vary.ORDINARY
    (both,) = [values for note, values in vary.joint([z, z * 2]) if note == "real part, all"]
    assert [one.dtype.name for one in both] == ["float64", "float64"]


def test_a_parameter_whose_default_is_a_tuple_takes_tuples():
    drawer = Drawer("a", ())
    ways = recipes("args", "()", Hints(), ()).keys() - {"default"}
    assert ways and all(type(drawer.by_recipe(one, drawer.sizes())) is tuple for one in ways)


def test_whole_numbers_are_drawn_that_single_precision_does_not_hold():
    x = np.array([0.3, -0.7, 5.0])
    alone, both = dict(vary.variations(x)), dict(vary.joint([x, x]))
    for many in (alone["int64 beyond float32"], *both["int64 beyond float32, all"]):
        assert many.dtype == "int64" and (np.abs(many) < 2**53).all() and (many.astype("float32") != many).all()


def test_classes_of_scalars_have_no_size():
    assert _size(np.float64) is None and _size(np.float64(1)) == ((), "f") and _size([1, 2]) == 2
