"""Counts of the verdicts on the calls of one function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from np2torch.verify.calls import Call
from np2torch.verify.judge import Distance, Verdict
from np2torch.verify.ordinary import JudgedCall

T = TypeVar("T")
FEW, MORE = 30, 3
"""Calls that are made first on the new side, and how many times as many each time after: a worker costs a fork."""
WORDS = {
    "equal": "both raise", "refused": "refused by a guard", "loud": "raises where it did not",
    "lenient": "answers where it raised", "different": "differs", "announced": "a known difference",
    "late": "not made, as the time was spent",
}  # fmt: skip


class Tally:
    """Counts of verdicts for one function."""

    def __init__(self) -> None:
        self.found: list[JudgedCall] = []
        self.counts: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.distance = Distance()
        self.budgets: set[str] = set()
        self.seconds = [0.0, 0.0]
        self.differing = 0
        self.known: set[str] = set()

    def add(self, one: JudgedCall) -> None:
        """Count a judged call."""
        kind, origin = one.verdict.kind, one.call.origin
        self.found.append(one)
        self.differing += kind == "different"
        if kind == "skipped":
            self.skipped[one.verdict.text] += 1
        elif kind == "announced":
            self.known.add(one.verdict.text)
            self.skipped[one.verdict.text] += 1
            self.counts[f"{origin}: {WORDS[kind]}"] += 1
        elif kind != "equal" or not one.old.has_result:
            self.counts[f"{origin}: {WORDS[kind]}"] += 1
        else:
            self.counts[origin] += 1
            self.distance = self.distance.larger(one.verdict.distance)
            self.budgets |= set(one.verdict.budgets)
            if origin != "generated":
                self.seconds = [self.seconds[0] + one.old.seconds, self.seconds[1] + one.new.seconds]

    @property
    def has_answers(self) -> bool:
        """Tell whether there are calls that both sides answer alike."""
        return any(":" not in origin for origin in self.counts)

    def note_late(self, calls: Iterable[Call]) -> None:
        """Count those of some calls that were not made, as those before them took the time of the function."""
        done = {id(one.call) for one in self.found}
        self.counts.update(f"{one.origin}: {WORDS['late']}" for one in calls if id(one) not in done)

    def conclusion(self, shown: Sequence[Verdict], why: str) -> tuple[str, str]:
        """Give the verdict on the function in a word, and the reason where it is not equal.

        Parameters
        ----------
        shown
            The verdicts on the calls by which the sides part.
        why
            What kept calls from being made.
        """
        if shown:
            return "different", shown[0].text
        if self.has_answers:
            return "equal", ""
        if refused := [one.verdict.text for one in self.found if one.verdict.kind == "refused"]:
            return "not exercised", f"a guard refuses what the old side answers: {refused[0]}"
        likely = next((text for text, _ in self.skipped.most_common(1)), "no inputs were found that it answers")
        return "not exercised", why or likely


def growing_parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Split the items into parts, each larger than the one before."""
    begin, size = 0, FEW
    while begin < len(items):
        yield items[begin : begin + size]
        begin, size = begin + size, MORE * size
