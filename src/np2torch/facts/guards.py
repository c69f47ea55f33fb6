"""Guards in the text: `x = shim.floating(x)` and `@shim.contract(x="floating[n]")`, and what they say.

They stand in files that were converted before. What a guard gives is a fact like any result of NumPy's; what a contract
accepts is evidence like an annotation.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.checks import (
    Check,
    IndexLine,
    check_lines,
    flags,
    let_through,
    lets_through,
    likely,
    of_each,
    spell_ranks,
)
from np2torch.facts.domain import DOMAIN
from np2torch.facts.notation import FAMILIES
from np2torch.names.tree import dotted_name

GUARDS = frozenset("tensor tensors floating inexact promote".split())
CONTRACT = "contract"
ALWAYS = frozenset({"float64", "float32"})
"""The floating dtypes that callers nobody has seen may pass; others where the project mentions them."""
ALWAYS_COMPLEX = frozenset({"complex128", "complex64"})
Function = ast.FunctionDef | ast.AsyncFunctionDef
NUMPYS = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
"""NumPy's dtypes for Python's numbers."""
World = dict[str, v.Fact]
"""The facts of some parameters of a function, which hold together."""
CALLED = "()"
"""The suffix of a parameter's name that stands for the result of calling it."""
ABOVE = "@"
"""Between a name and the number of the statement above which it is guarded: `q@2`."""
ANY_DTYPE = ("tensor", "tensors", "promote")
"""The forms that leave integers what they are."""
NARROW = ("int8", "int16")
"""Integers that are taken where unsigned ones are, too: a number that these do not hold may not fit here either."""
ORDER = "buifc"
"""The kinds of dtypes, from that which takes part in a common dtype least."""
AXES = 2
"""The cost of refusing arrays of some ranks."""
OF_INTEGERS = 4
"""The cost of refusing integers for a parameter, however many there are."""
OF_SINGLE = 5
"""The cost of refusing arrays of single precision."""
DOUBLES = {"exact=True", "lists=False", "single=False"}
"""The options that `only="double"` stands for, with `copy=False`; it leaves Python's numbers, too."""
IN_DOUBLE = {
    "f": ("float64",), "c": ("complex128",), "b": ("bool",), "i": ("int64",),
    "u": (*FAMILIES["unsignedinteger"], *NARROW),
}  # fmt: skip
"""The dtypes of each kind that are left where single precision is refused."""
WEIGHTS = {"f": 18, "i": 6, "c": 2, "u": 1, "b": 1}
"""The cost for callers of refusing a kind of dtype."""


