"""Classes that derive from `numpy.ndarray` and become classes of tensors: which ones, and what comes of their objects.

An object is an instance of its class. What its class does not say ndarray says, and the result of a function has the
class where NumPy keeps it: the shim's table (`shim/classes.txt`) has what NumPy was seen to do.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments
from np2torch.names.tree import dotted_name, statements
from np2torch.names.tree import walk as tree_walk
from np2torch.source.shim_folder import shim_folder

ROOT = "ndarray"
PROTOCOLS = frozenset(
    "__array_ufunc__ __array_function__ __array_wrap__ __array_prepare__ __array_priority__ __array__ __reduce__ "
    "__reduce_ex__ __setstate__ __getnewargs__ __getattr__ __getattribute__ __setattr__ __delattr__ __slots__ "
    "__init_subclass__ __array_interface__ __torch_function__ shape dtype ndim view data strides base flags "
    "as_subclass detach requires_grad_ backward to device".split()
)
"""Members by which a class says itself what an array of it is, or that a tensor needs for itself."""
WRAP = "__array_wrap__"
"""The method that NumPy gives results to; as a method with all of its parameters it is understood."""
TENSORS_OWN = frozenset(
    "H grad grad_dtype grad_fn is_cpu is_cuda is_leaf is_meta is_mps is_nested is_quantized is_sparse layout mH name "
    "names output_nr requires_grad retains_grad volatile device data shape dtype ndim strides".split()
)
"""Attributes of a tensor that an object cannot have set to something else."""
NOT_HELD = frozenset({"object", "str", "bytes", "object_", "str_", "bytes_", "void", "recarray", "O", "S", "U"})
"""Names of dtypes that torch lacks."""


# -------------------------------------------------------------------------------------------------- which ones
def uses_masked(tree: ast.Module) -> bool:
    """Tell whether a module uses NumPy's masked arrays, which have all that arrays have and stay on NumPy.

    This is asked before anything is known: a name that is imported, or bound to an imported one, may be NumPy.
    """
    if any(masked_names(tree)):
        return True
    spelled = [node for node in tree_walk(tree) if isinstance(node, ast.Attribute) and node.attr == "ma"]
    imported = _imported(tree) if spelled else set()
    return any((dotted_name(node) or "").partition(".")[0] in imported for node in spelled)


def _imported(tree: ast.Module) -> set[str]:
    """The names that a module imports, and those that it binds to such names: `xp = np`."""
    found: set[str] = set()
    for node in tree_walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
    for node in tree_walk(tree):
        if isinstance(node, ast.Assign) and (dotted_name(node.value) or "").partition(".")[0] in found:
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return found


def masked_names(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives to what it imports of `numpy.ma`."""
    for node in tree_walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            named = (alias for alias in node.names if f"{module}{alias.name}.".startswith("numpy.ma."))
            yield from (alias.asname or alias.name for alias in named)


def speaks_protocols(node: ast.ClassDef) -> bool:
    """Tell whether a class handles NumPy's functions itself."""
    members = {getattr(part, "name", "") for part in node.body}
    members |= {one.id for part in node.body for one in getattr(part, "targets", ()) if isinstance(one, ast.Name)}
    return not members.isdisjoint(("__array_ufunc__", "__array_function__"))


def kept_classes(trees: Iterable[ast.Module]) -> frozenset[str]:
    """The names of classes that stay on NumPy: they speak its protocols, or are of a family with one that does."""
    classes = [node for tree in trees for node in statements(tree) if isinstance(node, ast.ClassDef)]
    bases = {id(node): [(dotted_name(base) or "").rpartition(".")[2] for base in node.bases] for node in classes}
    arrays, found = {ROOT}, 0
    while found != len(arrays):
        found = len(arrays)
        arrays |= {node.name for node in classes if arrays & set(bases[id(node)])}
    own = {node.name for node in classes}
    out = {node.name for node in classes if node.name in arrays and not _is_understood(node, bases[id(node)], own)}
    found = -1
    while found != len(out):
        found = len(out)
        for node in classes:
            family = {node.name, *bases[id(node)]} & arrays - {ROOT}
            if family & out:
                out |= family
    return frozenset(out)


