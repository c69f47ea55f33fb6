"""Joined arrays: of one dtype, or of several that are cast to what NumPy promotes them to."""

from __future__ import annotations

from support.conversions import convert_text

NAMES = "x, i, m = np.zeros(3), np.arange(3), np.eye(3)\nz, f = [x for _ in range(2)], np.zeros(2, dtype=np.float32)\n"
SPELLINGS = {
    "np.concatenate([x, x])": "torch.cat([x, x])",
    "np.concatenate([x, i])": "torch.cat((x, i.to(torch.float64)))",
    "np.concatenate([x, [1, 2]])": "torch.cat((x, torch.tensor([1, 2], dtype=torch.float64)))",
    "np.concatenate(z)": "torch.cat(z)",
    "np.concatenate([f, i])": "torch.cat((f.to(torch.float64), i.to(torch.float64)))",
    "np.stack((x, x), axis=1)": "torch.stack((x, x), dim=1)",
    "np.vstack([x, m])": "torch.vstack([x, m])",
    "np.hstack([x, m])": "shim.hstack([x, m])",
}


def test_spellings():
    lines = (f"r{at} = {one}\n" for at, one in enumerate(SPELLINGS))
    text = convert_text(f"import numpy as np\n{NAMES}{''.join(lines)}")
    assert [line.partition(" = ")[2] for line in text.splitlines() if line.startswith("r")] == [*SPELLINGS.values()]
