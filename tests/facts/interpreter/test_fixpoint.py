# ruff: noqa: E501 (tables of source texts)
"""What is known of an expression: the lattice, the interpreter's loops and calls, and the evidence people leave."""

from __future__ import annotations

import ast
import math
import textwrap
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.facts.domain import Domain
from np2torch.facts.interpreter import Interpreter, budget
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.rules.api import RuleBook
from support.facts import F64, one, run, shown

DTYPES = ["bool", "int64", "float64", "float32"]


# ------------------------------------------------------------------------------------------------ the lattice
def leaves() -> st.SearchStrategy[v.Atom]:
    """Atoms without parts."""
    dtypes = st.none() | st.frozensets(st.sampled_from(DTYPES), min_size=1, max_size=2)
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
    assert v.join(*many) == v.TOP


# ---------------------------------------------------------------------------------------------- interpreting
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.zeros(3)", v.array("float64", 1)),
        ("np.zeros((3, 4), dtype=np.int32)", v.array("int32", 2)),
        ("np.arange(3)", v.array("int64", 1)),
        ("np.arange(3.0)", v.array("float64", 1)),
        ("np.array([[1, 2], [3, 4.5]])", v.array("float64", 2)),
        ("np.array([True])", v.array("bool", 1)),
        ("np.zeros((2, 3))[0]", v.array("float64", 1)),
        ("np.zeros((2, 3))[0, 0]", v.scalar("float64")),
        ("np.zeros((2, 3))[0, 0][..., np.newaxis]", v.array("float64", 1)),
        ("np.zeros((2, 3))[0, 0][...]", v.array("float64", 0)),
        ("np.zeros((2, 3))[0, 0][()]", v.scalar("float64")),
        ("np.zeros((2, 3))[:, None, 0]", v.array("float64", 2)),
        ("np.zeros((2, 3))[np.zeros((2, 3)) > 0]", v.array("float64", 1)),
        ("np.arange(3) / 2", v.array("float64", 1)),
        ("np.arange(3) + 1", v.array("int64", 1)),
        ("np.arange(3) > 1", v.array("bool", 1)),
        ("np.zeros((2, 3)) @ np.zeros((3, 4))", v.array("float64", 2)),
        ("np.zeros((2, 3)) @ np.zeros(3)", v.array("float64", 1)),
        ("np.zeros(3) @ np.zeros(3)", v.scalar("float64")),
        ("np.zeros((2, 3)).sum(axis=0)", v.array("float64", 1)),
        ("np.zeros((2, 3)).sum()", v.scalar("float64")),
        ("np.zeros((2, 3)).sum(axis=0, keepdims=True)", v.array("float64", 2)),
        ("np.arange(3).mean()", v.scalar("float64")),
        ("np.arange(6).reshape(2, 3).T", v.array("int64", 2)),
        ("np.zeros(3).astype(np.float32) * 2", v.array("float32", 1)),
        ("np.zeros(3).astype(np.float32) * np.arange(3)", v.array("float64", 1)),
        ("np.zeros(3).astype(np.float32) * np.zeros(3).sum()", v.array("float64", 1)),
        ("np.ones(3, dtype=np.uint8) + 1", v.array("uint8", 1)),
        ("np.zeros((2, 3)).shape", v.tuple_of(v.SIZE, v.SIZE)),
        ("np.zeros((2, 3)).ndim", v.number(2)),
        ("np.zeros(3).dtype", v.one(v.DType(F64))),
        ("len(np.zeros(3))", v.SIZE),
        ("np.zeros(3).tolist() and None", None),
        ("np.sort(np.arange(3))[::-1]", v.array("int64", 1)),
        ("np.concatenate([np.zeros(2), np.arange(2)])", v.array("float64", 1)),
        ("np.stack([np.zeros(2), np.zeros(2)])", v.array("float64", 2)),
        ("np.pi", None),
    ],
)  # fmt: skip
def test_an_expression(expression, expected):
    fact = one(f"show({expression})")
    if expected is not None:
        assert fact == expected


def test_the_root_of_a_python_number_stays_one():
    fact = one("def f(n):\n    show(np.sqrt(2 / n))\n\nf(3)\n")
    assert fact == v.scalar("float64", python=True)


def test_branches_join():
    fact = one("def f(c):\n    if c:\n        x = np.arange(3)\n    else:\n        x = np.zeros((3, 3))\n    show(x)\n")
    assert fact == v.array({"int64", "float64"}, {1, 2})


def test_none_is_ruled_out_by_a_test():
    first, second = shown("def f(x=None):\n    show(x)\n    if x is None:\n        x = np.zeros(3)\n    show(x)\n\nf()\n")
    assert v.known_to_include(first, "none")
    assert second == v.array("float64", 1)


