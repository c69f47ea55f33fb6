"""The arguments of a rule's body, as pieces of the output, and the torch spellings made of them."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Parameter
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtypes import INEXACT

PLACEHOLDER = "NP2TORCH_PIECE_"

# The annotation words of a rule's signature. Its defaults are NumPy's while its body sees a Piece: hence Any.
ArrayLike: TypeAlias = Any
Operand: TypeAlias = Any
DTypeLike: TypeAlias = Any
AxisLike: TypeAlias = Any
KeepDims: TypeAlias = Any
Flag: TypeAlias = Any
ShapeLike: TypeAlias = Any
Value: TypeAlias = Any
Refused: TypeAlias = Any

Style = Literal["function", "method"]


@dataclass(frozen=True, slots=True)
class CallSite:
    """The call that a rule converts.

    Attributes
    ----------
    style
        How it is written.
    sharing_shows
        Whether memory shared with its source would be noticed.
    dtype_is_said
        Whether the dtype of an expression is stated by people, and not found by the analysis.
    has_comments
        Whether there are comments in an expression, which a list written anew would lose.
    heeds_warnings
        Whether the project records warnings, turns them into errors or turns them off.
    fact
        What is known of another expression.
    first_alone
        Whether of a tuple that comes out only the first item is read.
    """

    style: Style = "function"
    sharing_shows: Callable[[], bool] = lambda: True
    dtype_is_said: Callable[[ast.expr | None], bool] = lambda node: False
    has_comments: Callable[[ast.expr], bool] = lambda node: node.lineno != node.end_lineno
    heeds_warnings: Callable[[], bool] = lambda: False
    fact: Callable[[ast.expr], v.Fact] = lambda node: v.TOP
    first_alone: Callable[[], bool] = lambda: False


class Decline(Exception):
    """The rule cannot promise equality here: the site goes to the shim."""


class UnsupportedError(Exception):
    """Error of a rule for what torch cannot hold: the site stays on NumPy with a note."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(slots=True)
