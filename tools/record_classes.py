"""Write `src/np2torch/shim/classes.txt` and `wraps.txt`: what NumPy's functions do for subclasses of ndarray.

Every function of the table of properties is called with an argument that is such a subclass, which notes the methods
and operators that NumPy calls of it. Of the results it is noted which have the class, and which are what NumPy got of
`__array_wrap__`.
"""

from __future__ import annotations

import ast
import pathlib
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

ROOT = pathlib.Path(__file__).parent.parent
PATH = ROOT / "src/np2torch/shim/classes.txt"
WRAPS_PATH = PATH.with_name("wraps.txt")
sys.path.insert(0, str(ROOT / "tests/properties"))
EXAMPLES = 60
MOST_ARGUMENTS = 3
SKIPPED = ("operator.", "dtype.", "finfo", "iinfo", "ufunc", "random.", "polynomial.Polynomial")
ASKED_OF_ALL = frozenset(
    "__new__ __init__ __class__ __getattribute__ __setattr__ __delattr__ __array_finalize__ __init_subclass__ "
    "__subclasshook__ __doc__ __array_ufunc__ __array_function__ __array_priority__ __array_interface__ "
    "__array_struct__ __dir__ __dlpack__ __dlpack_device__ __class_getitem__ __hash__ __array_namespace__ __sizeof__ "
    "__array__ __array_wrap__ dtype shape ndim strides flags base data ctypes itemsize nbytes device size".split()
)
"""Members that say what an array is, and no class overrides."""
CALLS: set[str] = set()
WRAPPED: list[tuple[Any, bool]] = []
"""What `__array_wrap__` gave, and whether it was told rightly what might be a scalar."""
SHAPES: list[tuple[int, ...]] = []
"""The shapes of that when it was given."""


