"""`np.maximum.accumulate(x)` and `np.add.reduce(x)` of arrays: torch's cumulative functions and reductions."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.rules import ufunc_methods
from np2torch.rules.arraylike import loosen
from np2torch.rules.core import METHODS_OF_UFUNCS, Body, Rule
from np2torch.rules.rule_arguments import Decline, RuleArgument, Spelling, function, text

ACCUMULATED = {"add": "cumsum", "multiply": "cumprod", "maximum": "cummax", "minimum": "cummin"}
REDUCED = {"add": "sum", "multiply": "prod", "maximum": "amax", "minimum": "amin"}
OF_BOOLS = {"logical_and": "all", "logical_or": "any"}
KEPT = frozenset({"float64", "float32", "int64"})
"""Dtypes that neither side widens."""


def _dim(a: RuleArgument, axis: RuleArgument) -> str:
    """The axis: NumPy's first one, where none is said."""
    if axis.given and axis.integer_constant() is None:
        raise Decline("several axes, or all")
    if not a.is_tensor or 0 in (v.ranks_of(a.fact) or ()):
        raise Decline("perhaps without axes, which NumPy refuses")
    return str(axis) if axis.given else "0"


def _accumulated(name: str) -> Body:
    def body(a: RuleArgument, axis: RuleArgument, dtype: RuleArgument, out: RuleArgument) -> Spelling:
        dim = _dim(a, axis)
        if dtype.is_passed or out.is_passed or not a.dtypes() <= KEPT:
            raise Decline("dtype unknown")
        if name in ("cummax", "cummin"):
            return text(f"torch.{name}({a}, dim={dim}).values")
        return function(f"torch.{name}", a, dim=dim)

    return body


def _reduced(name: str, dtypes: frozenset[str]) -> Body:
    def body(
        a: RuleArgument, axis: RuleArgument, dtype: RuleArgument, out: RuleArgument, keepdims: RuleArgument,
        initial: RuleArgument, where: RuleArgument,
    ) -> Spelling:  # fmt: skip
        stacked = loosen(a)
        dim = _dim(stacked, axis)
        if any(one.given for one in (dtype, out, keepdims, initial, where)) or not stacked.dtypes() <= dtypes:
            raise Decline("dtype unknown, or what is more than the axis")
        return function(f"torch.{name}", stacked, dim=dim)

    return body


def _register(ufunc: str, method: str, body: Body, doc: str) -> None:
    signature, result = ufunc_methods.METHODS[method]

    def returns(bound: BoundArguments) -> v.Fact:
        return result(ufunc, bound)

    name = f"numpy.{ufunc}.{method}"
    METHODS_OF_UFUNCS.add(Rule(name, "NPT110", signature, returns, body, doc, area="elementwise"), name)


for _ufunc, _name in ACCUMULATED.items():
    _register(_ufunc, "accumulate", _accumulated(_name), f"`torch.{_name}` along the first axis, if none is said.")
for _ufunc, _name in REDUCED.items():
    _register(_ufunc, "reduce", _reduced(_name, KEPT), f"`torch.{_name}` along the first axis, if none is said.")
for _ufunc, _name in OF_BOOLS.items():
    _register(_ufunc, "reduce", _reduced(_name, frozenset({"bool"})), f"`torch.{_name}` of bools along the first axis.")
