"""`numpy.lib`'s namespaces."""

from np2torch.shim.lib import array_utils as array_utils
from np2torch.shim.lib import stride_tricks as stride_tricks
