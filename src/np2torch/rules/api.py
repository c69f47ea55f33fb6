"""The rules as the interpreter sees them: what NumPy's names are and what its functions and methods return."""

from __future__ import annotations

from collections.abc import Callable

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, bind
from np2torch.facts.domain import names
from np2torch.facts.python_types import OF_NUMBERS
from np2torch.names import resolve
from np2torch.rules import random, ufunc_methods
from np2torch.rules.core import FUNCTIONS, METHODS, Rule
from np2torch.rules.methods import ATTRIBUTES, METHOD_NAMES
from np2torch.rules.shape import shape_fact

STAYS = (
    "numpy.ma.", "numpy.char.", "numpy.strings.", "numpy.rec.", "numpy.ctypeslib.", "numpy.datetime", "numpy.timedelta",
)  # fmt: skip
FOREIGN_NAMES = frozenset(
    f"numpy.{name}"
    for name in "datetime64 timedelta64 str_ bytes_ object_ void record recarray matrix asmatrix mat bmat longdouble "
    "clongdouble float128 complex256 longfloat datetime_data busday_count is_busday busday_offset busdaycalendar "
    "memmap chararray matlib.empty matlib.eye matlib.identity matlib.ones matlib.rand matlib.randn matlib.zeros".split()
)
READERS = frozenset({"loadtxt", "genfromtxt", "fromfile", "fromstring", "frombuffer"})
GENERATORS = {
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "numpy.random.mtrand.RandomState": "numpy.random.RandomState",
}
PYTHON_FUNCTIONS = {
    "numpy.int": "int", "numpy.float": "float", "numpy.complex": "complex", "numpy.str": "str",
    "numpy.object": "object",
}  # fmt: skip
OF_FUNCTIONS = {
    **dict.fromkeys(("nin", "nout", "nargs"), v.SIZE), **dict.fromkeys(("identity", "signature"), v.TOP),
    **dict.fromkeys(("__name__", "__qualname__", "__module__", "__doc__"), v.TEXT),
}  # fmt: skip
"""The attributes of functions."""
REAL_PARTS = {"complex128": "float64", "complex64": "float32"}
"""The dtypes of the parts of complex arrays."""


def of_objects(dtype: Argument | None) -> bool:
    """Tell whether `dtype=` asks for Python objects or strings, which torch does not hold."""
    return dtype is not None and results.no_torch_dtype(dtype.fact) is not None


def without_foreign(arguments: Arguments) -> Arguments:
    """The arguments where none of them stays on NumPy."""

    def rest(argument: Argument) -> Argument:
        return Argument(argument.node, v.keep(argument.fact, lambda atom: atom.kind != "foreign"))

    keywords = {name: rest(argument) for name, argument in arguments.keywords.items()}
    return Arguments([rest(argument) for argument in arguments.positional], keywords, arguments.starred)


def _holds_nothing_else(arguments: Arguments) -> bool:
    """Tell whether the first argument may be an array that torch has no dtype for, and is otherwise a list."""
    fact = arguments.positional[0].fact if arguments.positional else v.BOTTOM
    plain = any(isinstance(atom, v.Foreign) and atom.definition is None for atom in fact)
    return plain and v.only(fact, "foreign", "sequence")


def _may_stay(name: str, arguments: Arguments) -> bool:
    """Tell whether a function may be passed an array that torch cannot hold, and give such an array."""
    if name.removeprefix("numpy.") in results.PLAIN:
        return _holds_nothing_else(arguments)
    known = FUNCTIONS.get(name)
    if known is None or not known.takes_text or not arguments.positional:
        return False
    return any(isinstance(atom, v.Foreign) and atom.definition is None for atom in arguments.positional[0].fact)


def made_of_text(found: Rule, arguments: Arguments) -> bool:
    """Tell whether a function is given a list of strings, of which NumPy makes an array of strings."""
    if not found.takes_text or not arguments.positional:
        return False
    fact = arguments.positional[0].fact
    lists = [atom for atom in fact if isinstance(atom, v.Sequence)]
    return bool(lists) and len(lists) == len(fact) and all(v.only(v.elements(atom), "text") for atom in lists)


