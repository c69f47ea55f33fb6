"""Polynomial: every case runs under NumPy and under the shim."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import polynomial
from support.both import Side, agree, table

CASES = r"""
np.polyval([3,0,1],5)
np.polyval([3,0,1.],[1,2,3])
np.polyval(p,x) ## p=np.array([1,2],np.float32),x=np.arange(4,dtype=np.float32).reshape(2,2)
np.polyval([],[1,2])
np.polyval([1,2,3],x) ## x=np.array([1+2j])
np.polyval([1,2],x) ## x=np.ones(2,np.float32)
np.polyadd([1,2],[9,5,4])
np.polyadd([1,2.],[9])
np.polysub([2,10,-2],[3,10,-4])
np.polysub([1],[1,2,3])
np.polymul([1,2,3],[9,5,1])
np.polymul([0,0,1.5],[9,5])
np.polymul([0],[1,2])
np.polydiv([3.,5,2],[2.,1])
np.polydiv([1,2],[1,2,3])
np.polydiv([1,0,0,-1],[1,-1])
np.polyder([1,1,1,1])
np.polyder([1,1,1,1.5],2)
np.polyder([1,1,1],3)
np.polyder([1,1,1],0)
np.polyder([1,1,1],-1)
np.polyint([1,1,1])
np.polyint([1,1,1],2,k=3)
np.polyint([1,1,1],2,k=[3,4])
np.polyint([1,1,1],3,k=[3,4])
np.polyint([1,1,1],-1)
np.poly((0,0,0))
np.poly((-.5,0,.5))
np.poly([1,2,3])
np.poly([1+1j,1-1j])
np.poly([1+1j,2])
np.poly(x) ## x=np.array([[0,1/3],[-.5,0]])
np.poly([])

