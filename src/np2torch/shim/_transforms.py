"""Tests for tracing, transforms and gradients: reading a value out of a tensor there would lose the gradient."""

from __future__ import annotations

import torch
from torch._C._functorch import peek_interpreter_stack
from torch.autograd import forward_ad

from np2torch.shim._promotion import Tensor

is_compiling = torch.compiler.is_compiling
number_of_modes = torch._C._len_torch_dispatch_stack


def in_transform() -> bool:
    """True while torch compiles, transforms a function, is in forward mode, or hands each operation to a mode."""
    return (
        is_compiling()
        or number_of_modes() > 0
        or peek_interpreter_stack() is not None
        or forward_ad._current_level >= 0
    )


def are_values(*tensors: Tensor) -> bool:
    """True where Python may compute with the numbers in these tensors: on the CPU, and of no gradient."""
    for x in tensors:
        if x.requires_grad or not x.is_cpu:
            return False
    return not in_transform()
