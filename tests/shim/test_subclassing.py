"""Classes that derive from `shim.ndarray` beside classes that derive from `numpy.ndarray`: values and classes."""

from __future__ import annotations

import array
import copy
import importlib.util
import io
import mmap
import operator
import pickle
import warnings

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim._subclass_propagation import all_overridden, table
from np2torch.shim._torch_functions import ELEMENTWISE, OF_FIRST, OF_FIRST_ARRAYS
from np2torch.shim.public import open_class
from support.paths import ROOT

FEW = 12


class NumpyOne(np.ndarray):
    """NumPy's side."""

    def __array_finalize__(self, obj):
        self.info = getattr(obj, "info", "none")


class TorchOne(shim.ndarray):
    """torch's side."""

    def __array_finalize__(self, obj):
        self.info = getattr(obj, "info", "none")


def recorder():
    spec = importlib.util.spec_from_file_location("record_classes", ROOT / "tools" / "record_classes.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


TOOL = recorder()


def pattern(x, cls):
    """Where the class is kept: of tensors a scalar is a 0-D one."""
    if isinstance(x, (tuple, list)):
        return tuple(pattern(item, cls) for item in x)
    return isinstance(x, cls) if isinstance(x, (np.ndarray, np.generic, torch.Tensor)) else None


def given(x, cls, numpys):
    if isinstance(x, (np.ndarray, torch.Tensor)):
        made = x.view(cls) if numpys else shim.invoke(x, "view", cls)
        made.info = "given"
        return made
    tensors = isinstance(x, (list, tuple)) and any(isinstance(item, (np.ndarray, torch.Tensor)) for item in x)
    return type(x)(given(item, cls, numpys) for item in x) if tensors else x


def side(program, arrays, cls, numpys):
    """What comes out of the call, as it is and by class, or the error."""
    found = []
    space = {"np": np if numpys else shim, "_given": lambda x: given(x, cls, numpys), "_made": found.append}
    try:
        exec(program, space | arrays)
    except Exception as error:  # what comes after the call has None to work on
        if not found:
            return error, None
    return found[0], pattern(found[0], cls)


def rows():
    import table as properties

    return [row for row in properties.rows() if row.name in table() and not row.name.startswith(TOOL.SKIPPED)]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_a_function_keeps_the_class_where_numpy_does(row):
    from converted import sample

    warnings.simplefilter("ignore")
    for case in sample(row, FEW, 7):
        for _, program in TOOL.programs(row.name, case):
            old, expected = side(program, {k: x.array() for k, x in case.arrays.items()}, NumpyOne, True)
            new, seen = side(program, {k: x.tensor() for k, x in case.arrays.items()}, TorchOne, False)
            if isinstance(new, TypeError) and "pass `x.as_subclass(torch.Tensor)`" in str(new):
                continue  # refused: loud
            if isinstance(old, Exception) or isinstance(new, Exception):
                continue  # the errors themselves are compared elsewhere
            assert seen == expected, str(case)
            if isinstance(old, np.ndarray) and isinstance(new, torch.Tensor):
                assert getattr(new, "info", None) == getattr(old, "info", None), str(case)


# ------------------------------------------------------------------------------------------------ expressions
CLASSES = '''
class Plain(np.ndarray):
    pass


class Noted(np.ndarray):
    def __new__(cls, data, note="new"):
        made = np.asarray(data, dtype=float).view(cls)
        made.note = note
        return made

    def __array_finalize__(self, obj):
        if obj is None:
            return
        self.note = getattr(obj, "note", "default")


class Heir(Noted):
    pass


class Wrapping(Noted):
    def __array_wrap__(self, array, context=None, return_scalar=False):
        if return_scalar:
            return array[()]
        if array.ndim != 1:
            return array
        found = super().__array_wrap__(array, context, return_scalar)
        found.note = f"{self.note} {len(array)}"
        return found


class Own(np.ndarray):
    def __new__(cls, data):
        data = np.array(data, dtype=float)
        made = super(Own, cls).__new__(cls, data.shape, float, data)
        made.data_of = data
        return made

    def __mul__(self, other):
        return "mul"

    def __rmul__(self, other):
        return "rmul"

    def __gt__(self, other):
        return "gt"

    def __getitem__(self, index):
        if index == 2:
            raise IndexError
        return "item"

    def sum(self, *args, **kwargs):
        return "sum"

    @property
    def conj(self):
        return "conj"
'''
EXPRESSIONS = """
Noted([1, 2]).astype(int).round()
Wrapping([1, 2]).astype(int).round(1)
np.round(Wrapping([12, 25]).astype(int), -1)
Noted([1, 2]).dot([3, 4])
np.dot([3, 4], Wrapping([1, 2]))
[abs(x) for x in np.linalg.svd(Wrapping([[1, 2], [3, 5]]))]
np.linalg.svd(Wrapping([[1, 2], [3, 5]]), compute_uv=False)
np.unique(Noted([3, 1, 1]))
np.unique(Noted([3, 1, 1]), True, return_counts=True)
np.unique(Noted([[3, 1], [1, 1]]))
np.unique(Noted([[3, 1], [3, 1]]), axis=0, return_inverse=True)
np.unique(Wrapping([[3, 1], [3, 1]]), axis=0)
np.unique([Noted([3, 1]), Noted([1, 1])])
np.dot(Noted([1, 2]), np.ones(2, int))
Noted([1, 2]).dot(np.ones(2, int))
Wrapping([1, 2]).dot(np.ones(2, int))
np.atleast_2d([Noted([1, 2]), Noted([3, 4])])
np.sqrt([Noted([1, 2]), Noted([3, 4])])
np.add([Noted([1, 2]), Noted([3, 4])], 1)
np.sum([Noted([1, 2]), Noted([3, 4])], axis=0)
np.maximum([Noted([1, 2]), Noted([3, 4])], Noted([2, 2], "b"))
np.transpose([Noted([1, 2]), Noted([3, 4])])
np.linalg.multi_dot([Noted([[1, 2], [3, 4]]), np.eye(2), np.eye(2)])
Wrapping([1, 2, 3]) + 1
1 - Wrapping([1, 2, 3])
-Wrapping([1, 2, 3])
Wrapping([1, 2, 3]) == 2
Wrapping([1, 2, 3]) @ Wrapping([1, 2, 3])
Wrapping([[1, 2], [3, 4]]) + 1
Wrapping([1, 2, 3], "a") * Noted([1, 2, 3], "b")
Noted([1, 2, 3], "a") * Wrapping([1, 2, 3], "b")
np.ones((2, 3)) * Wrapping([1, 2, 3], "b")
x = Wrapping([1, 2, 3]); x += 1; x
x = Wrapping([[1, 2], [3, 4]]); x *= 2; x
x = y = Wrapping([1, 2, 3]); x += 1; (x is y, y)
divmod(Wrapping([5, 7, 9]), 2)
np.exp(Wrapping([1, 2, 3]))
np.modf(Wrapping([1.5, 2, 3]))
np.add.reduce(Wrapping([1, 2, 3]))
np.add.reduce(Wrapping([[1, 2], [3, 4]]))
np.add.accumulate(Wrapping([1, 2, 3]))
np.multiply.outer(Wrapping([1, 2]), np.ones(2))
Wrapping([1, 2, 3]).sum()
np.sum(Wrapping([[1, 2], [3, 4]]), axis=0)
Wrapping([1, 2, 3]).max()
Wrapping([[1, 2], [3, 4]]).min(axis=1)
Wrapping([1, 2, 3]).mean()
np.mean(Wrapping([[1, 2], [3, 5]]), axis=0)
Wrapping([[1, 2], [3, 5]]).mean(keepdims=True)
Wrapping([1, 2, 3]).cumsum()
Wrapping([1, 2, 3]).clip(1, 2)
Wrapping([1, 2, 3]).any()
np.linalg.inv(Wrapping([[1, 2], [3, 4]]))
np.linalg.norm(Wrapping([3, 4]))
np.dot(Wrapping([3, 4]), Wrapping([3, 4]))
np.cross(Wrapping([1, 2, 3]), [1, 0, 0])
np.diff(Wrapping([1, 2, 4]))
Wrapping([1.4, 2.6]).round()
np.round(Wrapping([1.4, 2.6]), 1)
np.concatenate([Wrapping([1, 2]), Wrapping([3])])
np.where(Wrapping([1, 2, 3]) > 1, 0, 1)
np.array_equal(Wrapping([1, 2]), [1, 2])
Wrapping([1, 2, 3])[1:]
Wrapping([[1, 2], [3, 4]]).T
Wrapping([1, 2, 3]).copy()
np.zeros_like(Wrapping([1, 2, 3]))
np.isfinite(Wrapping([1, 2, 3])).all()
Noted([1, 2, 3]) + 1
1 + Noted([1, 2, 3])
np.ones(3) + Noted([1, 2, 3], "b")
Noted([1, 2, 3]) + np.arange(3)
Noted([1, 2, 3], "a") - Heir([1, 2, 3], "b")
Heir([1, 2, 3], "a") * Noted([1, 2, 3], "b")
[1, 2, 3] * Noted([1, 2, 3])
Noted([1, 2, 3]) * [1, 2, 3]
Noted([1, 2, 3]) * 2j
np.float64(2) * Noted([1, 2, 3])
Noted([1, 2, 3]) * np.float64(2)
Noted([1, 2, 3]) * np.float32(2)
Noted([1, 2, 3]) ** 2
2 ** Noted([1, 2, 3])
Noted([1, 2, 3]) // 2
7 % Noted([1, 2, 3])
divmod(Noted([5, 7, 9]), 2)
divmod(10, Noted([3, 7, 9]))
-Noted([1, 2, 3])
+Noted([1, 2, 3])
abs(Noted([-1, 2, 3]))
~(Noted([1, 2, 3]) > 1)
(Noted([1, 2, 3]) > 1) & (Noted([1, 2, 3]) < 3)
Noted([1, 2, 3]) == Noted([1, 5, 3])
Noted([1, 2, 3]) == None
Noted([1, 2, 3]) != None
Noted([1, 2, 3]) @ Noted([1, 2, 3])
Noted([[1, 2], [3, 4]]) @ np.eye(2)
np.eye(2) @ Noted([[1, 2], [3, 4]])
Noted([1, 2, 3])[0]
Noted([1, 2, 3])[-1]
Noted([1, 2, 3])[::-1]
Noted([1, 2, 3])[[0, 2]]
Noted([1, 2, 3])[Noted([1, 2, 3]) > 1]
Noted([1, 2, 3])[...]
Noted([1, 2, 3])[None]
Noted([[1, 2], [3, 4]])[0]
Noted([[1, 2], [3, 4]])[0, 1]
Noted([[1, 2], [3, 4]])[:, 1]
Noted([[1, 2], [3, 4]])[..., 0]
Noted([[1, 2], [3, 4]])[0, 1, ...]
Noted([[1, 2], [3, 4]])[[0, 1], [1, 0]]
Noted([[1, 2], [3, 4]])[np.array([True, False])]
np.arange(3.0)[Noted([0, 2]).astype(int)]
Noted(3.5)[()]
Noted(3.5)[...]
Noted(3.5) + 1
list(Noted([1, 2, 3]))
list(Noted([[1, 2], [3, 4]]))
[x for x in Noted([1, 2, 3])]
2.0 in Noted([1, 2, 3])
len(Noted([1, 2, 3]))
bool(Noted([1]))
float(Noted(2.5))
int(Noted(2.5))
Noted([1, 2, 3]).sum()
Noted([[1, 2], [3, 4]]).sum(axis=0)
Noted([[1, 2], [3, 4]]).sum(0)
Noted([[1, 2], [3, 4]]).mean(axis=1, keepdims=True)
Noted([[1, 2], [3, 4]]).std()
Noted([[1, 2], [3, 4]]).std(axis=0, ddof=1)
Noted([[1, 2], [3, 4]]).var(0)
Noted([[1, 2], [3, 4]]).max(axis=0)
Noted([[1, 2], [3, 4]]).argmax()
Noted([[1, 2], [3, 4]]).argmax(axis=0)
Noted([[1, 2], [3, 4]]).cumsum()
Noted([[1, 2], [3, 4]]).T
Noted([[1, 2], [3, 4]]).transpose(1, 0)
Noted([[1, 2], [3, 4]]).reshape(4)
Noted([[1, 2], [3, 4]]).reshape((4, 1))
Noted([[1, 2], [3, 4]]).ravel()
Noted([[1, 2], [3, 4]]).flatten()
Noted([[1, 2], [3, 4]]).copy()
Noted([[1, 2], [3, 4]]).astype(int)
Noted([[1, 2], [3, 4]]).astype("f4")
Noted([[1, 2], [3, 4]]).diagonal()
Noted([[1, 2], [3, 4]]).trace()
Noted([[1, 2], [3, 4]]).dot(Noted([1, 2]))
Noted([1, 2]).dot(Noted([1, 2]))
Noted([[1, 2], [3, 4]]).tolist()
Noted([[1, 2], [3, 4]]).size
Noted([[1, 2], [3, 4]]).shape
Noted([[1, 2], [3, 4]]).ndim
Noted([[1, 2], [3, 4]]).real
Noted([[1, 2], [3, 4]]).imag
Noted([[1, 2], [3, 4]]).nbytes
Noted([[1, 2], [3, 4]]).strides
Noted([3, 1, 2]).argsort()
Noted([3, 1, 2]).round(0)
Noted([3, 1, 2]).clip(1, 2)
Noted([3, 1, 2]).repeat(2)
Noted([3, 1, 2]).take([0, 1])
Noted([3, 1, 2]).nonzero()
Noted([3, 1, 2]).view(np.ndarray)
Noted([3, 1, 2]).view(Heir)
Noted([3, 1, 2]).view(Plain)
Noted([3, 1, 2]).view()
Noted([3, 1, 2]).view("i8")
np.arange(3.0).view(Noted)
np.ndarray.__new__(Noted, (2, 2), float, np.arange(4.0)) + 0
np.ndarray.__new__(Plain, (2,), float, np.arange(4.0), 8)
np.ndarray.__new__(Plain, (2,), float, np.arange(4.0), 0, (16,))
np.ndarray.__new__(Plain, (2, 2), float, np.arange(4.0), order="F")
np.ndarray.__new__(Plain, (2, 2), float, np.arange(4.0).reshape(2, 2).T)
np.ndarray.__new__(Plain, (2,), np.int64, np.arange(4.0))
Plain((2, 3)).shape
Plain(shape=(2, 3), dtype=int).dtype == np.int64
np.asarray(Noted([1, 2]))
np.array(Noted([1, 2]))
np.asanyarray(Noted([1, 2]))
np.array([Noted([1, 2]), Noted([3, 4])])
np.stack([Noted([1, 2]), np.ones(2)])
np.concatenate([Noted([1, 2]), Noted([3])])
np.linalg.norm(Noted([3, 4]))
np.linalg.inv(Noted([[1, 2], [3, 4]]))
np.linalg.svd(Noted([[1, 2], [3, 4]]))
np.linalg.eigh(Noted([[1, 2], [2, 4]]))
np.cross(Noted([1, 2, 3]), Noted([3, 2, 1]))
np.where(Noted([1, 2]) > 1, Noted([1, 2]), 0)
np.sqrt(Noted([1, 4]))
np.add(np.ones(2), Noted([1, 4]))
np.add(1, Noted([1, 4]))
np.add.reduce(Noted([[1, 4], [2, 3]]))
np.add.accumulate(Noted([1, 4]))
np.multiply.outer(np.ones(2), Noted([1, 4]))
np.modf(Noted([1.5, 4]))
np.sum(Noted([1, 4]))
np.median(Noted([1, 4, 2]))
np.zeros_like(Noted([1, 4]))
np.meshgrid(Noted([1, 4]), np.ones(3))
np.meshgrid(Noted([1, 4], "a"), Noted([1, 4], "b"))
np.kron(Noted([1, 4], "a"), Noted([1, 4], "b"))
np.dot(np.eye(2), Noted([1, 4]))
np.dot(Noted([[1, 2]]), np.ones(2, int))
np.dot(Noted([[1, 2]]), [[1, 2], [3, 4]])
np.dot([[1, 2]], Noted([1, 2]))
np.dot(np.eye(2, dtype=int), Noted([1, 4]))
np.inner(Heir([[1, 2], [3, 4]]), Noted([[1, 2]]).astype(int))
np.dot(Noted([[1, 2], [3, 4]]), Heir([[1, 2]]).T)
np.dot(Noted([[1, 4], [2, 2]]), np.ones(2))
np.copy(Noted([1, 4]))
np.allclose(Noted([1, 4]), [1, 4])
np.isclose(Noted([1, 4]), [1, 4])
np.shape(Noted([1, 4]))
np.float64(1) < Noted([1, 4])
isinstance(Noted([1, 4]), np.ndarray)
isinstance(Heir([1, 4]), Noted)
isinstance(np.ones(2), Noted)
repr(Noted([[1, 2], [3, 4]]))
str(Noted([[1, 2], [3, 4]]))
f"{Noted([1, 2])}"
repr(Noted([1, 2]).astype("f4"))
repr(Noted([])), repr(Noted(2.5)), str(Noted(2.5))
copy.copy(Noted([1, 2], "c"))
copy.deepcopy(Noted([1, 2], "c"))
pickle.loads(pickle.dumps(Plain((0,))))
x = Noted([1, 2], "x"); y = x; y += 1; (x is y, x)
x = Noted([1, 2], "x"); x -= Noted([1, 1], "y"); x
x = Noted(2.0, "x"); y = x; y *= 3; (x is y, x)
x = np.ones(2); x += Noted([1, 2]); x
x = Noted([1, 2], "x"); x[0] = 5; x
x = Noted([1, 2], "x"); x[...] = Noted([7, 8]); x
x = Noted([1, 2], "x"); y = x[:1]; y[0] = 9; x
x = Noted([1, 2], "x"); y = x[0]; x[0] = 9; y
x = np.arange(4.0); y = Own(x); x[0] = 9; y.data_of
x = np.arange(4.0); y = x.view(Plain); x[0] = 9; y
x = Own([1, 2, 3]); x.data_of[0] = 7; x.max()
x = Noted([3, 1, 2], "x"); x.sort(); x
x = Noted([3, 1, 2], "x"); x.fill(4); x
x = Noted([3, 1, 2, 4], "x"); x.shape = (2, 2); x
x = np.zeros(2); np.add(x, Noted([1, 2]), out=x); x
x = Noted([1, 2], "x"); np.add(np.ones(2), 1, out=x); x
x = Noted([1, 2], "x"); (x + 1).note, x[1:].note, x.copy().note, np.sqrt(x).note, x.sum().note
Own([1, 2, 3]) * 2
2 * Own([1, 2, 3])
np.ones(3) * Own([1, 2, 3])
np.float64(2) * Own([1, 2, 3])
[1, 2, 3] * Own([1, 2, 3])
Own([1, 2, 3]) * Own([1, 2, 3])
Own([1, 2, 3]) + 1
Own([1, 2, 3]) > 1
np.ones(3) < Own([1, 2, 3])
Own([1, 2, 3])[0]
list(Own([1, 2]))
Own([1, 2, 3]).sum()
np.sum(Own([1, 2, 3]))
np.sum(Own([1, 2, 3]), axis=0)
Own([1, 2, 3]).max()
Own([1, 2, 3]).conj
np.conj(Own([1, 2, 3]))
np.multiply(Own([1, 2, 3]), 2)
np.linalg.norm(Own([3, 4]))
np.asarray(Own([1, 2, 3])) * 2
x = Own([1, 2, 3]); x *= 2; x
""".strip().splitlines()


def space_of(numpys):
    class Face:
        ndarray = np.ndarray if numpys else shim.ndarray

        def __getattr__(self, name):
            return getattr(np if numpys else shim, name)

    space = {"np": Face(), "copy": copy, "pickle": pickle, "__name__": __name__}
    if not numpys:  # what converted text says instead
        space["np"].float64 = lambda x: torch.tensor(x, dtype=torch.float64)
        space["np"].float32 = lambda x: torch.tensor(x, dtype=torch.float32)
        space["np"].int64 = torch.int64
    text = CLASSES if numpys else CLASSES.replace(
        "np.asarray(data, dtype=float).view(cls)", 'np.invoke(np.asarray(data, dtype=float), "view", cls)'
    )  # fmt: skip
    exec(text, space)
    return space


SPACES = {True: space_of(True), False: space_of(False)}


def evaluated(text, numpys):
    space = dict(SPACES[numpys])
    globals().update(Plain=space["Plain"])  # for pickle
    *statements, last = text.split("; ")
    if not numpys:
        last, statements = invoked(last), list(map(invoked, statements))
    exec("\n".join(statements), space)
    return eval(last, space)


def invoked(text):
    """The views of plain arrays as converted text has them; `np.ndarray` as a class is torch's tensor there."""
    text = text.replace("np.arange(3.0).view(Noted)", 'np.invoke(np.arange(3.0), "view", Noted)')
    text = text.replace("x.view(Plain)", 'np.invoke(x, "view", Plain)')
    for old in (".view(np.ndarray)", ", np.ndarray)"):
        text = text.replace(old, old.replace("np.ndarray", "torch.Tensor").replace("torch", "__import__('torch')"))
    return text


def described(x):
    """The value with its class and what it was handed."""
    if isinstance(x, (tuple, list)):
        return [described(item) for item in x]
    if isinstance(x, (np.ndarray, np.generic, torch.Tensor)):
        name = type(x).__name__ if type(x).__name__ in ("Plain", "Noted", "Heir", "Wrapping", "Own") else "array"
        value = np.asarray(x.as_subclass(torch.Tensor)) if isinstance(x, torch.Tensor) else np.asarray(x)
        rounded = np.round(value, 12) if value.dtype.kind in "fc" else value
        return name, getattr(x, "note", None), str(value.dtype), value.shape, rounded.tolist()
    return x


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_means_the_same(text):
    with np.errstate(all="ignore"):
        assert described(evaluated(text, False)) == described(evaluated(text, True))


REFUSED = """
np.percentile(Own([1, 2, 3]), 50)
np.diff(Own([1, 2, 3]))
np.nan_to_num(Own([1, 2, 3]))
np.correlate(Noted([1, 2]), [1])
np.dot(Noted(2), np.ones(2))
np.unique(Wrapping([3, 1]))
Wrapping([1, 2, 3]).std()
np.isclose(Wrapping([1, 2]), [1, 2])
np.add(Wrapping([1, 2]), 1, out=Wrapping([1, 2]))
""".strip().splitlines()


@pytest.mark.parametrize("text", REFUSED)
def test_what_numpy_does_with_the_class_itself_is_refused(text):
    with pytest.raises(TypeError, match="as_subclass"):
        evaluated(text, False)


@pytest.mark.parametrize("name", ["__array_ufunc__", "__array_function__", "__array_priority__", "__setstate__"])
def test_protocols_that_torch_has_not_are_refused(name):
    with pytest.raises(TypeError, match=name):
        type("Mine", (shim.ndarray,), {name: 1})


# ------------------------------------------------------------------------------------------- torch's functions
TWINS = sorted(
    name for name in ELEMENTWISE | OF_FIRST | OF_FIRST_ARRAYS
    if callable(getattr(torch, name, None)) and hasattr(np, name) and "__" not in name and not name.endswith("split")
)  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_a_function_of_torchs_keeps_the_class_as_numpys_of_the_name(name):
    data = np.array([[0.5, 0.25], [0.75, 0.1]])
    old, new = data.view(NumpyOne), shim.invoke(torch.tensor(data), "view", TorchOne)
    whole = name.startswith(("bitwise", "gcd", "lcm"))
    if whole:
        old, new = old.astype(int), new.astype(int)
    more = {"ldexp": [2], "take": [[0]], "flip": [], "roll": [1], "tile": [(2, 1)], "reshape": [(4,)], "split": [1]}
    for extra in (more.get(name), [], [0], [1, 0], [old]):
        try:
            expected = getattr(np, name)(old, *(extra or []))
            tensors = [new if x is old else torch.tensor(x) if name in ("take", "ldexp") else x for x in extra or []]
            found = getattr(torch, name)(new, *tensors)
        except (TypeError, ValueError, RuntimeError, IndexError):
            continue
        one, other = (x[0] if isinstance(x, (tuple, list)) else x for x in (found, expected))
        assert isinstance(one, TorchOne) == isinstance(other, NumpyOne)
        break
    else:
        pytest.skip("the two take other arguments")


ASKING = sorted(shim.operator.ASKING)
"""The operators as functions that ask the classes of their operands."""


@pytest.mark.parametrize("name", ASKING)
def test_operators_as_functions_ask_the_class(name: str):
    def outcome(function, first, second, kept):
        try:
            found = function(first, second)
        except (TypeError, ValueError) as error:
            return type(error)
        return isinstance(found, kept), np.asarray(found).tolist()

    values = [True, False, True] if name in ("and_", "or_", "xor") else [3, 2, 4]
    array, tensor = np.array(values), torch.tensor(values)
    own, ours = array.view(NumpyOne), tensor.as_subclass(TorchOne)
    pairs = [(own, array, ours, tensor), (array, own, tensor, ours), (own, 2, ours, 2), (2, own, 2, ours)]
    pairs += [(own, own, ours, ours), (own, values, ours, values), (values, own, values, ours), (own, None, ours, None)]
    pairs += [(array, [own], tensor, [ours]), (array, list(own), tensor, list(ours))]  # an array of a list is plain
    for *numpys, first, second in pairs:
        wanted = outcome(getattr(operator, name), *numpys, NumpyOne)
        assert outcome(getattr(shim.operator, name), first, second, TorchOne) == wanted, (first, second)


def test_gradients_go_through():
    w = torch.arange(1.0, 4.0, dtype=torch.float64, requires_grad=True)
    x = shim.invoke(w * 2, "view", TorchOne)
    y = (x * x + shim.sqrt(x)).sum()
    y.backward()
    assert isinstance(y, TorchOne)
    assert torch.allclose(w.grad, 8 * w.detach() + 0.5 * (2 / w.detach()).sqrt())


def test_an_object_may_be_a_leaf():
    x = shim.invoke(torch.ones(3), "view", TorchOne).requires_grad_()
    (x * 3).sum().backward()
    assert x.is_leaf and torch.equal(x.grad.as_subclass(torch.Tensor), torch.full((3,), 3.0))


def test_an_object_goes_to_other_devices_and_dtypes():
    x = shim.invoke(torch.ones(3), "view", TorchOne)
    x.info = "kept"
    for made in (x.to("meta"), x.to(torch.float64), x.double(), x.cpu(), x.detach(), x.clone()):
        assert isinstance(made, TorchOne) and made.info == "kept"


def test_an_object_is_saved_and_loaded():
    file = io.BytesIO()
    torch.save(shim.invoke(torch.arange(3), "view", TorchOne), file)
    file.seek(0)
    found = torch.load(file, weights_only=False)
    assert isinstance(found, TorchOne) and found.tolist() == [0, 1, 2]


def test_numpy_takes_an_object_for_an_array():
    x = shim.invoke(torch.arange(3), "view", TorchOne)
    assert type(np.asarray(x)) is np.ndarray and np.sum(np.asarray(x)) == 3


def test_torchs_own_methods_are_told_by_their_keywords():
    x = shim.invoke(torch.arange(6.0).reshape(2, 3), "view", TorchOne)
    assert x.sum(dim=0).tolist() == [3, 5, 7] and x.std(dim=1, correction=1).tolist() == [1, 1]
    assert x.max(dim=1).indices.tolist() == [2, 2] and x.view(3, 2).shape == (3, 2) and x.numel() == 6


def test_an_object_has_the_attributes_of_an_array_of_its_class():
    x = SPACES[False]["Noted"]([1, 2], "here")
    assert shim.getattr(x, "note") == "here" and shim.hasattr(x, "astype") and not shim.hasattr(x, "norm")
    assert shim.getattr(x, "grad_fn", "none") == "none" and shim.getattr(x, "size") == 2
    assert shim.representation([x]) == "[Noted([1., 2.])]" and shim.text(x) == "[1. 2.]"
    assert not shim.isinstance(x.sum(), float) and shim.isinstance(x.sum(), torch.Tensor)


def test_the_shims_own_functions_take_objects_as_they_are():
    own = {line.split()[0] for line in TOOL.no_functions_of_numpys()}
    assert own == {name for name, row in table().items() if row.codes == ("o",)}, "run tools/record_classes.py"


def test_a_chain_of_operators_asks_the_class_each_time():
    made = given(torch.tensor([1.0, 4.0]), TorchOne, False)
    found = shim.operator.chain(2.0, "*", made, "/", 4, "%", 1.5)
    expected = 2.0 * given(np.array([1.0, 4.0]), NumpyOne, True) / 4 % 1.5
    assert type(found) is TorchOne and found.info == expected.info == "given"
    assert found.tolist() == expected.tolist() and shim.operator.chain("a", "+", "b") == "ab"


@pytest.mark.parametrize("dtype", [">f4", np.dtype(">i2"), np.longdouble])
def test_an_array_of_what_torch_lacks_is_numpys(dtype):
    memory = bytearray(range(32))
    found, expected = shim.ndarray((2,), dtype, buffer=memory, order="F"), np.ndarray((2,), dtype, buffer=memory)
    assert type(found) is np.ndarray and found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


def test_an_array_of_this_class_itself_is_a_plain_tensor():
    """Guards take it, as they do all arrays: it stands for one that is of no subclass."""
    base = torch.arange(4.0, dtype=torch.float64)
    found = shim.ndarray(buffer=base, dtype=torch.float64, shape=(2,), offset=8)
    found[0] = 7
    assert type(found) is type(shim.ndarray((2, 2))) is torch.Tensor and shim.guards.tensor(found) is found
    assert base.tolist() == [0, 7, 2, 3] and shim.isinstance(found, torch.Tensor)


def test_an_array_over_any_buffer_has_its_bytes():
    kept = bytes(range(16))
    mapped = mmap.mmap(-1, 16)
    mapped.write(kept)
    for buffer in (kept, bytearray(kept), memoryview(kept), mapped, array.array("h", kept), np.frombuffer(kept, "i2")):
        for shape, dtype, offset in (((2, 4), "i2", 0), ((3,), "i4", 4), ((16,), "u1", 0), ((), "i4", 8)):
            for order in "CF":
                expected = np.ndarray(shape, dtype, buffer, offset, order=order)
                assert shim.ndarray(shape, dtype, buffer, offset, order=order).tolist() == expected.tolist()
    shared = bytearray(kept)
    shim.ndarray((4,), "i4", shared)[0] = 7
    assert shared[0] == 7


def test_an_array_over_another_has_the_same_base():
    for kind, make in ((np.ndarray, np.zeros(6)), (shim.ndarray, torch.zeros(6, dtype=torch.float64))):
        for buffer in (make, make[...], make[1:]):
            for shape, offset, strides in (((2,), 8, None), ((2,), 0, (16,)), ((5,), 0, None)):
                found = kind(shape, float, buffer, offset, strides)
                assert (found.base if kind is np.ndarray else shim.attribute(found, "base")) is make


def test_what_a_class_defines_itself_is_told_from_what_it_inherits():
    class Named(shim.ndarray):
        def __bool__(self):
            return True

    class Below(Named):
        mean = None

    names = frozenset({"__bool__", "__float__", "mean", "sum"})
    for class_, own in ((Named, ["__bool__"]), (Below, ["__bool__", "mean"])):
        assert sorted(all_overridden(class_(3), names)) == own


def test_borders_around_a_class_override_nothing():
    """What it inherits stays NumPy's behind one border, and behind another around that."""

    class Base(shim.ndarray):
        def __new__(cls, data):
            return torch.as_tensor(data).as_subclass(cls)

    class Heir(Base):
        def sum(self, *args, **kwargs):
            return "sum"

    for _ in range(2):
        open_class(Heir)
        assert all_overridden(Heir([[1.0, 2.0]]), ["__abs__", "mean", "sum"]) == ["sum"]
        assert shim.allclose(Heir([1.0]), Heir([1.0]))
