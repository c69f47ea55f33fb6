"""Signs in a project's text that it computes gradients."""

from __future__ import annotations

import re
from collections.abc import Iterable

DIFFERENTIATES = re.compile(
    r"\brequires_grad_?\b|\btorch\.(?:autograd|optim|func)\b|\.backward\(|\bfrom torch import .*\b(?:autograd|optim)\b"
)
"""Code that is written where gradients are wanted."""


def scalars_for(texts: Iterable[str]) -> str:
    """The setting `scalars` where nobody gives one: "tensor" for a project that differentiates."""
    return "tensor" if any(DIFFERENTIATES.search(text) for text in texts) else "number"
