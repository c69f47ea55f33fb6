"""Branches of `where`: numbers, arrays, or one of each."""

from __future__ import annotations

from support.conversions import convert_text

NAMES = "x, y, i = np.zeros(3), np.ones(3), np.arange(3)\nc = x > 0\n"
SPELLINGS = {
    "np.where(c)": "torch.nonzero(c, as_tuple=True)",
    "np.where(c, x, y)": "torch.where(c, x, y)",
    "np.where(c, 0.5, 1)": "torch.where(c, torch.tensor(0.5, dtype=torch.float64), 1)",
    "np.where(c, 1, 2)": "torch.where(c, 1, 2)",
    "np.where(c, x, 0)": "torch.where(c, x, 0)",
    "np.where(c, 0, x)": "torch.where(c, 0, x)",
    "np.where(c, 0.5, i)": "shim.where(c, 0.5, i)",
    "np.where(c, 1j, 2)": "shim.where(c, 1j, 2)",
    "np.where(x, 1, 2)": "shim.where(x, 1, 2)",
}


def test_spellings():
    lines = (f"r{at} = {one}\n" for at, one in enumerate(SPELLINGS))
    text = convert_text(f"import numpy as np\n{NAMES}{''.join(lines)}")
    assert [line.partition(" = ")[2] for line in text.splitlines() if line.startswith("r")] == [*SPELLINGS.values()]
