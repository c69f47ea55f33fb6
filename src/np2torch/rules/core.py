"""The form of a rule: NumPy's signature, RFC-0032's annotation words, a torch spelling, a docstring.

    @rule("std", method="std", returns=reduction("std"))
    def std(a: ArrayLike, axis: AxisLike = None, dtype: Refused = None, out: Refused = None, ddof: Value = 0,
            keepdims: KeepDims = False) -> Emit:
        '''Population standard deviation by default: torch's own default is the sample one.'''
        return call("std", a.floating(), dim=axis, correction=ddof, keepdim=keepdims)

Each parameter arrives as a `RuleArgument`: the expression passed, what is known of it, and how it will be spelled. A
body that cannot promise equality raises `Decline`, and the site calls the shim. A parameter that was passed but not
used by the body declines too, so that no keyword is ever dropped in silence.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Parameter, Returns, Signature
from np2torch.names.tree import is_repeatable
from np2torch.rules.arraylike import loosen
from np2torch.rules.casts import without_none
from np2torch.rules.rule_arguments import PLACEHOLDER, Decline, RuleArgument, Spelling, Template, UnsupportedError

Body = Callable[..., Spelling]
MARK = re.compile(rf"{PLACEHOLDER}(\d+)_")


@dataclass(slots=True)
class Rule:
    """One entry of the rule book."""

    name: str
    code: str
    signature: Signature
    returns: Returns
    body: Body | None
    doc: str
    methods: tuple[str, ...] = ()
    area: str = ""
    takes_text: bool = False
    raises_on_none: bool = False
    declared: bool = False

    def parameter(self, place: int | str) -> Parameter | None:
        """Give the parameter that takes an argument, by its place or its name."""
        if isinstance(place, str):
            return next((one for one in self.signature if one.name == place), None)
        variadic = (one for one in self.signature[:place] if one.variadic)
        return next(variadic, self.signature[place] if place < len(self.signature) else None)


class Area(NamedTuple):
    """The common traits of the functions in one part of NumPy; a module states them as its AREA.

    Attributes
    ----------
    takes_text
        Its functions make an array of their first argument, whatever it is.
    raises_on_none
        A TypeError comes of None in an array's place, on both sides.
    """

    name: str
    takes_text: bool = False
    raises_on_none: bool = False


class Registry(dict[str, Rule]):
    """Rules by name: an entry takes the place of its declaration, in whatever order; anything else twice is refused."""

    def add(self, rule: Rule, *names: str) -> None:
        """Register a rule under these names."""
        for name in names:
            there = self.get(name)
            if there is not None and there.declared == rule.declared:
                raise ValueError(f"{name} is registered twice: in {there.area} and in {rule.area}")
            if there is None or there.declared:
                self[name] = rule


FUNCTIONS = Registry()
METHODS = Registry()
METHODS_OF_UFUNCS = Registry()
"""By the full name of the method: `numpy.subtract.outer`."""


def _signature(function: Body) -> Signature:
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
    *names: str, returns: Returns, method: str = "", code: str = "NPT100", doc: str = ""
) -> Callable[[Body], Body]:
    """Register a rule for NumPy names (without `numpy.`) and for the ndarray method that does the same.

    `doc` is what reports say of it, where one body serves several names; otherwise it is the docstring of the body.
    """

    def register(function: Body) -> Body:
        methods = (method,) if method else ()
        area = function.__globals__.get("AREA") or Area(function.__module__.rsplit(".", 1)[-1])
        made = Rule(
            f"numpy.{names[0]}" if names else f"ndarray.{method}", code, _signature(function), returns, function,
            doc or inspect.getdoc(function) or "", methods, *area,
        )  # fmt: skip
        FUNCTIONS.add(made, *(f"numpy.{name}" for name in names))
        METHODS.add(made, *methods)
        return function

    return register


def declare(area: str | Area, table: Mapping[str, Returns], methods: Sequence[str] = ()) -> None:
    """Register names that always go to the shim, by their signatures: `{"interp(x, xp, fp)": array_with("float64")}`.

    `methods` are those among them that are methods of ndarray too.
    """
    for spec, returns in table.items():
        short, _, parameters = spec.partition("(")
        own = (short,) if short in methods else ()
        common = Area(area) if isinstance(area, str) else area
        made = Rule(f"numpy.{short}", "NPT150", _parsed(parameters), returns, None, "", own, *common, declared=True)
        FUNCTIONS.add(made, made.name)
        METHODS.add(made, *own)


def _parsed(parameters: str) -> Signature:
    """The signature of a text like `x, axis=0)`."""
    node = ast.parse(f"def f({parameters}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    out = [Parameter(p.arg, "Value", _default(d), d is None) for p, d in zip(positional, defaults, strict=True)]
    if arguments.vararg:
        out.append(Parameter(arguments.vararg.arg, "Value", None, False, True, True))
    for p, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        out.append(Parameter(p.arg, "Value", _default(default), default is None, False))
    return tuple(out)


def _default(node: ast.expr | None) -> object:
    return None if node is None else ast.literal_eval(node)


# -------------------------------------------------------------------------------------------------- asking a rule
def run_body(found: Rule, bound: BoundArguments, template: Template) -> Spelling:
    """Ask a rule for its torch spelling of a bound call.

    Raises
    ------
    Decline
        When the rule declines, or a passed argument found no place in the spelling.
    """
    if found.body is None:
        raise Decline("no native form")
    pieces: list[RuleArgument] = []
    named: dict[str, RuleArgument] = {}
    for parameter in found.signature:
        for argument in bound.rest if parameter.variadic else [bound[parameter.name]]:
            if argument.given and argument.node is None:
                raise Decline("argument without an expression")
            piece = template.piece(parameter, argument)
            if found.raises_on_none and parameter.annotation == "ArrayLike":
                piece.assume(without_none(piece.fact))
            pieces.append(piece)
            _admit(piece)
            if any(other.variadic for other in found.signature) and not parameter.positional:
                named[parameter.name] = piece
    _check_bounds(pieces)
    emit = found.body(*(piece for piece in pieces if piece.name not in named), **named)
    for piece in pieces:
        if piece.given and not piece.used and not piece.is_none:
            raise Decline(f"{piece.name}= has no torch spelling")
    _check_repeats(emit, template)
    return emit


def _check_repeats(emit: Spelling, template: Template) -> None:
    """Decline a spelling that would evaluate twice what may draw a number, print or take long."""
    texts = [emit.text, emit.function, *(str(argument) for _, argument in emit.arguments)]
    marks = Counter(int(index) for text in texts for index in MARK.findall(text))
    written = Counter(template.nodes[index] for index in marks.elements())
    if any(count > 1 and not _may_stand_twice(node) for node, count in written.items()):
        raise Decline("would be computed twice")


def _may_stand_twice(node: ast.AST) -> bool:
    """Tell what costs nothing to compute again: a name, a path, the length of one."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[only], keywords=[]):
            return is_repeatable(only)
    return is_repeatable(node)


