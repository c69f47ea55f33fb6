"""Functional: every case runs under NumPy and under the shim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import functional
from support.both import Side, agree, table

CASES = r"""
np.vectorize(lambda a,b: a-b if a>b else a+b)([1,2,3,4],2)
np.vectorize(lambda a: a/2)(x) ## x=np.arange(6.).reshape(2,3)
np.vectorize(lambda a: 1 if a>1 else 0.5)(x) ## x=np.arange(3)
np.vectorize(lambda a: 1 if a>1 else 0.5)(x) ## x=np.arange(3)[::-1]
np.vectorize(lambda a: a>1)(x) ## x=np.arange(3.)
np.vectorize(lambda a: (a,a>1))(x) ## x=np.arange(3)
np.vectorize(lambda a: a,otypes=[float])(x) ## x=np.arange(3)
np.vectorize(lambda a: a,otypes='f')(x) ## x=np.arange(3)
np.vectorize(lambda a: (a,a),otypes=[float,int])(x) ## x=np.arange(3)
np.vectorize(lambda a: a)(x) ## x=np.zeros(0)
np.vectorize(lambda a: a,otypes=[int])(x) ## x=np.zeros((0,2))
np.vectorize(lambda a,b=2: a*b)([1,2],b=[3,4])
np.vectorize(lambda p,x: x*len(p),excluded=[0])([1,2,3],[1,2])
np.vectorize(lambda p,x: x*len(p),excluded={'p'})(p=[1,2,3],x=[1,2])
np.vectorize(lambda a: a+1)(3)
np.vectorize(lambda a,b: a+b)([1,2],[1,2,3])
np.vectorize(lambda v: v.sum(),signature='(n)->()')(x) ## x=np.arange(6.).reshape(2,3)
np.vectorize(lambda a,b: a@b,signature='(m,n),(n,k)->(m,k)')(x,y) ## x=np.arange(12.).reshape(2,2,3),y=np.ones((3,2))
np.vectorize(lambda a,b: a@b,signature='(n),(n)->()')(x,y) ## x=np.arange(12.).reshape(4,3),y=np.ones(2)
np.vectorize(lambda v: v,signature='(n->n)')([1])
np.vectorize(lambda a: a,cache=True)([1.5,2])
np.apply_along_axis(lambda v: v.sum(),0,x) ## x=np.arange(6).reshape(2,3)
np.apply_along_axis(lambda v: v.sum(),-1,x) ## x=np.arange(24.).reshape(2,3,4)
np.apply_along_axis(lambda v: v[:2]*2,1,x) ## x=np.arange(24.).reshape(2,3,4)
np.apply_along_axis(lambda v,k: v*k,1,x,3) ## x=np.arange(6).reshape(2,3)
np.apply_along_axis(lambda v,k=1: v*k,1,x,k=3) ## x=np.arange(6).reshape(2,3)
np.apply_along_axis(lambda v: v[:,None]*v,0,x) ## x=np.arange(6).reshape(2,3)
np.apply_along_axis(lambda v: 1 if v[0]>1 else 0.5,0,x) ## x=np.arange(6).reshape(2,3)
np.apply_along_axis(lambda v: v.sum(),0,x) ## x=np.zeros((2,0))
np.apply_along_axis(lambda v: v.sum(),2,x) ## x=np.zeros((2,3))
np.apply_along_axis(lambda v: v.sum(),0,x) ## x=np.arange(4)
np.apply_over_axes(lambda a,axis: a.sum(axis),x,[0,-1]) ## x=np.arange(24).reshape(2,3,4)
np.apply_over_axes(lambda a,axis: a.sum(axis),x,1) ## x=np.arange(24).reshape(2,3,4)
np.piecewise(x,[x<0,x>=0],[-1,1]) ## x=np.linspace(-2.5,2.5,6)
np.piecewise(x,[x<0,x>=0],[lambda v:-v,lambda v:v]) ## x=np.linspace(-2.5,2.5,6)
np.piecewise(x,[x<0],[lambda v:-v,9]) ## x=np.arange(-2,3)
np.piecewise(x,x<0,[lambda v:-v,9]) ## x=np.arange(-2,3)
np.piecewise(x,[x<0,x>1],[1.7,2.7]) ## x=np.arange(-2,3)
np.piecewise(x,[x<0,x>1],[1,2,3,4]) ## x=np.arange(-2,3)
np.piecewise(x,[x<0,x>=0],[lambda v,k:-v*k,lambda v,k:v],3) ## x=np.arange(-2.,3)
np.piecewise(x,[x<0,x>=0],[lambda v:-v,lambda v:v]) ## x=np.array(-3.)
np.array_repr(x) ## x=np.arange(5)
np.array_repr(x) ## x=np.arange(5,dtype=np.int32)
np.array_repr(x) ## x=np.zeros((0,3))
np.array_repr(x) ## x=np.zeros(0,np.float32)
np.array_repr(x) ## x=np.arange(2000)
np.array_repr(x) ## x=np.arange(2000,dtype=np.uint8).reshape(40,50)
np.array_repr(x) ## x=np.array(1.5)
np.array_repr(x) ## x=np.array([True,False])
np.array_repr(x) ## x=np.linspace(0,1,30)
np.array_repr(x) ## x=np.linspace(0,1,30,dtype=np.float32).reshape(5,6)
np.array_repr(x) ## x=np.arange(12,dtype=np.float32)
np.array_str(x) ## x=np.linspace(0,1,30)
np.array_str(x) ## x=np.array(1.5,np.float32)
np.array_str(x) ## x=np.array(.1,np.float32)
np.array_str(x) ## x=np.array([1,2.5,-3])
np.array_str(x) ## x=np.array([1e10,1,2])
np.array_str(x) ## x=np.array([1e-10,1])
np.array_str(x) ## x=np.array([1e-10,0])
np.array_str(x) ## x=np.array([1e100,-1e-100])
np.array_str(x) ## x=np.array([1.,np.nan,np.inf,-np.inf])
np.array_str(x) ## x=np.array([.5,complex(np.nan,np.nan)])
np.array_str(x) ## x=np.array([1.,complex(1,np.nan)])
np.array2string(x,sign="+") ## x=np.array([1.,np.nan])
np.array2string(x,sign=" ") ## x=np.array([1.,np.nan])
np.array_str(x) ## x=np.array([np.nan,np.nan])
np.array_str(x) ## x=np.array([1e10,np.nan,-np.inf])
np.array_str(x) ## x=np.array([.1,.12345678912345,100.])
np.array_str(x) ## x=np.array([1/3,2/3,1e3])
np.array_str(x) ## x=np.array([1/3,2/3,1e4])
np.array_str(x,precision=3) ## x=np.array([1/3,2/3,1e3])
np.array_str(x,suppress_small=True) ## x=np.array([1e-5,1])
np.array_str(x) ## x=np.array([1+2j,3.5-1j])
np.array_str(x) ## x=np.array([1+2j,3.5-1e10j])
np.array_str(x) ## x=np.array([complex(np.nan,1),2])
np.array_str(x) ## x=np.array([.1,.2],np.float32)
np.array_str(x) ## x=np.array([.1,.2],np.float16)
np.array_str(x) ## x=np.array([-0.,0.])
np.array_str(x) ## x=np.arange(-3,200,7)
np.array_str(x) ## x=np.arange(27.).reshape(3,3,3)
np.array_str(x) ## x=np.array([123456789.123,1.])
np.array_str(x) ## x=np.array([12345678.,1.])
np.array_str(x) ## x=np.array([100000000.])
np.array_str(x) ## x=np.array([0.0001])
np.array_str(x) ## x=np.array([0.00001])
np.array_str(x) ## x=np.zeros((2,0))
np.array2string(x,separator=', ') ## x=np.arange(30.)
[np.binary_repr(n) for n in (0,1,5,-5,True,2**70)]
[np.binary_repr(n,width=9) for n in (0,1,5,-1,-2,-5,-8,-9,-255,-256)]
[np.binary_repr(n,w) for n,w in ((0,0),(0,3),(5,3),(-4,3),(-3,3))]
np.binary_repr(5,width=2)
np.binary_repr(-5,width=3)
np.binary_repr(5,width=0)
np.binary_repr(x) ## x=np.int16(-300)
np.binary_repr(x[1],4) ## x=np.array([1,7])
np.binary_repr(2.5)
[np.base_repr(n,b) for n in (0,7,-255,10**20) for b in (2,3,16,36)]
[np.base_repr(n,padding=3) for n in (0,5,-5)]
np.base_repr(x[0],3) ## x=np.array([17,7])
np.base_repr(7.9)
np.base_repr(5,37)
np.base_repr(5,1)
np.array2string(x,prefix='hello: ') ## x=np.arange(60.)
np.array2string(x,precision=2,floatmode='fixed') ## x=np.array([1.,2.345,3])
np.array2string(x,precision=2,floatmode='maxprec_equal') ## x=np.array([1.,2.3,3])
np.array2string(x,floatmode='unique') ## x=np.array([1.,1/3,3])
np.array2string(x,sign='+') ## x=np.array([1.,-2.5])
np.array2string(x,sign=' ') ## x=np.array([1.,2.5])
np.array2string(x,sign='+') ## x=np.array([1,-2])
np.array2string(x,threshold=5,edgeitems=2) ## x=np.arange(60.).reshape(6,10)
np.array2string(x,max_line_width=30) ## x=np.arange(60)
np.array2string(x,formatter={'float_kind':lambda v:'%.1f'%v}) ## x=np.arange(3.)
np.array2string(x,formatter={'int':lambda v:'<%d>'%v}) ## x=np.arange(3)
np.array2string(x) ## x=np.random.default_rng(0).normal(size=(7,9))
np.array2string(x) ## x=np.random.default_rng(0).normal(size=(7,9)).astype(np.float32)
np.array2string(x) ## x=np.random.default_rng(0).normal(size=50)*10.**np.arange(-25,25)
np.array2string(x) ## x=np.random.default_rng(0).normal(size=5000)
np.array2string(x) ## x=(np.random.default_rng(0).normal(size=20)+1j*np.arange(20)).reshape(4,5)
np.array2string(x) ## x=np.array([2**64-1,1],np.uint64)
np.may_share_memory(x,x[1:]) ## x=np.arange(4)
np.may_share_memory(x[:2],x[2:]) ## x=np.arange(4)
np.shares_memory(x[::2],x[1::2]) ## x=np.arange(4)
np.may_share_memory(x[::2],x[1::2]) ## x=np.arange(4)
np.shares_memory(x[::2],x[2:]) ## x=np.arange(4)
np.shares_memory(x,y) ## x=np.arange(4),y=np.arange(4)
np.array2string(x,precision=3,floatmode='fixed') ## x=np.array([1e-9,1.,2e9])
np.array2string(x,floatmode='maxprec_equal') ## x=np.array([.1,1/3],np.float32)
np.array2string(x,floatmode='unique') ## x=np.array([1e-9,1/3,1e20])
np.array2string(x,sign='+') ## x=np.array([1e-9,np.nan,np.inf,-np.inf])
np.array2string(x,sign=' ') ## x=np.array([1e-9,-1/3,1e20])
np.array_str(x) ## x=np.array([1e7,1],np.float32)
np.array_str(x) ## x=np.array([123456.7,1],np.float32)
np.array_str(x) ## x=np.array(1e20)
np.array_str(x) ## x=np.array(1e16,np.float32)
np.array_str(x) ## x=np.array(True)
np.array_str(x) ## x=np.array(1+2j)
np.array_str(x) ## x=np.array([[1.5],[np.nan]])
np.array_repr(x) ## x=np.array([[[1.5]]])
np.array_repr(x) ## x=np.arange(1001.)
np.array_repr(x) ## x=np.arange(1200.).reshape(2,600)
np.array_repr(x) ## x=np.arange(3,dtype=np.complex64)
np.array_str(x,max_line_width=20) ## x=np.arange(12.)
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(functional), **names)