def test_loops_reach_a_fixed_point():
    fact = one("x = np.arange(3)\nfor _ in range(9):\n    x = x / 2\nshow(x)\n")
    assert fact == v.array({"int64", "float64"}, 1)


def test_a_loop_that_grows_the_rank_ends():
    fact = one("x = np.zeros(3)\nwhile len(x) < 5:\n    x = x[None]\nshow(x)\n")
    assert v.only(fact, "array")


def test_an_object_that_is_its_own_iterator():
    text = "class C:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return np.zeros(3)\n\nfor x in C():\n    show(x)\n"
    assert one(text) == v.array("float64", 1)


def test_recursion_ends():
    text = "def f(n, a):\n    if n == 0:\n        return np.eye(2)\n    return f(n - 1, a) @ a\n\nshow(f(5, np.zeros((2, 2))))\n"
    assert v.only(one(text), "array")
    assert v.dtypes_of(one(text)) == F64


def test_mutual_recursion_and_deep_nesting_end():
    started = time.process_time()
    one("def f(x):\n    return g((x,))\n\ndef g(x):\n    return f([x])\n\nshow(f(np.zeros(2)))\n")
    one("def f(x):\n    y = [x]\n    while y:\n        y = [y, y]\n    show(y)\n\nf(np.zeros(2))\n")
    assert time.process_time() - started < 5


def test_many_call_sites_end():
    calls = "\n".join(f"f(np.zeros({(1,) * (n % 7 + 1)}), {n})" for n in range(60))
    started = time.process_time()
    fact = one(f"def f(x, n):\n    show(x)\n    return g(x, n + 1)\n\ndef g(x, n):\n    return h(x * n)\n\ndef h(x):\n    return x\n\n{calls}\n")
    assert v.only(fact, "array")
    assert time.process_time() - started < 5


# ---------------------------------------------------------------------------------------------- call sites
def test_parameters_are_what_is_passed():
    assert one("def f(x):\n    show(x)\n\nf(np.zeros(3))\nf(np.arange(3))\n") == v.array({"float64", "int64"}, 1)


def test_each_call_gets_its_own_result():
    first, second = shown("def f(x):\n    return x + 1\n\nshow(f(np.zeros(3)))\nshow(f(np.arange(3)))\n")
    assert (first, second) == (v.array("float64", 1), v.array("int64", 1))


def test_keywords_defaults_and_stars():
    text = "def f(a, b=2.0, *rest, c=None, **more):\n    show(a, b, c)\n\nf(np.zeros(1), c=np.arange(2))\n"
    a, b, c = shown(text)
    assert a == v.array("float64", 1)
    assert v.only(b, "number")
    assert c == v.array("int64", 1)


def test_functions_as_values():
    assert one("def f(x):\n    return x / 2\n\ng = f\nh = lambda x: g(x)\nshow(h(np.arange(3)))\n") == v.array("float64", 1)


def test_calls_from_another_module():
    assert one("from other import make\nshow(make(3))\n", other="import numpy as np\ndef make(n):\n    return np.arange(n)\n") == v.array("int64", 1)


def test_a_public_function_without_callers_is_still_run():
    assert one("def f(x):\n    y = np.zeros(3)\n    show(y)\n") == v.array("float64", 1)


