"""Replay of recorded calls on both sides."""

from __future__ import annotations

import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from np2torch.trace.recording import load_calls
from np2torch.trace.values import GIVEN
from np2torch.verify.calls import Call, Step
from np2torch.verify.encode import Encoded, PackedValues
from np2torch.verify.pairs import place_of

ORIGIN = "replayed"


class ReplayError(ValueError):
    """A file that holds no recorded calls; the message is one line."""


def load(path: Path) -> dict[tuple[str, str], list[Call]]:
    """Load the recording, by module and function.

    Raises
    ------
    ReplayError
        Where the file is no recording.
    """
    found: dict[tuple[str, str], list[Call]] = {}
    try:
        for line in load_calls(path):
            file, function, steps = json.loads(line)
            call = _call(steps)
            found.setdefault((place_of(Path(file)).module, str(function)), []).append(call)
    except (ValueError, TypeError, KeyError, IndexError, OSError, binascii.Error) as error:
        raise ReplayError(f"{path}: not used: {error}; record it with np2torch trace --record-values") from None
    return {key: _best(calls) for key, calls in found.items()}


def _best(calls: list[Call]) -> list[Call]:
    """Leave out objects that are given as they are, where there are others with their past."""
    made = [one for one in calls if one.steps[0].target != GIVEN]
    return made or calls


def _call(steps: list[Any]) -> Call:
    made: list[Step] = []
    values: list[Encoded] = []
    buffers: list[bytes] = []
    objects = 0
    for (target, on, positional, names), packed in steps:
        own = PackedValues.from_json(packed)
        made.append(Step(str(target), on, int(positional), tuple(map(str, names))))
        values += [_shifted(value, len(buffers), objects) for value in own.values]
        buffers += own.buffers
        objects += sum(map(_count, own.values))
    return Call(tuple(made), PackedValues(values, buffers), ORIGIN)


def _shifted(value: Encoded, buffers: int, objects: int) -> Encoded:
    """The value with its buffers and objects counted on."""
    match value[0]:
        case "array":
            return [*value[:4], value[4] + buffers, *value[5:]]
        case "object":
            return [
                "object",
                value[1] + objects,
                *value[2:4],
                [[name, _shifted(item, buffers, objects)] for name, item in value[4]],
            ]
        case "again" | "identity":
            return [value[0], value[1] + objects]
        case "dict":
            return ["dict", [[_shifted(part, buffers, objects) for part in pair] for pair in value[1]]]
        case "tuple" | "list" | "set" | "frozenset" | "iterator" | "named" | "things" | "table":
            return [*value[:-1], [_shifted(item, buffers, objects) for item in value[-1]]]
    return value


def _count(value: Encoded) -> int:
    """Count the lists, dicts and objects in a value."""
    own = value[0] in ("list", "dict", "object")
    return own + sum(map(_count, _held(value)))


def _held(value: Encoded) -> Iterator[Encoded]:
    match value[0]:
        case "object":
            yield from (item for _, item in value[4])
        case "dict":
            yield from (part for pair in value[1] for part in pair)
        case "tuple" | "list" | "set" | "frozenset" | "iterator" | "named" | "things" | "table":
            yield from value[-1]
