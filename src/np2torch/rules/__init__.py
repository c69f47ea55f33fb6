"""The rule book: one file per area, one entry per NumPy function, one handler per kind of syntax."""

from np2torch.rules import creation as creation
from np2torch.rules import elementwise as elementwise
from np2torch.rules import linalg as linalg
from np2torch.rules import methods as methods
from np2torch.rules import reductions as reductions
from np2torch.rules import shape as shape
from np2torch.rules import sorting as sorting
