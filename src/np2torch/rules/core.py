"""The form of a rule: NumPy's signature, RFC-0032's annotation words, a torch spelling, a docstring.

    @rule("std", method="std", returns=reduction("std"))
    def std(a: ArrayLike, axis: AxisLike = None, dtype: Refused = None, out: Refused = None, ddof: Value = 0,
            keepdims: KeepDims = False) -> Emit:
        '''Population standard deviation by default: torch's own default is the sample one.'''
        return call("std", a.floating(), dim=axis, correction=ddof, keepdim=keepdims)

Each parameter arrives as a `Piece`: the expression passed, what is known of it, and how it will be spelled. A body that
cannot promise equality raises `Decline`, and the site calls the shim. A parameter that was passed but not used by the
body declines too, so that no keyword is ever dropped in silence.
"""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from np2torch.facts import results, tables
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Bound, Parameter, Returns, Signature

PLACEHOLDER = "NP2TORCH_PIECE_"

# The annotation words of a rule's signature; a rule body sees a Piece for each.
ArrayLike = Operand = DTypeLike = AxisLike = KeepDims = ShapeLike = Value = Refused = Any


class Decline(Exception):
    """The rule cannot promise equality here: the site goes to the shim."""


class Unsupported(Exception):
    """Torch cannot hold this: the site stays on NumPy with a note."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(slots=True)
class Piece:
    """One argument on its way into the output."""

    name: str
    annotation: str
    node: ast.expr | None
    fact: v.Fact
    given: bool
    default: object
    text: str
    used: bool = False
    changed: bool = False

    def __str__(self) -> str:
        self.used = True
        return self.text

    @property
    def constant(self) -> object:
        """The constant passed, or the default. Looking at it counts as using it."""
        self.used = True
        return v.constant(self.fact) if self.given else self.default

    @property
    def is_none(self) -> bool:
        """Is it certainly None?"""
        if not self.given:
            return self.default is None
        return v.only(self.fact, "none")

    @property
    def is_tensor(self) -> bool:
        """Is it certainly a tensor in the output?"""
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
        """Every dtype it may have; the project's universe when unknown."""
        found = v.dtypes_of(self.fact)
        return results.UNIVERSE.dtypes if found is None else found

    def to(self, dtype: str) -> Piece:
        """Cast to a dtype, unless it has it for sure."""
        if v.dtypes_of(self.fact) == {dtype}:
            return self
        return self.spelled(f"{self}.to(torch.{dtype})", dtype)

    def spelled(self, text: str, dtype: str | None = None) -> Piece:
        """The same argument, spelled otherwise."""
        self.used = True
        fact = v.array(dtype, v.ranks_of(self.fact)) if dtype else self.fact
        return Piece(self.name, self.annotation, self.node, fact, True, None, text, True, True)

    def floating(self) -> Piece:
        """Cast bool and integers to float64, as `mean` and `linalg` do; declines where it may be either."""
        kinds = {kind_of(dtype) for dtype in self.dtypes()}
        if kinds <= {"f", "c"}:
            return self
        if kinds <= {"b", "i", "u"} or self.dtypes() <= {"bool", "float64"} | INTEGERS:
            return self.to("float64")
        raise Decline("dtype unknown")

    def integer_constant(self) -> int | None:
        """The Python int it is."""
        value = self.constant
        return value if isinstance(value, int) and not isinstance(value, bool) else None