def _check_bounds(pieces: Sequence[RuleArgument]) -> None:
    """Decline an axis the array does not have: NumPy's error is another."""
    ranks = [piece.rank for piece in pieces if piece.annotation == "ArrayLike" and piece.rank is not None]
    for piece in pieces:
        if piece.annotation == "AxisLike" and piece.is_passed and ranks[:1] == [0]:
            raise Decline("no axis at all, where torch takes 0 and -1")
        if piece.annotation == "AxisLike" and piece.given and piece.name == "axis" and len(ranks) == 1:
            axis = v.constant(piece.fact)
            if isinstance(axis, int) and not -ranks[0] - 1 <= axis <= ranks[0]:
                raise Decline("no such axis")


def _admit(piece: RuleArgument) -> None:
    """Decline what the annotation word of a parameter does not admit."""
    if piece.given and piece.annotation == "ArrayLike" and not loosen(piece).is_tensor:
        raise Decline(f"{piece.name} is not known to be an array")
    if piece.given and not piece.is_none and (check := CHECKS.get(piece.annotation)):
        check(piece)


def check_dtype(piece: RuleArgument) -> None:
    """Spell a dtype, or refuse it."""
    if lacking := results.no_torch_dtype(piece.fact):
        code = "NPT302" if lacking == "structured" else "NPT301"
        raise UnsupportedError(code, f"{lacking} dtype has no torch counterpart; this array stays on NumPy.")
    names = results.dtype_names(piece.fact)
    if names is not None and len(names) == 1:
        piece.respell(f"torch.{next(iter(names))}")
    elif not v.only(piece.fact, "dtype"):
        raise Decline("dtype unknown")


def _check_refused(piece: RuleArgument) -> None:
    if piece.constant is None or piece.constant != piece.default:
        raise Decline(f"{piece.name}= has no torch spelling")


def _check_axis(piece: RuleArgument) -> None:
    if not v.only(piece.fact, "number", "sequence", "none", "unknown"):
        raise Decline("axis unknown")
    if any(isinstance(atom, v.Sequence) and atom.type == "list" for atom in piece.fact):
        raise Decline("NumPy refuses a list of axes in most places")


def _check_keepdims(piece: RuleArgument) -> None:
    value = v.constant(piece.fact)
    if isinstance(value, int) and not value:  # the default; torch takes the word only beside an axis
        piece.omit()
    else:
        _check_flag(piece)


def _check_flag(piece: RuleArgument) -> None:
    value = v.constant(piece.fact)
    if isinstance(value, int):  # NumPy takes 1 for True, torch does not
        if not isinstance(value, bool):
            piece.respell(repr(bool(value)))
    elif not all(isinstance(a, v.Top) or isinstance(a, v.Num) and a.type == "bool" for a in piece.fact):
        raise Decline(f"{piece.name} unknown")


CHECKS: dict[str, Callable[[RuleArgument], None]] = {
    "DTypeLike": check_dtype, "Refused": _check_refused, "AxisLike": _check_axis, "KeepDims": _check_keepdims,
    "Flag": _check_flag,
}  # fmt: skip
"""The checks for annotation words, on arguments that are passed and are not None."""
