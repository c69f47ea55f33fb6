"""Sorting: every case runs under NumPy and under the shim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import sorting
from support.both import Side, agree, table

CASES = r"""
np.sort(x) ## x=np.array([3,1,2])
np.sort(x) ## x=np.array([3,np.nan,2,-np.inf,np.inf])
np.sort(x,axis=0) ## x=np.array([[3,1],[2,5]],np.uint16)
np.sort(x,axis=None) ## x=np.array([[3,1],[2,5]],np.uint64)
np.sort(x) ## x=np.array([2**64-1,0,2**63],np.uint64)
np.sort(x) ## x=np.array([True,False,True])
np.sort(x) ## x=np.array([1+2j,1-1j,0.5,complex(np.nan,0),complex(0,np.nan),complex(np.nan,np.nan)])
np.sort(x) ## x=np.array([1+2j,complex(-3,np.nan),complex(1,np.nan),complex(np.nan,-2),np.nan])
np.sort(x,axis=-2) ## x=np.array([[3,1],[2,5.]],np.float16)
np.sort(x,axis=1) ## x=np.zeros((2,0))
np.sort(5)
np.sort(5,axis=None)
np.sort(x,axis=3) ## x=np.array([3,1,2])
np.sort(x,kind='stable') ## x=np.array([3,1,2])
np.sort(x,kind='foo') ## x=np.array([3,1,2])
np.sort(x,stable=True) ## x=np.array([3,1,2])
np.sort(x,order='a') ## x=np.array([3,1,2])
np.sort([3,1,2.])
np.sort(x) ## x=np.arange(12,dtype=np.int8).reshape(3,4)[::-1].T
np.argsort(x,kind='stable') ## x=np.array([3,1,2,1,1,3,2]*5)
np.argsort(x,axis=0,kind='stable') ## x=np.array([[3,1],[3,0]])
np.argsort(x,axis=None,kind='stable') ## x=np.array([[3,1],[3,0]],np.uint32)
np.argsort(x,stable=True) ## x=np.array([3,np.nan,1,np.nan])
np.argsort(x,kind='stable') ## x=np.array([1+2j,1-1j,0.5,complex(np.nan,0),1+2j])
np.argsort(x,kind='stable') ## x=np.array([True,False,True])
np.argsort([[3,1,2]])
np.argsort(5)
np.argsort([])
np.lexsort((y,x)) ## x=np.array([1,5,1,4,3,4,4]),y=np.array([9,4,0,4,0,2,1])
np.lexsort(x) ## x=np.array([[1,5,1],[2,2,1]])
np.lexsort(x,axis=0) ## x=np.arange(12).reshape(2,3,2)[:,::-1]
np.lexsort([])
np.lexsort(([1,2],[1,2,3]))
np.lexsort((x,)) ## x=np.array([3.,np.nan,1])
np.partition(x,2)[2] ## x=np.array([3,1,2,7,0])
np.partition(x,9) ## x=np.array([3,1,2,7,0])
np.partition(x,-1)[-1] ## x=np.array([3,1,2,7,0])
np.partition(x,1.5) ## x=np.array([3,1,2,7,0])
np.partition(x,(0,1,2,3)) ## x=np.array([3,1,2,7])
x[np.argpartition(x,2)[2]] ## x=np.array([3,1,2,7,0])
np.argpartition(x,2,axis=None).shape ## x=np.array([[3,1],[2,7]])
np.searchsorted(x,[0,3,9]) ## x=np.array([1,3,3,5])
np.searchsorted(x,3,side='right') ## x=np.array([1,3,3,5])
np.searchsorted(x,[[2.5,3],[np.nan,9]]) ## x=np.array([1,3,3,5])
np.searchsorted(x,[2,np.nan,5,np.inf],side='right') ## x=np.array([1,3,np.inf,np.nan,np.nan])
np.searchsorted(x,[2,np.nan,5,np.inf],side='left') ## x=np.array([1,3,np.inf,np.nan,np.nan])
np.searchsorted(x,[.1,.2]) ## x=np.array([.1,.2,.3],np.float32)
np.searchsorted(x,3,sorter=[2,0,1]) ## x=np.array([3,5,1])
np.searchsorted(x,3,sorter=s) ## x=np.array([3,5,1]),s=np.array([2,0])
np.searchsorted(x,3,sorter=[0.,1,2]) ## x=np.array([3,5,1])
np.searchsorted(x,3,side='foo') ## x=np.array([3,5,1])
np.searchsorted(x,3) ## x=np.array([[3,5,1]])
np.searchsorted(x,v) ## x=np.array([1,2**63,2**64-1],np.uint64),v=np.array([2,2**63],np.uint64)
np.searchsorted(x,[1+1j,2,3+9j]) ## x=np.array([1,1+2j,2,3])
np.searchsorted(x,[1+1j,2,3+9j],'right') ## x=np.array([1,1+2j,2,3])
np.searchsorted(x,[True,False]) ## x=np.array([False,False,True])
np.searchsorted(x,[1.,2]) ## x=np.array([0,1,2],np.float16)
np.searchsorted([],[1,2])
np.searchsorted([1,2],[])
np.searchsorted(x,[2,3]) ## x=np.arange(10)[::2]
np.sort_complex([3,1,2])
np.sort_complex(x) ## x=np.array([3,1],np.int8)
np.sort_complex(x) ## x=np.array([3,1],np.float32)
np.sort_complex([3+1j,1,3-1j])
np.argsort(5,axis=1)
np.argsort(5,axis=None)
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(sorting), **names)


def test_ties_keep_their_order_beyond_sixteen() -> None:
    x = np.array([3, 1, 2, 1, 1, 3, 2] * 50)
    agree("np.argsort(x, kind='stable')", Side(sorting), x=x)
    assert sorting.argsort(torch.from_numpy(x)).tolist() == np.argsort(x, kind="stable").tolist()


def test_sort_leaves_its_argument_alone_and_keeps_gradients() -> None:
    x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    (gradient,) = torch.autograd.grad((sorting.sort(x) * torch.arange(3)).sum(), x)
    assert gradient.tolist() == [2, 0, 1]
    assert x.tolist() == [3, 1, 2]


def test_msort() -> None:
    assert sorting.msort([[3, 1], [2, 5]]).tolist() == [[2, 1], [3, 5]]


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "complex64"]
)
@pytest.mark.parametrize(
    "expression",
    [
        "np.sort(x, axis=0)",
        "np.argsort(x, axis=0, kind='stable')",
        "np.searchsorted(np.sort(x[0]), x, 'right')",
        "np.searchsorted(np.sort(x[0]), x)",
        "np.lexsort(x)",
        "np.sort(x[:, :0])",
        "np.sort(x[:1, :1], axis=None)",
    ],
)
def test_every_dtype(expression: str, dtype: str) -> None:
    values = np.random.default_rng(0).integers(0, 5, (4, 21)).astype(dtype)
    if values.dtype.kind in "fc":
        values[0, 3] = np.nan
    agree(expression, Side(sorting), x=values[:, ::2])
