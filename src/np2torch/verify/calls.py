"""Calls for both sides, and what was observed of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from np2torch.verify.encode import PackedValues
from np2torch.verify.probes import ProbeAnswer

LATE = "the time for this function was spent"
"""The reason for which a call was not made, where those before it took long."""
SETTING = "="
"""The suffix of a property's name when it is set."""


class Step(NamedTuple):
    """One call: the name of a function, class or method, and how many values it takes.

    Attributes
    ----------
    target
        The dotted name in the module, or in another one that stands before a colon; of a method that is called on an
        object, its class and name; where a property is set, `=` follows.
    on
        The step that gave the object a method is called on; None for functions and classes.
    positional
        How many values are passed by position.
    keywords
        The names of those passed by name, which follow.
    """

    target: str
    on: int | None
    positional: int
    keywords: tuple[str, ...] = ()


class Call(NamedTuple):
    """Steps in order, and the values that they take one after the other."""

    steps: tuple[Step, ...]
    packed: PackedValues
    origin: str = "generated"
    """The origin of the inputs: generated, replayed or listed."""
    note: str = ""
    """The special trait of the inputs."""

    def as_json(self) -> dict[str, Any]:
        """The call as a child reads it."""
        return {"steps": [list(step) for step in self.steps], "packed": self.packed.as_json()}


class RaisedError(NamedTuple):
    """An error: its class, the classes above it, its message, and who raised it.

    `by` is "own" for a `raise` or `assert` of the project, "call" where the arguments do not bind, "guard" for a guard
    at the entry of a converted function, "outside" for everything else.
    """

    name: str
    classes: tuple[str, ...]
    message: str
    by: str
    step: int

    @property
    def line(self) -> str:
        """The error in one line."""
        first = next(iter(self.message.splitlines()), "")
        return f"{self.name}: {first[:100]}".rstrip(": ")


class Observation(NamedTuple):
    """All that is seen of one call.

    Attributes
    ----------
    ended
        How the process ended, where it did: "hang", "SIGSEGV", "exit 3", "output", "memory".
    refused
        Why the call could not be made on this side, or its result not be kept.
    values
        Results of the steps, arguments, and objects that methods were called on, as they are afterwards.
    seconds, cost
        The time of the call, and with that of reading its arguments and of writing down what is seen.
    said
        What a probe says of it.
    lines
        The lines of the module that it comes to, where these are noted.
    """

    ended: str = ""
    refused: str = ""
    raised: RaisedError | None = None
    values: PackedValues | None = None
    printed: str = ""
    seconds: float = 0.0
    said: ProbeAnswer | None = None
    lines: frozenset[int] = frozenset()
    cost: float = 0.0

    @property
    def is_late(self) -> bool:
        """Tell whether there was no time for the call."""
        return self.refused == LATE

    @property
    def has_result(self) -> bool:
        """Tell whether the call came to its end and gave a result."""
        return not self.ended and not self.refused and self.raised is None and self.said is None

    @property
    def word(self) -> str:
        """The outcome, in few words."""
        if self.ended or self.refused:
            return self.ended or self.refused
        if self.said is not None:
            return self.said.why or self.said.word
        return "a result" if self.raised is None else self.raised.line

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Observation:
        """Read what a child sends."""
        raised, values = given.get("raised"), given.get("values")
        return cls(
            given.get("ended", ""), given.get("refused", ""),
            None if raised is None else RaisedError(raised[0], tuple(raised[1]), *raised[2:]),
            None if values is None else PackedValues.from_json(values),
            given.get("printed", ""), given.get("seconds", 0.0),
            ProbeAnswer(*given["said"]) if "said" in given else None, frozenset(given.get("lines", ())),
            given.get("cost", 0.0),
        )  # fmt: skip
