"""Values in a few words."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

LONGEST = 44


def brief(value: Any) -> str:
    """A value as a table cell: kind, shape and first numbers of an array, the beginning of anything else."""
    if isinstance(value, (np.ndarray, np.generic, torch.Tensor)):
        return _array(value)
    if isinstance(value, (tuple, list)) and any(isinstance(v, (np.ndarray, np.generic, torch.Tensor)) for v in value):
        inner = ", ".join(map(brief, value))
        return _cut(f"({inner})" if isinstance(value, tuple) else f"[{inner}]", 2 * LONGEST)
    text = value if isinstance(value, str) else repr(value)
    return _cut(" ".join(text.split()))


def _array(value: Any) -> str:
    dtype = str(value.dtype).removeprefix("torch.")
    flat = value.detach().cpu().reshape(-1) if isinstance(value, torch.Tensor) else np.asarray(value).reshape(-1)
    first = " ".join(_number(v) for v in flat[:3].tolist())
    dots = " …" if len(flat) > 3 else ""
    return f"{dtype}{tuple(value.shape) or ''} {first}{dots}".rstrip()


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, complex)) else str(value)


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
