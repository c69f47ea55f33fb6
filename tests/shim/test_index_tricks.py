"""Index_tricks: every case runs under NumPy and under the shim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import index_tricks
from support.both import Side, agree, table

CASES = r"""
np.r_[1:5]
np.r_[1:5:2,7,8.]
np.r_[x,0,0,x] ## x=np.array([1,2],np.float32)
np.r_[x,0.5,x] ## x=np.array([1,2],np.uint8)
np.r_[x,300] ## x=np.array([1,2],np.uint8)
np.r_[-1:1:6j,[0]*3,5,6]
np.r_['-1',x,x] ## x=np.arange(6).reshape(2,3)
np.r_['0,2',[1,2,3],[4,5,6]]
np.r_['0,2,0',[1,2,3],[4,5,6]]
np.r_['1,2,0',[1,2,3],[4,5,6]]
np.r_['0,3,1',x,x] ## x=np.arange(6).reshape(2,3)
np.r_['foo',x] ## x=np.arange(6)
np.r_[x,'0'] ## x=np.arange(6)
np.r_[x,x] ## x=np.arange(6).reshape(2,3)
np.r_[5]
np.r_[True,False]
np.r_[1:5.:1]
np.r_[:3,10:0:-3]
np.r_[()]
np.r_[x,[1,2]] ## x=np.float32(3)
np.c_[[1,2,3],[4,5,6]]
np.c_[x,[4.,5,6]] ## x=np.arange(3)
np.c_[x,y] ## x=np.arange(3),y=np.ones((3,2))
np.c_[x,0] ## x=np.array([[1,2,3]])
np.c_[1:4,x] ## x=np.arange(3)
np.c_[1,2]
np.c_[x] ## x=np.arange(3)
np.mgrid[0:5]
np.mgrid[0:5,0:5]
np.mgrid[0:5:2,1:3]
np.mgrid[-1:1:5j]
np.mgrid[-1:1:5j,0:1:3j]
np.mgrid[0:1:.3,0:2]
np.mgrid[:3,:2]
np.mgrid[0:1:1j]
np.mgrid[0:3,0:0]
np.ogrid[0:5]
np.ogrid[0:5,0:5]
np.ogrid[0:1:5j,0:2:3j]
np.ogrid[0:1:.25,1:3,:2]
np.s_[1:3,...]
np.s_[2]
np.index_exp[2]
np.index_exp[1:,::2]
np.ix_([0,1],[2,4])
np.ix_([True,False,True],[2,4])
np.ix_([],[1])
np.ix_([[1]],[2])
np.ix_([0,1])
x[np.ix_([0,1],[0,2])] ## x=np.arange(12).reshape(3,4)
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(index_tricks), **names)


def test_matrices_are_refused() -> None:
    with pytest.raises(TypeError, match="matrix"):
        index_tricks.r_["c", [1, 2]]


def test_gradients_flow() -> None:
    x = torch.arange(3.0, requires_grad=True)
    (gradient,) = torch.autograd.grad(index_tricks.r_[x, 0.0, x].sum(), x)
    assert gradient.tolist() == [2, 2, 2]


def test_what_no_torch_dtype_holds_is_joined_by_numpy():
    long = np.arange(3, dtype=np.longdouble)
    rows = index_tricks.r_[0, long], np.r_[0, long]
    columns = index_tricks.c_[long, torch.ones(3)], np.c_[long, np.ones(3, "f4")]
    for ours, theirs in (rows, columns):
        assert type(ours) is np.ndarray and ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
    assert np.array_equal(index_tricks.r_["0,2", long, [1, 2, 3]], np.r_["0,2", long, [1, 2, 3]])
