"""Runs a command with the recorder in every Python below it, and gathers what they saw."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.source.folder import FOLDER, digest
from np2torch.source.model import SourceFile
from np2torch.source.read import read_file
from np2torch.source.traces import NAME, FileTrace, load, save
from np2torch.trace.recording import save_calls

HOOK = Path(__file__).resolve().parent / "hook"


class Run(NamedTuple):
    """How the command ended, where the trace lies, and how many files and functions it covers."""

    exit_code: int
    path: Path
    files: int
    functions: int
    calls: int = 0


def trace(command: Sequence[str], root: Path, *, fresh: bool = False, values: Path | None = None) -> Run:
    """Run a command and write `.np2torch/trace.json` below `root`.

    Parameters
    ----------
    command
        Program and arguments; any Python started by it, directly or not, is recorded.
    root
        Only functions of files below it are looked at.
    values
        Record the arguments of calls too, into this file.
    fresh
        Forget earlier traces. Otherwise those of files that have not changed since are kept and added to.

    Raises
    ------
    OSError
        When the command cannot be started.
    DamagedError
        When there is an earlier trace that cannot be used.
    """
    root = root.resolve()
    path = root / FOLDER / NAME
    before = {} if fresh else load(path)
    with tempfile.TemporaryDirectory(prefix="np2torch-trace-") as folder:
        environment = dict(os.environ, NP2TORCH_TRACE=folder, NP2TORCH_TRACE_ROOT=str(root))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HOOK), os.environ.get("PYTHONPATH", "")]))
        if values is not None:
            environment["NP2TORCH_VALUES"] = folder
        done = subprocess.run(command, env=environment, check=False)
        parts = [part.read_text("utf-8") for part in sorted(Path(folder).glob("*.jsonl"))]
        recorded = [part.read_text("utf-8") for part in sorted(Path(folder).glob("*.values"))]
        calls = [line for part in recorded for line in part.splitlines()]
        if values is not None:
            save_calls(values, calls)
    traces = merge_traces(before, parts)
    if traces:
        save(path, traces)
    return Run(done.returncode, path, len(traces), sum(len(traced.functions) for traced in traces.values()), len(calls))


def merge_traces(before: dict[Path, FileTrace], parts: Sequence[str]) -> dict[Path, FileTrace]:
    """Earlier traces of files that are as they were, and what the processes of this run saw."""
    seen: dict[Path, dict[str, dict[str, list[Any]]]] = {}
    for part in parts:
        for line in part.splitlines():
            try:
                name, function, parameter, observed = json.loads(line)
            except ValueError:  # the end of a process that was killed while it wrote
                continue
            found = seen.setdefault(Path(name).resolve(), {}).setdefault(function, {}).setdefault(parameter, [])
            if observed not in found:
                found.append(observed)
    out: dict[Path, FileTrace] = {}
    for file in {**before, **seen}:
        read = read_file(file, even_generated=True) if file.exists() else None
        if not isinstance(read, SourceFile):
            continue
        now, old = digest(read.text), before.get(file)
        functions = seen.setdefault(file, {})
        if old is not None and old.digest == now:
            for function, parameters in old.functions.items():
                for parameter, observations in parameters.items():
                    found = functions.setdefault(function, {}).setdefault(parameter, [])
                    found += [one for one in observations if one not in found]
        if functions:
            out[file] = FileTrace(now, functions)
    return out
