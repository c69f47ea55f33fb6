"""`np.add.at(a, indices, b)` of tensors: torch adds up in place what one element gets several times."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.results import result_dtypes
from np2torch.rules import ufunc_methods
from np2torch.rules.core import METHODS_OF_UFUNCS, Body, Rule
from np2torch.rules.rule_arguments import UNSIGNED, Decline, RuleArgument, Spelling, number_kinds, text

INDICES = frozenset({"int64", "int32", "bool"})
"""Dtypes of tensors by which torch indexes as NumPy does."""
TARGETS = frozenset({"float64", "float32", "complex128", "int64", "int32"})
"""Dtypes in which torch adds up as NumPy does."""
NEVER = UNSIGNED | {"float16"}
"""Dtypes of what is added with which torch does little."""
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
    if v.is_tensor(b.fact) and found == b.dtypes() and found <= TARGETS:
        return b
    dtype = next(iter(found)) if len(found) == 1 else ""
    if v.only(b.fact, "number") and number_kinds(b) <= NUMBERS.get(dtype, set()):
        return f"torch.tensor({b}, dtype=torch.{dtype})"
    if dtype not in TARGETS or not v.is_tensor(b.fact) or not b.dtypes() or b.dtypes() & NEVER:
        raise Decline("perhaps no tensor, or a dtype that torch does not add")
    if result_dtypes("add", [found, b.dtypes()]) != found:
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
