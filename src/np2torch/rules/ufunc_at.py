"""`np.add.at(a, indices, b)` of tensors: torch adds up in place what one element gets several times."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.rules import ufunc_methods
from np2torch.rules.core import METHODS_OF_UFUNCS, Body, Rule
from np2torch.rules.rule_arguments import Decline, RuleArgument, Spelling, number_kinds, text

INDICES = frozenset({"int64", "int32", "bool"})
"""Dtypes of tensors by which torch indexes as NumPy does."""
EXACT = {
    "float64": frozenset("bool uint8 int8 int16 int32 int64 float32 float64".split()),
    "float32": frozenset("bool uint8 int8 int16 float32".split()),
    "complex128": frozenset("bool uint8 int8 int16 int32 int64 float32 float64 complex64 complex128".split()),
    "int64": frozenset("bool uint8 int8 int16 int32 int64".split()),
    "int32": frozenset("bool uint8 int8 int16 int32".split()),
}
"""Dtypes that NumPy adds to each one in that dtype, so that a cast beforehand makes no difference."""
NUMBERS = {"float64": {"int", "float"}, "int64": {"int"}}
"""Python's numbers that NumPy adds to each dtype in that dtype: it makes arrays of them first."""


def _indices(indices: RuleArgument) -> str:
    """The indices as the tuple that torch wants; declines if one of them is no tensor."""
    items = v.items_of(indices.fact)
    several = [indices.fact] if items is None else items
    if not several or not all(v.is_tensor(one) and (v.dtypes_of(one) or {""}) <= INDICES for one in several):
        raise Decline("an index that is no tensor")
    if items is None:
        return f"({indices},)"
    if not all(isinstance(atom, v.Sequence) and atom.type == "tuple" for atom in indices.fact):
        raise Decline("a list of indices, which NumPy makes one array")
    return str(indices)


def _added(a: RuleArgument, b: RuleArgument) -> RuleArgument | str:
    """The operand as a tensor of the dtype of what it is added to; declines where NumPy adds in another one."""
    found = a.dtypes()
    if v.is_tensor(b.fact) and found == b.dtypes() and found <= EXACT.keys():
        return b
    dtype = next(iter(found)) if len(found) == 1 else ""
    if v.only(b.fact, "number") and number_kinds(b) <= NUMBERS.get(dtype, set()):
        return f"torch.tensor({b}, dtype=torch.{dtype})"
    if not v.is_tensor(b.fact) or not b.dtypes() or not b.dtypes() <= EXACT.get(dtype, frozenset()):
        raise Decline("NumPy adds them in another dtype")
    return b.to(dtype)


def _body(sign: str) -> Body:
    def body(a: RuleArgument, indices: RuleArgument, b: RuleArgument) -> Spelling:
        if not a.is_tensor or not b.given:
            raise Decline("perhaps no tensor")
        where, added = _indices(indices), _added(a, b)
        cast = isinstance(added, RuleArgument) and added.changed
        return text(f"{a}.index_put_({where}, {sign}{added}, accumulate=True)", cast=cast)

    return body


def _returns(_: object) -> v.Fact:
    return v.NONE


for _ufunc, _sign in (("add", ""), ("subtract", "-")):
    _name = f"numpy.{_ufunc}.at"
    _rule = Rule(
        _name, "NPT102", ufunc_methods.AT, _returns, _body(_sign),
        "In place: what several indices name is added to several times.", area="elementwise",
    )  # fmt: skip
    METHODS_OF_UFUNCS.add(_rule, _name)