def _read(reader: str, arguments: Arguments) -> v.Fact:
    """Give the result of a function that reads numbers: rank 1 from bytes, up to 2 from text."""
    if arguments.starred:
        return v.TOP
    for name in ("names", "usemask"):  # records, and masked arrays
        said = arguments.keywords.get(name)
        if said is not None and not said.is_none and said.constant is not False:
            return v.FOREIGN if said.constant is not None or v.only(said.fact, "sequence", "text") else v.TOP
    dtype = arguments.keywords.get("dtype") or (arguments.positional[1] if len(arguments.positional) > 1 else None)
    if of_objects(dtype):
        return v.FOREIGN
    if reader == "genfromtxt" and dtype is not None and v.may(dtype.fact, "none"):
        return v.TOP  # as the columns are, which may be records
    ranks = frozenset([0, 1, 2]) if reader in ("loadtxt", "genfromtxt") else frozenset([1])
    dtypes = results.dtype_names(dtype.fact) if dtype is not None else names("float64")
    return v.one(v.Array(dtypes, None if "ndmin" in arguments.keywords or dtypes is None else ranks))


def _scalar(name: str, arguments: Arguments) -> v.Fact:
    """`np.float32(x)`: a scalar, or an array of that dtype."""
    dtype = results.tables_name(name)
    part = results.arraylike(arguments.positional[0].fact) if arguments.positional else None
    return v.scalar(dtype) if part is None else results.make(names(dtype), part[1])


def _limits(name: str, arguments: Arguments) -> v.Fact:
    """`np.finfo(dtype)`: the limits of a dtype, which is known by the name of the object where it is one."""
    if not arguments.positional:
        return v.one(v.Numpy(f"numpy.{name}():"))
    if of_objects(arguments.positional[0]):
        return v.FOREIGN
    return v.one(v.Numpy(f"numpy.{name}():{v.sole(results.dtype_names(arguments.positional[0].fact) or ()) or ''}"))


def _dtype(name: str, arguments: Arguments) -> v.Fact:
    """`np.dtype(...)`."""
    if not arguments.positional or "metadata" in arguments.keywords or of_objects(arguments.positional[0]):
        return v.FOREIGN
    return v.one(v.DType(results.dtype_names(arguments.positional[0].fact)))


OF_DTYPES: dict[str, Callable[[str, Arguments], v.Fact]] = {
    **dict.fromkeys(resolve.SCALAR_CLASSES, _scalar), "finfo": _limits, "iinfo": _limits, "dtype": _dtype,
}  # fmt: skip
"""What makes scalars, limits and dtypes of a dtype."""


def _by_rule(found: Rule, arguments: Arguments) -> v.Fact:
    """The result of a function with a rule."""
    if made_of_text(found, arguments):
        return v.FOREIGN
    if any(fact and all(map(_answers, fact)) for fact in arguments.facts()):
        return v.TOP  # NumPy calls its method of that name, or makes an array of objects
    bound = bind(found.signature, arguments)
    if bound is None:
        return v.TOP
    return v.FOREIGN if bound.is_given("dtype") and of_objects(bound["dtype"]) else found.returns(bound)


def _method_of_ufunc(short: str, arguments: Arguments) -> v.Fact:
    """The result of `np.add.reduce(...)`; nobody knows that of other names."""
    owner, _, method = short.rpartition(".")
    is_ufunc = resolve.public().get(f"numpy.{owner}") == "ufunc"
    return ufunc_methods.result(owner, method, arguments) if is_ufunc else v.TOP