@dataclass(frozen=True, slots=True)
class GuardLine:
    """A line at the entry of a function, or between its statements: `a, b = shim.floating(a, b)`.

    Attributes
    ----------
    names
        The parameters; `f()` for what a parameter gives that is called, `q@2` for a name above the third statement.
    form
        The function of the shim.
    options
        What is refused: `lists=False`, `numbers=False`, `exact=True` (bools and integers in which NumPy would wrap
        around), `single=False`, `kinds="if"` (all other kinds of dtypes), `mixed=False` (several precisions).
        `numbers=True` leaves Python's numbers, which else become tensors, and `none=True` None; `weak=False` takes
        numbers for float64; `mixed=True` makes several precisions the widest of them.
    kept
        The parameters that no other array may take the place of, since the function writes into them or gives back what
        depends on their dtype.
    numbers
        The parameters of which Python's numbers stay, where these are not all.
    arrays
        The parameters of which Python's numbers are refused, where these are not all.
    unlisted
        The parameters of which lists are refused, where these are not all.
    ranks
        The numbers of axes that are taken, by parameter where they are not any.
    reason
        What would differ in silence without it.
    held
        What attributes of its object, which are checked in a line of their own, are behind it: `self.x`.
    stated
        What parameters that are numbers or indices for sure are behind lines of their own, which change nothing.
    worlds
        What the parameters may be behind it.
    """

    names: tuple[str, ...]
    form: str
    options: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    ranks: tuple[tuple[str, frozenset[int]], ...] = ()
    reason: str = "the dtype of what callers pass decides"
    held: tuple[tuple[str, v.Fact], ...] = ()
    stated: tuple[tuple[str, v.Fact], ...] = ()
    worlds: tuple[World, ...] = ()

    @property
    def lines(self) -> tuple[GuardLine | Check | IndexLine, ...]:
        """The lines in which it is written."""
        checks = (*check_lines(dict(self.stated)), *check_lines(dict(self.held)))
        return (self, *checks) if self.names else checks

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in all of its lines, but for attributes."""
        return self.names + tuple(dict(self.stated))

    @property
    def position(self) -> int:
        """The number of the statement that it stands above; 0 at the entry."""
        return position_of(self.names[0]) if self.names else 0

    @property
    def inputs(self) -> World:
        """The attributes behind it, and the names that it makes something else of between statements."""
        return dict(self.held) | dict.fromkeys((name for name in self.names if ABOVE in name), v.BOTTOM)

    @property
    def kinds(self) -> str:
        """NumPy's letters for the kinds of dtypes that `tensor`, `tensors` and `promote` take."""
        return next((option.split('"')[1] for option in self.options if option.startswith("kinds")), "fiubc")

    @property
    def refusal_weight(self) -> int:
        """Weigh what a guard refuses of what NumPy takes: integers, lists and complex numbers count for more."""
        refused = sum(weight for kind, weight in WEIGHTS.items() if kind not in self.kinds)
        if self.form == "floating":
            refused += WEIGHTS["c"]
        of_kept = 2 if self.form in ANY_DTYPE else 2 + sum(WEIGHTS[kind] for kind in "iub")
        of_names = len(self.names) or 1  # there are none where only attributes are checked
        refused += (OF_INTEGERS if self.kept else 0) + of_kept * len(self.kept) // of_names
        refused += bool(self.arrays) + bool(self.unlisted)
        refused += OF_SINGLE * ("single=False" in self.options)
        refused += 2 * sum(option in ("exact=True", "lists=False", "numbers=False") for option in self.options)
        refused += sum(AXES if ranks == {1, 2} else 2 * AXES for _, ranks in self.ranks)
        return refused + 3 * ("mixed=False" in self.options) + ("weak=False" in self.options)

    @property
    def refuses_integers(self) -> bool:
        """Tell a guard that refuses arrays of int64 for a parameter."""
        return bool(self.kept) or self.form in ANY_DTYPE and "i" not in self.kinds

    @property
    def refuses_complex(self) -> bool:
        """Tell a guard that refuses arrays of complex numbers."""
        return self.form == "floating" or self.form in ANY_DTYPE and "c" not in self.kinds

    @property
    def refuses_dtypes(self) -> bool:
        """Tell a guard that refuses integers or float32: objects are made of these too."""
        return bool(self.kept) or "single=False" in self.options

    def texts(self, shim: str) -> str:
        """All of it in one line."""
        return "; ".join(line.text(shim) for line in self.lines)

    def text(self, shim: str) -> str:
        """The line of the parameters, by what the shim is called there."""
        names = ", ".join(_shown(self.names))
        numbers = self._numbers()
        called = [name for name in self.names if name.endswith(CALLED)]
        results = () if not called else (f"results={_one_or_several(called)}",)
        keep = () if not self.kept else (f"copy={flags(self.names, self.kept)}",)
        lists = () if not self.unlisted else (f"lists={flags(self.names, self.unlisted)}",)
        axes = () if not self.ranks else (f"ndim={self._ndim()}",)
        target = f"{names}," if len(self.names) == 1 and self.form == "tensors" else names
        said = self.options
        if keep == ("copy=False",) and self._takes_doubles_only():
            implied, keep = DOUBLES | {"numbers=True"}, ()
            said = ('only="double"', *(option for option in said if option not in implied))
        options = ", ".join([names, *said, *results, *numbers, *lists, *keep, *axes])
        return f"{target} = {shim}.{self.form}({options})"

    def _takes_doubles_only(self) -> bool:
        """Tell a guard that refuses all arrays but those of double precision, and says what becomes of numbers."""
        says_numbers = bool(self.numbers) or not {"numbers=True", "numbers=False"}.isdisjoint(self.options)
        return self.form in ("floating", "inexact") and says_numbers and set(self.options) >= DOUBLES

    def leaves_numbers(self, name: str = "") -> bool:
        """Tell whether it leaves Python's numbers as they are, of one parameter or of all."""
        return "numbers=True" in self.options or name in self.numbers

    def refuses_numbers(self, name: str) -> bool:
        """Tell whether it refuses Python's numbers of a parameter."""
        return "numbers=False" in self.options or name in self.arrays

    def refuses_lists(self, name: str) -> bool:
        """Tell whether it refuses lists for a parameter."""
        return "lists=False" in self.options or name in self.unlisted

    def _numbers(self) -> tuple[str, ...]:
        """Give the option `numbers=` where the parameters differ in what becomes of Python numbers."""
        if not self.numbers and not self.arrays:
            return ()
        other = "numbers=True" in self.options or None
        each = (True if one in self.numbers else False if one in self.arrays else other for one in self.names)
        return (f"numbers={of_each(list(map(str, each)))}",)

    def _ndim(self) -> str:
        of = dict(self.ranks)
        return of_each([spell_ranks(of.get(name)) for name in self.names])