def _is_understood(node: ast.ClassDef, bases: list[str], own: set[str]) -> bool:
    if node.keywords or not set(bases) <= own | {ROOT} or _bound_in_body(node) & PROTOCOLS:
        return False
    for part in tree_walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part.name in PROTOCOLS:
            if part.name != WRAP or not _wraps_by_values(part):
                return False
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and part.attr in TENSORS_OWN:
            return False
        if isinstance(part, ast.keyword) and part.arg == "dtype" and _names(part.value) & NOT_HELD:
            return False
    return True


def _bound_in_body(node: ast.ClassDef) -> set[str]:
    """The names that the body of a class binds, not those in its methods."""
    outside = [one for one in node.body if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    names = (one for part in outside for one in tree_walk(part) if isinstance(one, ast.Name))
    return {one.id for one in names if isinstance(one.ctx, ast.Store)}


def _wraps_by_values(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether an `__array_wrap__` has the parameters of NumPy 2, and does not look at the call that it serves."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    if len(arguments) < 4 or node.decorator_list or isinstance(node, ast.AsyncFunctionDef):
        return False
    context = arguments[2].arg
    calls = [one for one in tree_walk(node) if isinstance(one, ast.Call)]
    handed = [one for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr == WRAP]
    passed = {id(one) for call in handed for one in (*call.args, *(keyword.value for keyword in call.keywords))}
    reads = (one for one in tree_walk(node) if isinstance(one, ast.Name) and one.id == context)
    return all(id(one) in passed for one in reads)


def wraps_results(atom: v.Atom) -> bool:
    """Tell whether the class of an object says itself what becomes of results."""
    return isinstance(atom, v.Instance) and atom.definition.find(WRAP) is not None


def _names(node: ast.expr) -> set[str]:
    parts = (getattr(one, "id", getattr(one, "attr", getattr(one, "value", None))) for one in tree_walk(node))
    return {part for part in parts if isinstance(part, str)}


# --------------------------------------------------------------------------------------------- what comes of them
def is_one(atom: v.Atom) -> bool:
    """Tell whether it is an object of such a class."""
    return isinstance(atom, v.Instance) and bool(atom.definition.is_tensor())


def objects(fact: v.Fact) -> v.Fact:
    """The alternatives that are."""
    return v.keep(fact, is_one) if v.known_to_include(fact, "instance") else v.BOTTOM


# ------------------------------------------------------------------------------------------------- functions
@functools.cache
def _table() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Per function the letters of the shim's table, and the methods that NumPy calls of the object."""
    path = shim_folder() / "classes.txt"
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {name: (frozenset(codes), frozenset(calls)) for name, codes, *calls in rows}


def among(arguments: Arguments) -> bool:
    """Tell whether there is such an object among the arguments."""
    return any(is_one(atom) for fact in arguments.facts() for atom in fact)


def arguments_as_arrays(arguments: Arguments, data: Callable[[v.Atom], v.Fact]) -> Arguments:
    """Take objects of subclasses among arguments for the arrays that they are."""

    def plain(argument: Argument) -> Argument:
        rest = v.keep(argument.fact, lambda atom: not is_one(atom))
        found = argument.fact - rest
        return Argument(argument.node, v.join(rest, *map(data, found))) if found else argument

    keywords = {name: plain(argument) for name, argument in arguments.keywords.items()}
    return Arguments([plain(argument) for argument in arguments.positional], keywords, arguments.starred)


def keeps(name: str, arguments: Arguments) -> bool | None:
    """Tell whether the result of a function has the class of such an object among the arguments; None if unknown."""
    letters, calls = _table().get(name, (frozenset("?"), frozenset()))
    if letters <= set("p,()"):
        return False
    given = [atom for fact in arguments.facts() for atom in fact if is_one(atom)]
    asked = (*calls, WRAP)
    own = any(atom.definition.find(one) is not None for atom in given for one in asked if isinstance(atom, v.Instance))
    return None if own or not letters <= set("kmp,") else True
