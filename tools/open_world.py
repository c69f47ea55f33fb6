"""Functions converted with one narrow caller, or none, then called as others would: is every answer equal, or loud?

    python tools/open_world.py [--cases FILE] [-k NAME] [--show N] [--json FILE] [--unknown guard|shim]

Each case is converted twice: `alone`, and `narrow` beside a module with one call of it. The outcomes of a call:

    equal    dtype, shape, value (float64 at 1e-12), kind of number and changed arguments agree, or both sides raise
    loud     the converted side raises where NumPy does not
    lenient  NumPy raises and the converted side does not
    silent   both answer, and something differs

Sending everything to the shim is safe and is not what is wanted, so functions without a call of the shim are counted
too; lines at a function's entry (guards) are counted by themselves. Exits with 1 where anything is silent.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import itertools
import json
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "open_world" / "cases.py"
MODES = ("alone", "narrow")
OUTCOMES = ("equal", "loud", "lenient", "silent")
GUARD = re.compile(r"\s*(@shim\.contract\b|[\w, ]+ = shim\.(floating|inexact|promote|tensors?)\()")
"""A line that is a guard."""
SCALAR = "scalar_"
CALLED = re.compile(r"np\.((?:float|int|uint|complex)\d+)\(")
"""A call of a scalar class, which gives a 0-D tensor."""
HEAD = "import numpy as np\n\n"
NUMBERS = itertools.count()


class Answer(NamedTuple):
    """What came of one call."""

    mode: str
    case: str
    call: str
    outcome: str
    why: str
    text: str


def load(path: Path) -> Any:
    """The cases of a file."""
    spec = importlib.util.spec_from_file_location("open_world_cases", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def converted(case: Any, mode: str, settings: Settings) -> str:
    """The new text of a case."""
    files = [SourceFile(Path("lib.py"), "lib.py", HEAD + case.source)]
    if mode == "narrow":
        use = f"{HEAD}from lib import *\n\nprint({case.narrow})\n"
        files.append(SourceFile(Path("use.py"), "use.py", use))
    done = {str(one.path): one for one in convert_project(files, settings)}
    for one in done.values():
        assert not one.problems, one.problems
    return done["lib.py"].after


def namespace(text: str, arrays: Any) -> dict[str, Any]:
    """The names of a module, with what makes the arrays of a call as `np`."""
    module = types.ModuleType(f"open_world_{next(NUMBERS)}")
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    exec(compile(text, module.__name__, "exec"), module.__dict__)
    return {**vars(module), "np": arrays}


def as_tensors(x: Any) -> Any:
    """What stands on the torch side for a value of NumPy's."""
    if isinstance(x, (np.ndarray, np.generic)):
        return torch.from_numpy(np.array(x))
    return x


class Tensors:
    """NumPy's functions that give tensors: `np` in the calls of the torch side. Its scalar classes are dtypes there."""

    def __getattr__(self, name: str) -> Any:
        own = getattr(np, name.removeprefix(SCALAR))
        if isinstance(own, type) and issubclass(own, np.generic) and not name.startswith(SCALAR):
            return getattr(torch, name)
        if not callable(own):
            return own
        return lambda *args, **kwargs: as_tensors(own(*map(_back, args), **{k: _back(x) for k, x in kwargs.items()}))


def _back(x: Any) -> Any:
    """What NumPy takes for what stands for it on the torch side."""
    if isinstance(x, torch.dtype):
        return str(x).removeprefix("torch.")
    return x.numpy() if isinstance(x, torch.Tensor) else x


def called(call: str, names: dict[str, Any]) -> tuple[Any, BaseException | None]:
    """The result of a call, generators read out, or its error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return copy.deepcopy(eval(call, dict(names))), None
        except Exception as error:  # whatever it raises is the outcome
            return None, error


def became_tensor(old: Any, new: Any) -> str:
    """Where a Python number of the NumPy side has become a tensor: it prints, hashes and divides otherwise."""
    if type(old) in (bool, int, float, complex) and isinstance(new, torch.Tensor):
        return f"{type(old).__name__} became a tensor"
    if isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        return next((why for a, b in zip(old, new, strict=False) if (why := became_tensor(a, b))), "")
    if isinstance(old, dict) and isinstance(new, dict):
        return next((why for key in old if (why := became_tensor(old[key], new.get(key)))), "")
    return ""


def judged(call: str, old: dict[str, Any], new: dict[str, Any]) -> tuple[str, str]:
    """The outcome of a call and what to say of it."""
    expected, refused = called(call, old)
    found, raised = called(CALLED.sub(rf"np.{SCALAR}\1(", call), new)
    if refused is not None:
        return ("equal", "") if raised is not None else ("lenient", repr(refused))
    if raised is not None:
        return "loud", f"{type(raised).__name__}: {raised}"
    why = difference(expected, found) or became_tensor(expected, found)
    return ("silent", why) if why else ("equal", "")


def answers(cases: Sequence[Any], settings: Settings, modes: Sequence[str] = MODES) -> Iterator[Answer]:
    """Every call of every case, in each mode."""
    for case in cases:
        for mode in modes:
            text = converted(case, mode, settings)
            old, new = namespace(HEAD + case.source, np), namespace(text, Tensors())
            for call in case.wide:
                yield Answer(mode, case.name, call, *judged(call, old, new), text)


def shim_calls(text: str) -> int:
    """Calls of the shim but for guards."""
    return sum(line.count("shim.") for line in text.splitlines() if not GUARD.match(line))


def table(rows: Sequence[Answer]) -> Iterator[str]:
    """One line for each mode."""
    for mode in dict.fromkeys(row.mode for row in rows):
        mine = [row for row in rows if row.mode == mode]
        counts = Counter(row.outcome for row in mine)
        texts = {row.case: row.text for row in mine}
        calls = {name: shim_calls(text) for name, text in texts.items()}
        guards = sum(bool(GUARD.match(line)) for text in texts.values() for line in text.splitlines())
        outcomes = ", ".join(f"{counts[name]} {name}" for name in OUTCOMES)
        yield (
            f"{mode}: {len(mine)} calls: {outcomes}; {sum(not n for n in calls.values())} of {len(calls)} functions "
            f"without a shim call in the body, {sum(calls.values())} shim calls in all, {guards} guards"
        )


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("-k", default="", metavar="NAME", help="only cases with this in their name")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N that are silent")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--unknown", choices=("guard", "shim"), default="guard")
    options = parser.parse_args()
    cases = [case for case in load(options.cases).CASES if options.k in case.name]
    rows = list(answers(cases, Settings(unknown=options.unknown)))
    silent = [row for row in rows if row.outcome == "silent"]
    for row in silent[: options.show]:
        print(f"--- {row.mode} {row.case}: {row.call}: {row.why}\n{row.text}")
    for line in table(rows):
        print(line)
    for mode in MODES:
        names = Counter(row.case for row in silent if row.mode == mode)
        print(f"silent, {mode}: " + (", ".join(f"{name} {count}" for name, count in names.items()) or "none"))
    if options.json:
        options.json.write_text(json.dumps([row._asdict() for row in rows], indent=1))
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
