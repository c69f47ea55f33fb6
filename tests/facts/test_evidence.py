# ruff: noqa: E501 (tables of source texts)
"""What people say of types: annotations, docstrings, comments, pragmas, settings, and `--assume`."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from np2torch.facts import docstrings, evidence, notation
from np2torch.facts import values as v
from np2torch.facts.annotations import of_annotation
from np2torch.facts.evidence import Evidence, Source
from np2torch.rewrite.convert import analyse, convert_project
from np2torch.source.model import Settings, SourceFile

LIKE = v.join(v.ARRAY, v.TOP)
NUMBER = v.join(v.one(v.Num("int")), v.one(v.Num("float")), v.scalar("float64"))


# ------------------------------------------------------------------------------------------------ spelled types
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float64[n, 3]", v.array("float64", 2)),
        ("float64[...]", v.array("float64")),
        ("float64[]", v.array("float64", 0)),
        ("float64[n,]", v.array("float64", 1)),
        ("float32[n+1, 2*m]", v.array("float32", 2)),
        ("array[n]", v.array(None, 1)),
        ("bool[n]", v.array("bool", 1)),
        ("floating[n]", v.array("float64", 1)),
        ("float64", v.scalar("float64")),
        ("float", v.FLOAT),
        ("float64[n] | None", v.join(v.array("float64", 1), v.NONE)),
        ("array", None),
        ("flaot64[n]", None),
        ("object[n]", None),
        ("float64[n", None),
        ("float64[n; m]", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_spelled_type(text, expected):
    if expected is None:
        with pytest.raises(notation.SpellingError):
            notation.fact(text)
    else:
        assert notation.fact(text) == expected


@pytest.mark.parametrize("text", ["float64[n, m]", "array[...]", "None | int64[n]", "float64[]"])
def test_facts_are_shown_as_they_are_spelled(text):
    assert notation.show_fact(notation.fact(text)) == text


# -------------------------------------------------------------------------------------------------- annotations
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("np.ndarray", v.ARRAY),
        ("numpy.typing.NDArray", v.ARRAY),
        ("NDArray[np.float64]", v.array("float64")),
        ("NDArray[np.float32 | np.float64]", v.array({"float32", "float64"})),
        ("NDArray[np.floating[Any]]", v.array("float64")),
        ("NDArray[Any]", v.ARRAY),
        ("NDArray[np.object_]", v.FOREIGN),
        ("np.ndarray[tuple[int, int], np.dtype[np.float64]]", v.array("float64", 2)),
        ("np.ndarray[tuple[int, ...], np.dtype[np.int64]]", v.array("int64")),
        ("np.ndarray[Any, np.dtype[np.float32]]", v.array("float32")),
        ("ArrayLike", LIKE),
        ("npt.ArrayLike | None", v.join(LIKE, v.NONE)),
        ("'np.ndarray'", v.ARRAY),
        ("'NDArray[np.float64]'", v.array("float64")),
        ("Optional['np.ndarray']", v.join(v.ARRAY, v.NONE)),
        ("Union[np.ndarray, float]", v.join(v.ARRAY, NUMBER)),
        ("Union[int, float]", NUMBER),
        ("Annotated[np.ndarray, 'points']", v.ARRAY),
        ("list[np.ndarray]", v.one(v.Sequence("list", None, v.ARRAY))),
        ("Tuple[np.ndarray, float]", v.tuple_of(v.ARRAY, NUMBER)),
        ("tuple[NDArray[np.int64], ...]", v.one(v.Sequence("tuple", None, v.array("int64")))),
        ("list[float]", None),
        ("tuple[()]", None),
        ('Float[Array, "n 3"]', v.array("float64", 2)),
        ('Float32[np.ndarray, "..."]', v.array("float32")),
        ('Int[np.ndarray, "*batch n"]', v.array("int64")),
        ('Bool[Array, ""]', v.array("bool", 0)),
        ('Shaped[Array, "n"]', v.array(None, 1)),
        ('Float[torch.Tensor, "n"]', v.OPAQUE),
        ("jnp.ndarray", None),
        ("torch.Tensor", v.OPAQUE),
        ("Callable[[np.ndarray], float]", None),
        ("float", NUMBER),
        ("Optional[int]", v.join(v.one(v.Num("int")), v.NONE)),
        ("'not a type'", None),
    ],
)  # fmt: skip
def test_an_annotation(text, expected):
    assert of_annotation(ast.parse(text, mode="eval").body) == expected


def test_a_type_that_names_itself():
    """`JSON = dict[str, "JSON"] | list["JSON"] | np.ndarray` ends."""
    alias = ast.parse('JSON = list["JSON"] | tuple["JSON", ...] | np.ndarray').body[0]
    assert isinstance(alias, ast.Assign)
    fact = of_annotation(ast.parse("JSON", mode="eval").body, {"JSON": alias.value})
    assert fact is not None and v.known_to_include(fact, "array")


# --------------------------------------------------------------------------------------------------- docstrings
@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("ndarray of shape (n, m)", v.array(None, 2)),
        ("(n, 3) float array", v.array("float64", 2)),
        ("(N,) array of ints", v.array("int64", 1)),
        ("array_like of float", LIKE),
        ("array-like, shape (n,)", LIKE),
        ("float or ndarray", v.join(v.ARRAY, v.TOP)),
        ("ndarray or None", v.join(v.ARRAY, v.NONE)),
        ("array of shape (n,) or (n, m)", v.array(None, {1, 2})),
        ("2-D array", v.array(None, 2)),
        ("one-dimensional ndarray", v.array(None, 1)),
        ("3x3 array", v.array(None, 2)),
        ("array of shape (..., 3)", v.ARRAY),
        ("numpy array of dtype float32", v.array("float32")),
        ("ndarray (optional, default None)", v.ARRAY),
        ("np.ndarray, shape [n_samples, n_features]", v.array(None, 2)),
        ("list of ndarray", v.one(v.Sequence("list", None, v.ARRAY))),
        ("2D-array list", v.one(v.Sequence("list", None, v.array(None, 2)))),
        ("array list, optional", v.one(v.Sequence("list", None, v.ARRAY))),
        ("NDArray[np.float64], optional", v.array("float64")),
        ("Union[float, np.ndarray]", v.join(v.ARRAY, NUMBER)),
        ("number of arrays", None),
        ("array of strings", None),
        ("structured array", None),
        ("{array-like, sparse matrix} of shape (n, m)", None),
        ("dict of arrays", None),
        ("torch.Tensor", None),
        ("float", None),
    ],
)  # fmt: skip
def test_a_phrase(phrase, expected):
    assert docstrings.of_phrase(phrase) == expected


GOOGLE = """Do.

