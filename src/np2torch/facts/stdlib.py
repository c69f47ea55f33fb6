"""Functions of Python's standard library: what they return, and what they do with arrays."""

from __future__ import annotations

from np2torch.facts import values as v

FILE = "io.open()"
"""The origin of every file: a binary one gives bytes, which are text to us."""
_OPENING = frozenset(
    "io.open io.StringIO io.BytesIO io.TextIOWrapper gzip.open bz2.open lzma.open codecs.open pathlib.Path().open "
    "os.fdopen tempfile.TemporaryFile tempfile.NamedTemporaryFile".split()
)
"""Functions that give a file."""
HANDING_ON = frozenset(
    "collections.UserList collections.deque functools.reduce heapq.merge heapq.nlargest heapq.nsmallest "
    "itertools.accumulate itertools.chain itertools.chain.from_iterable itertools.combinations "
    "itertools.combinations_with_replacement itertools.compress itertools.cycle itertools.dropwhile "
    "itertools.filterfalse itertools.groupby itertools.islice itertools.pairwise itertools.permutations "
    "itertools.product itertools.starmap itertools.takewhile itertools.tee itertools.zip_longest".split()
)
"""Functions that go through their arguments and hand on the items they find there."""
CHOOSING = frozenset(f"{of}.{name}" for of in ("random", "random.Random()") for name in ("choice", "choices", "sample"))
"""Functions that pick items of their first argument, by their places."""
OF_NUMBERS = {"array.array": 1, "bisect.bisect": 0, "bisect.bisect_left": 0, "bisect.bisect_right": 0}
"""Functions that want numbers in a sequence of Python's, and the first argument that is one."""
OF_STATISTICS = frozenset(f"statistics.{name}" for name in (
    "correlation covariance fmean geometric_mean harmonic_mean linear_regression mean median median_grouped "
    "median_high median_low mode multimode pstdev pvariance quantiles stdev variance"
).split())  # fmt: skip
"""Functions that compute exactly and give a number of the class that they are given."""
STORING = {
    "bisect.insort": 1, "bisect.insort_left": 1, "bisect.insort_right": 1, "dict.fromkeys": 1, "functools.partial": 1,
    "heapq.heappush": 1, "heapq.heappushpop": 1, "heapq.heapreplace": 1, "collections.ChainMap": 0,
    "dataclasses.replace": 0, "itertools.repeat": 0, "types.SimpleNamespace": 0,
}  # fmt: skip
"""Functions that keep their arguments as they are, from that one on."""
WRITING = {
    **{f"operator.{name}": 0 for name in (
        "setitem delitem iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift imatmul iconcat"
    ).split()},
    **{f"heapq.{name}": 0 for name in "heapify heappush heappop heappushpop heapreplace".split()},
    "random.shuffle": 0, "random.Random().shuffle": 0, "struct.pack_into": 1, "bisect.insort": 0,
}  # fmt: skip
"""Functions that write one of their arguments in place, and at which place they take it."""
COMPUTING = ("abs", "sum", "round", "pow", "divmod", "copy.deepcopy")
"""Functions whose result is made there, and holds nothing of their arguments."""
RUNNING = ("exec", "eval")
"""Functions that run a text as code."""
OF_KEYS = frozenset({"collections.Counter", "dict.fromkeys"})
"""Functions that make keys of what they go through."""
_OF_BASES = {
    "Set": "__init__ __contains__", "AbstractSet": "__init__ __contains__", "Mapping": "__getitem__",
    "MutableSet": "__init__ __contains__ add discard", "MutableMapping": "__getitem__ __setitem__ __delitem__",
    "MutableSequence": "insert __setitem__", "UserDict": "__init__ __getitem__ __setitem__ __delitem__ __contains__",
    "UserList": "__init__", "OrderedDict": "__init__", "Counter": "__init__ update",
}  # fmt: skip
"""Methods that classes of `collections` call on what derives from them: `s & t` makes a set by `cls(...)`."""
RANDOM = "random.Random()"
"""The origin of every generator of the module `random`."""
_FLOATS = (
    "uniform gauss normalvariate triangular betavariate expovariate gammavariate lognormvariate paretovariate "
    "vonmisesvariate weibullvariate"
).split()
_TEXTS = v.one(v.Sequence("list", None, v.TEXT))
_SECONDS = v.one(v.Num("float", None, True))
_RESULTS: dict[str, v.Fact] = {
    **dict.fromkeys(_OPENING, v.one(v.Opaque(FILE))),
    **{f"{FILE}.{method}": v.TEXT for method in ("read", "readline", "getvalue")},
    f"{FILE}.readlines": _TEXTS, f"{FILE}.__enter__": v.one(v.Opaque(FILE)),
    "pathlib.Path().read_text": v.TEXT, "pathlib.Path().read_bytes": v.TEXT,
    "os.listdir": _TEXTS, "glob.glob": _TEXTS, "shlex.split": _TEXTS,
    "re.findall": v.one(v.Sequence("list", None, v.join(v.TEXT, v.one(v.Sequence("tuple", None, v.TEXT))))),
    "re.split": v.one(v.Sequence("list", None, v.join(v.TEXT, v.NONE))),
    **dict.fromkeys(("re.sub", "re.escape", "os.getcwd", "textwrap.dedent", "time.strftime", "time.ctime"), v.TEXT),
    **{f"os.path.{name}": v.TEXT for name in (
        "join", "basename", "dirname", "abspath", "realpath", "expanduser", "normpath", "relpath",
    )},
    **{f"time.{clock}": _SECONDS for clock in ("time", "perf_counter", "monotonic", "process_time")},
    **{f"time.{clock}_ns": v.SIZE for clock in ("time", "perf_counter", "monotonic", "process_time")},
    "os.getpid": v.SIZE, f"{RANDOM}.random": _SECONDS, f"{RANDOM}.shuffle": v.NONE, f"{RANDOM}.getrandbits": v.SIZE,
    **{f"{RANDOM}.{name}": v.one(v.Num("float")) for name in _FLOATS},
    **{f"{RANDOM}.{name}": v.INT for name in ("randint", "randrange")},
    **{name: v.one(v.Opaque(f"{name}()")) for name in ("fractions.Fraction", "decimal.Decimal")},
}  # fmt: skip


def result(origin: str) -> v.Fact | None:
    """The fact of a call of such a function; None of others."""
    return _RESULTS.get(origin)


def called_by_base(origin: str) -> frozenset[str]:
    """The methods of a class of the project that the class of this name calls, from which it derives."""
    module, _, name = origin.rpartition(".")
    known = module in ("collections", "collections.abc", "typing")
    return frozenset(_OF_BASES.get(name, "").split()) if known else frozenset()


def is_file(atom: v.Atom) -> bool:
    """Tell whether it is a file."""
    return isinstance(atom, v.Opaque) and atom.origin == FILE
