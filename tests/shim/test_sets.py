"""Sets: every case runs under NumPy and under the shim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from np2torch.shim import sets
from support.both import Side, agree, table

CASES = r"""
np.unique([3,1,3,2])
np.unique(x) ## x=np.array([3,np.nan,1,np.nan])
np.unique(x,equal_nan=False) ## x=np.array([3,np.nan,1,np.nan])
np.unique(x,True,True,True) ## x=np.array([[3,1,3],[2,2,1]])
np.unique(x,return_index=True,return_counts=True) ## x=np.array([3,np.nan,1,np.nan,3])
np.unique(x,return_inverse=True) ## x=np.array([3,np.nan,1,np.nan,3])
np.unique(x,return_inverse=True,equal_nan=False) ## x=np.array([3,np.nan,1,np.nan,3])
np.unique(x,return_counts=True) ## x=np.array([1+1j,1,complex(np.nan,1),complex(1,np.nan),1])
np.unique(x) ## x=np.array([2**64-1,0,0],np.uint64)
np.unique(x,True,True,True) ## x=np.array([True,False,True])
np.unique(x,True,True,True) ## x=np.zeros(0)
np.unique(x,axis=0) ## x=np.array([[1,2],[3,4],[1,2]])
np.unique(x,True,True,True,axis=0) ## x=np.array([[3,4],[1,2],[3,4],[1,0]])
np.unique(x,True,True,True,axis=1) ## x=np.array([[3,4,3],[1,2,1.]])
np.unique(x,True,True,True,axis=-1) ## x=np.array([[[3,4,3],[1,2,1.]]])
np.unique(x,axis=0) ## x=np.array([[1,np.nan],[1,np.nan]])
np.unique(x,axis=0,return_counts=True) ## x=np.array([1,1,2])
np.unique(x,axis=0) ## x=np.array([1,np.nan,np.nan])
np.unique(x,axis=0) ## x=np.array([[True,False],[True,False]])
np.unique(x,axis=2) ## x=np.array([[1,2],[3,4],[1,2]])
np.unique(x,axis=0) ## x=np.zeros((0,2))
np.unique(x,axis=0) ## x=np.array([[1,2],[3,4],[1,2]],np.uint16)
np.unique(5,return_inverse=True)
np.unique_all([3,1,3])
np.unique_all(x) ## x=np.array([[3,np.nan],[np.nan,3]])
np.unique_counts([3,1,3])
np.unique_inverse([[3,1],[3,2]])
np.unique_values([1])
np.intersect1d([1,3,4,3],[3,1,2,1])
np.intersect1d([1,3,4,3],[3,1,2,1],return_indices=True)
np.intersect1d([1,3,4],[4,3.],assume_unique=True,return_indices=True)
np.intersect1d([1,3,np.nan],[np.nan,3.])
np.intersect1d([],[1])
np.intersect1d(x,y) ## x=np.array([1,2],np.uint16),y=np.array([2,3],np.uint16)
np.intersect1d([[1,2]],[[2],[1]],assume_unique=True)
np.union1d([-1,0,1],[-2,0,2.])
np.union1d([[1,2]],[[2],[3]])
np.union1d([np.nan],[np.nan])
np.setxor1d([1,2,3,2,4],[2,3,5,7,5])
np.setxor1d([1,2,np.nan],[2,np.nan])
np.setxor1d([],[])
np.setxor1d([1,2],[2,3],assume_unique=True)
np.setdiff1d([1,2,3,2,4,1],[3,4,5,6])
np.setdiff1d([4,1,2,2],[2],assume_unique=True)
np.setdiff1d([4,1,1],[])
np.setdiff1d([np.nan,1],[np.nan])
np.setdiff1d([[3,1],[2,1]],[1.])
np.isin([[0,2],[4,6]],[1,2,4,8])
np.isin(x,[1,2],invert=True) ## x=np.arange(4.)
np.isin([1,np.nan],[np.nan])
np.isin(3,[1,3])
np.isin([1,2],3)
np.isin([True,False],[True])
np.isin([1+1j,2],[2.])
np.isin(x,x) ## x=np.array([1,2],np.uint16)
np.isin(x,[1]) ## x=np.array([1,2],np.float16)
np.isin([1,2],[])
np.isin(x,y,kind='table') ## x=np.array([0,1],np.int16), y=np.array([-128,0,127],np.int8)
np.isin(x,y,kind='table') ## x=np.array([0,1],np.int8), y=np.array([-128,0,127],np.int16)
np.isin(x,y,kind='table') ## x=np.array([0,1],np.int8), y=np.array([],np.int8)
np.isin(x,y,kind='table') ## x=np.array([0,1]), y=np.array([-2**63,2**63-1])
np.isin([],[1])
np.isin([1,2],[1.5,2],kind='table')
np.isin([1,2],[1,2],kind='foo')
np.isin([1,2],[1,2],kind='table')
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(sets), **names)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "complex64"]
)
@pytest.mark.parametrize(
    "expression",
    [
        "np.unique(x, True, True, True)",
        "np.unique(x, return_index=True, axis=0)",
        "np.unique(x, return_inverse=True, axis=1)",
        "np.isin(x, x[0])",
        "np.intersect1d(x[0], x[1])",
        "np.union1d(x[0], x[1])",
        "np.setdiff1d(x[0], x[1])",
        "np.setxor1d(x[0], x[1])",
        "np.isin(x, x[:0])",
        "np.unique(x[:0])",
    ],
)
def test_every_dtype(expression: str, dtype: str) -> None:
    values = np.random.default_rng(0).integers(0, 9, (4, 21)).astype(dtype)
    agree(expression, Side(sets), x=values[:, ::2])


def test_in1d() -> None:
    assert sets.in1d([[1, 2], [3, 4]], [2, 3]).tolist() == [False, True, True, False]


def test_the_shim_promises_an_order_where_numpy_does_not() -> None:
    assert sets.unique([3, 1, 2], sorted=False).tolist() == [1, 2, 3]
    assert sets.unique_values([3, 1, 2]).tolist() == [1, 2, 3]
