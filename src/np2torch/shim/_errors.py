"""NumPy's classes of errors."""

from __future__ import annotations

import torch


class AxisError(ValueError, IndexError):
    """An axis that the array does not have; `numpy.exceptions.AxisError`."""


class LinAlgError(torch.linalg.LinAlgError, ValueError):  # type: ignore[misc, name-defined]
    """`numpy.linalg.LinAlgError`: a ValueError, which torch's own class is not."""