np.roots([1,-6,11,-6.])
np.roots([1,0,-2.25])**2
np.roots([0,0,1,-2,0,0])
np.roots([0,0])
np.roots([5])
np.roots([[1,2]])
np.roots([2,-4])
np.polyfit(x,y,3) ## x=np.array([0.,1,2,3,4,5]),y=np.array([0,.8,.9,.1,-.8,-1])
np.polyfit(x,y,1) ## x=np.arange(10),y=np.arange(10)*2+1
np.polyfit(x,y,0) ## x=np.arange(10),y=np.arange(10)*2+1
np.polyfit(x,y,2) ## x=np.linspace(-1,1,20),y=np.random.default_rng(0).normal(size=(20,3))
np.polyfit(x,y,2,full=True) ## x=np.linspace(-1,1,20),y=np.random.default_rng(0).normal(size=20)
np.polyfit(x,y,1) ## x=np.zeros(4),y=np.arange(4.0)
np.polyfit(x,y,3) ## x=np.array([1.0,1,2,2,1]),y=np.arange(5.0)
np.polyfit(x,y,1) ## x=np.array([0.0,1,np.nan]),y=np.arange(3.0)
np.polyfit(x,y,2,full=True) ## x=np.linspace(0,1,9),y=np.random.default_rng(1).normal(size=(9,2))
np.polyfit(x,y,1,full=True) ## x=np.linspace(0,1,8,dtype=np.float32),y=np.linspace(0,1,8)**2
np.polyfit(x,y,1,rcond=0.5,full=True) ## x=np.linspace(5,6,9),y=np.linspace(0,1,9)**2
np.polyval(p,x) ## p=np.array([1.0,-2,3]),x=np.linspace(-1,1,7)[::2]
np.polyval(p,x) ## p=np.array([1.0,-2,3]),x=np.array(2.0)
np.polyfit(x,y,2,w=w) ## x=np.linspace(-1,1,20),y=np.sin(np.arange(20)),w=np.linspace(1,2,20)
np.polyfit(x,y,2,cov=True) ## x=np.linspace(-1,1,20),y=np.random.default_rng(0).normal(size=20)
np.polyfit(x,y,2,w=w,cov=True) ## x=np.linspace(-1,1,20),y=np.sin(np.arange(20)),w=np.linspace(1,2,20)
np.polyfit(x,y,2,cov='unscaled') ## x=np.linspace(-1,1,20),y=np.random.default_rng(0).normal(size=20)
np.polyfit(x,y,1,cov=True) ## x=np.linspace(-1,1,20),y=np.random.default_rng(0).normal(size=(20,2))
np.polyfit(x,y,-1) ## x=np.arange(10),y=np.arange(10)*2+1
np.polyfit(x,y,1) ## x=np.arange(9),y=np.arange(10)*2+1
np.polyfit(x,y,1) ## x=np.zeros(0),y=np.zeros(0)
np.polyfit(x,y,1,cov=True) ## x=np.arange(2),y=np.arange(2)
np.poly1d([1,2,3]).coeffs
np.poly1d([0,0,1,2,3]).c
np.poly1d([1,2,3])(0.5)
np.poly1d([1,2,3])(x) ## x=np.arange(3.)
np.poly1d([1,2,3]).order
len(np.poly1d([1,2,3]))
np.poly1d([1,-3,2]).r
np.poly1d([1,2],True).c
(np.poly1d([1,2])*np.poly1d([1,3])).c
(np.poly1d([1,2])*3).c
(2.5*np.poly1d([1,2])).c
(np.poly1d([1,2])+1).c
(1-np.poly1d([1,2])).c
(np.poly1d([1,2])**3).c
(-np.poly1d([1,2])).c
(np.poly1d([1,2])/2).c
[p.c for p in np.poly1d([1,2,3.])/np.poly1d([1,1])]
np.poly1d([1,2,3])[0]
np.poly1d([1,2,3])[7]
np.poly1d([1,2,3]).deriv().c
np.poly1d([1,2,3]).integ(k=4).c
np.poly1d([1,2,3])(np.poly1d([1,1])).c
np.polyval(np.poly1d([1,2]),np.poly1d([1,1])).c
np.polymul(np.poly1d([1,2]),[1,1]).c
np.poly1d([1,2])==np.poly1d([1,2])
repr(np.poly1d([1.,2,3]))
np.poly1d([[1,2]])
np.roots(np.poly1d([1.,-3,2]))
x-np.poly1d([1.,2,3]) ## x=np.arange(3.)
x*np.poly1d([1.5,2,3]) ## x=np.arange(3.)
x/np.poly1d([1.5,2,3]) ## x=np.arange(3.)
"""


def test_a_polynomial_is_the_array_of_its_coefficients() -> None:
    mine, theirs = shim.poly1d([1.5, 2, 3]), np.poly1d([1.5, 2, 3])
    assert shim.asarray(mine) is mine.coeffs and np.array_equal(np.asarray(mine), theirs.coeffs)
    assert shim.sum(mine) == 6.5 and shim.shape(mine) == (3,) and shim.array_equal(mine, [1.5, 2, 3])
    two = torch.tensor(2.0, dtype=torch.float64)
    for name in ("add", "sub", "mul", "truediv"):
        function = getattr(operator, name)
        expected = function(np.float64(2), theirs)
        for each in (function, getattr(shim.operator, name)):
            assert isinstance(each(two, mine), torch.Tensor) and each(two, mine).tolist() == expected.tolist()
            assert isinstance(each(mine, two), shim.poly1d) == isinstance(function(theirs, np.float64(2)), np.poly1d)


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(polynomial), atol=1e-15, **names)


SERIES = r"""
np.polynomial.polyutils.as_series([[1,2,0],[1.5]])
np.polynomial.polyutils.as_series([[1,2,0],[1j]],trim=False)
np.polynomial.polyutils.trimseq([1,2,0,0])
np.polynomial.polyutils.trimseq(x) ## x=np.zeros(3)
np.polynomial.polyutils.trimcoef([1,2,1e-12,0],1e-9)
np.polynomial.polyutils.trimcoef([0,0])
np.polynomial.polyutils.trimcoef([1],-1)
np.polynomial.polyutils.getdomain([3,1,2])
np.polynomial.polyutils.getdomain(x) ## x=np.array([1+2j,-1j])
np.polynomial.polyutils.mapparms((-1,1),(-2j,2j))
np.polynomial.polyutils.mapparms(x,[0,1]) ## x=np.array([-1.,3])
np.polynomial.polyutils.mapdomain(0.5,(-1,1),(0,10))
np.polynomial.polyutils.mapdomain(x,[-1,1],[0,10]) ## x=np.linspace(-1,1,4)
np.polynomial.polyutils.mapdomain([1,2],x,[0,10]) ## x=np.array([1,3])
np.polynomial.polynomial.polyval([1,2.],[1,2,3])
np.polynomial.polynomial.polyval(3,[1,2,3])
np.polynomial.polynomial.polyval([[1,2],[3,4]],[1,2,3])
np.polynomial.polynomial.polyval([1,2.,5],x) ## x=np.arange(6).reshape(2,3)
np.polynomial.polynomial.polyval(x,y,tensor=False) ## x=np.arange(3.),y=np.arange(6.).reshape(2,3)
np.polynomial.polynomial.polyadd([1,2],[1,2,3])
np.polynomial.polynomial.polysub([1,2,3],[1,2,3])
np.polynomial.polynomial.polymul([1,2,3],[3,2,1])
np.polynomial.polynomial.polydiv([1,2,3],[3,2,1])
np.polynomial.polynomial.polydiv([1,2,3,4],[3,2])
np.polynomial.polynomial.polydiv([1,2],[0])
np.polynomial.polynomial.polydiv([1,2],[2])
np.polynomial.polynomial.polydiv([1],[2,3])
np.polynomial.polynomial.polypow([1,2,3],2)
np.polynomial.polynomial.polypow([1,2,3],-2)
np.polynomial.polynomial.polymulx([1,2])
np.polynomial.polynomial.polyder([1,2,3,4])
np.polynomial.polynomial.polyder([1,2,3,4],2,scl=2)
np.polynomial.polynomial.polyder([1,2],3)
np.polynomial.polynomial.polyder(x,axis=1) ## x=np.arange(6.).reshape(2,3)
np.polynomial.polynomial.polyint([1,2,3])
np.polynomial.polynomial.polyint([1,2,3],3)
np.polynomial.polynomial.polyint([1,2,3],k=3)
np.polynomial.polynomial.polyint([1,2,3],lbnd=-2)
np.polynomial.polynomial.polyint([1,2,3],scl=-2)
np.polynomial.polynomial.polyint([1,2,3],2,k=[1,2],lbnd=1)
np.polynomial.polynomial.polyroots([2,-3,1.])
np.polynomial.polynomial.polyroots([1,2])
np.polynomial.polynomial.polyroots([1])
np.polynomial.polynomial.polyroots([-6,11,-6,1])
np.polynomial.polynomial.polyfromroots([-1,0,1])
np.polynomial.polynomial.polyfromroots([1,2,3,4,5.])
np.polynomial.polynomial.polyfromroots([])
np.polynomial.polynomial.polyvander([1,2,3],2)
np.polynomial.polynomial.polyvander([[1.,2],[3,4]],3)
np.polynomial.polynomial.polyvander([1,2,3],-1)
np.polynomial.polynomial.polytrim([1,0,0])
np.polynomial.polynomial.polytrim([1,.1,.001],.01)
np.polynomial.polynomial.polyline(1,-1)
np.polynomial.polynomial.polyline(1,0)
np.polynomial.polynomial.polyfit(x,y,3) ## x=np.linspace(-1,1,51),y=np.sin(np.arange(51))
np.polynomial.polynomial.polyfit(x,y,[0,2]) ## x=np.linspace(-1,1,51),y=np.sin(np.arange(51))
np.polynomial.polynomial.polyfit(x,y,2,full=True) ## x=np.linspace(-1,1,51),y=np.sin(np.arange(51))
np.polynomial.polynomial.polyfit(x,y,2,w=y**2) ## x=np.linspace(-1,1,51),y=np.sin(np.arange(51))
np.polynomial.Polynomial([1,2,3])(x) ## x=np.arange(4.)
np.polynomial.Polynomial([1,2,3],domain=[0,4])(2)
np.polynomial.Polynomial([1,2,3]).coef
np.polynomial.Polynomial.fit(x,y,3).coef ## x=np.linspace(0,5,51),y=np.sin(np.linspace(0,5,51))
np.polynomial.Polynomial.fit(x,y,3).domain ## x=np.linspace(0,5,51),y=np.sin(np.linspace(0,5,51))
np.polynomial.Polynomial.fit(x,y,3).convert().coef ## x=np.linspace(0,5,51),y=np.sin(np.linspace(0,5,51))
np.polynomial.Polynomial.fit(x,y,3)(2.5) ## x=np.linspace(0,5,51),y=np.sin(np.linspace(0,5,51))
np.polynomial.Polynomial([2,-3,1]).roots()
np.polynomial.Polynomial([2,-3,1],domain=[0,5]).roots()
np.polynomial.Polynomial([1,2,3]).deriv().coef
np.polynomial.Polynomial([1,2,3],domain=[0,5]).deriv(2).coef
np.polynomial.Polynomial([1,2,3]).integ().coef
np.polynomial.Polynomial([1,2,3],domain=[0,5]).integ(2,k=[1,2],lbnd=1).coef
(np.polynomial.Polynomial([1,2,3])+np.polynomial.Polynomial([1,2])).coef
(np.polynomial.Polynomial([1,2,3])-1).coef
(1-np.polynomial.Polynomial([1,2,3])).coef
(np.polynomial.Polynomial([1,2,3])*2).coef
(np.polynomial.Polynomial([1,2,3])*np.polynomial.Polynomial([1,2])).coef
(np.polynomial.Polynomial([1,2,3])//np.polynomial.Polynomial([1,2])).coef
(np.polynomial.Polynomial([1,2,3])%np.polynomial.Polynomial([1,2])).coef
(np.polynomial.Polynomial([1,2,3])**2).coef
(np.polynomial.Polynomial([1,2,3])/2).coef
(np.polynomial.Polynomial([1,2,3])/np.polynomial.Polynomial([1])).coef
(np.polynomial.Polynomial([1,2])+np.polynomial.Polynomial([1,2],domain=[0,2])).coef
np.polynomial.Polynomial([1,2,3]).degree()
np.polynomial.Polynomial([1,2,0]).trim().coef
np.polynomial.Polynomial([1,2,3]).cutdeg(1).coef
np.polynomial.Polynomial.fromroots([1,2,3]).coef
np.polynomial.Polynomial.fromroots([1,2,3],domain=None).coef
np.polynomial.Polynomial.identity(domain=[0,5]).coef
np.polynomial.Polynomial.basis(3).coef
np.polynomial.Polynomial([1,2,3]).linspace(5)
repr(np.polynomial.Polynomial([1,2,3]))
np.polynomial.Polynomial([1,2])==np.polynomial.Polynomial([1,2])
"""


@pytest.mark.parametrize(("expression", "names"), table(SERIES))
def test_power_series_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    side = Side(polynomial)
    side.polynomial = polynomial
    agree(expression, side, atol=1e-13, **names)


BASES = {"chebyshev": "cheb", "legendre": "leg", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag"}
OTHERS = r"""
np.polynomial.@val(x,[1,2,3,4]) ## x=np.array([100,-3,2],np.int8)
np.polynomial.@val(0.5,c) ## c=np.arange(5,dtype=np.float32)
np.polynomial.@val([1,2.],[])
np.polynomial.@val(x,c,tensor=False) ## x=np.arange(2.),c=np.arange(6.).reshape(3,2)
np.polynomial.@val2d(x,x,c) ## x=np.arange(3.),c=np.arange(6.).reshape(2,3)
np.polynomial.@val2d(x,x[:2],c) ## x=np.arange(3.),c=np.arange(6.).reshape(2,3)
np.polynomial.@grid3d(x,x,x[:1],c) ## x=np.arange(3.),c=np.arange(8.).reshape(2,2,2)
np.polynomial.@vander(x,3) ## x=np.array([[1,2],[3,4]],np.float32)
np.polynomial.@vander(x,-1) ## x=np.arange(3.)
np.polynomial.@vander(x,1.5) ## x=np.arange(3.)
np.polynomial.@mul(c,[1,2]) ## c=np.array([2],np.float32)
np.polynomial.@mul(c,c) ## c=np.array([2,1,3],np.float32)
np.polynomial.@div([1,2,3,4.5],[3,2])
np.polynomial.@div([1,2],[0])
np.polynomial.@div([1],[1,2])
np.polynomial.@div([],[1,2])
np.polynomial.@pow([1,2],17)
np.polynomial.@pow([1,2],1.5)
np.polynomial.@pow([1,2],17,maxpower=None)
np.polynomial.@der(c,4,axis=1) ## c=np.arange(6.).reshape(2,3)
np.polynomial.@der(c,axis=2) ## c=np.arange(6.).reshape(2,3)
np.polynomial.@der([1,2,3.],scl=1j)
np.polynomial.@der([1,2,3.],-1)
np.polynomial.@int([1,2,3.],2,k=[1,2],lbnd=-1,scl=2)
np.polynomial.@int([1,2,3.],1,k=[1,2])
np.polynomial.@int([1,2,3.],1,k=1j)
np.polynomial.@int(c,1,k=1j) ## c=np.ones((2,2))
np.polynomial.@int([1,2,3.],lbnd=[1])
np.polynomial.@int([0],2,k=[1,2])
np.polynomial.@int(c,axis=1) ## c=np.arange(6.).reshape(2,3)
np.polynomial.@companion([1])
np.polynomial.@companion([1,2,3,4,5])
np.polynomial.@roots([1])
np.polynomial.@roots([1,2])
np.polynomial.@roots([-6,11,-6,1])
np.polynomial.@fromroots([])
np.polynomial.@fromroots([3,1,2.5])
np.polynomial.@2poly([1])
np.polynomial.@2poly([1,2])
np.polynomial.@2poly([1,2,3,4,5])
np.polynomial.^([1,2,3,4,5])
np.polynomial.@line(1,2)
np.polynomial.@line(1,0)
np.polynomial.@trim([1,.1,.001],.01)
np.polynomial.@fit(x,np.sin(x),3) ## x=np.linspace(-1,1,20)
np.polynomial.@fit(x,np.sin(x),[0,2],w=x+2) ## x=np.linspace(-1,1,20)
np.polynomial.@fit(x,np.sin(x),2,full=True) ## x=np.linspace(-1,1,20)
np.polynomial.@fit(x,x[:3],2) ## x=np.linspace(-1,1,20)
np.polynomial.@gauss(1)
np.polynomial.@gauss(25)
np.polynomial.@gauss(0)
np.polynomial.@gauss(2.5)
np.polynomial.@weight(x) ## x=np.array([-.5,0,.25])
np.polynomial.@weight([0.5])
np.polynomial.@weight(0.5)
[np.polynomial.@domain, np.polynomial.@zero, np.polynomial.@one, np.polynomial.@x]
"""
CHEBYSHEV = r"""
np.polynomial.chebyshev.chebpts1(5)
np.polynomial.chebyshev.chebpts1(0)
np.polynomial.chebyshev.chebpts2(1.5)
np.polynomial.chebyshev.chebpts2(5)
np.polynomial.chebyshev.chebinterpolate(lambda x:x**3,4)
np.polynomial.chebyshev.chebinterpolate(lambda x,k:x+k,2,(1,))
np.polynomial.chebyshev.chebinterpolate(lambda x:x,-1)
np.polynomial.chebyshev.chebinterpolate(lambda x:x,True)
np.polynomial.chebyshev.chebinterpolate(lambda x:x,1.5)
"""


@pytest.mark.parametrize("module", BASES)
@pytest.mark.parametrize(("expression", "names"), table(OTHERS))
def test_series_of_other_bases_same_as_numpy(expression: str, names: dict[str, Any], module: str) -> None:
    named = expression.replace("@", f"{module}.{BASES[module]}").replace("^", f"{module}.poly2{BASES[module]}")
    agree(named, atol=1e-13, **names)


@pytest.mark.parametrize(("expression", "names"), table(CHEBYSHEV))
def test_chebyshev_points_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, atol=1e-15, **names)


@pytest.mark.parametrize("module", BASES)
def test_functions_of_bases_have_the_names_and_parameters_of_numpys(module: str) -> None:
    for name in getattr(polynomial, module).__all__:
        theirs, mine = (getattr(getattr(side, module), name) for side in (np.polynomial, polynomial))
        if callable(theirs):
            parameters = [list(inspect.signature(each).parameters) for each in (theirs, mine)]
            assert mine.__name__ == name or name.endswith("trim")
            assert parameters[0] == parameters[1], name


def test_gradients_flow_through_a_fit() -> None:
    x = torch.linspace(-1, 1, 9, dtype=torch.float64)
    y = (x**2).requires_grad_()
    (gradient,) = torch.autograd.grad(polynomial.polyfit(x, y, 2)[0], y)
    assert torch.allclose((gradient * x**2).sum(), torch.tensor(1.0, dtype=torch.float64))


def test_poly1d_prints_like_numpy() -> None:
    for c in ([1, 2, 3], [1, 0, -2.5], [5], [-1, 1], [0.123456, 0, 0, 1]):
        assert str(polynomial.poly1d(c)) == str(np.poly1d(c))


def test_poly1d_takes_an_item() -> None:
    p = polynomial.poly1d([1, 2])
    p[3] = 4
    assert p.c.tolist() == [4, 0, 1, 2]


def test_degenerate_fit_warns() -> None:
    with pytest.warns(RuntimeWarning, match="poorly conditioned"):
        polynomial.polyfit([1.0, 1.0], [1.0, 2.0], 1)


@pytest.mark.parametrize("name", ["polyval2d", "polygrid2d"])
def test_series_in_two_variables_keep_them_apart(name: str) -> None:
    expression = f"np.polynomial.polynomial.{name}(x, y, c)"
    agree(expression, x=np.arange(3.0), y=np.arange(3.0) - 1, c=np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("degree", [0, 1, 2])
def test_points_with_gradients_are_fitted_as_values_are(degree: int) -> None:
    x, y = torch.linspace(-1, 2, 9, dtype=torch.float64), torch.linspace(0, 1, 9, dtype=torch.float64).sin()
    with_gradient = shim.polyfit(x, y.clone().requires_grad_(), degree)
    assert with_gradient.requires_grad
    torch.testing.assert_close(with_gradient.detach(), shim.polyfit(x, y, degree), rtol=1e-12, atol=1e-14)


def test_points_with_gradients_that_determine_nothing_are_refused_as_values_are() -> None:
    with pytest.raises(shim.LinAlgError):
        shim.polyfit(torch.zeros(4, dtype=torch.float64, requires_grad=True), torch.arange(4.0), 1)
