"""Indexing: every case runs under NumPy and under the shim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import indexing
from support.both import Side, agree, table

CASES = r"""
np.take(x,[0,2]) ## x=np.arange(5)
np.take(x,2) ## x=np.arange(5)
np.take(x,[[0,1],[2,-1]],axis=1) ## x=np.arange(12,dtype=np.uint16).reshape(3,4)
np.take(x,-1,axis=0) ## x=np.arange(12).reshape(3,4)
np.take(x,5) ## x=np.arange(5)
np.take(x,[7,-9],mode='wrap') ## x=np.arange(5)
np.take(x,[7,-9],mode='clip') ## x=np.arange(5)
np.take(x,[True,False]) ## x=np.arange(5)
np.take(x,[0],mode='foo') ## x=np.arange(5)
np.take(x,[0,1],axis=1,out=o) ## x=np.arange(6.).reshape(2,3),o=np.zeros((2,2))
np.take(x,[0,1],axis=1,out=o) ## x=np.arange(6.).reshape(2,3),o=np.zeros((2,3))
np.take(x,[0]) ## x=np.zeros(0)
np.take(x,i) ## x=np.zeros(0),i=np.zeros(0,int)
np.take(x,[0],axis=5) ## x=np.arange(5)
np.take(x,i) ## x=np.arange(5),i=np.array([1,2],np.uint8)
np.take_along_axis(x,i,1) ## x=np.array([[3,1,2],[6,5,4.]]),i=np.array([[1,2,0],[2,1,0]])
np.take_along_axis(x,i,axis=-1) ## x=np.array([[3,1,2],[6,5,4]],np.uint64),i=np.array([[1],[2]])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[0,1,1]])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[0]])
np.take_along_axis(x,i,None) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([5,0])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[0,1]])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[0,1,5]])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[0,1,0.]])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([0,1])
np.take_along_axis(x,i,0) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[0,1,0],[1,1,1],[0,0,-1]])
np.put_along_axis(x,i,99,1) ## x=np.array([[3,1,2],[6,5,4]]),i=np.array([[1],[0]])
np.put_along_axis(x,i,[[7],[8]],1) ## x=np.array([[3,1,2],[6,5,4.]]),i=np.array([[1],[0]])
np.put_along_axis(x,i,[[7,8]],1) ## x=np.array([[3,1,2],[6,5,4.]]),i=np.array([[1],[0]])
np.put_along_axis(x,i,[7,8],None) ## x=np.array([[3,1,2],[6,5,4.]]),i=np.array([1,-1])
np.put_along_axis(x,i,[[[7]]],1) ## x=np.ones((3,4,1)),i=np.array([[[1,2]]])
np.take(x,[0,1],out=o) ## x=np.array([1.5,2.5]),o=np.zeros(2,np.int32)
np.take(x,[0,1],out=o) ## x=np.array([1,2],np.int32),o=np.zeros(2)
np.choose([0,1],[x,x],out=o) ## x=np.array([1.5,2.5]),o=np.zeros(2,np.int8)
np.select([True],[0],default=[0]) ##
np.where(x>2,x,0.) ## x=np.arange(5,dtype=np.float32)
np.where(x>2,x,0) ## x=np.arange(5,dtype=np.uint8)
np.where(x>2,x,300) ## x=np.arange(5,dtype=np.uint8)
np.where(x>2,x,1.5) ## x=np.arange(5,dtype=np.uint8)
np.where(x>2,1,0) ## x=np.arange(5)
np.where(x>2,1,0.5) ## x=np.arange(5)
np.where(x>2,True,False) ## x=np.arange(5)
np.where(x>2,x,1j) ## x=np.arange(5,dtype=np.float32)
np.where(x>2,x,y) ## x=np.arange(5,dtype=np.float32),y=np.arange(5)
np.where(x>2,x,y) ## x=np.arange(5,dtype=np.float32),y=np.float64(3)
np.where(x>2,x,np.nan) ## x=np.arange(5)
np.where(x,x,-1) ## x=np.arange(5)
np.where(x,1,-1) ## x=np.array([0,np.nan,2])
np.where(x>2) ## x=np.arange(6).reshape(2,3)
np.where(x>2,x) ## x=np.arange(6).reshape(2,3)
np.where([[True],[False]],[1,2],[[3.],[4.]])
np.where(True,[1,2],3)
np.where(x>1,[1,2],x) ## x=np.arange(3)
np.where(x>1,x,x) ## x=np.zeros((0,3))
np.where(c,x,x) ## c=np.array([True,False]),x=np.array([1,2],np.uint16)
np.select([x<2,x>3],[x,x**2],42) ## x=np.arange(6)
np.select([x<2,x>3],[x,x/2]) ## x=np.arange(6)
np.select([x<2,x<4],[1,2.5],default=0) ## x=np.arange(6)
np.select([x<2,x<4],[x,0.5]) ## x=np.arange(6,dtype=np.float32)
np.select([x<2],[x,x]) ## x=np.arange(6)
np.select([],[])
np.select([x],[x]) ## x=np.arange(6)
np.select([x<2],[7],[1,2,3]) ## x=np.arange(3)
np.select([True],[[1,2]])
np.choose([2,0,1],[[1,2,3],[4,5,6],[7,8,9.]])
np.choose([2,0,1],[1,2,3])
np.choose(x,[[10,20],[30,40]]) ## x=np.array([[0,1],[1,0]])
np.choose([2,-1,5],[[1,2,3],[4,5,6],[7,8,9]])
np.choose([2,-1,5],[[1,2,3],[4,5,6],[7,8,9]],mode='wrap')
np.choose([2,-1,5],[[1,2,3],[4,5,6],[7,8,9]],mode='clip')
np.choose([1.],[1,2])
np.choose([True,False],[[1,2],[3,4]])
np.compress([0,1,1],x,axis=0) ## x=np.arange(6).reshape(3,2)
np.compress([True],x,axis=1) ## x=np.arange(6).reshape(3,2)
np.compress([0,1,1],x) ## x=np.arange(6.).reshape(3,2)
np.compress([0,1,1],x,axis=1) ## x=np.arange(6).reshape(3,2)
np.compress([[True]],x) ## x=np.arange(6)
np.extract(x>2,x) ## x=np.arange(6).reshape(2,3)
np.extract([0,1,1],x) ## x=np.arange(6).reshape(2,3)
np.nonzero(x) ## x=np.array([[0,1],[np.nan,0]])
np.nonzero(x) ## x=np.array([0,1,2],np.uint32)
np.nonzero(x) ## x=np.array([0,1j])
np.nonzero(5)
np.nonzero([])
np.flatnonzero(x) ## x=np.array([[0,1],[2,0]])
np.flatnonzero(3)
np.argwhere(x>1) ## x=np.array([[0,1],[2,3]])
np.argwhere(5)
np.argwhere(0)
np.diagonal(x) ## x=np.arange(6).reshape(2,3)
np.diagonal(x,1) ## x=np.arange(6).reshape(2,3)
np.diagonal(x,0,1,2) ## x=np.arange(24).reshape(2,3,4)
np.diagonal(x,-1,axis1=2,axis2=0) ## x=np.arange(24).reshape(2,3,4)
np.diagonal(x,9) ## x=np.arange(6).reshape(2,3)
np.diagonal([1,2])
np.diagonal(x,0,1,1) ## x=np.arange(24).reshape(2,3,4)
np.diagonal(x,0,1,3) ## x=np.arange(24).reshape(2,3,4)
np.diag_indices(3)
np.diag_indices(2,3)
np.diag_indices_from(x) ## x=np.zeros((2,2,2))
np.diag_indices_from(x) ## x=np.zeros((2,3))
np.fill_diagonal(x,5) ## x=np.zeros((3,3),int)
np.fill_diagonal(x,5) ## x=np.zeros((5,2))
np.fill_diagonal(x,5,wrap=True) ## x=np.zeros((7,2))
np.fill_diagonal(x,[1,2]) ## x=np.zeros((4,4))
np.fill_diagonal(x,[1,2,3]) ## x=np.zeros((2,5))
np.fill_diagonal(x,9) ## x=np.zeros((2,2,2),np.uint16)
np.fill_diagonal(x,9) ## x=np.zeros((2,2,3))
np.fill_diagonal(x,9) ## x=np.zeros(3)
np.fill_diagonal(x.T,[1,2]) ## x=np.zeros((2,4))
np.fill_diagonal(x,1.7) ## x=np.zeros((3,3),int)
np.fill_diagonal(x,300) ## x=np.zeros((3,3),np.uint8)
np.tril_indices(3)
np.tril_indices(3,-1)
np.tril_indices(3,k=1,m=4)
np.triu_indices(4,1)
np.triu_indices(3,-1,2)
np.tril_indices_from(x) ## x=np.zeros((2,3))
np.triu_indices_from(x,1) ## x=np.zeros((3,3))
np.triu_indices_from(x) ## x=np.zeros(3)
np.mask_indices(3,lambda m,k:m*0+1)
np.unravel_index([22,41,37],(7,6))
np.unravel_index([22,41,37],(7,6),order='F')
np.unravel_index(5,(2,3))
np.unravel_index(6,(2,3))
np.unravel_index(-1,(2,3))
np.unravel_index(1.5,(2,3))
np.unravel_index(x,(2,3)) ## x=np.array([[0,5],[1,2]])
np.unravel_index([],(2,3))
np.ravel_multi_index(([3,6,6],[4,5,1]),(7,6))
np.ravel_multi_index(([3,6,6],[4,5,1]),(7,6),order='F')
np.ravel_multi_index(([3,9],[4,5]),(7,6))
np.ravel_multi_index(([3,9],[4,5]),(4,6),mode='clip')
np.ravel_multi_index(([3,9],[4,-1]),(4,6),mode=('clip','wrap'))
np.ravel_multi_index((3,1,4,1),(6,7,8,9))
np.ravel_multi_index(x,(7,6)) ## x=np.array([[3,6,6],[4,5,1]])
np.ravel_multi_index((1,2,3),(7,6))
list(np.ndindex(2,3))
list(np.ndindex((2,2)))
list(np.ndindex())
list(np.ndindex(3))
list(np.ndenumerate(x)) ## x=np.arange(4).reshape(2,2)
list(np.broadcast(x,y)) ## x=np.arange(2),y=np.arange(3.0).reshape(3,1)
np.broadcast(x,y).shape ## x=np.zeros((0,2)),y=np.ones(2)
np.broadcast(x,y) ## x=np.zeros(3),y=np.ones(2)
np.broadcast(5,[1,2]).size
np.broadcast().shape
np.broadcast(np.broadcast(x,y),y).numiter ## x=np.arange(2),y=np.arange(3.0).reshape(3,1)
list(np.broadcast(np.broadcast(x,[[1],[2]]),5)) ## x=np.arange(2)
np.broadcast(*[1]*65)
np.broadcast(*[1]*64).numiter
[[float(e) for e in it] for it in np.broadcast(x,[[1],[2]]).iters] ## x=np.arange(2)
[v*2 for v in np.nditer(x)] ## x=np.arange(4).reshape(2,2).T
[v*2 for v in np.nditer(x,order='C')] ## x=np.arange(4).reshape(2,2).T
[a+b for a,b in np.nditer([x,y])] ## x=np.arange(4).reshape(2,2),y=np.arange(2)
[a+b for a,b in np.nditer([1,2.5])]
[a+b for a,b in np.nditer(([1,2],[3,4.5]))]
[v*2 for v in np.nditer([[1,2]])]
np.nditer([])
[v.__setitem__(...,2*v) for v in np.nditer(x,op_flags=['readwrite'])] ## x=np.arange(4)
np.take(x,[]) ## x=np.arange(5)
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(indexing), **names)


