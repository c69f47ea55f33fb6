"""Codes of sites and problems: a title, a paragraph, and source that shows each.

The one table behind the pages of the documentation. A test converts each example and finds its code in the outcome, and
holds that the table names the codes that occur in the source, no more and no fewer.
"""

from __future__ import annotations

from np2torch.rules.assumption_codes import ASSUMPTIONS
from np2torch.rules.code import Code as Code
from np2torch.source.model import PROBLEM_CODES

SERIES = {
    "NPT1": "Rewrites, by area",
    "NPT2": "Casts and clones that keep a rewrite equal",
    "NPT3": "TODOs: what stays on NumPy",
    "NPT4": "Boundaries between tensors and ndarrays",
    "NPT5": "Assumptions",
    "NPT6": "Performance hazards",
    "NPT9": "Files that could not be handled",
}
"""The first digit of a code."""

REWRITES = {
    "NPT100": Code("A rewrite without a code of its own", "The code of a rule that names no other."),
    "NPT101": Code(
        "Elementwise function of one array",
        "The torch function of the same name, or of torch's name for it. Integers and bools are cast first where NumPy "
        "computes in float64 and torch in float32.",
        "x = np.linspace(0.0, 1.0, 5)\ny = np.arctan(x)\n",
    ),
    "NPT102": Code(
        "Elementwise function of two arrays",
        "The casts come from the recorded tables: each operand gets the cast that makes torch's promotion NumPy's.",
        "x = np.linspace(0.0, 1.0, 5)\ny = np.maximum(x, x[0])\n",
    ),
    "NPT103": Code(
        "where",
        "Both libraries choose between two values; with a condition alone it is `nonzero`.",
        "x = np.linspace(-1.0, 1.0, 5)\ny = np.where(x > 0, x, 0.0)\n",
    ),
    "NPT104": Code(
        "Constants, dtypes and scalar classes",
        "NumPy's floats are Python's (`math.pi`), its dtypes torch's. A call of a scalar class makes a 0-D tensor.",
        "x = np.zeros(3)\ny = x * np.pi\n",
    ),
    "NPT105": Code(
        "A 0-D tensor becomes a Python number",
        "Where Python needs a number and a NumPy scalar would do: printing, hashing, keys, JSON, `round`. A tensor "
        "prints as a tensor, and hashes by identity.",
        "x = np.linspace(0.0, 1.0, 5)\nprint(x.sum())\n",
    ),
    "NPT525": Code(
        "A scalar is held as a Python number",
        "All that is done with it comes out the same: it is compared, tested, printed, an index or a key, or goes into "
        "arrays element by element. `scalars = \"tensor\"` keeps the floats that a gradient may flow through.",
        "def first(x, low):\n    here = x[0]\n    if here > low:\n        print(here)\n\n\n"
        "first(np.linspace(0.0, 1.0, 5), 0.5)\n",
    ),
    "NPT106": Code(
        "Annotations",
        "`NDArray[...]` and `ndarray[...]` become `torch.Tensor`.",
        "from numpy.typing import NDArray\n\n\ndef f(x: NDArray[np.float64]) -> None: ...\n",
    ),
    "NPT107": Code(
        "Errors that are caught",
        "torch raises RuntimeError where NumPy raises ValueError, for shapes that do not fit and the like. Where work "
        "on arrays stands in a `try`, or in `pytest.raises` and its kin, both are named. Elsewhere the class is "
        "torch's.",
        "def f(x: np.ndarray):\n    try:\n        x.shape = 2\n    except ValueError:\n        pass\n    return x\n",
    ),
    "NPT110": Code(
        "Reductions and cumulative functions",
        "`axis=` is `dim=`, `keepdims=` is `keepdim=`. Sums may be taken in another order: last bits may "
        "differ. Of float32 along an axis that is not the last NumPy adds one row after the other and loses digits; "
        "torch adds in a tree, and is nearer to the exact sum by more than last bits for thousands of rows.",
        "x = np.ones((2, 3))\ny = x.sum(axis=0)\n",
    ),
    "NPT111": Code(
        "std, var",
        "NumPy divides by n, torch by n - 1: `correction=0` is spelled out.",
        "x = np.ones((2, 3))\ny = x.std()\n",
    ),
    "NPT112": Code(
        "max, min",
        "Along an axis torch's `max` gives values and indices: `amax` and `amin` give the values.",
        "x = np.ones((2, 3))\ny = x.max(axis=1)\n",
    ),
    "NPT113": Code(
        "median, percentile, quantile",
        "torch's `median` takes the lower of two middle elements, NumPy's their mean: the half quantile is used.",
        "x = np.linspace(0.0, 1.0, 4)\ny = np.median(x)\n",
    ),
    "NPT120": Code(
        "Filled arrays",
        "NumPy's default is float64, torch's float32: the dtype is spelled out.",
        "x = np.zeros((2, 3))\n",
    ),
    "NPT121": Code("arange, linspace", "With the dtype NumPy gives the result.", "x = np.linspace(0.0, 1.0, 5)\n"),
    "NPT122": Code(
        "array, asarray, copy",
        "`torch.tensor` copies as `np.array` does. A copy of a tensor is `clone`.",
        "x = np.array([1.0, 2.0])\ny = x.copy()\n",
    ),
    "NPT123": Code(
        "astype",
        "`.to` gives the tensor itself where it has the dtype already: `copy=True` where that could be seen.",
        "x = np.zeros((2, 3))\ny = x.astype(int)\n",
    ),
    "NPT130": Code(
        "reshape, ravel",
        "A view where the layout allows it, on both sides.",
        "x = np.zeros((2, 3))\ny = x.reshape(3, 2)\n",
    ),
    "NPT131": Code(
        "Axes moved, added or taken away",
        "`transpose` of more than two axes is `permute`.",
        "x = np.zeros((2, 3, 4))\ny = x.transpose(2, 0, 1)\n",
    ),
    "NPT132": Code(
        "Arrays joined",
        "All pieces get the dtype NumPy promotes them to.",
        "x = np.zeros((2, 3))\ny = np.concatenate([x, x], axis=1)\n",
    ),
    "NPT133": Code(
        "tile, repeat, roll, flip",
        "`repeat` of NumPy's is `repeat_interleave`; torch's `repeat` is NumPy's `tile`. `flip` copies.",
        "x = np.zeros((2, 3))\ny = np.tile(x, 2)\n",
    ),
    "NPT134": Code("Diagonals and triangles", "Equal up to names.", "x = np.zeros((2, 3))\ny = np.tril(x)\n"),
    "NPT135": Code(
        "meshgrid",
        "NumPy's grids are copies in xy order. torch's are views: where a grid or a vector is written the shim copies.",
        "x = np.linspace(0.0, 1.0, 5)\nu, v = np.meshgrid(x, x)\n",
    ),
    "NPT136": Code(
        "shape, ndim, size", "Attributes of a tensor; `size` is `numel()`.", "x = np.zeros((2, 3))\ny = np.shape(x)\n"
    ),
    "NPT140": Code(
        "Products of matrices",
        "torch refuses operands of two dtypes: they are cast as NumPy promotes.",
        "x = np.ones((2, 3))\ny = np.dot(x, x.T)\n",
    ),
    "NPT141": Code(
        "Linear algebra",
        "Integers are cast to float64 first: torch refuses them. Eigenvectors are known up to their sign, which the "
        "two LAPACKs choose differently.",
        "x = np.eye(3)\ny = np.linalg.inv(x)\n",
    ),
    "NPT142": Code(
        "Norms", "Integers are cast to float64 first.", "x = np.ones((2, 3))\ny = np.linalg.norm(x, axis=1)\n"
    ),
    "NPT143": Code(
        "einsum",
        "Equal for operands of one dtype. The shim promotes others.",
        'x = np.ones((2, 3))\ny = np.einsum("ij,kj->ik", x, x)\n',
    ),
    "NPT144": Code(
        "Sorting and searching in sorted arrays",
        "torch's `sort` gives values and indices, and never sorts in place.",
        "x = np.linspace(1.0, 0.0, 5)\nx.sort()\n",
    ),
    "NPT145": Code(
        "unique, nonzero and their kin",
        "`unique` of floats goes to the shim: NumPy collapses NaN.",
        "x = np.arange(5)\ny = np.unique(x % 2)\n",
    ),
    "NPT146": Code(
        "Fourier transforms",
        "Integers are cast to float64 first: torch transforms them in single precision.",
        "x = np.ones(8)\ny = np.fft.rfft(x)\n",
    ),
    "NPT147": Code(
        "Covariances, sliding sums and windows",
        "Covariances in float64, as NumPy computes them. A sliding sum with ends goes to the shim: torch multiplies by "
        "zeros there, which makes NaN of an infinity.",
        "x = np.ones((3, 8))\ny = np.cov(x)\n",
    ),
    "NPT150": Code(
        "A function the shim decides at run time",
        "There is no torch spelling that is always equal, or not enough is known of the arguments to choose one. The "
        "shim's function has NumPy's name, signature and semantics, on plain tensors.",
        "x = np.linspace(0.0, 1.0, 5)\ny = np.interp(0.5, x, x)\n",
    ),
    "NPT151": Code(
        "A method or attribute the shim decides at run time",
        "The receiver may be an array, or its dtype is not known, and torch means something else by the name.",
        "def f(x):\n    return x.std()\n",
    ),
    "NPT152": Code(
        "An operator, subscript or builtin the shim decides at run time",
        "What the operands may be has no torch spelling that is right for all of it.",
        "def f(x: np.ndarray, y: np.ndarray):\n    return x ** y\n",
    ),
    "NPT153": Code(
        "An attribute that torch cannot set",
        "The shim does what NumPy's assignment does.",
        "x = np.zeros((2, 3))\nx.shape = (3, 2)\n",
    ),
    "NPT160": Code(
        "Methods and attributes of arrays",
        "Those that are equal as they stand, and `size`, which is a method in torch.",
        "x = np.zeros((2, 3))\nn = x.size\n",
    ),
    "NPT161": Code(
        "flatten",
        "NumPy always copies; torch only where it must. A clone is added where the sharing could be seen.",
        "x = np.zeros((2, 3))\ny = x.flatten()\n",
    ),
    "NPT162": Code(
        "A subclass of ndarray",
        "`shim.ndarray` is a `torch.Tensor` with ndarray's methods, operators and subscripts. Results of functions "
        "have the class where NumPy keeps it, `__array_finalize__` is called, and `__array_wrap__` is given what NumPy "
        "gives it. A class that speaks NumPy's other protocols (`__array_ufunc__` and its like) stays on NumPy.",
        "class Frame(np.ndarray):\n    pass\n",
    ),
    "NPT170": Code(
        "A negative step",
        "torch has no negative strides: `flip` copies. Where the sharing could be seen, see NPT309.",
        "x = np.linspace(0.0, 1.0, 5)\ny = x[::-1] + x\n",
    ),
}
CASTS = {
    "NPT201": Code(
        "A cast that NEP 50 implies", "Spelled out at the operand that needs it.", "n = np.arange(5)\nx = np.sqrt(n)\n"
    ),
    "NPT202": Code(
        "A clone where sharing memory would be observed",
        "An element of an array is a copy in NumPy and a view in torch. A clone stands where it is kept, unless it is "
        "proved that nothing writes the array meanwhile.",
        "def turn(x: np.ndarray):\n    first = x[0]\n    x[:-1] = x[1:]\n    x[-1] = first\n\n\nturn(np.arange(5.0))\n",
    ),
    "NPT203": Code(
        "A NumPy scalar is immutable",
        "An augmented assignment makes a new NumPy scalar. A 0-D tensor would change under all of its names.",
        "x = np.linspace(0.0, 1.0, 5)\ntotal = x.sum()\nfirst = total\ntotal += 1.0\n",
    ),
    "NPT204": Code(
        "An exact quotient",
        "torch computes a number over a tensor as the number times the reciprocal: one last bit off at times, and "
        "infinite where the reciprocal is. `torch.div` rounds once, as NumPy does, and is faster.",
        "x = np.linspace(1.0, 2.0, 5)\ny = 3.0 / x\n",
    ),
    "NPT205": Code(
        "A number or a list that becomes a tensor",
        "NumPy's operators take lists, torch's do not. Beside integers torch takes a Python float for one of its "
        "default dtype, float32: where the dtype of the array is not known, the float is made a 0-D tensor of float64.",
        "x = np.linspace(0.0, 1.0, 3)\ny = x * [1.0, 2.0, 3.0]\n",
    ),
    "NPT206": Code(
        "A target that stores as NumPy does",
        "Of several targets each is stored into in its turn, and what NumPy stores may overlap what it writes. The "
        "value is copied where it is stored, since a clone of it would not show what was stored before.",
        "x = np.linspace(0.0, 1.0, 5)\nx[1:] = x[:-1] = x[::2][:1]\n",
    ),
}
TODOS = {
    "NPT301": Code(
        "Elements without a torch dtype", "Strings, objects, `longdouble`.", "x = np.array([1, 2], dtype=object)\n"
    ),
    "NPT302": Code(
        "Structured arrays",
        "torch has no records. What is made with the dtype stays on NumPy.",
        'dtype = np.dtype([("id", "i4"), ("mass", "f8")])\nx = np.zeros(3, dtype=dtype)\n',
    ),
    "NPT303": Code("datetime64 and timedelta64", "torch has no dates.", 'x = np.datetime64("2024-01-01")\n'),
    "NPT304": Code(
        "Functions and classes without a counterpart",
        "Masked arrays, matrices, string functions, files in memory, and the like.",
        "x = np.ma.masked_invalid([1.0, 2.0])\n",
    ),
    "NPT305": Code(
        "Work on an array that stays on NumPy",
        "No note of its own: the note stands where the array is made. Only NumPy's classes and dtypes that its "
        "class or dtype is compared with have one, since they are not torch's there.",
        "x = np.array([1, 2], dtype=object)\ny = np.sum(x)\n",
    ),
    "NPT306": Code(
        "The type of an array",
        "`type(x)` is shown, and answers `torch.Tensor`, of what was a NumPy scalar too. Where it is compared or kept "
        "the shim answers.",
        "x = np.zeros(3)\nprint(type(x))\n",
    ),
    "NPT307": Code(
        "Read-only arrays and base",
        "What `diagonal`, `diag` of a matrix and `broadcast_to` give cannot be written in NumPy, and can be here. "
        "Whose view a tensor is, it does not always know.",
        "x = np.zeros((3, 3))\ny = np.diagonal(x)\ny[0] = 1.0\n",
    ),
    "NPT308": Code(
        "A subclass of ndarray, or of a class of SciPy's",
        "A class that speaks NumPy's protocols (`__array_ufunc__`, `__array_priority__`, pickling), or has another "
        "base, stays on NumPy whole, behind boundaries, as do classes that only such classes derive from. SciPy calls "
        "the methods of what derives from its classes (`rv_continuous`, `LinearOperator`) with ndarrays.",
        "class Frame(np.ndarray):\n    __array_priority__ = 1.0\n",
    ),
    "NPT309": Code(
        "A reversed view that is written",
        "`x[::-1]`, `flip`, `rot90`: in NumPy the result shares memory with the array, here it is a copy.",
        "x = np.linspace(0.0, 1.0, 5)\ny = x[::-1]\ny[0] = 7.0\n",
    ),
    "NPT310": Code(
        "Floating-point warnings and errors that are expected",
        "NumPy warns, or raises if told to, where a number overflows, is divided by zero or is invalid. torch does "
        "neither: test the result with `isfinite` instead.",
        "def f(x: np.ndarray):\n    with np.errstate(divide='raise'):\n        return 1 / x\n",
    ),
    "NPT311": Code(
        "The expected output of an example",
        "An example in a docstring expects NumPy's text of an array, and what torch prints in its place could not be "
        "told: digits left out with `...`, an array of texts or objects, several arrays on one line. Where this "
        "code is not selected, expected output is left as it is.",
        'def f():\n    """Thirds.\n\n    >>> np.ones(2) / 3\n    array([0.33..., 0.33...])\n    """\n',
    ),
}
BOUNDARIES = {
    "NPT401": Code(
        "A tensor goes to code that wants ndarrays",
        "`.numpy()` where a tensor is certain, `shim.to_numpy` where it is not.",
        "from scipy.ndimage import gaussian_filter\n\nx = np.ones((4, 4))\ny = gaussian_filter(x, 1.0)\n",
    ),
    "NPT402": Code(
        "A function goes to code that calls it with ndarrays",
        "`shim.callback` gives it tensors and hands back arrays.",
        "from scipy.optimize import minimize\n\n\ndef cost(x):\n    return np.sum(x**2)\n\n\n"
        "best = minimize(cost, np.ones(3))\n",
    ),
    "NPT403": Code(
        "An ndarray comes back",
        "`shim.from_numpy` shares its memory; what torch cannot share (negative steps, read-only memory) "
        "is copied.",
        "from scipy.linalg import expm\n\nx = expm(np.eye(3))\n",
    ),
    "NPT404": Code(
        "isinstance where both kinds of array live",
        "Subclasses of ndarray stay in the project, so both types are asked for.",
        "class Frame(np.ndarray):\n    __array_priority__ = 1.0\n\n\ndef f(x):\n    return isinstance(x, np.ndarray)\n",
    ),
    "NPT405": Code(
        "A public function goes on taking ndarrays",
        "With `public-api = \"ndarray\"` it gets `@shim.public`: arrays in, arrays out; tensors in, tensors out. Calls "
        "from inside the converted package convert nothing. See [Public API](../public.md).",
    ),
}
HAZARDS = {
    "NPT601": Code(
        "A loop over elements",
        "A call of torch costs microseconds, whatever it works on: an element-wise loop is 8 to 55 times slower than "
        "over an ndarray, and something in this one keeps it from running in NumPy ([Loops](../loops.md)): a call, a "
        "`yield`, an attribute that is set. Work on whole tensors, loop over a list of `.tolist()`, or leave the "
        "function on NumPy.",
        "x = np.linspace(0, 1, 9)\n\n\ndef squares():\n    for i in range(len(x)):\n        yield x[i] ** 2\n",
    ),
    "NPT602": Code(
        "A tiny tensor in a loop",
        "Making a tensor of a few elements costs more than any work on it, and three to six times what it costs in "
        "NumPy. Make it before the loop, stack what the loop handles into one tensor, or use Python numbers.",
        "for k in range(9):\n    direction = np.array([1.0, k, 0.0])\n",
    ),
    "NPT603": Code(
        "A Python number out of a tensor in a loop",
        "`.item()` waits for the device each time. Take `.tolist()` of the whole tensor before the loop.",
        "x = np.arange(9)\nnames = {}\nfor k in range(9):\n    names[k] = x[k].item()\n",
    ),
    "NPT604": Code(
        "A list of 0-D tensors",
        "Each element is a tensor of its own, with all its cost; making an array of the list copies them one by one. "
        "Write into a tensor made before the loop, or work on whole tensors.",
        "x = np.ones((9, 3))\nmeans = [row.sum() for row in x]\n",
    ),
    "NPT605": Code(
        "A loop that became whole-array code",
        "Only with `vectorize = true`: it is proved that no pass needs what another one stores, or only its sum, "
        "product or extreme. Where that rests on what callers pass, a test above the new lines decides at run time, "
        "and the loop stands below it as it was. A sum of products of elements may differ in its last bits. See "
        "[Loops](../loops.md#whole-arrays).",
        "",
    ),
    "NPT606": Code(
        "A loop that stays a loop",
        "Only with `vectorize = true`: it goes by elements, and is not proved to be the same as whole-array code; the "
        "message has the reason. See [Loops](../loops.md#whole-arrays).",
        "",
    ),
}
_PROBLEMS = {
    "NPT512": "A folder that Python imports from has a `torch.py`, or a package `torch`: that is what `import torch` "
    "means, under whatever name, and the shim could not be imported either. Rename the module, then convert.",
    "NPT901": "It does not decode as Python decodes it, or its encoding cannot hold the converted text.",
    "NPT902": "The reason the system gave is in the message.",
    "NPT903": "Line and column are those Python reports.",
    "NPT904": "Newer than the running Python, or than the parser that keeps the layout.",
    "NPT905": "Deeper than the analysis can follow, or of more text than fits in memory.",
    "NPT906": "An error of np2torch itself: please report it, with the source if you can.",
    "NPT907": "Somebody has edited, moved or deleted it while np2torch was at work; run again.",
    "NPT908": "It is a link that leads out of the paths given, or read-only; the message says what to do.",
    "NPT909": "The record of what was converted, or a trace: damaged, or made by something else. The run goes on "
    "without it; a record that is written anew is kept beside the new one, with `.bad` behind its name.",
    "NPT910": "It is no notebook of format 4, or the verb cannot handle notebooks; the message says which. "
    "`convert`, `check` and `report` read notebooks.",
}
PROBLEMS = {
    code: Code(
        title[0].upper() + title[1:],
        f"{_PROBLEMS[code]} The file is left as it was, the others go on.",
        "x = (\n" * (code == "NPT903"),
    )
    for code, title in PROBLEM_CODES.items()
}

_TABLES = REWRITES | CASTS | TODOS | BOUNDARIES | ASSUMPTIONS | HAZARDS | PROBLEMS
CODES: dict[str, Code] = dict(sorted(_TABLES.items()))
"""Every code, in order."""