def _one_or_several(names: Sequence[str]) -> str:
    shown = _shown(names)
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def result_of(name: str) -> str:
    """The name in guards and worlds of the results of a parameter that is called."""
    return name + CALLED


def above(name: str, position: int) -> str:
    """The name in guards and worlds of what a name is above the statement of that number."""
    return f"{name}{ABOVE}{position}"


def position_of(name: str) -> int:
    """The number of the statement in such a name; 0 where there is none."""
    return int(name.partition(ABOVE)[2] or 0)


def plain_name(name: str) -> str:
    """The name in the text of one in guards and worlds."""
    return name.removesuffix(CALLED).partition(ABOVE)[0]


def _shown(names: Sequence[str]) -> list[str]:
    return [plain_name(name) for name in names]


def by_parameters(world: World) -> World:
    """The same world by the parameters alone: each that is called says what it gives."""
    called = {name: fact for name, fact in world.items() if name.endswith(CALLED)}
    functions = {name.removesuffix(CALLED): v.one(v.Top(returns=fact)) for name, fact in called.items()}
    return {name: fact for name, fact in world.items() if name not in called} | functions


def result(origin: str, arguments: Arguments) -> v.Fact | None:
    """The fact of a guard's result; None for what is no guard."""
    root, _, name = origin.rpartition(".")
    if not root.startswith("np2torch.shim") or name not in GUARDS or arguments.starred:
        return None
    said = {name: argument.constant for name, argument in arguments.keywords.items()}
    single = said.get("single", True) is not False and "only" not in said
    kinds = str(said.get("kinds", "fiubc"))
    made = [_guarded(name, argument.fact, single=single, kinds=kinds) for argument in arguments.positional]
    if (functions := arguments.keywords.get("results")) is not None:
        called = {dotted_name(one) for one in getattr(functions.node, "elts", [functions.node])}
        gives = v.one(v.Top(returns=_guarded(name, v.TOP, single=single)))
        pairs = zip(arguments.positional, made, strict=True)
        made = [gives if argument.node and dotted_name(argument.node) in called else fact for argument, fact in pairs]
    if name == "promote":
        made = _promoted(made)
    made = list(map(v.join, made, _left(arguments)))
    return made[0] if len(made) == 1 and name != "tensors" else v.one(v.Sequence("tuple", tuple(made)))


