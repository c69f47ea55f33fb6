"""NumPy's functions on plain torch tensors, for what is too dynamic to decide from the source.

Torch only, no wrapper class: array-likes in, `torch.Tensor` out, under NumPy's names and semantics.
"""

from np2torch.shim._core import AxisError as AxisError
from np2torch.shim._core import LinAlgError as LinAlgError
