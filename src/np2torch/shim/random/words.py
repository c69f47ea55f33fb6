"""The words of a state as a tensor that can be saved and copied, which torch does with no wide unsigned one."""

from __future__ import annotations

from typing import Any

import torch


class Words(torch.Tensor):
    """Unsigned 32-bit words; what is computed of them is a plain tensor."""

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, Any]) -> Words:
        found = memo[id(self)] = as_words(self.view(torch.int32).clone())
        return found

    def __reduce_ex__(self, protocol: Any) -> Any:
        return as_words, (self.view(torch.int32).clone(),)


def as_words(bits: torch.Tensor) -> Words:
    """The words with these bits, over the same memory."""
    return bits.view(torch.uint32).as_subclass(Words)