def test_the_function_may_change_what_it_gets() -> None:
    def twice(a: torch.Tensor) -> torch.Tensor:
        a *= 2
        return a

    x = torch.arange(3.0)
    assert functional.vectorize(twice)(x).tolist() == [0, 2, 4]
    assert x.tolist() == [0, 1, 2]


def test_vectorize_as_a_decorator() -> None:
    @functional.vectorize(otypes=[float])
    def half(a: torch.Tensor) -> float:
        """Half of it."""
        return 0.5 * float(a)

    @functional.vectorize
    def plus(a: torch.Tensor, b: int = 1) -> torch.Tensor:
        return a + b

    assert half([1, 2]).tolist() == [0.5, 1.0]
    assert half.__doc__ == "Half of it."
    assert plus([1, 2]).tolist() == [2, 3]


def test_vectorize_keeps_gradients() -> None:
    x = torch.arange(3.0, requires_grad=True)
    (gradient,) = torch.autograd.grad(functional.vectorize(lambda a: a * a)(x).sum(), x)
    assert gradient.tolist() == [0, 2, 4]


@pytest.mark.parametrize(("dtype", "name"), [(torch.int64, "int64"), (torch.float32, "float32"), (torch.bool, "bool_")])
def test_a_dtype_is_the_class_of_its_scalars(dtype: Any, name: str) -> None:
    given, of_numpy = [0.5, 2.0, -1.75], getattr(np, name)
    applied = [functional.frompyfunc(dtype, 1, 1)(given), functional.vectorize(dtype)(given)]
    expected = [np.frompyfunc(of_numpy, 1, 1)(given).astype(of_numpy), np.vectorize(of_numpy)(given)]
    for got, want in zip(applied, expected, strict=True):
        assert got.dtype == dtype and got.tolist() == want.tolist()


