"""NumPy's functions on plain torch tensors, for what is too dynamic to decide from the source.

Torch only, no wrapper class: array-likes in, `torch.Tensor` out, under NumPy's names and semantics.
"""

# isort: off  (modules that import sibling modules by name come before the functions of the same name)
from np2torch.shim.methods import *
from np2torch.shim.protocols import *
from np2torch.shim import emath as emath
from np2torch.shim import fft as fft
from np2torch.shim import lib as lib
from np2torch.shim import linalg as linalg
from np2torch.shim import matlib as matlib
from np2torch.shim import operator as operator
from np2torch.shim import patterns as patterns
from np2torch.shim import random as random
from np2torch.shim import testing as testing
from np2torch.shim import typing as typing
from np2torch.shim._core import AxisError as AxisError
from np2torch.shim._core import LinAlgError as LinAlgError
from np2torch.shim.attributes import *
from np2torch.shim.bits import *
from np2torch.shim.by_elements import *
from np2torch.shim.calculus import *
from np2torch.shim.contracts import *
from np2torch.shim.creation import *
from np2torch.shim.dtypes import *
from np2torch.shim.elementwise import *
from np2torch.shim.functional import *
from np2torch.shim.guards import *
from np2torch.shim.histograms import *
from np2torch.shim.index_tricks import *
from np2torch.shim.indexing import *
from np2torch.shim.interop import *
from np2torch.shim.io import *
from np2torch.shim.kinds import *
from np2torch.shim.nanfunctions import *
from np2torch.shim.polynomial import *
from np2torch.shim.printing import *
from np2torch.shim.products import *
from np2torch.shim.public import *
from np2torch.shim.on_numpy import *
from np2torch.shim.random import default_rng as default_rng
from np2torch.shim.random.borrowed import generator as generator
from np2torch.shim.random.streams import numpy_stream as numpy_stream
from np2torch.shim.reductions import *
from np2torch.shim.removed import *
from np2torch.shim.seeding import *
from np2torch.shim.sets import *
from np2torch.shim.shape import *
from np2torch.shim.sorting import *
from np2torch.shim.statistics import *
from np2torch.shim.stores import *
from np2torch.shim.assigning import *
from np2torch.shim.callables import function as function
from np2torch.shim.copies import *
from np2torch.shim.scalars import python_number as python_number
from np2torch.shim.windows import *
from np2torch.shim.subclassing import *
# isort: on


def __getattr__(name: str) -> object:
    """Give an attribute of NumPy that the shim lacks, for `getattr(np, name)`; its functions take and give tensors."""
    from np2torch.shim._call_boundary import only_numpys

    return only_numpys(__name__, name)