def _left(arguments: Arguments) -> Iterable[v.Fact]:
    """Yield what a guard in the text leaves of each argument: Python's numbers and None, as its options say."""
    said = arguments.keywords
    none = "none" in said and said["none"].constant is True
    each = v.items_of(said["numbers"].fact) if "numbers" in said else None
    of_all = said["numbers"].constant if "numbers" in said else "only" in said
    numbers = [v.constant(one) for one in each or ()] or [of_all] * len(arguments.positional)
    for at, argument in enumerate(arguments.positional):
        found = _numbers_among(argument.fact) if numbers[at : at + 1] == [True] else v.BOTTOM
        yield v.join(found, v.keep(argument.fact, lambda atom: none and atom.kind == "none"))


DOUBLE = frozenset({"float64", "complex128", "int64"})


def accepts(guard: GuardLine, passed: World, is_private: bool = False) -> bool:
    """Tell whether a guard accepts everything that is known to be passed.

    Arguments of a private function come from the project: if their dtype is unknown, integers have to be accepted.
    """
    return _takes_stated(guard, passed) and _takes_others(guard, passed, is_private)


def _takes_stated(guard: GuardLine, passed: World) -> bool:
    """Tell whether its lines of numbers and indices let all of these through."""
    return all(lets_through(of, atom) for name, of in guard.stated for atom in passed.get(name, ()))


def _takes_others(guard: GuardLine, passed: World, is_private: bool) -> bool:
    """Tell whether its first line lets all of these through."""
    facts = {name: passed[name] for name in guard.names if name in passed}
    unknown = [name for name in facts if any(map(_is_of_any_dtype, facts[name]))]
    if is_private and not all(_takes(guard, "int64", name in guard.kept) for name in unknown):
        return False
    ranks = dict(guard.ranks)
    for name, fact in facts.items():
        if not all(_is_accepted(guard, atom, name, ranks.get(name)) for atom in _without_text(fact)):
            return False
    several = list(facts.values())
    whole = {name: v.join(facts[name], v.array("int64")) for name in unknown if is_private}
    if guard.form in ("tensors", "promote"):
        if not _possible_kinds(guard, (facts | whole).values()) <= set(guard.kinds):
            return False
    if guard.form == "promote" and "mixed=False" in guard.options:
        return len(_dtypes(several) - {"int64"}) < 2 and not _dtypes(several) >= {"int64", "float32"}
    return "mixed=True" in guard.options or guard.form in ("tensor", "promote") or _meet_alike(guard, several)


def _without_text(fact: v.Fact) -> v.Fact:
    """The alternatives without arrays of text or objects, where nothing is known of what is passed."""
    return v.keep(fact, lambda atom: atom.kind != "foreign") if v.known_to_include(fact, "unknown") else fact


def _is_of_any_dtype(atom: v.Atom) -> bool:
    return atom.kind == "unknown" or isinstance(atom, (v.Array, v.Scalar)) and atom.dtypes is None


def _dtypes(facts: Iterable[v.Fact]) -> set[str]:
    """The dtypes of arrays, and of lists as arrays, as far as they are known."""
    arrays = (v.one(atom) for fact in facts for atom in fact if isinstance(atom, (v.Array, v.Scalar, v.Sequence)))
    return {dtype for array in arrays for dtype in likely((results.arraylike(array, weak=False) or (None,))[0])}


def _is_accepted(guard: GuardLine, atom: v.Atom, name: str, ranks: v.Ranks) -> bool:
    admits = ADMITTED.get(atom.__class__)
    return admits is not None and admits(guard, atom, name, ranks)


def _admits_nothing(guard: GuardLine, atom: v.Nothing, name: str, ranks: v.Ranks) -> bool:
    """Tell whether None is let through."""
    return "none=True" in guard.options


def _admits_any(guard: GuardLine, atom: v.Top, name: str, ranks: v.Ranks) -> bool:
    """Let through what nobody knows."""
    return True


