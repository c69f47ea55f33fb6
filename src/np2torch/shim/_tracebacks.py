"""Tracebacks without the frames of borders: who counts frames, or reads their names, sees what there is on NumPy."""

from __future__ import annotations

from types import TracebackType

from np2torch.shim._location import SHIM

BORDERS = frozenset(
    f"{SHIM}.{name}"
    for name in (
        "_argument_counts.entered_by", "_call_boundary.Outside.__call__", "on_numpy.Visit.staying", "on_numpy._reading",
        "on_numpy.staying", "public._reading", "public._writing", "public.converting",
    )
)  # fmt: skip
"""The functions whose frames, and those of the functions defined in them, stand for a border and nothing else."""


def inside(trace: TracebackType | None) -> TracebackType | None:
    """Give the part of a traceback that begins after the frames of borders at its outer end.

    Frames of `contextlib` go where one of a border follows: by themselves they may be the program's.
    """
    rest = trace
    while trace is not None:
        frame, trace = trace.tb_frame, trace.tb_next
        module = frame.f_globals.get("__name__")
        if f"{module}.{frame.f_code.co_qualname.partition('.<locals>')[0]}" in BORDERS:
            rest = trace
        elif module != "contextlib":
            break
    return rest
