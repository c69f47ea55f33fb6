"""The rows of the table for the series of `numpy.polynomial`, once for every basis: `@` is the prefix of its names."""

from __future__ import annotations

BASES = {"chebyshev": "cheb", "legendre": "leg", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag"}
EACH = """
@zero @one @x @domain : np.F
@val ~1024 : np.F(<x tame>, <a 1d tame filled>)
@val ~1024 : np.F(<a 1d tame>, np.ones((3, 2)){, tensor=<flag>})
@add @sub ~64 : np.F(<a 1d tame filled>, <a 1d tame filled>)
@mulx @trim ~16 : np.F(<a 1d tame filled>)
@mul ~4096 : np.F(<a 1d tame filled>, <a 1d tame filled>)
@div ~65536 : np.F(<a 1d tame filled f8 nonzero>, <a 1d filled f8 tame nonzero>)
@pow ~4096 : np.F(<a 1d tame filled>, <0..3>)
@2poly ~1024 : np.F(<a 1d tame filled>)
^ ~1024 : np.F(<a 1d tame filled>)
@der ~1024 : np.F(<a tame filled 1d+>{, <0..2>}{, scl=<number real>}{, axis=<axis>})
@int ~4096 : np.F(<a 1d tame filled>{, <0..2>}{, lbnd=<number real>}{, scl=<number real>})
@int ~1024 : np.F(<a tame filled 2d+>, <1..2>, k=[<number real>]{, axis=<axis>})
@vander ~1024 : np.F(<a tame>, <0..4>)
@val2d @grid2d ~4096 : np.F(<a 1d tame filled>, <a 1d tame filled>, np.ones((2, 3)))
@val3d @grid3d ~4096 : np.F(<a 1d tame>, <a 1d tame>, 0.5, np.ones((2, 2, 2)))
@vander2d ~1024 : np.F(<a 1d tame>, <a 1d tame>, <[1, 2]|(2, 0)|[1]>)
@vander3d ~1024 : np.F(<a 1d tame>, <a 1d tame>, 2.0, <[1, 2, 1]|(0, 1, 0)>)
@companion ~1024 : np.F(<a 1d tame filled wide>)
@line : np.F(<number>, <number>)
@fromroots ~65536 : np.F(<a 1d tame>)
@roots ~1048576 : np.F([<-9..-1>, <2..4>, 1.0])
@fit ~1048576 : np.F([0.0, 1.0, 2.0, 4.0], np.resize(<a tame filled f8>, 4), <0..2>)
@gauss ~4096 : np.F(<-1..12>)
@weight ~64 : np.F(<a tame 1d+>)
"""
CHEBYSHEV = """
polynomial.chebyshev.chebpts1 polynomial.chebyshev.chebpts2 ~64 : np.F(<-1..9>)
polynomial.chebyshev.chebinterpolate ~1024 : np.F(np.exp, <-1..6>)
"""


def _for(module: str, prefix: str) -> str:
    """The rows for one basis."""
    return _named(EACH, f"polynomial.{module}.", prefix)


def _named(text: str, path: str, prefix: str) -> str:
    return text.replace("@", path + prefix).replace("^", f"{path}poly2{prefix}")


def of_every_basis(names: str) -> str:
    """The names for all bases."""
    return " ".join(_named(names, f"polynomial.{module}.", prefix) for module, prefix in BASES.items())


SERIES = [_for(module, prefix) for module, prefix in BASES.items()] + [CHEBYSHEV]