def _admits_number(guard: GuardLine, atom: v.Num, name: str, ranks: v.Ranks) -> bool:
    """Tell whether a Python number is let through, and its kind."""
    refused = guard.refuses_numbers(name) or _is_refused(guard, atom, name)
    if guard.form in ANY_DTYPE and guard.leaves_numbers(name):
        refused |= atom.type in ("bool", "complex") and atom.type[0] not in guard.kinds
    elif guard.form == "tensor":
        refused |= NUMPYS[atom.type][0] not in guard.kinds
    is_real = atom.type != "complex" or guard.form != "floating"
    return is_real and not refused and (ranks is None or 0 in ranks)


def _admits_sequence(guard: GuardLine, atom: v.Sequence, name: str, ranks: v.Ranks) -> bool:
    """Tell whether a list of numbers is let through, and their dtype."""
    is_taken = all(_takes(guard, dtype, name in guard.kept) for dtype in _dtypes([v.one(atom)]))
    of_objects = v.known_to_include(v.elements(atom), "instance", "text", "none")
    return is_taken and not of_objects and not guard.refuses_lists(name)


def _admits_array(guard: GuardLine, atom: v.Array | v.Scalar, name: str, ranks: v.Ranks) -> bool:
    """Tell whether arrays of these dtypes and ranks are let through."""
    has = frozenset({0}) if isinstance(atom, v.Scalar) else atom.ranks
    if ranks is not None and (has is None or not has <= ranks):
        return has is None and isinstance(atom, v.Array) and atom.dtypes is None
    return all(_takes(guard, dtype, name in guard.kept) for dtype in likely(atom.dtypes))


ADMITTED: dict[type, Callable[[GuardLine, Any, str, v.Ranks], bool]] = {
    v.Nothing: _admits_nothing, v.Top: _admits_any, v.Num: _admits_number, v.Sequence: _admits_sequence,
    v.Array: _admits_array, v.Scalar: _admits_array,
}  # fmt: skip
"""Whether a guard lets an alternative through, by its kind, as the argument of a name that has these ranks."""


def _is_refused(guard: GuardLine, atom: v.Num, name: str) -> bool:
    """Tell a bool, or a whole number that may not become float64."""
    if atom.type == "bool" and "exact=True" in guard.options:
        return True
    is_whole = atom.type in ("int", "bool") and name in guard.kept and not guard.leaves_numbers(name)
    return is_whole and guard.form not in ANY_DTYPE


def _takes(guard: GuardLine, dtype: str, is_kept: bool) -> bool:
    kind = dtype[0]
    if kind in "fc" and "single=False" in guard.options and dtype not in DOUBLE:
        return False
    if guard.form in ANY_DTYPE:
        if dtype == "int32" and "single=False" in guard.options:
            return False
        return guard.form == "promote" or kind in guard.kinds and (dtype not in NARROW or "u" in guard.kinds)
    if kind in "biu":
        return not is_kept and (dtype == "int64" or "exact=True" not in guard.options)
    return kind == "f" or kind == "c" and guard.form == "inexact"


def _possible_kinds(guard: GuardLine, facts: Iterable[v.Fact]) -> set[str]:
    """The kinds of dtypes of arrays that may meet: for `promote` the widest of those of each."""
    each = [{"u" if dtype in NARROW else dtype[0] for dtype in _dtypes([fact])} for fact in facts]
    if guard.form != "promote":
        return set().union(*each)
    return {max(row, key=ORDER.index) for row in itertools.product(*filter(None, each)) if row}


def _is_any_inexact(atom: v.Atom) -> bool:
    """Tell whether it is of some precision, whichever: what a guard elsewhere lets through, and no more is known."""
    return isinstance(atom, (v.Array, v.Scalar)) and atom.dtypes is not None and atom.dtypes >= ALWAYS


