"""Windows: every case runs under NumPy and under the shim."""

from __future__ import annotations

from typing import Any

import pytest

from np2torch.shim import windows
from support.both import Side, agree, table

CASES = r"""
np.bartlett(12)
np.bartlett(7)
np.bartlett(1)
np.bartlett(0)
np.bartlett(-3)
np.bartlett(2)
np.blackman(12)
np.blackman(1)
np.blackman(7)
np.hamming(12)
np.hamming(0)
np.hamming(5)
np.hanning(12)
np.hanning(1)
np.hanning(2)
np.hanning(51)
np.kaiser(12,14)
np.kaiser(1,5.)
np.kaiser(0,5.)
np.kaiser(7,0)
np.kaiser(51,8.6)
np.hanning(M) ## M=np.array(5)
np.hanning(5.5)
"""


@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(windows), **names)