def test_views_and_copies() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    assert indexing.diagonal(x).data_ptr() == x.data_ptr()
    assert indexing.take(x, [0, 1], axis=0).data_ptr() != x.data_ptr()
    assert indexing.where([[True], [True]], x, x).data_ptr() != x.data_ptr()


def test_nditer_writes_and_counts() -> None:
    x, y = torch.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3)
    seen = []
    for side in (x, y):
        tool = indexing.nditer if side is x else np.nditer
        with tool(side, flags=["multi_index", "c_index"], op_flags=["readwrite"]) as it:
            rows = []
            while not it.finished:
                it[0] = it[0] * 2
                rows.append((it.multi_index, it.index, it.iterindex))
                it.iternext()
        seen.append(rows)
    assert seen[0] == seen[1]
    assert x.tolist() == y.tolist() == [[0, 2, 4], [6, 8, 10]]


@pytest.mark.parametrize("flags", [[], ["multi_index"], ["c_index"], ["multi_index", "f_index"]], ids=str)
def test_nditer_tells_of_itself(flags: list[str]) -> None:
    mine, theirs = indexing.nditer(torch.arange(6).reshape(2, 3), flags=flags), np.nditer(np.ones((2, 3)), flags=flags)
    for it in (mine, theirs):
        it.iternext()
        it.reset()
        it.iternext()
    names = ("has_multi_index", "iterindex", "itersize", "nop", "finished")
    for name in (*names, "ndim", "shape") if mine.has_multi_index else names:  # else NumPy merges axes
        assert getattr(mine, name) == getattr(theirs, name), name