def _meet_alike(guard: GuardLine, facts: Sequence[v.Fact]) -> bool:
    """Tell whether arrays of several precisions (for `tensors`: of several dtypes) are passed only if all have axes."""
    known = [v.keep(fact, lambda atom: not _is_any_inexact(atom)) for fact in facts]
    if len(facts) == 1 or len(_precisions(guard, _dtypes(known))) < 2:
        return True
    if "mixed=False" in guard.options:
        return False
    arrays = [atom for fact in known for atom in fact if isinstance(atom, (v.Array, v.Scalar)) and atom.dtypes]
    numbers = any(isinstance(atom, v.Num) for fact in facts for atom in fact) and not guard.leaves_numbers()
    axes = [isinstance(atom, v.Array) and atom.ranks is not None and 0 not in atom.ranks for atom in arrays]
    return all(axes) and not numbers


def _precisions(guard: GuardLine, dtypes: set[str]) -> set[str]:
    """Reduce dtypes to what a guard tells apart: whether they are double, or the dtypes themselves."""
    if "mixed=False" in guard.options:
        return {dtype if dtype[0] in "fc" else "float64" for dtype in dtypes}
    return dtypes if guard.form == "tensors" else {str(dtype in DOUBLE) for dtype in dtypes}


def behind(guard: GuardLine, name: str, fact: v.Fact) -> v.Fact:
    """Give what a parameter is behind a guard that is passed this."""
    if (stated := dict(guard.stated).get(name)) is not None:
        return let_through(stated, fact)
    kept = _numbers_among(fact) if guard.leaves_numbers(name) else v.BOTTOM
    if "none=True" in guard.options:
        kept = v.join(kept, v.keep(fact, lambda atom: atom.kind == "none"))
    arrays = fact - kept
    single = "single=False" not in guard.options
    guarded = _guarded(guard.form, arrays, dict(guard.ranks).get(name), single, guard.kinds) if arrays else v.BOTTOM
    return v.join(kept, guarded) if arrays else kept


def _numbers_among(fact: v.Fact) -> v.Fact:
    """Give the Python numbers that something may be: where nothing is known of it, real ones."""
    unknown = (v.FLOAT, v.INT) if v.known_to_include(fact, "unknown") else ()
    return v.join(v.keep(fact, lambda atom: isinstance(atom, v.Num)), *unknown)


def _guarded(
    name: str, fact: v.Fact, taken: v.Ranks = None, single: bool = True, kinds: str = "fiubc"
) -> v.Fact:  # fmt: skip
    """Give what a guard makes of one argument: a tensor of the dtypes, and numbers of axes, that it lets pass."""
    dtypes, ranks = results.arraylike(fact, weak=False) or (None, None)
    if taken is not None:
        ranks = taken if ranks is None else ranks & taken or taken
    if name in ("floating", "inexact"):
        accepted = _accepted(name) if single else _accepted(name) & DOUBLE
        if dtypes is not None:
            dtypes = frozenset(dtype if dtype in FAMILIES["inexact"] else "float64" for dtype in dtypes)
            dtypes = dtypes & accepted or accepted
        else:
            dtypes = accepted
    elif not single:
        accepted = frozenset(dtype for kind in kinds for dtype in IN_DOUBLE[kind])
        dtypes = accepted if dtypes is None else dtypes & accepted or accepted
    return v.one(v.Array(dtypes, ranks))


def _accepted(name: str) -> frozenset[str]:
    floats = ALWAYS | frozenset(FAMILIES["floating"]) & DOMAIN.dtypes
    return floats if name == "floating" else floats | ALWAYS_COMPLEX


def _promoted(facts: list[v.Fact]) -> list[v.Fact]:
    """Arrays of one dtype: known where each is known to have the same."""
    arrays = [atom for fact in facts for atom in fact if isinstance(atom, v.Array)]
    dtypes = {atom.dtypes for atom in arrays}
    same = next(iter(dtypes)) if len(dtypes) == 1 else None
    one = same if same is not None and len(same) == 1 else None
    return [v.one(v.Array(one, atom.ranks)) for atom in arrays]
