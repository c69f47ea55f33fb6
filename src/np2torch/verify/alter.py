"""Variants of a recording: the arguments of the last step varied, its past kept.

Objects have their past, and some arguments cannot be made here; so these calls reach what drawn ones do not.
"""

from __future__ import annotations

import ast
import contextlib
import random
from collections.abc import Iterator, Sequence
from typing import Any

from np2torch.verify import vary
from np2torch.verify.calls import Call
from np2torch.verify.decode import NotCarriedError, unpack
from np2torch.verify.draw import DEFAULT
from np2torch.verify.encode import Encoded, PackedValues, TooLargeError, pack
from np2torch.verify.pairs import Parameter
from np2torch.verify.seeds import arrange

MOST_ALTERED = 60
MOST_CALLS = 4
"""Recorded calls of which others are made."""
NUMBERED = ("list", "dict", "object", "again", "identity")
"""Values that are counted, so that others stand for them by their number."""
Altered = tuple[tuple[Any, ...], Call]
"""The values of all parameters as far as they are known here, and the call."""


def alter_calls(
    recorded: Sequence[Call], constructor: Sequence[Parameter], own: Sequence[Parameter], seed: str
) -> list[Altered]:
    """Calls with one argument of the last step changed."""
    found = [one for call in recorded[:MOST_CALLS] for one in _of_call(call, constructor, own)]
    random.Random(seed).shuffle(found)
    return found[:MOST_ALTERED]


def _of_call(call: Call, constructor: Sequence[Parameter], own: Sequence[Parameter]) -> Iterator[Altered]:
    step = call.steps[-1]
    count = step.positional + len(step.keywords)
    first = len(call.packed.values) - count
    values = [_plain(value, call.packed) for value in call.packed.values[first:]]
    for index, value in enumerate(values):
        for note, new in vary.variations(value) if value is not DEFAULT else ():
            row = [*values[:index], new, *values[index + 1 :]]
            named = dict(zip(step.keywords, row[step.positional :], strict=True))
            placed = arrange(own, row[: step.positional], named)
            packed = _replaced(call.packed, first + index, new) if placed is not None else None
            if placed is not None and packed is not None:
                name = next((one.name for one, item in zip(own, placed, strict=True) if item is new), "")
                made = Call(call.steps, packed, "generated", f"{name}: {note}")
                yield (*(DEFAULT for _ in constructor), *placed), made


def _plain(value: Encoded, packed: PackedValues) -> Any:
    """A value that holds nothing that is counted; `DEFAULT` for all others."""
    if _is_numbered(value):
        return DEFAULT
    try:
        return unpack(PackedValues([value], packed.buffers), False, _nothing)[0]
    except (NotCarriedError, TypeError, ValueError, AttributeError):
        return DEFAULT


def _nothing(module: str, name: str) -> Any:
    raise NotCarriedError(f"{module}.{name} is not imported here")


def _is_numbered(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    return bool(value) and (value[0] in NUMBERED or any(map(_is_numbered, value)))


def _replaced(packed: PackedValues, index: int, value: Any) -> PackedValues | None:
    """The values with another one in a place; None where it cannot be packed, or holds what is counted."""
    try:
        new = pack([value], is_layout_kept=True)
    except TooLargeError:
        return None
    if _is_numbered(new.values[0]) and any(map(_is_numbered, packed.values)):
        return None
    shifted = _shifted(new.values[0], len(packed.buffers))
    return PackedValues([*packed.values[:index], shifted, *packed.values[index + 1 :]], [*packed.buffers, *new.buffers])


def _shifted(value: Encoded, buffers: int) -> Encoded:
    """The value with its buffers counted on."""
    if value[0] == "array":
        return [*value[:4], value[4] + buffers, *value[5:]]
    if value[0] in ("tuple", "list"):
        return [value[0], [_shifted(item, buffers) for item in value[1]]]
    return value


def beside_default(text: str | None) -> Iterator[tuple[str, Any]]:
    """Yield what may be passed where a default is a flag or a number: what hangs on it is asked with all else kept."""
    with contextlib.suppress(ValueError, SyntaxError):
        value = ast.literal_eval(text or "")
        if isinstance(value, (bool, int, float)):
            yield "no default", (not value if isinstance(value, bool) else value + 1)