def _noting(name: str) -> Any:
    base = getattr(np.ndarray, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        CALLS.add(name)
        return base(self, *args, **kwargs)

    def get(self: Any) -> Any:
        CALLS.add(name)
        return base.__get__(self)

    return method if callable(base) else property(get, base.__set__)


Noting: Any = type("Noting", (np.ndarray,), {n: _noting(n) for n in dir(np.ndarray) if n not in ASKED_OF_ALL})


def _wrap(self: Any, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
    found = np.ndarray.__array_wrap__(self, array, context, return_scalar)
    WRAPPED.append((found, return_scalar == (not array.ndim)))
    SHAPES.append(array.shape)
    return found


Noting.__array_wrap__ = _wrap


def of_class(x: Any, cls: Any, found: list[Any]) -> Any:
    """An array, or those in a list, as objects of the class; what was made goes on the list."""
    if isinstance(x, np.ndarray):
        found.append(x)
        return x.view(cls)
    if isinstance(x, (list, tuple)) and any(isinstance(item, np.ndarray) for item in x):
        return type(x)(of_class(item, cls, found) for item in x)
    return x


def leaves(x: Any, cls: Any) -> str:
    """Per result a letter: of the class (K, 0-D: Z), a plain array (p, q), a scalar (s), or something else."""
    if isinstance(x, (tuple, list)):
        return "(" + "".join(leaves(item, cls) for item in x) + ")"
    if isinstance(x, cls):
        return "K" if x.ndim else "Z"
    return ("p" if x.ndim else "q") if isinstance(x, np.ndarray) else "s" if isinstance(x, np.generic) else "."


def wrap_letter(x: Any) -> str:
    """Tell which of the results that have the class `__array_wrap__` gave: all and nothing else (w), or it depends (?).

    A call in between, one that does not say that an array without axes is to be a scalar, or a result that gets another
    shape later is something else.
    """
    results = [one for one in (x if isinstance(x, (tuple, list)) else [x]) if isinstance(one, Noting)]
    is_told = all(is_right for _, is_right in WRAPPED) and [one.shape for one in results] == SHAPES
    return "w" if is_told and [id(found) for found, _ in WRAPPED] == [id(one) for one in results] else "?"


class Giving(ast.NodeTransformer):
    """A call of a function with one argument made an object of a class, and its result noted."""

    def __init__(self, name: str, position: int) -> None:
        self.name, self.position, self.hit = name, position, False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Change the first call of the function."""
        self.generic_visit(node)
        if self.hit:
            return node
        if ast.unparse(node.func) == f"np.{self.name}" and self.position < len(node.args):
            if any(k.arg == "out" for k in node.keywords):
                return node
            node.args[self.position] = _call("_given", node.args[self.position])
        elif isinstance(node.func, ast.Attribute) and self.name == f"ndarray.{node.func.attr}" and not self.position:
            node.func.value = _call("_given", node.func.value)
        else:
            return node
        self.hit = True
        return _call("_made", node)


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def programs(name: str, case: Any) -> Iterator[tuple[int, Any]]:
    """For each argument the program that gives an object in its place."""
    for position in range(MOST_ARGUMENTS):
        giving = Giving(name, position)
        tree = giving.visit(ast.parse(case.source.replace("; ", "\n")))
        if giving.hit:
            yield position, compile(ast.fix_missing_locations(tree), name, "exec")


def outcomes(name: str, case: Any) -> Iterator[tuple[int, str, str]]:
    """What comes of the class in NumPy, by the position of the argument, and what comes of `__array_wrap__`."""
    for position, program in programs(name, case):
        given: list[Any] = []
        made: list[str] = []
        wraps: list[str] = []

        def start(x: Any, given: list[Any] = given) -> Any:
            CALLS.clear()
            WRAPPED.clear()
            SHAPES.clear()
            return of_class(x, Noting, given)

        def note(x: Any, made: list[str] = made, wraps: list[str] = wraps) -> Any:
            made.append(leaves(x, Noting))
            wraps.append(wrap_letter(x) if WRAPPED else "-" if made[-1].strip("()pqs.") else "")
            return x

        space = {"np": np, "_given": start, "_made": note} | {k: x.array() for k, x in case.arrays.items()}
        try:
            exec(program, space)
        except Exception:
            continue
        if given and made:
            yield position, made[0], wraps[0]


def code(seen: set[str]) -> str:
    """The letters of `shim/_subclass_propagation.py` for what was seen."""
    single = {one for one in seen if not one.startswith("(")}
    several = {one for one in seen if one.startswith("(")}
    inner = [{one[at] for one in several} for at in range(1, min(map(len, several)) - 1)] if several else []
    whole = {letter for one in several for letter in one if letter not in "()"}
    if not several or len({_letter(part) for part in [*inner, whole]}) == 1:
        return _letter(single | whole)
    if len({len(one) for one in several}) > 1:
        return "?"
    return (_letter(single) if single else "") + "(" + "".join(map(_letter, inner)) + ")"


def _letter(seen: set[str]) -> str:
    if not seen & {"K", "Z"}:
        return "p"
    if "p" in seen or "q" in seen or {"Z", "s"} <= seen:
        return "?"
    return "m" if "s" in seen else "k"


def wrap_code(seen: set[str]) -> str:
    """The letter of several calls, where any result has the class; `-` where `__array_wrap__` is never called."""
    letters = seen - {""} or {"-"}
    return letters.pop() if len(letters) == 1 else "?"


def record() -> tuple[list[str], list[str]]:
    """The lines of both files."""
    import table
    from converted import sample

    warnings.simplefilter("ignore")
    seen: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    wraps: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    calls: dict[str, set[str]] = defaultdict(set)
    for row in table.rows():
        if not row.name.startswith(SKIPPED):
            for case in sample(row, EXAMPLES, 1):
                for position, letters, wrap in outcomes(row.name, case):
                    seen[row.name][position].add(letters)
                    wraps[row.name][position].add(wrap)
                    calls[row.name] |= CALLS
    lines, wrapping = [], []
    for name, found in sorted(seen.items()):
        codes = [code(found[at]) if at in found else "p" for at in range(max(found) + 1)]
        lines.append(" ".join([name, ",".join(codes), *sorted(calls[name])]))
        asked = [wrap_code(wraps[name][at]) if at in found else "-" for at in range(max(found) + 1)]
        if set(asked) != {"-"}:
            wrapping.append(f"{name} {','.join(asked)}")
    return lines, wrapping


def no_functions_of_numpys() -> list[str]:
    """The shim's own functions, which take such objects as they are."""
    from np2torch import shim
    from np2torch.names import resolve

    own = [name for name in dir(shim) if not name.startswith("_") and callable(getattr(shim, name))]
    return [f"{name} o" for name in sorted(own) if f"numpy.{name}" not in resolve.public() or name == "array_repr"]


HEAD = "# tools/record_classes.py: function, what becomes of the class by argument, what NumPy calls of the object.\n"
WRAPS_HEAD = "# tools/record_classes.py: what calls `__array_wrap__`, and by argument whether it gives the result.\n"
if __name__ == "__main__":
    recorded, wrapping = record()
    WRAPS_PATH.write_text(WRAPS_HEAD + "\n".join(wrapping) + "\n", encoding="utf-8")
    lines = {line.split()[0]: line for line in [*recorded, *no_functions_of_numpys()]}
    PATH.write_text(HEAD + "\n".join(lines[name] for name in sorted(lines)) + "\n", encoding="utf-8")
