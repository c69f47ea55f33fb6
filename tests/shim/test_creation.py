"""Creation: every case runs under NumPy and under the shim."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import creation
from support.both import Side, agree, table

CASES = r"""
np.full(3,300,np.uint8)
np.full(3,np.nan,int)
np.full(3,1j,float)
np.full((2,2),[1,2])
np.full((2,2),[1,2,3])
np.full((2,2),True)
np.full((2,2),2.7,dtype=np.int32)
np.full((2,2),2,dtype=bool)
np.full(3,[[1,2,3]])
np.array([300],dtype=np.uint8)
np.array([-1],dtype=np.uint8)
np.array([1+2j],dtype=float)
np.array([1.5,2],dtype=int)
np.array([np.nan],dtype=int)
np.array([1.5,0],dtype=bool)
np.asarray(-1,dtype=np.uint8)
np.array([[1,2],[3]])
np.array([x,x]) ## x=np.arange(3)
np.array([x,[1,2,3.]]) ## x=np.arange(3)
np.array([x,x],dtype=np.uint8) ## x=np.arange(3)*200
np.array(x,ndmin=3) ## x=np.arange(3)
np.array(x,dtype=np.float32) ## x=np.arange(3)
np.array([])
np.array([[],[]])
np.array(range(3))
np.array((1,2,True))
np.array([True,False])
np.array([1,2.5,3j])
np.array([[True,2],[3.,4]])
np.array(5)
np.array(2.)
np.array(x,copy=False) ## x=np.arange(3)
np.array([1],copy=False)
np.asarray(x,np.float32,copy=False) ## x=np.arange(3.)
np.asarray(x,copy=True) ## x=np.arange(3.)
np.arange(3,dtype=bool)
np.arange(0.,1.,np.inf)
np.arange(0.,-1.,np.inf)
np.arange(1.,1.,np.inf)
np.arange(2,dtype=bool)
np.arange(1,3,dtype=bool)
np.arange(2,5,dtype=np.float32)
np.arange(x) ## x=np.float32(3)
np.arange(x) ## x=np.array(5)
np.arange(x) ## x=np.uint8(3)
np.arange(x,y,1) ## x=np.int8(0),y=np.int16(5)
np.arange(0,1,x) ## x=np.float32(.1)
np.arange(x,y,z) ## x=np.float32(0),y=np.float32(1),z=np.float32(.1)
np.arange(True)
np.arange(3j)
np.arange(0,3,0)
np.arange(0,3,0.)
np.arange(0,np.nan)
np.arange(0,np.inf)
np.arange(5,0)
np.arange(5,0,-1)
np.arange(5,0,-2)
np.arange(0,1,.1)
np.arange(0,1,.1,dtype=int)
np.arange(0.5,5.5,dtype=int)
np.arange(0,10,.3,dtype=np.float32)
np.arange(0,10,.3,dtype=np.float16)
np.arange(-3,3,.7,dtype=complex)
np.arange(5,dtype=np.uint16)
np.arange(5,dtype=np.uint64)
np.arange(5,dtype='f4')
np.arange(stop=3)
np.arange(1,None,2)
np.arange(1,None)
np.arange(start=1,stop=4)
np.arange(3.)
np.arange(1,10,3)
np.arange(1.1,1.4,.1)
np.arange(x) ## x=np.array([1])
np.linspace(0,1,0)
np.linspace(0,1,1)
np.linspace(0,1,-1)
np.linspace(0,5,3,dtype=int)
np.linspace(-3,2,4,dtype=int)
np.linspace(0,1,x) ## x=np.int64(3)
np.linspace(0,1,3.0)
np.linspace(x,1,3) ## x=np.float32(0)
np.linspace(x,y,7) ## x=np.float32(0.1),y=np.float32(1.7)
np.linspace(0,1j,3)
np.linspace(2,2,3,retstep=True)
np.linspace(0,1,1,retstep=True)
np.linspace(0,1,0,retstep=True)
np.linspace(0,1,1,endpoint=False,retstep=True)
np.linspace(0,10,7)
np.linspace(.1,.7,50)
np.linspace(.1,.7,50,endpoint=False)
np.linspace([0,1],[2,3.],5)
np.linspace(x,y,5,axis=1) ## x=np.arange(3.),y=np.arange(3.)*2
np.linspace(x,5,5,axis=-1) ## x=np.arange(6.).reshape(2,3)
np.linspace(x,y,5) ## x=np.arange(3.),y=np.arange(2.)
np.linspace(True,False,3)
np.linspace(0,5e-324,5)
np.linspace(0,np.inf,5)
np.linspace(x,4,5) ## x=np.float16(1)
np.geomspace(1,1000,4)
np.geomspace(-1,-1000,4)
np.geomspace(0,3)
np.geomspace(1,1000,3,dtype=int)
np.geomspace(1,1000,0)
np.geomspace(1,1000,1)
np.geomspace(1,256,9,endpoint=False)
np.geomspace([1,2],[10,20.],4,axis=1)
np.geomspace(1j,1000j,4)
np.geomspace(x,y,4) ## x=np.float32(1),y=np.float32(5)
np.geomspace(1,10,4,dtype=np.float32)
np.logspace(0,2,3,base=[2,3])
np.logspace(0,2,3,base=[2,3],axis=-1)
np.logspace(x,y,3) ## x=np.float32(0),y=np.float32(2)
np.logspace(0,2,3,base=2)
np.logspace(-3,3,7,dtype=np.float32)
np.logspace(0,2,5,endpoint=False,dtype=int)
np.eye(2,3,dtype=np.uint16)
np.eye(2.0)
np.eye(3,k=1)
np.eye(3,k=-1,dtype=int)
np.eye(3,k=-5)
np.eye(3,4,k=9,dtype=bool)
np.eye(0)
np.eye(-1)
np.eye(3,dtype=None)
np.eye(3,order='F')
np.zeros(2.0)
np.zeros((2,3.0))
np.zeros(-1)
np.zeros([2,3])
np.zeros(())
np.zeros(3,dtype='complex')
np.zeros(x) ## x=np.array([2,3])
np.ones(3,int)
np.ones((2,2),dtype=bool,order='F')
np.ones_like(5)
np.ones_like([1,2.])
np.full_like([1,2],2.7)
np.full_like(x,300) ## x=np.zeros(2,np.uint8)
np.full_like(x,np.nan,dtype=float) ## x=np.arange(3)
np.full_like(x,1+2j) ## x=np.arange(3.)
np.zeros_like(x,shape=4) ## x=np.zeros((2,3))
np.zeros_like(x) ## x=np.ones((2,3),np.uint16)
np.zeros_like(x.T,dtype=int) ## x=np.ones((2,3))
np.empty_like(x).shape==(2,3) ## x=np.ones((2,3))
np.empty((2,3),dtype=int).shape==(2,3)
np.diag([[1,2],[3,4]])
np.diag(5)
np.diag(x) ## x=np.zeros((2,2,2))
np.diag(x,-1) ## x=np.arange(6,dtype=np.uint16).reshape(2,3)
np.diag(x,7) ## x=np.arange(6.).reshape(2,3)
np.diag(x,1) ## x=np.arange(3,dtype=np.uint32)
np.diag(x,-2) ## x=np.array([True,False])
np.diag(x) ## x=np.zeros(0)
np.diagflat([[1,2],[3,4]],1)
np.diagflat(5)
np.tri(2,3,-1,dtype=int)
np.tri(3)
np.tri(3,k=5,dtype=bool)
np.tri(-1)
np.tril([1,2,3])
np.tril(5)
np.tril(x,1) ## x=np.arange(12,dtype=np.uint16).reshape(3,4)
np.triu(x,-1) ## x=np.arange(24.).reshape(2,3,4)
np.triu(x) ## x=np.ones((3,3),bool)
np.triu(x) ## x=np.zeros((0,3))
np.triu([1,2,3],1)
np.vander([1,2,3])
np.vander([1,2,3],0)
np.vander([1,2,3],1)
np.vander(x,6) ## x=np.array([1,2],np.uint8)
np.vander([True,False],2)
np.vander([1.5,2],4,increasing=True)
np.vander([1.5,2],4,True)
np.vander([[1.5,2]],4,True)
np.vander(x,3) ## x=np.array([1+2j])
np.indices((2,2),sparse=True)
np.indices((2,),dtype=float)
np.indices((2,0,3))
np.indices(3)
np.meshgrid()
np.meshgrid([1,2],3)
np.meshgrid([[1,2]],[3])
np.meshgrid([1],indexing='a')
np.meshgrid(x,[4.,5]) ## x=np.arange(3)
np.meshgrid(x,[4.,5],[1,2,3,4]) ## x=np.arange(3)
np.meshgrid(x,[4.,5],[1,2,3,4],indexing='ij',sparse=True) ## x=np.arange(3)
np.meshgrid(x,[4.,5],sparse=True) ## x=np.arange(3)
np.meshgrid(x,[]) ## x=np.arange(3)
np.fromfunction(lambda i,j:i+j,(2,2))
np.fromfunction(lambda i,j:i==j,(2,2),dtype=int)
np.fromfunction(lambda i,j:3,(2,2))
np.fromiter((x for x in [1,2,3]),float)
np.fromiter([1,2],int,3)
np.fromiter([1,2,3],int,2)
np.fromiter([],int)
np.fromstring('1 2 3',sep=' ')
np.fromstring('1,2,3',int,sep=',')
np.fromstring('1, 2, 3,',int,sep=',')
np.fromstring('1,2,x',sep=',')
np.fromstring('1 2\n 3',sep=' ',count=2)
np.frombuffer(b'abcd',np.uint8,2,1)
np.frombuffer(b'abc',np.int16)
np.frombuffer(bytearray(b'abcdefgh'))
np.asarray_chkfinite([1,np.nan])
np.asarray_chkfinite([1,2])
np.ascontiguousarray(3)
np.ascontiguousarray(x.T) ## x=np.arange(6).reshape(2,3)
np.asfortranarray(x) ## x=np.arange(6).reshape(2,3)
np.copy(3)
np.copy([1,2])
np.identity(2,int)
np.array(5,ndmin=2)
np.require([1,2],float,['C','W'])
np.require([1,2],float,'Z')
np.astype(x,int) ## x=np.array([1.5,-2.5])
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(creation), **names)