def test_nditer_allocates() -> None:
    it = indexing.nditer([torch.arange(3), None])
    for a, b in it:
        b[...] = a * a
    assert it.operands[1].tolist() == [0, 1, 4]


def test_gradients_flow() -> None:
    x = torch.arange(4.0, requires_grad=True)
    for function in (
        lambda: indexing.where(x > 1, x, 0.0),
        lambda: indexing.take(x, [2, 3]),
        lambda: indexing.select([x > 1], [x]),
        lambda: indexing.compress([False, False, True, True], x),
        lambda: indexing.take_along_axis(x, torch.tensor([2, 3])),
    ):
        (gradient,) = torch.autograd.grad(function().sum(), x)
        assert gradient.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "uint16", "uint64", "int8", "float16", "float32", "complex64"])
@pytest.mark.parametrize(
    "expression",
    [
        "np.take(x, [1, 0], 1)",
        "np.take_along_axis(x, i, 1)",
        "np.put_along_axis(x, i, 1, 1)",
        "np.where(x, x, x[0])",
        "np.select([x == x], [x])",
        "np.nonzero(x)",
        "np.extract([1, 0, 0, 1], x)",
        "np.fill_diagonal(x, 1)",
        "np.choose([[0, 1]], [x, x.T])",
    ],
)
def test_every_dtype(expression: str, dtype: str) -> None:
    agree(expression, Side(indexing), x=np.arange(6).reshape(2, 3).astype(dtype)[:, ::2], i=np.array([[1], [0]]))


