"""`numpy.polynomial.chebyshev`, `legendre`, `hermite`, `hermite_e`, `laguerre`: the table of bases, and the modules."""

from __future__ import annotations

import functools
import inspect
import math
import operator as python
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from np2torch.shim import _orthogonal as o
from np2torch.shim import elementwise, operator
from np2torch.shim._core import asarray
from np2torch.shim._location import SHIM
from np2torch.shim._orthogonal import Basis
from np2torch.shim._promotion import FLOAT64, Tensor
from np2torch.shim._ranges import linspace
from np2torch.shim.products import dot

BASES = {
    "chebyshev": Basis(
        "cheb", (0, 1), (-1.0, 1.0), slope=2, back=lambda n: 1, rise=lambda n: 2 * (n + 1) if n else 1,
        fall=lambda n: 2 * (n - 1), mass=math.pi, laurent=True,
    ),
    "legendre": Basis(
        "leg", (0, 1), (-1.0, 1.0), slope=1, back=lambda n: n, rise=lambda n: 2 * n + 1,
        fall=lambda n: 2 * n + 1, mass=2.0, times=lambda n: 2 * n + 1, over=lambda n: n + 1, at_once=True,
    ),
    "hermite": Basis(
        "herm", (0, 0.5), (-1.0, 1.0), slope=2, back=lambda n: 2 * n, rise=lambda n: 2 * (n + 1),
        mass=math.sqrt(math.pi),
    ),
    "hermite_e": Basis(
        "herme", (0, 1), (-1.0, 1.0), slope=1, back=lambda n: n, rise=lambda n: n + 1,
        mass=math.sqrt(2 * math.pi), drops_axis=True,
    ),
    "laguerre": Basis(
        "lag", (1, -1), (0.0, 1.0), slope=-1, back=lambda n: n, rise=lambda n: -1, level=1, mass=1.0,
        offset=lambda n: 2 * n + 1, over=lambda n: n + 1, even=False,
    ),
}  # fmt: skip


# ---------------------------------------------------------------------------------------- the weights
def weight(basis: Basis, x: Any) -> Any:
    """The weight under which the polynomials are orthogonal."""
    return WEIGHTS[basis.prefix](x)


WEIGHTS: dict[str, Callable[[Any], Any]] = {
    "cheb": lambda x: operator.truediv(
        1.0, operator.mul(elementwise.sqrt(operator.add(1.0, x)), elementwise.sqrt(operator.sub(1.0, x)))
    ),
    "leg": lambda x: operator.add(operator.mul(x, 0.0), 1.0),
    "herm": lambda x: elementwise.exp(operator.neg(operator.pow(x, 2))),
    "herme": lambda x: elementwise.exp(operator.mul(-0.5, operator.pow(x, 2))),
    "lag": lambda x: elementwise.exp(operator.neg(x)),
}


# ------------------------------------------------------------------------------ Chebyshev's points
def chebgauss(deg: Any) -> tuple[Tensor, Tensor]:
    """The points and weights of the quadrature of Gauss and Chebyshev, from the right."""
    degree = python.index(deg)
    if degree <= 0:
        raise ValueError("deg must be a positive integer")
    angles = math.pi * torch.arange(1, 2 * degree, 2, dtype=FLOAT64) / (2.0 * degree)
    return torch.cos(angles), torch.full((degree,), math.pi / degree, dtype=FLOAT64)


def _checked(npts: Any, least: int) -> int:
    count = int(npts)
    if count != npts:
        raise ValueError("npts must be integer")
    if count < least:
        raise ValueError(f"npts must be >= {least}")
    return count


def chebpts1(npts: Any) -> Tensor:
    """The points where a Chebyshev polynomial is 0."""
    count = _checked(npts, 1)
    return torch.sin(0.5 * math.pi / count * torch.arange(1 - count, count + 1, 2, dtype=FLOAT64))


def chebpts2(npts: Any) -> Tensor:
    """The points where a Chebyshev polynomial has its extremes."""
    return torch.cos(linspace(-math.pi, 0, _checked(npts, 2)))


def chebinterpolate(func: Any, deg: Any, args: Any = ()) -> Tensor:
    """The series that takes the values of a function at the points of the first kind."""
    if getattr(deg, "ndim", 0) or isinstance(deg, bool) or getattr(deg, "dtype", None) is torch.bool:
        raise TypeError("deg must be an int")
    count = python.index(deg) + 1
    if count < 1:
        raise ValueError("expected deg >= 0")
    points = chebpts1(count)
    values = func(points, *args)
    c = dot(o.vander(BASES["chebyshev"], points, count - 1).mT, values)
    shares = torch.tensor([count] + [0.5 * count] * (count - 1), dtype=FLOAT64, device=c.device)
    return c / shares.reshape([-1] + [1] * (c.ndim - 1))


# --------------------------------------------------------------------------------------- the modules
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "{}line": o.line, "{}add": o.add, "{}sub": o.sub, "{}mulx": o.mulx, "{}mul": o.mul, "{}div": o.div, "{}pow": o.pow,
    "{}val": o.val, "{}val2d": o.val2d, "{}val3d": o.val3d, "{}grid2d": o.grid2d, "{}grid3d": o.grid3d,
    "{}vander": o.vander, "{}vander2d": o.vander2d, "{}vander3d": o.vander3d, "{}fit": o.fit, "{}trim": o.trim,
    "{}companion": o.companion, "{}roots": o.roots, "{}fromroots": o.fromroots, "{}der": o.der, "{}int": o.int_,
    "{}gauss": o.gauss, "{}weight": weight, "{}2poly": o.to_powers, "poly2{}": o.from_powers,
}  # fmt: skip
OWN = {"chebyshev": (chebgauss, chebpts1, chebpts2, chebinterpolate)}


def _bound(function: Callable[..., Any], basis: Basis, name: str, module: str) -> Callable[..., Any]:
    """A function of a basis for one basis, under the name and with the parameters that NumPy gives it."""

    @functools.wraps(function)
    def bound(*args: Any, **kwargs: Any) -> Any:
        return function(basis, *args, **kwargs)

    signature = inspect.signature(function)
    bound.__name__ = bound.__qualname__ = name
    bound.__module__ = module
    bound.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
    return bound


def _module(name: str, basis: Basis) -> ModuleType:
    """The counterpart of one of NumPy's modules."""
    path = f"{SHIM}.polynomial.{name}"
    module = ModuleType(path, f"`numpy.polynomial.{name}`.")
    members: dict[str, Any] = {
        template.format(basis.prefix): _bound(function, basis, template.format(basis.prefix), path)
        for template, function in FUNCTIONS.items()
    }
    members |= {function.__name__: function for function in OWN.get(name, ())}
    constants = {"domain": list(basis.domain), "zero": [0], "one": [1], "x": list(basis.x)}
    members |= {basis.prefix + ending: asarray(value) for ending, value in constants.items()}
    for member, value in members.items():
        setattr(module, member, value)
    module.__all__ = sorted(members)  # type: ignore[attr-defined]
    return module


MODULES = [_module(name, basis) for name, basis in BASES.items()]
