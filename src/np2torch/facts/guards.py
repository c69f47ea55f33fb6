"""Guards in the text: `x = shim.floating(x)` and `@shim.contract(x="floating[n]")`, and what they say.

They stand in files that were converted before. What a guard gives is a fact like any result of NumPy's; what a contract
accepts is evidence like an annotation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.spelled import FAMILIES, PYTHON
from np2torch.facts.universe import UNIVERSE
from np2torch.names.tree import dotted

GUARDS = frozenset("tensor tensors floating inexact promote".split())
CONTRACT = "contract"
ALWAYS = frozenset({"float64", "float32"})
"""The floating dtypes that callers nobody has seen may pass; others where the project mentions them."""
ALWAYS_COMPLEX = frozenset({"complex128", "complex64"})
Function = ast.FunctionDef | ast.AsyncFunctionDef
World = dict[str, v.Fact]
"""What some parameters of a function are together."""
WEIGHTS = {"f": 9, "i": 3, "c": 2, "u": 1, "b": 1}
"""What it costs a caller when a kind is refused."""


@dataclass(frozen=True, slots=True)
class GuardLine:
    """A line at the entry of a function: `a, b = shim.floating(a, b)`.

    Attributes
    ----------
    names
        The parameters.
    form
        The function of the shim.
    options
        What is refused: `lists=False`, `numbers=False`, `exact=True` (bools and integers in which NumPy would wrap
        around), `copy=False` (what would need another array, since the function writes into what it is given),
        `kinds="if"` (all other kinds of dtypes). `numbers=True` leaves Python's numbers, which else become tensors;
        `mixed=True` makes
        several precisions the widest of them.
    reason
        What would differ in silence without it.
    worlds
        What the parameters may be behind it.
    """

    names: tuple[str, ...]
    form: str
    options: tuple[str, ...] = ()
    reason: str = "the dtype of what callers pass decides"
    worlds: tuple[World, ...] = ()

    @property
    def kinds(self) -> str:
        """NumPy's letters for the kinds of dtypes that `tensor` and `promote` take."""
        return next((option.split('"')[1] for option in self.options if option.startswith("kinds")), "fiubc")

    @property
    def refused(self) -> int:
        """How much of what NumPy takes is refused: integers, lists and complex numbers count for more."""
        of_dtypes = sum(weight for kind, weight in WEIGHTS.items() if kind not in self.kinds)
        if self.form == "floating":
            of_dtypes += WEIGHTS["c"]
        of_copies = 2 if self.form == "tensor" else 2 + sum(WEIGHTS[kind] for kind in "iub")
        return of_dtypes + of_copies * ("copy=False" in self.options) + 2 * sum(
            option in ("exact=True", "lists=False", "numbers=False") for option in self.options
        ) + 3 * (len(self.names) > 1 and "mixed=True" not in self.options and self.form != "promote")

    def text(self, shim: str) -> str:
        """The line, by what the shim is called there."""
        names = ", ".join(self.names)
        form = self.form
        return f"{names} = {shim}.{form}({', '.join([names, *self.options])})"


def result(origin: str, arguments: Arguments) -> v.Fact | None:
    """The fact of a guard's result; None for what is no guard."""
    root, _, name = origin.rpartition(".")
    if not root.startswith("np2torch.shim") or name not in GUARDS or arguments.starred:
        return None
    made = [_guarded(name, argument.fact) for argument in arguments.positional]
    if name == "promote":
        made = _promoted(made)
    return made[0] if len(made) == 1 and name != "tensors" else v.one(v.Sequence("tuple", tuple(made)))


DOUBLE = frozenset({"float64", "complex128", "int64"})


def accepts(guard: GuardLine, passed: World) -> bool:
    """Does a guard let everything through that is known to be passed?"""
    facts = [passed[name] for name in guard.names if name in passed]
    if not all(_is_accepted(guard, atom) for fact in facts for atom in fact):
        return False
    if guard.form in ("tensor", "promote") or "mixed=True" in guard.options:
        return True
    arrays = (atom for fact in facts for atom in fact if isinstance(atom, (v.Array, v.Scalar)))
    dtypes = {dtype for atom in arrays if not _is_any_inexact(atom) for dtype in atom.dtypes or ()}
    return len({dtype in DOUBLE for dtype in dtypes}) < 2 or len(facts) == 1


