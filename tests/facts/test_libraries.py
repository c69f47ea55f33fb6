"""What is known of objects of other libraries: what they hold may be an array, what the program put in comes out."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from np2torch.facts import values as v
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.facts import one


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from scipy.sparse import csr_matrix\nm = csr_matrix(np.eye(3))\nshow(m.data)", None),
        ("from scipy.sparse import csr_matrix\nm = csr_matrix(np.eye(3))\nshow(m.nnz)", v.SIZE),
        ("import networkx as nx\ng = nx.DiGraph()\nfor n in g.nodes():\n    show(n)", None),
        ("import networkx as nx\ng = nx.DiGraph()\nfor n in g.nodes():\n    show(n.universe)", None),
        ("import matplotlib.pyplot as plt\nf = plt.figure()\nshow(f.axes)", v.OPAQUE),
        ("import pandas as pd\nf = pd.DataFrame({'a': np.ones(3)})\nshow(f['a'].cumsum().values)", None),
        ("import pandas as pd\nf = pd.DataFrame({'a': np.ones(3)})\nshow(f['a'].to_numpy())", None),
        ("from scipy.signal import lfilter\nshow(lfilter(np.ones(1), np.ones(1), np.ones(3)))", v.array(None, 1)),
        ("from scipy.signal import lfilter\nshow(lfilter(np.ones(1), np.ones(1), np.ones(3), zi=np.ones(1)))", None),
        ("from scipy.signal import lfilter\nshow(lfilter(np.ones(1), np.ones(1), np.ones(3), -1, np.ones(1)))", None),
    ],
)
def test_what_an_object_holds(text, expected):
    fact = one(text)
    if expected is None:
        assert v.known_to_include(fact, "unknown")
    elif expected == v.OPAQUE:
        assert v.only(fact, "opaque")
    else:
        assert fact == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.array([x, x ** 2 + 1])", v.OBJECTS),
        ("np.array(sp.symbols('a b'))", v.OBJECTS),
        ("np.ones(2) * x", v.OBJECTS),
        ("np.array([[-x, f]])", v.OBJECTS),
        ("f * 3 - 1", v.one(v.Opaque("fractions.Fraction()"))),
        ("2 ** f", v.TOP),
        ("f * 0.5", v.TOP),
        ("np.array([f, 0.5], dtype=float)", v.array("float64")),
        ("sp.lambdify(x, x ** 2)(np.ones(3))", v.TOP),
    ],
)
def test_what_numpy_holds_as_objects(expression, expected):
    head = "import sympy as sp\nfrom fractions import Fraction\nx, f = sp.Symbol('x'), Fraction(1, 2)\n"
    assert one(f"{head}show({expression})") == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("gamma(0.5, 1.0, 4)", v.array("float64", 1)),
        ("triangular(0.0, 1.0, 2.0, (2, 3))", v.array("float64", 2)),
        ("triangular(0.0, 1.0, 2.0)", v.FLOAT),
        ("geometric(0.5, 4)", v.array("int64", 1)),
        ("randint(0, 9, 4, bool)", v.array(None, 1)),
    ],
)
def test_where_the_size_of_a_draw_stands(call, expected):
    assert one(f"show(np.random.{call})") == expected


@pytest.mark.parametrize(
    ("attribute", "is_known"), [("vertices", False), ("vertices.T", False), ("_interpolation_steps", True)]
)
def test_what_an_object_that_draws_holds(attribute, is_known):
    fact = one(f"from matplotlib.path import Path\np = Path(np.zeros((3, 2)))\nshow(p.transformed(a).{attribute})")
    assert v.known_to_include(fact, "unknown") != is_known


@pytest.mark.parametrize("module", ["helper", "tests.helper"])
def test_a_module_of_the_project_found_by_another_path_is_no_third_party(module):
    """`from helper import f` beside `tests/helper.py`, as pytest finds it, or as the folder above does."""
    texts = {
        "tests/helper.py": "import numpy as np\n\ndef f(x):\n    return np.array(x, copy=True)\n",
        "tests/test_it.py": f"import numpy as np\nfrom {module} import f\n\ndef test_it():\n    f(np.zeros(3))\n",
    }
    files = [SourceFile(Path(name), name, text) for name, text in texts.items()]
    done = {str(one.path): one.after for one in convert_project(files, Settings(root=Path()))}
    assert "f(torch.zeros(3, dtype=torch.float64))" in done["tests/test_it.py"]


def test_a_method_that_a_base_of_scipys_calls_is_given_more_than_the_project_passes():
    text = """
        import scipy.stats
        class D(scipy.stats.rv_continuous):
            def _ppf(self, q):
                show(q)
            def low(self):
                return self._ppf(0.1)

        D().low()
        """
    assert v.known_to_include(one(text), "unknown", "foreign")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("special.gamma(np.zeros(3))", v.array("float64", 1)),
        ("special.gamma(np.zeros(3, np.float32))", v.array(None, 1)),
        ("special.jv(0, 0.5)", v.scalar("float64")),
        ("special.jv(np.arange(3), np.eye(3))", v.array("float64", 2)),
        ("special.jn_zeros(0, 3)", v.array("float64", 1)),
        ("integrate.quad(f, 0, 1)", v.tuple_of(v.FLOAT, v.FLOAT)),
        ("integrate.quad(f, 0, 1, full_output=True)", v.TOP),
        ("optimize.brentq(f, 0, 1)", v.FLOAT),
        ("stats.norm.pdf(np.arange(3), scale=2.0)", v.array("float64", 1)),
        ("stats.norm.cdf(0.5)", v.scalar("float64")),
        ("linalg.inv(np.eye(3))", v.array("float64", 2)),
        ("linalg.norm(np.eye(3))", v.join(v.FLOAT, v.scalar("float64"))),
        ("linalg.norm(np.eye(3), axis=0)", v.TOP),
        ("linalg.norm(np.ones(2, np.complex64))", v.TOP),
        ("integrate.simpson(np.eye(3))", v.array("float64", 1)),
        ("integrate.trapezoid(np.ones(2, np.float32))", v.TOP),
        ("interpolate.interp1d(x, x)(np.zeros(3))", v.ARRAY),
        ("sparse.csr_matrix(np.eye(3)).toarray()", v.array(None, 2)),
    ],
)
def test_what_scipy_gives_back(call, expected):
    imported = "from scipy import integrate, interpolate, linalg, optimize, sparse, special, stats"
    assert one(f"{imported}\nshow({call})") == expected


@pytest.mark.parametrize(
    "call",
    [
        "signal.argrelextrema(x, np.greater)", "signal.argrelmax(np.eye(3))", "signal.find_peaks(x)",
        "signal.lfilter([1.0], [1.0, 0.5], x)", "signal.filtfilt([1.0, 0.5], [1.0, 0.5], x)", "signal.hilbert(x)",
        "signal.savgol_filter(x, 3, 1)", "signal.detrend(n)", "signal.convolve(n, n)", "signal.fftconvolve(x, n)",
        "signal.correlate(m, m)", "signal.butter(2, 0.5)", "signal.butter(2, 0.5, 'low')", "signal.firwin(3, 0.5)",
        "signal.get_window('hann', 5)", "signal.windows.kaiser(5, 2.0)", "fft.fft(x)", "fft.ifft(m)", "fft.dct(n)",
        "fftpack.fft(n)", "fftpack.idct(x)", "linalg.expm(m)", "linalg.expm(np.eye(2, dtype=int))", "linalg.logm(m)",
        "linalg.sqrtm(m)", "linalg.cholesky(m)", "linalg.solve(m, [1, 2, 3])", "linalg.solve(m, m)",
        "linalg.solve_triangular(m, np.arange(3))", "linalg.toeplitz(n)", "linalg.block_diag(m, 1)",
        "integrate.odeint(lambda y, t: -y, 1.0, x)", "integrate.cumulative_trapezoid(n)", "special.bernoulli(4)",
        "optimize.curve_fit(lambda x, a: a * x, x, n)", "optimize.fsolve(lambda x: x - 1, 2)", "special.softmax(n)",
        "special.expi(x)", "stats.norm(0, 1).pdf(x)", "stats.norm(0, 1).cdf(0.5)", "stats.norm.rvs(size=(2, 3))",
        "stats.gamma(2.0).rvs(size=4)",
        "linalg.expm(2.0)", "linalg.toeplitz([1, 2], n)", "linalg.norm(m)", "linalg.norm(n, 1)",
        "linalg.norm(x, ord=2)", "integrate.simpson(x)", "integrate.simpson(m, x=x[:3])", "integrate.trapezoid(n, x)",
        "integrate.simpson(y=x, x=x)", "integrate.trapezoid([1, 2, 3])", "integrate.trapezoid(np.eye(3), axis=0)",
        "special.eval_legendre(2, 0.5)", "special.spence(n)",
    ],
)  # fmt: skip
def test_what_functions_of_scipy_give_back_is_true(call):
    parts = "signal fft fftpack linalg integrate optimize special stats".split()
    scipy = {name: importlib.import_module(f"scipy.{name}") for name in parts}
    start = "x = np.linspace(0.0, 9.0, 40)\nn = np.arange(40)\nm = np.eye(3)\n"
    names = {"np": np, **scipy}
    exec(start, names)
    fact = one(f"from scipy import {', '.join(scipy)}\n{start}show({call})")
    assert v.known_to_include(fact, "array", "scalar", "sequence", "number")
    assert covers(fact, eval(call, names))


def converted(text):
    [done] = convert_project([SourceFile(Path("lib.py"), "lib.py", text)], Settings(closed=("*",)))
    return done.after


def test_a_module_of_a_plotting_library_that_computes_gets_ndarrays():
    text = "import numpy as np\nfrom matplotlib import mlab, pyplot\n\n"
    after = converted(f"{text}w = mlab.window_hanning(np.ones(8))\npyplot.plot(w)\n")
    assert "shim.from_numpy(mlab.window_hanning(torch.ones(8, dtype=torch.float64).numpy()))" in after
    assert "pyplot.plot(w)" in after


LAZY = """import importlib
import types