class RuleArgument:
    """One argument on its way into the output."""

    name: str
    annotation: str
    node: ast.expr | None
    fact: v.Fact
    given: bool
    default: object
    text: str
    part: Callable[[ast.expr, v.Fact], RuleArgument]
    """Makes a piece of an expression inside of it."""
    asked: CallSite = field(default_factory=CallSite)
    used: bool = False
    changed: bool = False
    made_by: str = ""
    """The function that makes a tensor of it if it is none: `torch.tensor`, `torch.as_tensor`, `torch.stack`."""

    whole: bool = False
    """Are what is no tensor of it integers and bools, for which `torch.as_tensor` finds NumPy's dtype itself?"""

    written_anew: bool = False
    """Whether it is a list whose items are written one by one."""

    def __str__(self) -> str:
        self.used = True
        return self._tensor() if self.made_by else self.text

    @property
    def raw(self) -> str:
        """The text as it was written, without a conversion to a tensor."""
        self.used = True
        return self.text

    def _tensor(self) -> str:
        if self.made_by == "torch.stack":
            return f"torch.stack({self.text})"
        if self.dtype is None and self.whole:
            return f"{self.made_by}({self.text})"
        if self.dtype is None:
            raise Decline("the dtype of the numbers is not known")
        said = self.made_by == "torch.as_tensor" or self.dtype not in FOUND_BY_TORCH
        return f"{self.made_by}({self.text}{f', dtype=torch.{self.dtype}' if said else ''})"

    @property
    def may_be_number(self) -> bool:
        """Tell whether it is converted to a tensor here, and may be a number as well as a list."""
        return bool(self.made_by) and v.ranks_of(self.fact) is None

    @property
    def constant(self) -> object:
        """The constant passed, or the default. Looking at it counts as using it."""
        self.used = True
        return v.constant(self.fact) if self.given else self.default

    @property
    def is_none(self) -> bool:
        """Tell whether it is certainly None."""
        if not self.given:
            return self.default is None
        return v.only(self.fact, "none")

    @property
    def is_passed(self) -> bool:
        """Tell whether an argument was passed that may be other than None."""
        return self.given and not self.is_none

    @property
    def is_tensor(self) -> bool:
        """Tell whether it is certainly a tensor in the output."""
        return v.is_tensor(self.fact)

    @property
    def rank(self) -> int | None:
        """Its rank, where there is one answer."""
        return v.rank_of(self.fact)

    @property
    def dtype(self) -> str | None:
        """Its dtype, where there is one answer."""
        return v.dtype_of(self.fact)

    def dtypes(self) -> frozenset[str]:
        """List every dtype that it may have; the project's universe when unknown."""
        found = v.dtypes_of(self.fact)
        return DOMAIN.unknown if found is None else found

    def may_have_dtype(self, dtypes: frozenset[str]) -> bool:
        """Tell whether it may have one of these dtypes, which torch treats differently; no if dtypes are supposed."""
        return not DOMAIN.supposed and bool(self.dtypes() & dtypes)

    def dtypes_without(self, refused: frozenset[str]) -> frozenset[str]:
        """Drop the dtypes that torch refuses, of those that are only supposed, and of several."""
        mine = self.dtypes()
        rest = mine - refused if not DOMAIN.caught else mine
        return rest if DOMAIN.supposed or rest and not DOMAIN.holds(v.dtypes_of(self.fact)) else mine

    def known_excluded(self, dtypes: frozenset[str]) -> bool:
        """The same, of what is known to have one: of an unknown dtype, or one of several, torch may raise, too."""
        if DOMAIN.caught:
            return bool(self.dtypes() & dtypes)
        known = v.dtypes_of(self.fact) or frozenset()
        several = bool(known - dtypes) and not DOMAIN.holds(known)
        return not DOMAIN.supposed and bool(known & dtypes) and not several

    def to(self, dtype: str) -> RuleArgument:
        """Cast to a dtype, unless it has it for sure."""
        if v.dtypes_of(self.fact) == frozenset([dtype]):
            return self
        if self.made_by in ("torch.tensor", "torch.as_tensor"):
            made = self.with_text(f"{self.made_by}({self.text}, dtype=torch.{dtype})", dtype)
            return dataclasses.replace(made, changed=self.changed)
        return self.with_text(f"{self}.to(torch.{dtype})", dtype)

    def with_text(self, text: str, dtype: str | None = None, fact: v.Fact | None = None) -> RuleArgument:
        """Copy the argument, spelled otherwise, with the dtype or the fact that it has then."""
        self.used = True
        if fact is None:
            fact = v.array(dtype, v.ranks_of(self.fact)) if dtype else self.fact
        return dataclasses.replace(self, fact=fact, given=True, default=None, text=text, changed=True, made_by="")

    def rearrange(self, text: str) -> RuleArgument:
        """Copy the argument, spelled with its elements in another order or shape: no cast."""
        self.used = True
        return dataclasses.replace(self, given=True, default=None, text=text, made_by="")

    def assume(self, fact: v.Fact) -> None:
        """Replace what is known of the argument."""
        self.fact = fact

    def respell(self, text: str, fact: v.Fact | None = None, made_by: str | None = None) -> None:
        """Replace the text, and where they are passed what is known of it and what makes a tensor of it."""
        self.text = text
        self.fact = self.fact if fact is None else fact
        self.made_by = self.made_by if made_by is None else made_by

    def make_by(self, function: str, fact: v.Fact | None = None, whole: bool = False) -> None:
        """Let a function make a tensor of the argument: `torch.tensor`, `torch.as_tensor`, `torch.stack`."""
        self.made_by = function
        if fact is not None:
            self.fact, self.whole = fact, whole

    def stack(self, items: str, fact: v.Fact) -> None:
        """Make the argument a stack of items that are written one by one."""
        self.respell(items, fact, "torch.stack")
        self.changed, self.written_anew = ".to(" in items, True

    def omit(self) -> None:
        """Take the argument for one that was not passed."""
        self.given = False

    def floating(self) -> RuleArgument:
        """Cast bool and integers to float64, as `mean` and `linalg` do; declines where it may be either."""
        kinds = {kind_of(dtype) for dtype in self.dtypes()}
        if kinds <= {"f", "c"}:
            return self
        if kinds <= {"b", "i", "u"} or self.dtypes() <= {"bool", "float64"} | INTEGERS:
            return self.to("float64")
        raise Decline("dtype unknown")

    def integer_constant(self) -> int | None:
        """Find the Python int of a constant."""
        value = self.constant
        return value if isinstance(value, int) and not isinstance(value, bool) else None