def test_frompyfunc_finds_numbers() -> None:
    add = functional.frompyfunc(lambda a, b: int(a) + b, 2, 1)
    assert add([1, 2], [[0.5], [1.0]]).tolist() == [[1.5, 2.5], [2.0, 3.0]]
    quotient, rest = functional.frompyfunc(lambda a, b: (a // b, a % b), 2, 2)([7, 8], 3)
    assert (quotient.tolist(), rest.tolist()) == ([2, 2], [1, 2])
    with pytest.raises(TypeError):
        functional.frompyfunc(lambda a: "text", 1, 1)([1, 2])


def test_errstate_restores() -> None:
    before = functional.geterr()
    assert before == {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}  # NumPy's defaults
    with functional.errstate(divide="ignore", invalid="raise"):
        assert functional.geterr()["invalid"] == "raise"
        assert (torch.ones(1) / 0).isinf().all()

    @functional.errstate(all="ignore")
    def inside() -> dict[str, str]:
        return functional.geterr()

    assert set(inside().values()) == {"ignore"}
    assert functional.geterr() == before
    assert functional.seterr(all="warn") == before
    functional.seterr(**before)
    with pytest.raises(ValueError):
        functional.seterr(divide="loud")


def test_print_options_restore() -> None:
    before = functional.get_printoptions()
    assert {k: v for k, v in np.get_printoptions().items() if k in before} == before
    with functional.printoptions(precision=2, suppress=True):
        assert functional.array2string(torch.tensor([1 / 3, 1e-9], dtype=torch.float64)) == "[0.33 0.  ]"
        assert "0.33" in repr(torch.tensor([1 / 3])) and "0.333" not in repr(torch.tensor([1 / 3]))
    assert functional.get_printoptions() == before
    assert "0.3333" in repr(torch.tensor([1 / 3]))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("scale", [1, 1000])
def test_text_of_every_dtype(dtype: str, scale: int) -> None:
    x = (np.random.default_rng(1).normal(size=(3, 7)) * scale).astype(dtype)
    agree("(np.array_repr(x), np.array_str(x.T), np.array_repr(x[0, 0:1]))", Side(functional), x=x)