import numpy as np


class LazyImport(types.ModuleType):
    def __getattribute__(self, name):
        own = object.__getattribute__(self, "__name__")
        return getattr(importlib.import_module(own), name)


linalg = LazyImport("scipy.linalg")
half = linalg.inv(2.0 * np.eye(3))
"""


def test_an_object_that_imports_a_library_when_it_is_asked_stands_for_it():
    after = converted(LAZY)
    assert "shim.from_numpy(linalg.inv((2.0 * torch.eye(3, dtype=torch.float64)).numpy()))" in after
    old, new = {}, {}
    exec(LAZY, old)
    exec(after, new)
    np.testing.assert_allclose(new["half"].numpy(), old["half"], rtol=1e-12)


def covers(fact, value):
    """Is the fact true of a value of NumPy's, and of all that a tuple holds?"""
    if isinstance(value, tuple):
        items = v.items_of(fact)
        if items is None:
            return all(covers(v.elements(v.sole(fact)), item) for item in value)
        return len(items) == len(value) and all(map(covers, items, value))
    if v.known_to_include(fact, "unknown"):
        return True
    if type(value) is float:
        return v.known_to_include(fact, "number")
    if isinstance(value, np.generic):
        return value.dtype.name in v.dtypes_of(fact) and v.known_to_include(fact, "scalar")
    dtypes, ranks = v.dtypes_of(fact), v.ranks_of(fact)
    return (dtypes is None or dtypes == {value.dtype.name}) and (ranks is None or value.ndim in ranks)
