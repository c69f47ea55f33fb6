"""Notebooks converted and executed on both sides: what their cells show is compared.

    python tools/notebooks.py FOLDER_OR_NOTEBOOK... [--keep FOLDER] [--output-format text|json]

Each notebook is copied, converted by `np2torch convert --write`, and executed: the original twice, so that what differs
from run to run is known, and the converted one once. NumPy's and the shim's streams are seeded alike before the first
cell. Compared are texts (numbers at 1e-9 of the largest one in the text, whatever an array is called) and pictures,
byte for byte. Run it with a Python that has what the notebooks import. Exits with 1 where a cell differs.
"""

from __future__ import annotations

import argparse
import json
import math
import operator
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbclient import NotebookClient

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
SPELLING = re.compile(
    r"\b[A-Za-z_][\w.]*(?=\s*\()|,?\s*dtype=[\w.']+|0x[0-9a-f]+|\s+|[()\[\],]|(?<=\d)\.(?=\D|$)|\b(?:torch|numpy)\."
)
"""What is written otherwise of the same values: names of classes, dtypes, addresses, the layout of arrays."""
SEED = "import numpy\nnumpy.random.seed(20)\nnumpy.set_printoptions(precision=15, threshold=10**6)\ndel numpy"
SEED_TORCH = "import torch\ntorch.set_printoptions(precision=15, threshold=10**6)\ndel torch"
SEED_SHIM = "from np2torch import shim\nshim.random.seed(20)\ndel shim"
"""What runs before the first cell: equal streams, and arrays in full."""
PICTURES = ("image/png", "image/svg+xml")
RTOL = 1e-9


class Shown(NamedTuple):
    """What a cell shows: texts, pictures, and the name of the error that it ends with."""

    texts: tuple[str, ...]
    pictures: tuple[str, ...]
    error: str


def notebooks(paths: Iterable[Path]) -> Iterator[Path]:
    """Give the notebooks among paths and below folders."""
    for path in paths:
        yield from sorted(path.rglob("*.ipynb")) if path.is_dir() else [path]


def executed(path: Path, seed: str, seconds: int) -> list[Shown]:
    """Execute a notebook in its folder; a cell that fails does not stop those below it."""
    document = nbformat.read(path, as_version=4)
    nbformat.validate(document)
    document.cells.insert(0, nbformat.v4.new_code_cell(seed))
    place = {"metadata": {"path": str(path.parent)}}
    NotebookClient(document, timeout=seconds, kernel_name="python3", allow_errors=True, resources=place).execute()
    return [shown(cell) for cell in document.cells[1:]]


def shown(cell: Any) -> Shown:
    """Take what a cell shows on standard output, as results and as pictures."""
    texts, pictures, error = [], [], ""
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        pictures += [data[kind] for kind in PICTURES if kind in data]
        if output.output_type == "error":
            error = f"{output.ename}: {output.evalue}"
        elif output.output_type == "stream":
            texts += [output.text] if output.name == "stdout" else []
        elif not any(kind in data for kind in PICTURES):
            texts.append(data.get("text/plain", ""))
    return Shown(tuple(texts), tuple(pictures), error)


def agree(one: str, other: str) -> bool:
    """Tell whether two texts say the same: equal words, numbers at the tolerance."""
    one, other = (SPELLING.sub(" ", text) for text in (one, other))
    if NUMBER.sub("#", one).split() != NUMBER.sub("#", other).split():
        return False
    pairs = [(float(a), float(b)) for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)]
    scale = max((abs(a) for a, _ in pairs if math.isfinite(a)), default=0.0)
    return all(math.isclose(a, b, rel_tol=RTOL, abs_tol=RTOL * scale) for a, b in pairs)


def _all_agree(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return len(some) == len(others) and all(map(agree, some, others))


def verdict(old: Shown, again: Shown, new: Shown) -> str:
    """Judge a cell: what differs between two runs of the original says nothing."""
    if old.error.partition(":")[0] != new.error.partition(":")[0]:
        return f"raises: {new.error}"[:200] if new.error else f"does not raise: {old.error}"[:200]
    if old.error:
        return "raises the same"
    said = []
    for kind, same in (("texts", _all_agree), ("pictures", operator.eq)):
        first, second, third = (getattr(one, kind) for one in (old, again, new))
        if same(first, third):
            said += ["equal"] if first else []
        else:
            said.append(f"{kind} differ" if same(first, second) else f"{kind} differ from run to run")
    return next((one for one in said if "differ" in one), "equal" if said else "shows nothing")


def compared(path: Path, folder: Path, seconds: int) -> dict[str, Any]:
    """Convert a copy of a notebook, execute both, and judge each cell that holds code."""
    sides = {}
    for side in ("old", "new"):
        (folder / side).mkdir(parents=True)
        sides[side] = Path(shutil.copy(path, folder / side))
    (folder / "new" / "pyproject.toml").touch()
    command = [sys.executable, "-m", "np2torch", "convert", "--write", "--output-format", "json", str(sides["new"])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return {"notebook": path.name, "error": done.stderr.strip().splitlines()[-1:]}
    outcomes = Counter(site["outcome"] for file in json.loads(done.stdout)["files"] for site in file["sites"])
    needs_shim = "np2torch" in sides["new"].read_text("utf-8")
    old, again = (executed(sides["old"], SEED, seconds) for _ in range(2))
    new = executed(sides["new"], "\n".join([SEED, SEED_TORCH, *([SEED_SHIM] if needs_shim else [])]), seconds)
    cells = nbformat.read(sides["new"], as_version=4).cells
    several = zip(cells, old, again, new, strict=True)
    judged = {n: verdict(*three) for n, (cell, *three) in enumerate(several, 1) if cell.cell_type == "code"}
    for side, found in (("old", old), ("new", new)):
        text = "".join(f"# cell {n}\n{one.error}\n{chr(10).join(one.texts)}\n" for n, one in enumerate(found, 1))
        (folder / side / "shown.txt").write_text(text, "utf-8")
    return {"notebook": path.name, "sites": dict(outcomes), "cells": judged}


def line(result: dict[str, Any]) -> str:
    """Spell a result in one line, with the cells that differ below it."""
    if "error" in result:
        return f"{result['notebook']}: not converted: {result['error']}"
    counts = Counter(word if word == "raises the same" else word.partition(":")[0] for word in result["cells"].values())
    sites = ", ".join(f"{name} {number}" for name, number in result["sites"].items()) or "none"
    head = f"{result['notebook']}: {', '.join(f'{n} {w}' for w, n in counts.items())}; uses of NumPy: {sites}"
    bad = [f"  cell {n}: {word}" for n, word in result["cells"].items() if is_bad(word)]
    return "\n".join([head, *bad])


def is_bad(word: str) -> bool:
    """Tell whether a verdict is a difference that conversion made."""
    return word not in ("equal", "shows nothing", "raises the same") and "from run to run" not in word


def main() -> int:
    """Run all, print what came out, and exit with 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path, help="where the copies stay, converted and not")
    parser.add_argument("--seconds", type=int, default=300, help="how long a cell may take")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as temporary:
        base = options.keep or Path(temporary)
        for path in notebooks(options.paths):
            shutil.rmtree(base / path.stem, ignore_errors=True)
            results.append(compared(path, base / path.stem, options.seconds))
            if options.output_format == "text":
                print(line(results[-1]), flush=True)
    if options.output_format == "json":
        print(json.dumps(results, indent=1))
    bad = sum("error" in one or any(map(is_bad, one["cells"].values())) for one in results)
    print(f"{len(results) - bad} of {len(results)} notebooks show the same", file=sys.stderr)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
