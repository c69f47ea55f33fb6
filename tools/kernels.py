"""Numerical kernels of the literature as library code without callers: how much of it becomes plain torch?

    python tools/kernels.py [--show] [--json FILE] [--unknown guard|shim]

`tools/kernels/` is converted by itself, and with a trace of one call of each (`kernel_calls.py`). Printed are the
shares of the sites per module and over all, the functions without a call of the shim, and the guards.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from open_world import GUARD

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import OUTCOMES, Converted, Settings, SourceFile
from np2torch.trace.run import trace

HERE = Path(__file__).resolve().parent
FOLDER, DRIVER = HERE / "kernels", HERE / "kernel_calls.py"


def converted(folder: Path, settings: Settings) -> dict[str, Converted]:
    """The kernels after conversion, by the names of their modules."""
    files = [SourceFile(path, path.name, path.read_text("utf-8")) for path in sorted(folder.glob("*.py"))]
    done = convert_project(files, settings)
    return {one.path.stem: one for one in done}


def both(unknown: str) -> dict[str, dict[str, Converted]]:
    """The kernels by themselves, and with a trace."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path in FOLDER.glob("*.py"):
            shutil.copy(path, folder)
        alone = converted(folder, Settings(unknown=unknown))
        run = trace([sys.executable, str(DRIVER), str(folder)], folder)
        if run.exit_code or not run.functions:
            raise SystemExit(f"{DRIVER}: exit code {run.exit_code}, {run.functions} functions traced")
        return {"alone": alone, "with a trace": converted(folder, Settings(unknown=unknown, trace=run.path))}


def functions(text: str) -> Iterator[tuple[str, bool]]:
    """The functions and methods of a module; whether the shim is called in each, but for guards."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = lines[node.lineno - 1 : node.end_lineno]
            yield node.name, any("shim." in line and not GUARD.match(line) for line in body)


def table(modules: Mapping[str, Converted]) -> Iterator[str]:
    """A line per module and one for all."""
    total: Counter[str] = Counter()
    free = number = guards = 0
    for name, one in modules.items():
        counts = Counter(site.outcome for site in one.sites)
        total += counts
        yield f"  {name:12}{_shares(counts)}"
        asked = [calls for _, calls in functions(one.after)]
        free, number = free + asked.count(False), number + len(asked)
        guards += sum(bool(GUARD.match(line)) for line in one.after.splitlines())
    yield f"  {'all':12}{_shares(total)}; {free} of {number} functions without a shim call, {guards} guards"


def _shares(counts: Counter[str]) -> str:
    sites = max(counts.total(), 1)
    native = counts["native"] + counts["cast"]
    parts = "  ".join(f"{name} {counts[name]}" for name in OUTCOMES)
    return f"{counts.total():4} sites: native+cast {native / sites:6.1%}, shim {counts['shim'] / sites:6.1%}  ({parts})"


def main() -> None:
    """Convert and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print the converted modules too")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--unknown", choices=("guard", "shim"), default="guard")
    options = parser.parse_args()
    found = both(options.unknown)
    for mode, modules in found.items():
        print(f"{mode}:")
        for line in table(modules):
            print(line)
        for one in modules.values() if options.show else ():
            print(f"--- {mode} {one.path.name}\n{one.after}")
    if options.json:
        sites = {m: {n: [s._asdict() for s in one.sites] for n, one in all_.items()} for m, all_ in found.items()}
        options.json.write_text(json.dumps(sites, indent=1))


if __name__ == "__main__":
    main()
