"""Grids of vectors of one dtype, of two dtypes, and open ones."""

from __future__ import annotations

from support.conversions import convert_text

NAMES = "x, y, i = np.zeros(3), np.ones(4), np.arange(3)\ns = len(dir()) > 3\n"
SPELLINGS = {
    "np.meshgrid(x, y)": 'torch.meshgrid(x, y, indexing="xy")',
    "np.meshgrid(x, y, indexing='ij')": 'torch.meshgrid(x, y, indexing="ij")',
    "np.meshgrid(x, y, sparse=True)": "(x[None, :], y[:, None])",
    "np.meshgrid(x, i)": "torch.broadcast_tensors(x[None, :], i[:, None])",
    "np.meshgrid(x, y, sparse=s)": "shim.meshgrid(x, y, sparse=s)",
    "np.meshgrid(x)": "shim.meshgrid(x)",
    "np.meshgrid(x, indexing='ij')": 'torch.meshgrid(x, indexing="ij")',
}


def test_spellings():
    lines = (f"r{at} = {one}\n" for at, one in enumerate(SPELLINGS))
    text = convert_text(f"import numpy as np\n{NAMES}{''.join(lines)}")
    assert [line.partition(" = ")[2] for line in text.splitlines() if line.startswith("r")] == [*SPELLINGS.values()]