INTEGERS = frozenset("int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())


def kind_of(dtype: str) -> str:
    """b, i, u, f or c, as NumPy's `dtype.kind`."""
    return "b" if dtype == "bool" else dtype[0]


@dataclass(slots=True)
class Emit:
    """What a rule makes of a site: an expression text with placeholders, or a call kept argument by argument."""

    text: str = ""
    function: str = ""
    arguments: list[tuple[str | None, Piece | str]] = field(default_factory=list)
    cast: bool = False
    message: str = ""


@dataclass(slots=True)
class Rule:
    """One entry of the rule book."""

    name: str
    code: str
    signature: Signature
    returns: Returns
    body: Callable[..., Emit] | None
    doc: str
    methods: tuple[str, ...] = ()
    area: str = ""


FUNCTIONS: dict[str, Rule] = {}
METHODS: dict[str, Rule] = {}


def _signature(function: Callable[..., Any]) -> Signature:
    out = []
    for p in inspect.signature(function).parameters.values():
        required = p.default is p.empty
        out.append(
            Parameter(
                p.name.rstrip("_"), str(p.annotation), None if required else p.default,
                required and p.kind is not p.VAR_POSITIONAL, p.kind is not p.KEYWORD_ONLY, p.kind is p.VAR_POSITIONAL,
            )
        )  # fmt: skip
    return tuple(out)


def rule(
    *names: str, returns: Returns, method: str | Sequence[str] = (), code: str = "NPT100", shim_only: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a rule for NumPy names (without `numpy.`) and for the ndarray methods that do the same."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        methods = (method,) if isinstance(method, str) else tuple(method)
        body = None if shim_only else function
        made = Rule(
            f"numpy.{names[0]}" if names else f"ndarray.{methods[0]}", code, _signature(function), returns, body,
            inspect.getdoc(function) or "", methods, function.__module__.rsplit(".", 1)[-1],
        )  # fmt: skip
        for name in names:
            FUNCTIONS[f"numpy.{name}"] = made
        for name in methods:
            METHODS[name] = made
        return function

    return register


# ------------------------------------------------------------------------------------------- making pieces
class Template:
    """Collects the expressions a site's new text refers to."""

    def __init__(self) -> None:
        self.nodes: list[ast.AST] = []

    def mark(self, node: ast.AST) -> str:
        """The placeholder of an expression."""
        self.nodes.append(node)
        return f"{PLACEHOLDER}{len(self.nodes) - 1}_"

    def piece(self, parameter: Parameter, argument: Argument) -> Piece:
        """The piece of one bound argument."""
        text = self.mark(argument.node) if argument.node is not None else repr(argument.default)
        return Piece(
            parameter.name, parameter.annotation, argument.node, argument.fact, argument.given, argument.default, text
        )


def run_body(found: Rule, bound: Bound, template: Template, style: str) -> Emit:
    """Ask a rule for its torch spelling of a bound call.

    Raises
    ------
    Decline
        When the rule declines, or a passed argument found no place in the spelling.
    """
    if found.body is None or bound.rest:
        raise Decline("no native form")
    pieces: dict[str, Piece] = {}
    for parameter in found.signature:
        if parameter.variadic:
            continue
        argument = bound[parameter.name]
        if argument.given and argument.node is None:
            raise Decline("argument without an expression")
        piece = template.piece(parameter, argument)
        pieces[parameter.name] = piece
        _admit(piece)
    _STYLE.append(style)
    try:
        emit = found.body(*_in_order(found, pieces))
    finally:
        _STYLE.pop()
    for piece in pieces.values():
        if piece.given and not piece.used and not piece.is_none:
            raise Decline(f"{piece.name}= has no torch spelling")
    return emit


def _in_order(found: Rule, pieces: dict[str, Piece]) -> list[Piece]:
    return [pieces[p.name] for p in found.signature if not p.variadic]


_STYLE: list[str] = []


def style() -> str:
    """"method" or "function": how the site is written now."""
    return _STYLE[-1]


def _admit(piece: Piece) -> None:
    if piece.annotation == "ArrayLike" and piece.given and not piece.is_tensor:
        raise Decline(f"{piece.name} is not known to be an array")
    if piece.annotation == "DTypeLike" and piece.given and not piece.is_none:
        names = results.dtype_names(piece.fact)
        if names is not None and len(names) == 1:
            piece.text = f"torch.{next(iter(names))}"
        elif not v.only(piece.fact, "dtype"):
            raise Decline("dtype unknown")
    if piece.annotation == "Refused" and piece.given and not piece.is_none:
        if piece.constant is None or piece.constant != piece.default:
            raise Decline(f"{piece.name}= has no torch spelling")
    if piece.annotation == "AxisLike" and piece.given and not piece.is_none:
        if not v.only(piece.fact, "number", "sequence"):
            raise Decline("axis unknown")
        if any(isinstance(atom, v.Sequence) and atom.type == "list" for atom in piece.fact):
            raise Decline("NumPy refuses a list of axes in most places")


# ------------------------------------------------------------------------------------------ torch spellings
def _arguments(args: Sequence[Piece | str], kwargs: dict[str, Piece | str | None]) -> list[tuple[str | None, Piece | str]]:
    out: list[tuple[str | None, Piece | str]] = [(None, a) for a in args]
    for keyword, value in kwargs.items():
        if value is None or isinstance(value, Piece) and (not value.given or value.is_none):
            if isinstance(value, Piece):
                value.used = True
            continue
        out.append((keyword.rstrip("_"), value))
    for _, value in out:
        if isinstance(value, Piece):
            value.used = True
    return out


def function(name: str, *args: Piece | str, **kwargs: Piece | str | None) -> Emit:
    """`torch.name(...)`; keywords not given are left out."""
    arguments = _arguments(args, kwargs)
    cast = any(isinstance(a, Piece) and a.changed for _, a in arguments)
    return Emit(function=name, arguments=arguments, cast=cast)


def call(name: str, first: Piece, *args: Piece | str, **kwargs: Piece | str | None) -> Emit:
    """`first.name(...)` where the site is a method call, `torch.name(first, ...)` where it is a function call."""
    if style() == "function":
        return function(f"torch.{name}", first, *args, **kwargs)
    rest = _arguments(args, kwargs)
    cast = first.changed or any(isinstance(a, Piece) and a.changed for _, a in rest)
    return Emit(function=f"{first}.{name}", arguments=rest, cast=cast)


def text(template: str, cast: bool = False, message: str = "") -> Emit:
    """Any expression, pieces written into it by f-string."""
    return Emit(text=template, cast=cast, message=message)


# --------------------------------------------------------------------------------------------------- casts
def descriptors(fact: v.Fact) -> frozenset[tuple[str, bool] | str] | None:
    """The (dtype, is 0-D) or weak names an operand may be; None when it may be no number at all."""
    out: set[tuple[str, bool] | str] = set()
    if not fact:
        return None
    for atom in fact:
        if isinstance(atom, v.Array):
            ranks = atom.ranks
            for dtype in results.UNIVERSE.dtypes if atom.dtypes is None else atom.dtypes:
                if ranks is None or ranks - {0}:
                    out.add((dtype, False))
                if ranks is not None and 0 in ranks:
                    out.add((dtype, True))
        elif isinstance(atom, v.Scalar) and atom.python:
            out.add("pyfloat")
        elif isinstance(atom, v.Scalar):
            out.update((dtype, True) for dtype in (results.UNIVERSE.dtypes if atom.dtypes is None else atom.dtypes))
        elif isinstance(atom, v.Num):
            out.add(results.WEAK[atom.type])
        elif isinstance(atom, v.Anything):
            for dtype in results.UNIVERSE.dtypes:
                out.add((dtype, False))
            out.update(results.WEAK[t] for t in ("int", "float"))
        else:
            return None
    return frozenset(out)


@dataclass(slots=True)
class Casts:
    """The casts that make a torch operation equal to NumPy's for every alternative of its operands."""

    operands: tuple[str | None, ...]
    result: str | None = None
    dtype_argument: str | None = None


LOUD = object()


def unify(name: str, facts: Sequence[v.Fact], inplace: bool = False, exact_zero: bool = True) -> Casts | None:
    """One set of casts that is right for every combination of what the operands may be; None where there is none.

    Combinations for which NumPy itself raises do not count.
    """
    sets = [descriptors(fact) for fact in facts]
    if any(one is None for one in sets):
        return None
    known = [one for one in sets if one is not None]
    total = 1
    for one in known:
        total *= len(one)
    if total > 400:
        return None
    unsure = any(v.dtypes_of(f) is None and v.may(f, "array", "scalar") for f in facts)
    wanted: list[str | None] = [None] * len(facts)
    result: str | None = None
    argument: str | None = None
    seen = False
    needs: list[tuple[tuple[Any, ...], Any]] = []
    for combination in itertools.product(*known):
        plain = [c if isinstance(c, str) else c[0] for c in combination]
        if all(isinstance(c, str) for c in combination):
            continue
        expected = tables.result(name, *plain)
        if expected is None:
            continue  # NumPy raises
        recipe = tables.inplace(name, *combination) if inplace else tables.recipe(name, *combination)
        if recipe is None:
            if unsure and "bool" in plain:
                continue  # an unknown dtype that is bool after all raises in torch, loudly
            return None
        if exact_zero and not recipe.zero_safe:
            return None
        needs.append((combination, recipe))
        seen = True
        for index, cast in enumerate(recipe.casts):
            if cast is not None:
                if wanted[index] not in (None, cast):
                    return None
                wanted[index] = cast
        if recipe.result_cast is not None:
            if result not in (None, recipe.result_cast):
                return None
            result = recipe.result_cast
        if recipe.dtype_argument is not None:
            if argument not in (None, recipe.dtype_argument):
                return None
            argument = recipe.dtype_argument
    if not seen:
        return None
    for combination, recipe in needs:  # a cast asked for by one combination must be harmless in the others
        for index, cast in enumerate(wanted):
            have = combination[index]
            if cast is None or recipe.casts[index] == cast:
                continue
            if isinstance(have, str) or have[0] != cast:
                return None
        plain = [c if isinstance(c, str) else c[0] for c in combination]
        outcome = tables.result(name, *plain)
        if result is not None and recipe.result_cast is None and outcome != result:
            return None
        if argument is not None and recipe.dtype_argument is None and outcome != argument:
            return None
    return Casts(tuple(wanted), result, argument)


def apply_casts(casts: Casts, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with their casts spelled out."""
    return [p if c is None else p.spelled(f"{p}.to(torch.{c})", c) for p, c in zip(pieces, casts.operands, strict=True)]


def declare(spec: str, returns: Returns, method: str | Sequence[str] = (), doc: str = "", area: str = "") -> None:
    """Register a name that always goes to the shim: `declare("interp(x, xp, fp)", array_with("float64"))`."""
    dotted, _, parameters = spec.partition("(")
    node = ast.parse(f"def {dotted.replace('.', '__')}({parameters}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    missing = len(positional) - len(arguments.defaults)
    signature = [
        Parameter(p.arg, "Value", None if i < missing else ast.literal_eval(arguments.defaults[i - missing]), i < missing)
        for i, p in enumerate(positional)
    ]
    if arguments.vararg:
        signature.append(Parameter(arguments.vararg.arg, "Value", None, False, True, True))
    for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        signature.append(Parameter(p.arg, "Value", ast.literal_eval(d) if d else None, d is None, False))
    name = f"numpy.{dotted}"
    methods = (method,) if isinstance(method, str) else tuple(method)
    made = Rule(name, "NPT150", tuple(signature), returns, None, doc, methods, area)
    FUNCTIONS[name] = made
    for one in methods:
        METHODS[one] = made
