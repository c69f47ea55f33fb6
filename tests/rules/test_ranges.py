"""Ranges: integers in order, floats whose points are the same however they are computed."""

from __future__ import annotations

from support.conversions import convert_text

NAMES = "n, m = len(dir()), len(dir())\n"
SPELLINGS = {
    "np.arange(5)": "torch.arange(5)",
    "np.arange(-1)": "shim.arange(-1)",
    "np.arange(2, 8, 2)": "torch.arange(2, 8, 2)",
    "np.arange(n, m)": "torch.arange(n, max(n, m))",
    "np.arange(0.0, 2.0, 0.5)": "torch.arange(0.0, 2.0, 0.5, dtype=torch.float64)",
    "np.arange(0, 1.0, 0.1)": "torch.arange(10, dtype=torch.float64) * 0.1",
    "np.arange(3, dtype=np.float32)": "torch.arange(3, dtype=torch.float32)",
    "np.arange(3, dtype=np.uint16)": "shim.arange(3, dtype=torch.uint16)",
    "np.arange(0.5, dtype=int)": "shim.arange(0.5, dtype=int)",
    "np.linspace(0, 1, 5)": "torch.linspace(0, 1, 5, dtype=torch.float64)",
    "np.linspace(0, 1, 11)": "shim.linspace(0, 1, 11)",
}


def test_spellings():
    lines = (f"r{at} = {one}\n" for at, one in enumerate(SPELLINGS))
    text = convert_text(f"import numpy as np\n{NAMES}{''.join(lines)}")
    assert [line.partition(" = ")[2] for line in text.splitlines() if line.startswith("r")] == [*SPELLINGS.values()]
