"""Bounds of `clip`: numbers that the dtype holds, or a float that makes it float64."""

from __future__ import annotations

from support.conversions import convert_text

NAMES = "x, i, b, s = np.zeros(3), np.arange(3), np.zeros(3, dtype=np.uint8), np.zeros(3, dtype=np.float32)\n"
SPELLINGS = {
    "np.clip(x, 0.0, 1.0)": "torch.clip(x, 0.0, 1.0)",
    "np.clip(i, 0, 5)": "torch.clip(i, 0, 5)",
    "np.clip(i, 0.5, 2)": "torch.clip(i.to(torch.float64), 0.5, 2)",
    "np.clip(b, 0, 100)": "torch.clip(b, 0, 100)",
    "np.clip(b, 0, 200)": "shim.clip(b, 0, 200)",
    "np.clip(x, None, 3)": "torch.clip(x, max=3)",
    "np.clip(x, x, 1)": "shim.clip(x, x, 1)",
    "np.clip(x, x - 1, x + 1)": "torch.clip(x, x - 1, x + 1)",
    "np.clip(i, i[0], i[-1])": "torch.clip(i, i[0], i[-1])",
    "np.clip(x, x.min(), None)": "torch.clip(x, min=x.min())",
    "np.clip(s, x[0], x[1])": "shim.clip(s, x[0], x[1])",
    "np.clip(x, i, i + 1)": "torch.clip(x, i, i + 1)",
    "x.clip(min=0)": "x.clip(min=0)",
}


def test_spellings():
    lines = (f"r{at} = {one}\n" for at, one in enumerate(SPELLINGS))
    text = convert_text(f"import numpy as np\n{NAMES}{''.join(lines)}")
    assert [line.partition(" = ")[2] for line in text.splitlines() if line.startswith("r")] == [*SPELLINGS.values()]