@pytest.mark.parametrize("expression", [
    "np.unravel_index([0], ())", "np.unravel_index(0, ())", "np.ravel_multi_index(([0], [0]), (2**62, 2))",
    "np.ravel_multi_index(np.zeros((3, 1), int), (2, 1, 0), mode='wrap')",
    "np.ravel_multi_index(np.zeros((3, 0), int), (2, 1, 0), mode='clip')",
    "np.ravel_multi_index(np.array([[1, 0], [1, 6]], 'u8'), (5, 8))", "list(np.ndindex((2, 2)))",
    "list(np.ndindex([2, 3]))", "np.concatenate(([1], [2]), casting='same_value')",
    "np.nanmean(np.array([1.0, 2.0]), dtype=int)", "np.nanvar(np.array([1.0, 2.0]), dtype=bool)",
    "np.quantile(np.array([1, 2]), 0.5, weights=np.array([0.0, 0.0]), method='inverted_cdf')",
    "np.quantile(np.array([1, 2]), 0.5, weights=np.array([np.nan, 1.0]), method='inverted_cdf')",
])  # fmt: skip
def test_what_numpy_refuses_is_refused(expression):
    agree(expression)


def test_an_object_of_the_project_is_an_index_as_it_is() -> None:
    """Nothing is asked of it: a property may look it up again."""

    class Owner:
        @property
        def dtype(self) -> Any:
            raise AssertionError

    owner = Owner()
    assert shim.index(owner) is owner
