"""Choose the calls to probe, and sum up what the probes say of a function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from np2torch.verify.calls import Call, Observation
from np2torch.verify.children import Child
from np2torch.verify.judge import Verdict
from np2torch.verify.probes import BREAKS, DETACHED, GRADIENTS, GRAPH, HOLDS, NOTHING, WRONG, ProbeAnswer

MOST_CALLS = {GRADIENTS: 6, GRAPH: 2}
DIFFERS = "differ"
"""The message for a compiled function that gives another result than the old side."""


def probe_calls(
    kind: str,
    calls: Sequence[tuple[Call, Observation]],
    new: Child,
    judged: Callable[[Observation, Observation], Verdict],
) -> ProbeAnswer:
    """Probe some calls that both sides answer alike.

    Parameters
    ----------
    calls
        Calls, and what was observed of them on the old side.
    judged
        The verdict on two observations of a call.
    """
    chosen = calls[: MOST_CALLS[kind]]
    if not chosen:
        return ProbeAnswer(NOTHING, "no ordinary calls that both sides answer")
    seen = new.run([call for call, _ in chosen], kind)
    if kind == GRAPH:
        return graph(judged, [old for _, old in chosen], seen)
    return gradients([one.said or ProbeAnswer(BREAKS, one.word) for one in seen])


def graph(
    judged: Callable[[Observation, Observation], Verdict], old: Sequence[Observation], new: Sequence[Observation]
) -> ProbeAnswer:
    """Sum up compiled calls: one graph with the same results, or what breaks it."""
    for one in new:
        if one.said is not None or one.ended or one.refused:
            return ProbeAnswer(BREAKS, one.word)
    for before, after in zip(old, new, strict=True):
        if (verdict := judged(before, after)).kind not in ("equal", "skipped"):
            return ProbeAnswer(DIFFERS, verdict.text)
    return ProbeAnswer(HOLDS, f"one graph, {len(new)} calls equal")


def gradients(found: Sequence[ProbeAnswer]) -> ProbeAnswer:
    """Sum up the gradients of calls: wrong where none holds; at ties and bounds there may be none."""
    words = Counter(one.word for one in found)
    told = sum(words[word] for word in (HOLDS, WRONG))
    if words[HOLDS]:
        return ProbeAnswer(HOLDS, f"{words[HOLDS]} of {told} calls hold")
    word = next((word for word in (WRONG, DETACHED, BREAKS) if words[word]), NOTHING)
    return next((one for one in found if one.word == word), ProbeAnswer(NOTHING))


def is_mismatch(said: ProbeAnswer) -> bool:
    """Tell whether the new side is wrong, and not only of another kind."""
    return said.word in (WRONG, DIFFERS)
