"""A class of a library that knows nothing of torch."""

import numpy as np


class Column:
    """An object that answers NumPy's functions itself, as those of pandas do: what is no number does not count."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)

    def __array_ufunc__(self, ufunc, method, *args, **kwargs):
        found = getattr(ufunc, method)(*(x.values if isinstance(x, Column) else x for x in args), **kwargs)
        return Column(found) if isinstance(found, np.ndarray) else found

    def sum(self, axis=None, out=None):
        return np.nansum(self.values)

    def mean(self, axis=None, dtype=None, out=None):
        return np.nanmean(self.values)

    def cumsum(self, axis=None, dtype=None, out=None):
        return Column(np.nancumsum(self.values))
