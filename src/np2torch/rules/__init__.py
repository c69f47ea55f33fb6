"""The rule book: one file per area, one entry per NumPy function, one handler per kind of syntax."""

from np2torch.rules import calculus as calculus
from np2torch.rules import clip as clip
from np2torch.rules import creation as creation
from np2torch.rules import dtypes as dtypes
from np2torch.rules import editing as editing
from np2torch.rules import elementwise as elementwise
from np2torch.rules import equations as equations
from np2torch.rules import fft as fft
from np2torch.rules import grids as grids
from np2torch.rules import indexing as indexing
from np2torch.rules import joining as joining
from np2torch.rules import linalg as linalg
from np2torch.rules import methods as methods
from np2torch.rules import outer as outer
from np2torch.rules import polynomial as polynomial
from np2torch.rules import quantiles as quantiles
from np2torch.rules import ranges as ranges
from np2torch.rules import reductions as reductions
from np2torch.rules import sets as sets
from np2torch.rules import shape as shape
from np2torch.rules import sorting as sorting
from np2torch.rules import statistics as statistics
from np2torch.rules import ufunc_at as ufunc_at
from np2torch.rules import ufunc_reductions as ufunc_reductions
from np2torch.rules import where as where