def test_memory() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert creation.asarray(x) is x
    assert creation.array(x, copy=None) is x
    assert creation.array(x).data_ptr() != x.data_ptr()
    assert creation.copy(x.T).stride() == (1, 3)
    assert creation.array(x.expand(2, 2, 3)).stride() == (6, 3, 1)
    assert creation.asfortranarray(x).stride() == (1, 2)
    assert creation.diag(x).data_ptr() == x.data_ptr()
    shared = np.arange(3.0)
    creation.asarray(shared)[0] = 7
    assert shared[0] == 7
    creation.array(shared)[0] = 9
    assert shared[0] == 7
    buffer = bytearray(8)
    creation.frombuffer(buffer, dtype="u1")[0] = 1
    assert buffer[0] == 1


def test_meshgrid_copies_unless_told_otherwise() -> None:
    x, y = torch.arange(3.0), torch.arange(2.0)
    grid = creation.meshgrid(x, y)[0]
    grid[0, 0] = 99
    assert x[0] == 0 and grid[1, 0] == 0
    assert creation.meshgrid(x, y, copy=False)[0].data_ptr() == x.data_ptr()


@pytest.mark.parametrize("function", [creation.triu, creation.diag, creation.array, creation.vander, creation.diagflat])
def test_gradients_flow(function: Any) -> None:
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(function(x).sum(), x)
    assert bool((gradient != 0).all())


def test_gradients_of_linspace_bounds() -> None:
    stop = torch.tensor(2.0, requires_grad=True)
    (gradient,) = torch.autograd.grad(creation.linspace(0, stop, 5).sum(), stop)
    assert gradient == 2.5


class Level(enum.IntEnum):
    """A class derived from int."""

    LOW = 3


class Quantity(float):
    """A class derived from float."""


@pytest.mark.parametrize("x", [Level.LOW, Quantity(1.5), [Level.LOW, 2], [[Quantity(0.5)], [Level.LOW]]])
def test_numbers_of_derived_classes(x):
    agree("np.asarray(x)", x=x)
    agree("np.linspace(x, 7, 5), np.logspace(x, 7.0, 50)", x=x)
    agree("np.add(np.array([1.5, 2.5], np.float32), x)", x=x)