FOUND_BY_TORCH = ("int64", "bool")
"""dtypes that `torch.tensor` gives Python numbers by itself, as NumPy does."""
UNSIGNED = frozenset({"uint16", "uint32", "uint64"})
"""dtypes of which torch knows little more than the name."""
COMPLEX = frozenset({"complex64", "complex128"})
FULL_INEXACT = INEXACT - {"float16"}
"""Inexact dtypes with which torch computes as NumPy does."""
INTEGERS = frozenset("int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())


def use(*arguments: RuleArgument) -> None:
    """Count arguments as used that make no difference to the spelling."""
    for argument in arguments:
        argument.used = True


def kind_of(dtype: str) -> str:
    """b, i, u, f or c, as NumPy's `dtype.kind`."""
    return "b" if dtype == "bool" else dtype[0]


def number_kinds(*arguments: RuleArgument) -> set[str]:
    """Give the kinds of Python numbers that arguments may be."""
    return {atom.type for argument in arguments for atom in argument.fact if isinstance(atom, v.Num)}


@dataclass(slots=True)
class Spelling:
    """The output of a rule: an expression text with placeholders, or a call kept argument by argument."""

    text: str = ""
    function: str = ""
    arguments: list[tuple[str | None, RuleArgument | str]] = field(default_factory=list)
    cast: bool = False
    message: str = ""


class Template:
    """Collects the expressions a site's new text refers to."""

    def __init__(self, asked: CallSite | None = None) -> None:
        self.asked = asked or CallSite()
        self.nodes: list[ast.AST] = []

    def mark(self, node: ast.AST) -> str:
        """The placeholder of an expression."""
        self.nodes.append(node)
        return f"{PLACEHOLDER}{len(self.nodes) - 1}_"

    def of(self, node: ast.expr, fact: v.Fact) -> RuleArgument:
        """Make an argument of a node that is a part of an expression."""
        return RuleArgument("", "ArrayLike", node, fact, True, None, self.mark(node), self.of, self.asked)

    def piece(self, parameter: Parameter, argument: Argument) -> RuleArgument:
        """The piece of one bound argument."""
        text = self.mark(argument.node) if argument.node is not None else repr(argument.default)
        return RuleArgument(
            parameter.name, parameter.annotation, argument.node, argument.fact, argument.given, argument.default, text,
            self.of, self.asked,
        )  # fmt: skip


# ------------------------------------------------------------------------------------------ torch spellings
Spelled = list[tuple[str | None, RuleArgument | str]]


def _arguments(args: Sequence[RuleArgument | str], kwargs: dict[str, RuleArgument | str | None]) -> Spelled:
    out: Spelled = [(None, a) for a in args]
    for keyword, value in kwargs.items():
        if value is None or isinstance(value, RuleArgument) and (not value.given or value.is_none):
            if isinstance(value, RuleArgument):
                value.used = True
            continue
        out.append((keyword.rstrip("_"), value))
    for _, value in out:
        if isinstance(value, RuleArgument):
            value.used = True
    return out


def function(name: str, *args: RuleArgument | str, **kwargs: RuleArgument | str | None) -> Spelling:
    """`torch.name(...)`; keywords not given are left out."""
    arguments = _arguments(args, kwargs)
    cast = any(isinstance(a, RuleArgument) and a.changed for _, a in arguments)
    return Spelling(function=name, arguments=arguments, cast=cast)


def call(name: str, first: RuleArgument, *args: RuleArgument | str, **kwargs: RuleArgument | str | None) -> Spelling:
    """`first.name(...)` where the site is a method call, `torch.name(first, ...)` where it is a function call."""
    if first.asked.style == "function":
        return function(f"torch.{name}", first, *args, **kwargs)
    rest = _arguments(args, kwargs)
    cast = first.changed or any(isinstance(a, RuleArgument) and a.changed for _, a in rest)
    return Spelling(function=f"{first}.{name}", arguments=rest, cast=cast)


def text(template: str, cast: bool = False, message: str = "") -> Spelling:
    """Any expression, pieces written into it by f-string."""
    return Spelling(text=template, cast=cast, message=message)
