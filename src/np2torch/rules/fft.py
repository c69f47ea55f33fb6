"""Fourier transforms: torch's own of floats and complex numbers; of all else what the shim gives back."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.results import array_with, by_table, same
from np2torch.rules.core import declare, rule
from np2torch.rules.rule_arguments import (
    COMPLEX,
    ArrayLike,
    AxisLike,
    Decline,
    Refused,
    RuleArgument,
    ShapeLike,
    Spelling,
    Value,
    function,
    text,
)  # fmt: skip

declare("fft", {"fft.ifftshift(x, axes=None)": same("x")})
for _name in ("hfft", "ihfft"):
    declare("fft", {f"fft.{_name}(a, n=None, axis=-1, norm=None)": by_table(f"fft.{_name}", "a")})
WITHOUT_KERNEL = frozenset({"float16"})
OF_REALS = ("rfft", "rfft2", "rfftn")
DOUBLE = frozenset({"float64", "int64", "int32", "int16", "int8", "uint8", "uint16"})
"""The dtypes of which a division gives float64."""
FLOATS = frozenset({"float64", "float32"})


def _transformed(name: str, a: RuleArgument) -> RuleArgument:
    """The operand in the precision that NumPy transforms in."""
    x = a.floating()
    if x.dtypes() & WITHOUT_KERNEL:
        raise Decline("torch transforms no float16")
    if name in OF_REALS and (complex_ := x.dtypes() & COMPLEX) and (complex_ == x.dtypes() or not DOMAIN.supposed):
        raise Decline("of real numbers")  # behind a guard both sides raise for complex ones
    return x


def _along_axis(name: str) -> None:
    def body(a: ArrayLike, n: Value = None, axis: AxisLike = -1, norm: Value = None, out: Refused = None) -> Spelling:
        x = _transformed(name, a)
        return function(f"torch.fft.{name}", x, n=n, dim=axis, norm=norm)

    doc = "Integers are transformed in float64; sizes, axes and norms mean the same."
    rule(f"fft.{name}", returns=by_table(f"fft.{name}", "a"), code="NPT146", doc=doc)(body)


def _along_axes(name: str, default: tuple[int, ...] | None) -> None:
    def body(
        a: ArrayLike, s: ShapeLike = None, axes: AxisLike = default, norm: Value = None, out: Refused = None
    ) -> Spelling:  # fmt: skip
        if default is None and 0 in (v.ranks_of(a.fact) or {0}):
            raise Decline("perhaps without axes")
        if axes.is_passed and not v.items_of(axes.fact):
            raise Decline("perhaps no axis at all")
        return function(f"torch.fft.{name}", _transformed(name, a), s=s, dim=axes, norm=norm)

    doc = "Integers are transformed in float64; an axis named twice is an error here."
    rule(f"fft.{name}", returns=by_table(f"fft.{name}", "a"), code="NPT146", doc=doc)(body)


@rule("fft.fftshift", returns=same("x"), code="NPT146")
def fftshift(x: ArrayLike, axes: AxisLike = None) -> Spelling:
    """Elements change places, of any dtype."""
    if not x.is_tensor or 0 in (v.ranks_of(x.fact) or ()):
        raise Decline("torch shifts no tensor without axes")
    return function("torch.fft.fftshift", x, dim=axes)


STEPS = {
    "fftfreq": "torch.fft.ifftshift(torch.arange(-({n} // 2), ({n} + 1) // 2, dtype=torch.float64))",
    "rfftfreq": "torch.arange({n} // 2 + 1, dtype=torch.float64)",
}
"""The frequencies in steps, which NumPy multiplies by the width of one: in the precision of the spacing."""


def _frequencies(name: str) -> None:
    def body(n: Value, d: Value = 1.0, device: Refused = None) -> Spelling:
        counts = v.keep(n.fact, lambda atom: isinstance(atom, v.Num) and atom.nonnegative and atom.type == "int")
        if name == "rfftfreq" and counts != n.fact:
            raise Decline("of less than no elements NumPy has no frequency, and torch one")
        arrays = v.keep(d.fact, lambda atom: atom.kind != "number") if d.given else v.BOTTOM
        if arrays:
            is_one = v.rank_of(arrays) == 0 or DOMAIN.supposed  # torch refuses an array with axes, aloud
            dtypes = v.dtypes_of(arrays) or {""}
            if not v.only(arrays, "array", "scalar") or not is_one:
                raise Decline("the spacing may have axes")
            if "float32" in dtypes and dtypes <= FLOATS and counts == n.fact:
                return text(f"{STEPS[name].format(n=n)} * (1.0 / ({n} * {d}))")
            if not dtypes <= DOUBLE:
                raise Decline("the precision of the spacing is not known")
        return function(f"torch.fft.{name}", n, d=d, dtype="torch.float64")

    rule(f"fft.{name}", returns=array_with("float64", 1), code="NPT146", doc="In float64.")(body)


for _name in "fft ifft rfft irfft".split():
    _along_axis(_name)
for _name in "fft ifft rfft irfft".split():
    _along_axes(_name + "2", (-2, -1))
    _along_axes(_name + "n", None)
for _name in ("fftfreq", "rfftfreq"):
    _frequencies(_name)