# ------------------------------------------------------------------------------------------------- evidence
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x: np.ndarray):\n    show(x)\n", v.ARRAY),
        ("def f(x: 'np.ndarray'):\n    show(x)\n", v.ARRAY),
        ("import numpy.typing as npt\ndef f(x: npt.NDArray[np.float32]):\n    show(x)\n", v.array("float32")),
        ("from typing import Optional\ndef f(x: Optional[np.ndarray]):\n    show(x)\n", v.join(v.ARRAY, v.NONE)),
        ("def f(x: np.ndarray | None):\n    show(x)\n", v.join(v.ARRAY, v.NONE)),
        ("def f(x: str):\n    show(x)\n", v.TEXT),
        ("def f(x):\n    show(x)\n    return x.shape\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return x @ x\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return x[:, 0]\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return isinstance(x, list) or x.shape\n", v.TOP),
        ("def f(x):\n    show(x)\n    return x\n", v.TOP),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : ndarray of shape (n, m)\n        It.\n    '''\n    show(x)\n", v.array(None, 2)),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : 2-D ndarray\n    '''\n    show(x)\n", v.array(None, 2)),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (np.ndarray): it.\n    '''\n    show(x)\n", v.ARRAY),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : array_like or float\n    '''\n    show(x)\n", v.join(v.ARRAY, v.TOP)),
    ],
)  # fmt: skip
def test_evidence(text, expected):
    assert one(text) == expected


def test_parametrized_tests_are_call_sites():
    text = "import pytest\n@pytest.mark.parametrize('x, n', [(np.zeros(3), 1), (np.zeros((2, 2)), 2)])\ndef test_it(x, n):\n    show(x)\n"
    assert one(text) == v.array("float64", {1, 2})


BOUNDS = "import numpy as np\nimport pytest\n@pytest.fixture\ndef bounds():\n    return np.zeros({})\n"
"""A conftest."""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("t/test_a.py", "def test_it(bounds):\n    show(bounds)\n", v.array("float64", 2)),
        ("t/test_a.py", "class TestIt:\n    def test_it(self, bounds):\n        show(bounds)\n", v.array("float64", 2)),
        ("t/test_a.py", "def helper(bounds):\n    show(bounds)\n", v.TOP),
        ("pkg.py", "class Handler:\n    def periodic(self, bounds):\n        show(bounds)\n", v.TOP),
        ("t/below/test_a.py", "def test_it(bounds):\n    show(bounds)\n", v.array("float64", 3)),
        ("u/test_a.py", "def test_it(bounds):\n    show(bounds)\n", v.TOP),
        ("t/test_a.py", "@pytest.fixture\ndef bounds(bounds):\n    return bounds[0]\ndef test_it(bounds):\n    show(bounds)\n", v.array("float64", 1)),
        ("t/test_a.py", "class TestIt:\n    @pytest.fixture\n    def bounds(self):\n        return np.arange(3)\n    def test_it(self, bounds):\n        show(bounds)\n", v.array("int64", 1)),
        ("t/test_a.py", "from lib import bounds\ndef test_it(bounds):\n    show(bounds)\n", v.TOP),
    ],
)  # fmt: skip
def test_fixtures_reach_the_tests_that_stand_in_their_reach_and_nothing_else(name, text, expected):
    tree = ast.parse("import numpy as np\nimport pytest\n" + text)
    modules = [ModuleInfo(name[:-3].replace("/", "."), name, tree)]
    for path, shape in (("t/conftest.py", "(2, 2)"), ("t/below/conftest.py", "(2, 2, 2)"), ("lib.py", "9")):
        modules.append(ModuleInfo(path[:-3].replace("/", "."), path, ast.parse(BOUNDS.format(shape))))
    engine = Interpreter(RuleBook())
    engine.run(modules)
    (call,) = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "show")
    assert engine.facts[call.args[0]] == expected


ABSTRACT = """
import pytest
class {}:
    @pytest.fixture
    def made(self):
        {}
    @pytest.mark.parametrize("bounds", [([-1, -2], [1, 2])])
    def test_it(self, made, bounds):
        show(made)
"""
HEIRS = """
import numpy as np
import pytest
from t.abstract import {0}
class TestOne({0}):
    @pytest.fixture
    def made(self):
        return np.zeros(2)
class TestTwo({0}):
    @pytest.fixture
    def made(self):
        return np.arange(4).reshape(2, 2)
"""


@pytest.mark.parametrize(
    ("base", "body", "expected"),
    [
        ("ABCTests", "raise NotImplementedError", v.array({"float64", "int64"}, {1, 2})),
        ("TestBase", "return 1.5", v.join(v.number(1.5), v.array({"float64", "int64"}, {1, 2}))),
    ],
)
@pytest.mark.parametrize("is_helper", [False, True])
def test_an_inherited_test_gets_the_fixtures_of_each_class_that_inherits_it(base, body, expected, is_helper):
    tree = ast.parse(ABSTRACT.format(base, body))
    modules = [ModuleInfo("t.abstract", "t/abstract.py", tree, is_helper=is_helper)]
    modules.append(ModuleInfo("t.test_a", "t/test_a.py", ast.parse(HEIRS.format(base))))
    engine = Interpreter(RuleBook())
    engine.run(modules)
    (call,) = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "show")
    assert v.widen(engine.facts[call.args[0]]) == v.widen(expected)


# ------------------------------------------------------------------------------------- attributes and containers
CLASS = """
class Model:
    kind = np.arange(3)

    def __init__(self, n, data=None):
        self.weights = np.zeros((n, n))
        self.data = data
        self.items = []

    def update(self, x):
        self.bias = x
        self.items.append(x)
        return self.weights @ x

    @property
    def size(self):
        return self.weights.sum(axis=0)

    @classmethod
    def make(cls):
        return cls(3)

    @staticmethod
    def twice(x):
        return x * 2
"""


def test_attributes():
    text = CLASS + "m = Model(3, np.arange(2))\ny = m.update(np.zeros(3))\nshow(m.weights, m.data, m.bias, y, m.size, m.items[0])\nshow(Model.make().weights, Model.twice(np.zeros(1)), m.kind)\n"
    weights, data, bias, y, size, item, made, twice, kind = shown(text)
    assert weights == made == v.array("float64", 2)
    assert v.keep(data, lambda a: a.kind == "array") == v.array("int64", 1)
    assert bias == y == size == twice == v.array("float64", 1)
    assert item == v.array("float64", 1)
    assert kind == v.array("int64", 1)


def test_inherited_attributes():
    text = CLASS + "class Child(Model):\n    def run(self):\n        show(self.weights)\n\nChild(2).run()\n"
    assert one(text) == v.array("float64", 2)


def test_dataclass_fields():
    text = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: np.ndarray\n    n: int = 0\n\np = P(np.zeros(3))\nshow(p.x)\n"
    assert v.only(one(text), "array")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("xs = [np.zeros(3) for _ in range(2)]\nshow(xs[0])", v.array("float64", 1)),
        ("xs = []\nfor i in range(3):\n    xs.append(np.arange(i))\nshow(xs[-1])", v.array("int64", 1)),
        ("show(np.array([row.sum() for row in np.zeros((2, 3))]))", v.array("float64", 1)),
        ("show(np.array([[i * 0.5 for i in range(3)] for _ in range(2)]))", v.array("float64", 2)),
        ("d = {k: np.zeros(2) for k in 'ab'}\nshow(d['a'])", v.array("float64", 1)),
        ("d = {}\nd['a'] = np.arange(2)\nshow(d['a'])", v.array("int64", 1)),
        ("for i, row in enumerate(np.zeros((2, 3))):\n    show(row)", v.array("float64", 1)),
        ("for a, b in zip(np.zeros(2), np.arange(2)):\n    show(a)", v.scalar("float64")),
        ("for a in np.zeros((2, 2)):\n    for b in a:\n        show(b)", v.scalar("float64")),
        ("a, b = np.zeros((2, 3))\nshow(b)", v.array("float64", 1)),
        ("(a, *rest), c = (np.zeros(1), np.arange(2)), 3\nshow(a)", None),
        ("show(next(iter(np.zeros((2, 3)))))", v.array("float64", 1)),
        ("show((lambda x: x * 2)(np.arange(3)))", v.array("int64", 1)),
        ("def g():\n    yield np.zeros(2)\n\nfor x in g():\n    show(x)", v.array("float64", 1)),
        ("x = y = np.zeros(2)\nshow(y)", v.array("float64", 1)),
        ("if (x := np.arange(2)).any():\n    show(x)", v.array("int64", 1)),
        ("x = np.zeros(2) if show else np.arange(2)\nshow(x)", v.array({"float64", "int64"}, 1)),
        ("try:\n    x = np.zeros(2)\nexcept ValueError:\n    x = np.arange(2)\nshow(x)", v.array({"float64", "int64"}, 1)),
        ("with np.errstate(all='ignore'):\n    x = np.zeros(2)\nshow(x)", v.array("float64", 1)),
        ("global_ = np.zeros(2)\ndef f():\n    show(global_)\n", v.array("float64", 1)),
        ("def f():\n    x = np.zeros(2)\n    def g():\n        show(x)\n    g()\n\nf()\n", v.array("float64", 1)),
        ("x = np.array(['a'])\nshow(x)", v.OBJECTS),
        ("x = np.datetime64('now')\nshow(x)", v.FOREIGN),
        ("x = np.zeros(2)\nx += 1\nshow(x)", v.array("float64", 1)),
        ("x = 0\nx += np.arange(3)\nshow(x)", v.array("int64", 1)),
        ("n = 3\nx = np.zeros((n,) * 2)\nshow(x)", v.array("float64", 2)),
        ("shape = (2, 3)\nx = np.zeros(shape + (4,))\nshow(x)", v.array("float64", 3)),
    ],
)  # fmt: skip
def test_containers_and_statements(text, expected):
    fact = one(text)
    if expected is None:
        assert v.known_to_include(fact, "array", "unknown")
    else:
        assert fact == expected


ON_ARRAYS = """
import functools

def on_arrays(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*[np.asarray(arg) for arg in args], **kwargs)
    return wrapper

def listed(function):
    def wrapper(*args, **kwargs):
        return list(function(*args, **kwargs))
    return wrapper

def counted(function):
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        print(len(args))
        return result
    return wrapper

def same(function):
    return function
"""


def test_a_decorator_may_change_what_is_given():
    given, result = shown(ON_ARRAYS + "@on_arrays\ndef f(x):\n    show(x)\n    return x * 1.0\n\nshow(f([1, 2]))")
    assert given == v.TOP and not v.known_to_include(result, "sequence")


def test_a_decorator_may_change_the_result():
    given, result = shown(ON_ARRAYS + "@listed\ndef f(x):\n    show(x)\n    return x\n\nshow(f(np.zeros(3)))")
    assert v.known_to_include(given, "array") and v.known_to_include(result, "unknown")


@pytest.mark.parametrize("decorators", ["@listed\n@on_arrays", "@on_arrays\n@listed"])
def test_decorators_change_what_either_of_them_changes(decorators):
    text = f"{decorators}\ndef f(x):\n    show(x)\n    return np.zeros(2)\n\nshow(f([1, 2]))"
    given, result = shown(ON_ARRAYS + text)
    assert given == v.TOP and v.known_to_include(result, "unknown")


@pytest.mark.parametrize("decorator", ["counted", "same", "functools.lru_cache"])
def test_a_decorator_that_hands_on_changes_nothing(decorator):
    text = f"@{decorator}\ndef f(x):\n    show(x)\n    return x\n\nshow(f(np.zeros(3)))"
    assert shown(ON_ARRAYS + text) == [v.array("float64", 1)] * 2


def test_a_descriptor_gives_what_its_method_gives():
    text = """
    class Part:
        def __get__(self, owner, kind):
            return owner.data[0:1]
        def __set__(self, owner, value):
            owner.data[0] = value

    class C:
        part = Part()
        def __init__(self):
            self.data = np.zeros(3)

    c = C()
    show(c.part)
    c.part = 5
    show(c.part)
    """
    assert shown(text) == [v.array("float64", 1)] * 2


def test_tuples_of_several_lengths():
    text = """
    for shape in [(4,), (5, 4), (2, 5, 4)]:
        x = np.zeros(shape)
        show(x)
        show(np.ones(x.shape[:-1] + (3, 2)))
        show(np.ones(np.broadcast(x[..., 0], 1.0).shape + (1,)))
        show(np.ones(x.shape[n:]))
    """
    ranks = [{1, 2, 3}, {2, 3, 4}, {1, 2, 3}, None]
    assert shown("n = int(input())\n" + textwrap.dedent(text)) == [v.array("float64", one) for one in ranks]


@pytest.mark.parametrize(
    ("start", "step", "end"),
    [
        ("np.zeros(3)", "x[None]", v.array("float64")),
        ("(3,)", "x + (1,)", v.one(v.Sequence("tuple", None, v.SIZE))),
        ("0.5", "[x]", v.TOP),
    ],
)
def test_what_grows_in_a_loop_is_no_longer_known(start, step, end):
    """Ten passes make more of it than the analysis goes through."""
    fact = one(f"x = {start}\nfor i in range(10):\n    x = {step}\nshow(x)")
    assert fact >= end and (end == v.TOP or fact == end)


@pytest.mark.parametrize(
    ("all_", "expected"),
    [
        ("__all__ = ['f', '_g']", [3, 4, math.pi]),
        ("__all__ = ['f']\n__all__ += ('_g',)", [3, 4, math.pi]),
        ("", [3, 0, 5]),
        ("__all__ = list(names)", [None, 0, None]),  # it may hold any name
    ],
)
def test_what_a_star_imports(all_, expected):
    helper = f"import math\nnames = input()\n{all_}\nf = 3\n_g = 4\npi = 5\n"
    text = "from math import pi\nf = _g = 0\nfrom helper import *\nshow(f)\nshow(_g)\nshow(pi)"
    assert list(map(v.constant, shown(text, helper=helper))) == expected


def test_a_module_that_makes_its_names_may_call_any_function():
    lazy = "import importlib\n\ndef __getattr__(name):\n    return getattr(importlib.import_module('far'), name)"
    far = "import numpy as np\n\ndef f(closed=False):\n    return closed\n\ndef g():\n    return f(True)\n\nx = g()"
    engine, _ = run("import numpy as np\nimport lazy\nimport far\nlazy.f(False)\n", lazy=lazy, far=far)
    f = next(function for function in engine.functions.values() if function.name == "f")
    returned = f.node.body[0].value
    assert v.constant(engine.facts[returned]) is None


@pytest.mark.parametrize(
    "search", ["inspect.getmembers(near)", "vars(near)", "getattr(near, name)", "json.dumps(1)"]
)  # fmt: skip
def test_the_functions_of_a_module_that_is_searched_may_be_called_with_anything(search):
    near = """
    import numpy as np

    class Scale:
        def __init__(self, by=None):
            show(by)

    def total(x=2):
        show(x)
    """
    text = f"import inspect, json, near\n\nnear.total(1)\nnear.Scale(None)\nname = input()\n{search}\nshow(1)\n"
    searched = "near" in search
    engine, _ = run(text, near=textwrap.dedent(near))
    found = {name: engine.functions[node] for node in engine.functions if (name := getattr(node, "name", ""))}
    assert found["total"].escaped is found["__init__"].escaped is searched


def test_a_path_joined_with_text_is_no_text():
    text = "from pathlib import Path\nshow(Path('a') / 'b')\nshow('a' + 'b')\nshow('%d' % 1)\nshow(2 * 'ab')"
    path, *texts = shown(text)
    assert v.only(path, "opaque")
    assert texts == [v.TEXT, v.TEXT, v.TEXT]


def test_an_operator_in_place_is_the_method_of_its_own():
    text = """
    class C:
        def __add__(self, other):
            return 1.0
        def __iadd__(self, other):
            show(other)
            return np.zeros(3)

    c = C()
    c += [1]
    show(c)
    """
    other, made = shown(text)
    assert v.known_to_include(other, "sequence") and made == v.array("float64", 1)


def test_what_suppresses_an_error_goes_on_after_a_return():
    text = """
    import contextlib

    def f(x):
        with contextlib.suppress(ValueError):
            return np.zeros(int(x))

    show(f(input()))
    """
    assert v.kinds(one(text)) == {"array", "none"}


def test_an_array_given_another_shape_in_place():
    text = """
    x = np.zeros((2, 3))
    y = x
    x.shape = (-1,)
    show(x)
    show(y)
    show(x.shape)
    """
    x, y, shape = shown(text)
    assert x == v.array("float64", 1) and v.ranks_of(y) == {1, 2} and v.items_of(shape) != (v.number(-1),)


def test_starred_parameters_nobody_is_seen_to_pass():
    rest, options, name = shown("def f(*rest, **options):\n    show(rest)\n    show(options)\n    for name in options:\n        show(name)\n\nimport other\nother.register(f)")
    assert v.kinds(rest) == {"sequence"} and v.kinds(options) == {"mapping"} and name == v.TOP


def test_objects_of_the_project_given_to_numpy():
    """NumPy asks an object for a method of the function's name, and makes arrays of objects."""
    text = """
    class Dual:
        def exp(self):
            return self

    show(np.exp(Dual()))
    show(np.array([Dual(), Dual()]))
    """
    assert all(v.known_to_include(fact, "unknown") for fact in shown(text))


def test_parts_of_a_flat_array_and_of_a_named_tuple():
    text = """
    from typing import NamedTuple

    class Found(NamedTuple):
        x: int
        y: int

    a = np.zeros((2, 3))
    show(a.flat[np.array([0, 1])])
    show(a.flat[2:])
    show(a.flat[0])
    show(Found(1, 2)[:1])
    """
    several, sliced, element, part = shown(text)
    assert v.known_to_include(several, "array") and sliced == v.array("float64", 1)
    assert v.only(element, "scalar") and v.only(part, "sequence")


def test_functions_lost_among_many_may_be_called_with_anything():
    """A parameter that takes ever more functions may be anything in the end: so may what these are called with."""
    defined = "\n".join(f"def f{n}(x):\n    show(x)\n    return x\n" for n in range(24))
    called = "\n".join(f"Kept(f{n})(1.0)\nf{n}(np.zeros(3))" for n in range(24))
    text = "class Kept:\n    def __init__(self, f):\n        self.f = f\n    def __call__(self, x):\n        return self.f(x)\n"
    assert all(v.known_to_include(fact, "unknown", "number") for fact in shown(text + defined + called))


NUMPYDOC = '"""F.\n\n    Parameters\n    ----------\n    x : %s\n        Where.\n    """'


@pytest.mark.parametrize(("annotation", "said"), [("float", ""), ("", "float, optional"), ("", "int or float"), ("", "scalar or array_like")])
def test_where_people_say_float_callers_nobody_sees_pass_more_than_integers(annotation, said):
    stated = f"x: {annotation}" if annotation else "x"
    text = NUMPYDOC % said if said else '"""F."""'
    fact = one(f"def f({stated}):\n    {text}\n    show(np.array([x, x]))\n\nf(3)\n")
    assert v.dtypes_of(fact) == frozenset(["int64", "float64"])


@pytest.mark.parametrize("said", ["int", "the number of steps", "number of steps", "int, optional"])
def test_integers_stay_integers(said):
    fact = one(f"def f(x):\n    {NUMPYDOC % said}\n    show(np.array([x, x]))\n\nf(3)\n")
    assert fact == v.array("int64", 1)


def test_a_list_of_what_may_be_text_beside_numbers_may_be_a_list_of_numbers():
    text = """
        def load(columns):
            found = tuple(list() for _ in columns)
            for one, column in zip(found, columns):
                one.append(column(input()))
            return found[0] if len(columns) == 1 else found

        first, second = load([float, str])
        show(np.array([first, second]))
        """
    assert v.ranks_of(one(text)) == frozenset([1, 2])


@pytest.mark.parametrize("compared", ["np.zeros(3) == pytest.approx([0, 1, 2])", "pytest.approx(np.zeros(3)) == x", "x.sum() == pytest.approx(2)"])
def test_what_is_compared_with_pytests_approx_is_answered_for_all_elements_at_once(compared):
    assert one(f"import pytest\nx = np.zeros(3)\nshow({compared})\n") == v.join(v.BOOL, v.scalar("bool"))


def test_a_scalar_squeezed_stays_one():
    text = "def f(x):\n    y = np.abs(x)\n    show(y.squeeze())\n\nf(np.zeros((1, 3)))\nf(np.zeros(3).sum())\n"
    assert one(text) == v.join(v.array("float64", {0, 1, 2}), v.scalar("float64"))


def test_an_array_squeezed_may_have_no_dimension_left():
    assert one("show(np.zeros((1, 1)).squeeze())\n") == v.array("float64", {0, 1, 2})


def test_a_list_repeated_so_often_as_a_scalar_says_has_any_length():
    fact = one("x = np.arange(3)\nshow(['a'] * (x[2] - x[0]))\n")
    assert [(atom.items, v.kinds(v.elements(atom))) for atom in fact] == [(None, {"text"})]


@pytest.mark.parametrize(("factory", "missing"), [("lambda: 0", "number"), ("int", "number"), ("list", "sequence"), ("Grid", "instance")])
def test_a_defaultdict_also_holds_what_its_factory_makes(factory, missing):
    text = f"""
        import collections
        class Grid: pass
        found = collections.defaultdict({factory})
        found[3] = np.zeros(3)
        show(found[4])
        """
    fact = one(text)
    assert v.known_to_include(fact, missing) and v.known_to_include(fact, "array") and not v.known_to_include(fact, "unknown")


def test_what_is_appended_to_the_lists_of_a_defaultdict_is_in_them():
    fact = one("import collections\nfound = collections.defaultdict(list)\nfound[3].append(np.zeros(3))\nshow(found[3][0])\n")
    assert fact == v.array("float64", 1)


def test_an_array_beside_an_object_of_the_project_is_what_the_object_says_or_one_of_objects():
    hidden, array = shown("""
        class Hidden: pass
        class Holder:
            def __array__(self): return np.zeros(3)
        setattr(Hidden, "__radd__", lambda self, other: "text")
        x = np.zeros(3)
        show(x + Hidden(), x * Holder())
        """)
    assert hidden == v.TOP
    assert v.only(array, "array")


def test_tuples_added_up_have_any_length():
    fact = one("show(sum([(1, 2), (3, 4)], ()))\n")
    assert [(atom.type, atom.items, v.elements(atom)) for atom in fact] == [("tuple", None, v.SIZE)]


def test_what_people_say_of_a_parameter_does_not_hide_that_it_may_be_missing(monkeypatch):
    text = """
        def f(x: np.ndarray = None):
            show(x)
        f(np.zeros(3))
        f(np.zeros((2, 2)))
        f(np.zeros((2, 2, 2)))
        f()
        """
    told_apart = v.join(*shown(text))
    monkeypatch.setattr(budget, "FREE", 0)
    monkeypatch.setattr(budget, "EACH_LINE", 0)
    monkeypatch.setattr(budget, "BARE", budget.Level(1, 0))
    for fact in (told_apart, v.join(*shown(text))):
        assert v.known_to_include(fact, "none") and v.known_to_include(fact, "array")


def test_a_sign_of_what_may_be_a_plain_array_or_one_of_a_subclass_is_either():
    fact = one("""
        class Sub(np.ndarray): pass
        def pick(flag):
            return np.zeros(3) if flag else np.zeros(3).view(Sub)
        show(-pick(input()))
        """)
    assert v.kinds(fact) == {"array", "instance"}


def test_a_view_as_what_nobody_knows_may_be_of_a_class_of_the_project():
    text = "{}\ndef see(kind):\n    show(np.zeros(3).view(kind))\n"
    assert one(text.format("")) == v.array(None, 1)
    assert v.known_to_include(one(text.format("class Sub(np.ndarray): pass")), "unknown")


def test_what_a_test_says_of_an_item_of_a_tuple_ends_where_the_tuple_is_another_one():
    first, later = shown("""
        def f(*args):
            if not isinstance(args[0], str):
                return
            show(args[0])
            while input():
                show(args[0])
                args = tuple(load())
        def load():
            return eval(input())
        """)
    assert first == v.TEXT
    assert v.known_to_include(later, "unknown")


@pytest.mark.parametrize("base", ["", "(object)"])
def test_a_class_made_from_object_is_known_whole(base):
    fact = one(f"""
        class Grid{base}:
            def __init__(self): self.cells = np.zeros((2, 2))
        def see(x):
            if isinstance(x, Grid):
                show(x.cells)
        Grid()
        """)
    assert fact == v.array("float64", 2)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("open(p).read()", "str"),
        ("gzip.open(p, 'rt').readlines()", "list of str"),
        ("pathlib.Path(p).open().readline()", "str"),
        ("[line for line in open(p)]", "list of str"),
        ("np.array(line.split(), dtype=float)", "float64[n]"),
        ("np.asarray([line[:3], line[3:]], dtype=np.float32)", "float32[n]"),
        ("np.array([[line, line]], dtype=int)", "int64[n, m]"),
        ("list(set(range(3)) - set(p))", "list of int >= 0"),
        ("list({1} | set(p))", "list of int >= 0 | unknown"),
        ("np.broadcast_shapes((2, 1), (3,))", "tuple of (int >= 0, int >= 0)"),
        ("np.zeros(np.broadcast_shapes(np.shape(np.ones(3)), ()) + (4, 4))", "float64[n, m, k]"),
        ("np.zeros(np.broadcast_shapes(p, ()))", "float64[...]"),
    ],
)  # fmt: skip
def test_what_the_standard_library_gives(expression, expected):
    found = one(f"""
        import gzip, pathlib
        def f(p):
            with open(p) as file:
                for line in file:
                    show({expression})
    """)
    assert notation.shown(v.widen(found)) == expected


@pytest.mark.parametrize("function", ["np.unique(a)", "np.sort(a)", "np.flip(a)", "np.repeat(a, 2)"])
def test_what_may_be_an_array_of_text_stays_one_where_it_is_arranged(function):
    found = one(f"""
        def f(lines, told):
            names = []
            for line in lines:
                names.append(line if told else "?")
            a = np.array(names)
            show({function})
    """)
    assert v.kinds(found) == {"array", "foreign"}


def test_new_is_passed_its_class_once():
    texts = one("""
        class Base(np.ndarray):
            def __new__(cls, x, scale=1.0):
                show(x)
                return np.asarray(x).view(cls)
            def __array_wrap__(self, array, context=None, return_scalar=False):
                return array
        class Own(Base):
            def __new__(cls, x):
                return super().__new__(cls, x)
        Own(np.zeros(3))
    """)
    assert texts == v.array("float64", 1)


def test_a_class_that_makes_its_objects_is_known_where_nobody_calls_it():
    assert v.kinds(one("class Own:\n    def __new__(cls, x):\n        show(cls)\n        return object.__new__(cls)\n")) == {"class"}


def test_what_was_divided_in_place_is_inexact():
    Domain(frozenset({"bool", "int64", "float64", "float32", "complex128"})).activate()
    text = "def f(q, n):\n    q = np.copy(q)\n    q /= n\n    show(q)\n"
    assert v.dtypes_of(one(text)) == {"float64", "float32", "complex128"}
    assert v.dtypes_of(one("def f(q):\n    q = np.zeros(3, dtype=np.float32)\n    q /= 2\n    show(q)\n")) == {"float32"}


def test_results_that_cannot_be_integers_keep_their_dtypes():
    Domain(frozenset({"bool", "int64", "float64", "float32"})).activate()
    sine, added = shown("def f(x):\n    x = np.asarray(x)\n    show(np.sin(x), x + 1)\n")
    assert v.dtypes_of(sine) == {"float64", "float32"} and v.dtypes_of(added) is None


@pytest.mark.parametrize("module", ["builtins", "six.moves"])
def test_builtins_that_are_imported(module):
    assert one(f"from {module} import range\nfor i in range(3):\n    show(i)\n") == v.SIZE


@pytest.mark.parametrize(("kind", "expected"), [("ndarray", v.scalar()), ("int", v.scalar("float64"))])
def test_a_documented_float_may_be_any_numpy_scalar_beside_arrays(kind, expected):
    said = f"Parameters\n    ----------\n    a : {kind}\n    x : float\n"
    assert expected <= one(f'def f(a, x):\n    """F.\n\n    {said}    """\n    show(x)\n')