class RuleBook:
    """Implements `facts.arguments.Api` on the rules."""

    def name(self, name: str) -> v.Fact:
        """Module, constant, dtype or function of NumPy's."""
        kind = resolve.public().get(name)
        if kind == "module":
            return v.one(v.Module(name))
        short = resolve.canonical(name).removeprefix("numpy.")
        if short == "newaxis":
            return v.NONE
        if short in resolve.CONSTANTS:
            return v.number(resolve.CONSTANTS[short])
        if name in PYTHON_FUNCTIONS:
            return v.one(v.Builtin(PYTHON_FUNCTIONS[name]))
        if short == "__version__" or short.startswith("version."):
            return v.TEXT if short != "version.release" else v.BOOL
        if short in ("True_", "False_"):
            return v.scalar("bool", python=True)
        if short == "random.mtrand._rand":  # the stream behind the functions of the module
            return v.one(v.Numpy("numpy.random.RandomState()"))
        owner, _, said = name.rpartition(".")
        if said in OF_FUNCTIONS and resolve.is_function(owner):
            return OF_FUNCTIONS[said]
        return v.one(v.Numpy(name))

    def call(self, name: str, arguments: Arguments) -> v.Fact:
        """The result of `name(...)`."""
        name = resolve.canonical(name)
        if name in FOREIGN_NAMES or name.startswith(STAYS):
            return v.FOREIGN
        if name in GENERATORS:
            return v.one(v.Numpy(GENERATORS[name] + "()"))
        short = name.removeprefix("numpy.")
        if ".Generator()." in name or ".RandomState()." in name or name.startswith("numpy.random."):
            return random.result(name.rsplit(".", 1)[-1], arguments)
        if (of_dtypes := OF_DTYPES.get(short)) is not None:
            return of_dtypes(short, arguments)
        if name.startswith("numpy.testing."):  # without a callable `assert_raises` is a context manager
            return v.OPAQUE if name.endswith(("raises", "raises_regex", "warns")) else v.NONE
        arguments = results.made_plain(short, arguments) or arguments
        if any(results.stays(f) for f in arguments.facts()) or of_objects(arguments.keywords.get("dtype")):
            return v.FOREIGN
        if any(v.known_to_include(f, "foreign") for f in arguments.facts()):
            rest = self.call(name, without_foreign(arguments))  # decided at run time, where it gives a tensor
            is_array = v.known_to_include(rest, "array", "scalar")
            return v.join(v.FOREIGN, rest) if is_array and _may_stay(name, arguments) else rest
        if short in READERS:
            return _read(short, arguments)
        found = FUNCTIONS.get(name)
        return _method_of_ufunc(short, arguments) if found is None else _by_rule(found, arguments)

    def method(self, name: str, owner: v.Fact, arguments: Arguments) -> v.Fact:
        """The result of a method of an array or NumPy scalar."""
        found = METHODS.get(name)
        if found is None:
            return OF_NUMBERS.get(name, v.TOP)
        if name == "transpose":
            return owner
        if name == "copy":  # that of a scalar is one
            return frozenset(v.Scalar(atom.dtypes) if isinstance(atom, v.Scalar) else atom for atom in owner)
        if name == "reshape" and arguments.starred:
            return v.one(v.Array(v.dtypes_of(owner), results.ranks_of_sizes(arguments)))
        shifted = Arguments([Argument(None, owner), *arguments.positional], arguments.keywords, arguments.starred)
        bound = bind(found.signature, shifted)
        if bound is None:
            return v.TOP
        lacking = bound.is_given("dtype") and of_objects(bound["dtype"])
        if name == "view" and lacking and results.is_array_class(bound["dtype"].fact):
            lacking = False
        return v.FOREIGN if lacking else found.returns(bound)

    def has(self, name: str) -> bool:
        """Tell whether an array has an attribute or a method of that name."""
        return name in ATTRIBUTES or name in METHOD_NAMES or name.startswith("__")

    def place_of_out(self, name: str, is_method: bool) -> int | None:
        """Find the place of `out` among the positional arguments; None where it has none."""
        found = METHODS.get(name) if is_method else FUNCTIONS.get(resolve.canonical(name))
        names_ = [parameter.name for parameter in found.signature if parameter.positional] if found is not None else []
        return names_.index("out") - is_method if "out" in names_ else None

    def attribute(self, name: str, owner: v.Fact) -> v.Fact | None:
        """The value of a data attribute; None for a method."""
        if name in ("numerator", "denominator"):
            return owner if name == "numerator" else v.SIZE
        if name not in ATTRIBUTES:
            return None
        rank = v.rank_of(owner)
        dtypes = v.dtypes_of(owner)
        if name == "shape":
            return shape_fact(owner)
        if name in ("ndim", "size", "itemsize", "nbytes"):
            return v.number(rank) if name == "ndim" and rank is not None else v.SIZE
        if name == "dtype":
            return v.one(v.DType(dtypes))
        if name in ("T", "mT"):
            return owner
        if name in ("real", "imag"):
            real = None if dtypes is None else frozenset(REAL_PARTS.get(d, d) for d in dtypes)
            return frozenset(
                v.Array(real, atom.ranks) if isinstance(atom, v.Array) else v.Scalar(real)
                for atom in owner if isinstance(atom, (v.Array, v.Scalar))
            )  # fmt: skip
        if name == "flat":
            return v.one(v.Iterator(v.scalar(dtypes)))
        if name == "strides":
            return v.one(v.Sequence("tuple", None, v.INT))
        return v.OPAQUE


def _answers(atom: v.Atom) -> bool:
    """Tell whether NumPy makes no array of an object: it has no `__array__`, or handles NumPy's functions itself."""
    if not isinstance(atom, v.Instance) or atom.definition.is_ndarray():
        return False
    found = atom.definition.find
    return found("__array__") is None or any(map(found, ("__array_ufunc__", "__array_function__", "__array_wrap__")))