def _is_any_inexact(atom: v.Array | v.Scalar) -> bool:
    """Is it of some precision, whichever: what a guard elsewhere lets through, and no more is known?"""
    return atom.dtypes is not None and atom.dtypes >= ALWAYS


def _is_accepted(guard: GuardLine, atom: v.Atom) -> bool:
    if isinstance(atom, v.Num):
        refused = "numbers=False" in guard.options or atom.type == "bool" and "exact=True" in guard.options
        return not refused and not (atom.type == "complex" and guard.form == "floating")
    if isinstance(atom, v.Sequence):
        return not {"lists=False", "copy=False"} & set(guard.options)
    if isinstance(atom, (v.Array, v.Scalar)):
        return all(_takes(guard, dtype) for dtype in atom.dtypes or ())
    return atom.kind == "unknown"


def _takes(guard: GuardLine, dtype: str) -> bool:
    kind = dtype[0]
    if guard.form in ("tensor", "promote"):
        return kind in guard.kinds
    if kind in "biu":
        return "copy=False" not in guard.options and (dtype == "int64" or "exact=True" not in guard.options)
    return kind == "f" or kind == "c" and guard.form == "inexact"


def behind(guard: GuardLine, fact: v.Fact) -> v.Fact:
    """What a parameter is behind a guard that is passed this."""
    numbers = v.keep(fact, lambda atom: isinstance(atom, v.Num)) if "numbers=True" in guard.options else v.BOTTOM
    arrays = fact - numbers
    return v.join(numbers, _guarded(guard.form, arrays)) if arrays else numbers


def _guarded(name: str, fact: v.Fact) -> v.Fact:
    """What a guard makes of one argument: a tensor of the dtypes that it lets pass."""
    dtypes, ranks = results.arraylike(fact, weak=False) or (None, None)
    if name in ("floating", "inexact"):
        accepted = _accepted(name)
        if dtypes is not None:
            dtypes = frozenset(dtype if dtype in FAMILIES["inexact"] else "float64" for dtype in dtypes)
            dtypes = dtypes & accepted or accepted
        else:
            dtypes = accepted
    return v.one(v.Array(dtypes, ranks))


def _accepted(name: str) -> frozenset[str]:
    floats = ALWAYS | frozenset(FAMILIES["floating"]) & UNIVERSE.dtypes
    return floats if name == "floating" else floats | ALWAYS_COMPLEX


def _promoted(facts: list[v.Fact]) -> list[v.Fact]:
    """Arrays of one dtype: known where each is known to have the same."""
    arrays = [atom for fact in facts for atom in fact if isinstance(atom, v.Array)]
    dtypes = {atom.dtypes for atom in arrays}
    same = next(iter(dtypes)) if len(dtypes) == 1 else None
    one = same if same is not None and len(same) == 1 else None
    return [v.one(v.Array(one, atom.ranks)) for atom in arrays]


# ----------------------------------------------------------------------------------------------------- in the text
def is_guard(node: ast.expr | None) -> bool:
    """Is it a call of a guard, by its text?"""
    return isinstance(node, ast.Call) and _of_shim(node.func) in GUARDS


def guard_lines(function: Function) -> Iterator[ast.stmt | ast.expr]:
    """The guards of a function: its contract, and statements of its body that bind what a guard gives."""
    yield from (one for one in function.decorator_list if isinstance(one, ast.Call) and _of_shim(one.func) == CONTRACT)
    yield from (one for one in function.body if isinstance(one, ast.Assign) and is_guard(one.value))


def contracts(function: Function) -> Iterator[tuple[str, str, int]]:
    """The parameters that a contract speaks of: name, type as pragmas spell it, line."""
    for call in guard_lines(function):
        for keyword in call.keywords if isinstance(call, ast.Call) else ():
            if keyword.arg and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
                yield keyword.arg, _as_pragma(keyword.value.value), keyword.value.lineno


def _as_pragma(text: str) -> str:
    """The type in the spelling of pragmas, where a dtype without brackets is a scalar: here it is of any rank."""
    parts = [part.strip() for part in text.split("|")]
    return " | ".join(part if "[" in part or part in PYTHON else f"{part}[...]" for part in parts)


def _of_shim(function: ast.expr) -> str:
    """The name of a function of the shim, whatever the shim is called in the file; nothing for any other."""
    module, _, name = (dotted(function) or "").rpartition(".")
    return name if module.rpartition(".")[2].endswith("shim") else ""