Args:
    x (np.ndarray of shape (n, 3), optional): it.
        more: ndarray of lines
    y: number of ndarray things.
    z: ndarray of points.
    n (int): count.

Returns:
    np.ndarray: (n,) distances.

Raises:
    e (np.ndarray): never.
"""
NUMPYDOC = """Do.

Parameters
----------
x, y : (n, 3) array
    It is: an ndarray.
n : int

Returns
-------
a : ndarray
    One.
n : int

Notes
-----
b : ndarray
"""


SPHINX = """Fit.

    :param np.array y: the series
    :param int order: of the fit
    :param z: (N, 3) array of points
    :type z: :py:class:`~numpy.ndarray`
    :param np.ndarray of float, optional w: (N, 3) array of weights
    :param text: np.ndarray in the text alone
    :returns: the fit
    :rtype: :py:class:`numpy.ndarray` or None
    """


def test_fields_of_a_sphinx_docstring():
    found = docstrings.entries(SPHINX, "parameters")
    facts = {name: entry.fact for name, entry in found.items() if v.may(entry.fact, "array")}
    assert list(facts) == ["y", "z", "w"] and facts["y"] == v.ARRAY
    assert (v.dtypes_of(facts["z"]), v.ranks_of(facts["z"])) == (None, frozenset({2}))
    assert (v.dtypes_of(facts["w"]), v.ranks_of(facts["w"])) == (frozenset({"float64"}), frozenset({2}))
    assert found["y"].line == 2
    result = docstrings.documented_result(SPHINX)
    assert result is not None and result.fact == v.join(v.ARRAY, v.NONE)


def test_sections_of_a_google_docstring():
    found = {name: entry.fact for name, entry in docstrings.entries(GOOGLE, "parameters").items()}
    assert found == {"x": v.array(None, 2), "z": v.ARRAY, "n": v.INT}
    result = docstrings.documented_result(GOOGLE)
    assert result is not None and (result.fact, result.line) == (v.ARRAY, 10)


def test_sections_of_a_numpydoc_docstring():
    found = {name: entry.fact for name, entry in docstrings.entries(NUMPYDOC, "parameters").items()}
    assert found == dict.fromkeys("xy", v.array(None, 2)) | {"n": v.INT}
    result = docstrings.documented_result(NUMPYDOC)
    assert result is not None and result.fact == v.tuple_of(v.ARRAY, v.TOP)


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("int", v.INT),
        ("positive integer, optional", v.INT),
        ("int (default=3)", v.INT),
        ("bool, default: True", v.BOOL),
        ("str or int", v.join(v.TEXT, v.INT)),
        ("float, optional", docstrings.NUMBER),
        ("scalar", docstrings.NUMBER),
    ],
)
def test_a_docstring_that_names_one_number_text_or_flag(phrase, expected):
    found = docstrings.entries(f"F.\n\nParameters\n----------\nn : {phrase}\n    It.\n", "parameters")
    assert found["n"].fact == expected
    assert docstrings.entries(f"F.\n\nKwargs:\n  n ({phrase}):\n    It.\n", "parameters")["n"].fact == expected
    assert docstrings.documented_result(f"F.\n\nReturns\n-------\nn : {phrase}\n") is None  # it may be a 0-D tensor


@pytest.mark.parametrize("phrase", ["int or sequence", "tuple of int", "ints", "interval", "float, shape (3,)", "callable"])
def test_a_docstring_that_leaves_more_open(phrase):
    found = docstrings.entries(f"F.\n\nParameters\n----------\nn : {phrase}\n    It.\n", "parameters")
    assert not found or not found["n"].fact


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("x : array\n    (N, D) matrix of points.", v.array(None, 2)),
        ("x : ndarray\n    A 3x3 rotation matrix.", v.array(None, 2)),
        ("x : float64 array\n    An (n, m, 3) array", v.array("float64", 3)),
        ("x : 1-D array\n    (N, D) array, flattened", v.array(None, 1)),
        ("x : array\n    (N, 1) matrix", v.ARRAY),
        ("x : array\n    [x, y] of an array", v.ARRAY),
        ("x : array\n    Points of a (N, D) array", v.ARRAY),
    ],
)  # fmt: skip
def test_a_description_that_begins_with_a_shape(entry, expected):
    (found,) = docstrings.entries(f"F.\n\nParameters\n----------\n{entry}\n", "parameters").values()
    assert found.fact == expected
    result = docstrings.documented_result(f"F.\n\nReturns\n-------\n{entry}\n")
    assert result is not None and result.fact in (expected, v.tuple_of(expected, v.TOP))


# ------------------------------------------------------------------------------------------------- what it does
@pytest.mark.parametrize(
    ("found", "said", "expected"),
    [
        (v.TOP, v.array("float64", 2), v.array("float64", 2)),
        (v.ARRAY, v.array("float64", 2), v.array("float64", 2)),
        (v.array("int64"), v.array("float64", 2), v.array("int64", 2)),
        (v.array(None, 1), v.array("float64", 2), v.array("float64", 1)),
        (v.array("int64", 1), v.array("float64", 2), v.array("int64", 1)),
        (v.join(v.NONE, v.TOP), v.array("float64"), v.join(v.NONE, v.array("float64"))),
        (v.scalar(), v.array("float64"), v.scalar()),
        (v.number(3), v.array("float64"), v.number(3)),
        (v.BOTTOM, v.array("float64"), v.BOTTOM),
    ],
)  # fmt: skip
def test_evidence_fills_in_and_never_overrides(found, said, expected):
    assert evidence.fill_unknown(found, said) == expected


def test_stronger_sources_go_first():
    both = Evidence((Source("annotation", 1, "", v.array(None, 1)), Source("docstring", 2, "", v.array("float64", 2))))
    assert both.fact == v.array("float64", 1)


def known(text: str, settings: Settings | None = None) -> list[v.Fact]:
    """Facts of the arguments of `show(...)`."""
    text = "import numpy as np\n" + textwrap.dedent(text)
    work = analyse([SourceFile(Path("m.py"), "m.py", text)], settings or Settings(closed=("*",)))
    (info,) = work.infos.values()
    calls = [n for n in ast.walk(info.tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "show"]
    return [work.engine.facts.get(a, v.BOTTOM) for c in sorted(calls, key=lambda c: c.lineno) for a in c.args]


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):  # np2torch: x: float64[n, 3]\n    show(x)\n",
        "# np2torch: x: float64[n, 3]\ndef f(x):\n    show(x)\n",
        "def f(\n    y,\n    x,  # np2torch: x: float64[n, 3]\n):\n    show(x)\n",
        "def f(x):\n    # np2torch: x: float64[n, 3]\n    '''Doc.'''\n    show(x)\n",
        "@deco\n# np2torch: y: int; x: float64[n, 3]\ndef f(x, y):\n    show(x)\n",
        "x = load()  # np2torch: x: float64[n, 3]\nshow(x)\n",
        "if load:\n    # np2torch: x: float64[n, 3]\n    x = load()\n    show(x)\n",
        "x, y = load()  # np2torch: x: float64[n, 3]\nshow(x)\n",
        "for x in load():  # np2torch: x: float64[n, 3]\n    show(x)\n",
        "with load() as x:  # np2torch: x: float64[n, 3]\n    show(x)\n",
        "class A:\n    def __init__(self, w):\n        self.w = w  # np2torch: self.w: float64[n, 3]\n    def g(self):\n        show(self.w)\n",
        "class A:  # np2torch: w: float64[n, 3]\n    def __init__(self, w):\n        self.w = w\n    def g(self):\n        show(self.w)\n",
        "def g(p):  # np2torch: return: float64[n, 3]\n    return load(p)\n\nshow(g(1))\n",
        "def g(p) -> 'Float64[Array, \"n 3\"]':\n    return load(p)\n\nshow(g(1))\n",
        "def g(p):\n    '''Do.\n\n    Returns\n    -------\n    (n, 3) float array\n    '''\n    return load(p)\n\nshow(g(1))\n",
        "from numpy.typing import NDArray\nPoints = NDArray[np.float64]\ndef f(x: Points):  # np2torch: x: array[n, 3]\n    show(x)\n",
        "class A:\n    '''An A.\n\n    Parameters\n    ----------\n    x : (n, 3) float array\n    '''\n    def __init__(self, x):\n        show(x)\n",
        "class A:\n    '''An A.\n\n    Attributes\n    ----------\n    x : (n, 3) float array\n    '''\n    def __init__(self):\n        self.x = load()\n    def g(self):\n        show(self.x)\n",
        "x: 'Float[Array, \"n 3\"]' = np.asarray(load())\nshow(x)\n",
    ],
)  # fmt: skip
def test_what_is_said_is_known(text):
    assert known(text) == [v.array("float64", 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = load()  # type: np.ndarray\nshow(x)\n", v.ARRAY),
        ("def f(x, y):\n    # type: (np.ndarray, int) -> None\n    show(x)\n", v.ARRAY),
        ("class A:\n    def f(self, x):\n        # type: (np.ndarray) -> None\n        show(x)\n", v.ARRAY),
        ("def f(x,  # type: np.ndarray\n      y,\n):\n    show(x)\n", v.ARRAY),
        ("def f(x):\n    # type: (int) -> np.ndarray\n    return load(x)\n\nshow(f(1))\n", v.ARRAY),
        ("x = load()  # type: ignore[no-untyped-call]\nshow(x)\n", v.TOP),
        ("x = '# type: np.ndarray'\ny = load()\nshow(y)\n", v.TOP),
        ("def f(x):  # np2torch: x: float64[n]\n    show(x)\n\nf(np.arange(3))\n", v.array("int64", 1)),
        ("def f(x: np.ndarray):\n    show(x)\n\nf(3)\n", v.number(3)),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (array): it.\n    '''\n    show(x)\n    return np.asarray(x)\n", LIKE),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (ndarray): it.\n    '''\n    show(x)\n    return np.asarray(x)\n", LIKE),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (ndarray): it.\n    '''\n    show(x)\n    return np.sum(x)\n", LIKE),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (ndarray): it.\n    '''\n    show(x)\n    if isinstance(x, np.ndarray):\n        return x.T\n", LIKE),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (ndarray): it.\n    '''\n    show(x)\n    return np.sum(x) * x\n", v.ARRAY),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (ndarray): it.\n    '''\n    show(x)\n    return np.sum(x) / x.shape\n", v.ARRAY),
    ],
)  # fmt: skip
def test_comments_and_what_they_cannot_do(text, expected):
    assert known(text) == [expected]


TYPES = (
    ("m.f.x", "float64[n, 3]"), ("m.g.return", "float64[n, 3]"), ("m.TABLE", "float64[n, 3]"),
    ("m.A.w", "float64[n, 3]"), ("m.A.run.x", "float64[n, 3]"), ("m.f.local", "float64[n, 3]"), ("other.f.x", "int"),
)  # fmt: skip


def test_settings_name_parameters_results_globals_attributes_and_locals():
    text = """
        TABLE = load()
        def f(x):
            local = load()
            show(x, local, TABLE)
        def g():
            return load()
        class A:
            def __init__(self):
                self.w = load()
            def run(self, x):
                show(x, self.w, g())
    """
    assert known(text, Settings(types=TYPES)) == [v.array("float64", 2)] * 6


def remarks(text: str, settings: Settings | None = None) -> list[tuple[int, str]]:
    """Line and code of what is remarked on a module."""
    text = "import numpy as np\n" + textwrap.dedent(text)
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], settings or Settings(closed=("*",)))
    assert not done.problems
    return [(remark.line, remark.code) for remark in done.remarks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):  # np2torch: x: float64[n]\n    return x\n\nf(np.arange(3))\n", [(2, "NPT503")]),
        ("def f(x):  # np2torch: x: float64[n]\n    return x\n\nf(np.zeros((3, 3)))\n", [(2, "NPT503")]),
        ("def f(x):  # np2torch: x: float64[n]\n    return x\n\nf(np.zeros(3))\nf(load())\n", []),
        ("def f(x=None):  # np2torch: x: float64[n]\n    return x\n\nf()\n", []),
        ("def f(x: NDArray[np.float64]):\n    return x\n\nf(np.arange(3))\n", []),
        ("x = np.arange(3)  # np2torch: x: float64[n]\n", [(2, "NPT503")]),
        ("x = np.arange(3)  # np2torch: y: float64[n]\n", [(2, "NPT504")]),
        ("x = np.arange(3)  # np2torch: x: float65[n]\n", [(2, "NPT504")]),
        ("x = np.arange(3)  # np2torch: x: integer[n]\n", []),
    ],
)  # fmt: skip
def test_wrong_statements_are_reported(text, expected):
    assert remarks(text) == expected


def test_wrong_settings_are_reported():
    text = "def f(x):\n    return x\n\nf(np.arange(3))\n"
    assert remarks(text, Settings(types=(("m.f.x", "float64[n]"),))) == [(2, "NPT503")]
    assert remarks(text, Settings(types=(("m.f.y", "float64[n]"),))) == [(1, "NPT504")]
    assert remarks(text, Settings(types=(("elsewhere.f.y", "float64[n]"),))) == []


ASSUMING = "def f(x: np.ndarray, n):\n    y = x / 2\n    k = x.shape[0]\n    return np.sqrt(y) + 1j * k + n\n"


def test_an_assumed_dtype_is_listed_where_it_is_used():
    source = SourceFile(Path("m.py"), "m.py", "import numpy as np\n" + ASSUMING)
    (without,) = convert_project([source], Settings(closed=("*",)))
    (assuming,) = convert_project([source], Settings(assume="float", closed=("*",)))
    assert "x / torch.tensor(2, dtype=torch.float64)" in without.after and without.remarks == ()
    assert "y = x / 2" in assuming.after and "torch.sqrt(y)" in assuming.after
    assert [(r.line, r.column, r.code) for r in assuming.remarks] == [(3, 9, "NPT502")]
    (after,) = convert_project([source], Settings(closed=("*",)))  # one run leaves nothing behind for the next
    assert after == without


def test_an_assumption_does_not_touch_known_dtypes():
    text = "import numpy as np\nx = np.zeros(3, dtype=np.float32)\ny = np.sqrt(2.0) * x\n"
    source = SourceFile(Path("m.py"), "m.py", text)
    assert [*convert_project([source], Settings(closed=("*",)))] == [*convert_project([source], Settings(assume="float"))]


def test_what_is_known_of_an_argument_is_known_of_the_result_of_a_hinted_function():
    """Unseen callers pass more than the hint says; a call that is seen passes what it passes."""
    source = (
        "import numpy as np\n\n\ndef bend(x: float) -> float:\n    return (1 - np.cos(x)) / 2.0\n\n\n"
        "def apart(a, b):\n    return np.sqrt(bend(a - b) + np.cos(a) * bend(b))\n"
    )
    [done] = convert_project([SourceFile(Path("lib.py"), "lib.py", source)], Settings())
    assert "torch.sqrt(bend(a - b) + torch.cos(a) * bend(b))" in done.after
