"""Write src/np2torch/facts/tables.json.gz by running NumPy and torch: `python tools/build_tables.py [--check]`.

Rerun it whenever either library is upgraded; the diff in behaviour is then the diff of the file. With --check nothing
is written, and the exit code is 1 if the file on disk differs from what these versions do.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # on tiny operands threads only wait
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "src")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from tables import numpy_side, search  # noqa: E402
from tables.pairs import INPLACE, PAIRS  # noqa: E402

from np2torch.facts.tables import CASTINGS, DATA, DTYPES, FIRST_CODE, NUMPY_OPERANDS, TORCH_OPERANDS, Recipe  # noqa: E402

TARGET = ROOT / "src" / "np2torch" / "facts" / DATA


class Codes:
    """One character per distinct value, in order of appearance; None is the first."""

    def __init__(self) -> None:
        self.known: dict[Any, str] = {None: chr(FIRST_CODE)}

    def grid(self, values: Iterable[Any]) -> str:
        """The values as a string of codes."""
        return "".join(self.known.setdefault(v, chr(FIRST_CODE + len(self.known))) for v in values)

    def meaning(self) -> list[Any]:
        """The values behind the codes, without None."""
        return [value for value in self.known if value is not None]


def fields(recipe: Recipe) -> list[Any]:
    """A recipe as JSON."""
    return [list(recipe.casts), recipe.result_cast, recipe.dtype_argument, recipe.zero_safe, recipe.range_safe]


def build() -> dict[str, Any]:
    """Everything the data file holds."""
    results, recipes = Codes(), Codes()
    numpy = {
        key: results.grid(numpy_side.grid(call, int(key[-1]))) for key, call in numpy_side.functions().items()
    }
    torch_side = {
        key: recipes.grid(search.find(pair, o) for o in itertools.product(TORCH_OPERANDS, repeat=pair.arity))
        for key, pair in PAIRS.items()
    }
    inplace = {
        name: recipes.grid(search.find_inplace(name, *o) for o in itertools.product(TORCH_OPERANDS, repeat=2))
        for name in INPLACE
    }
    return {
        "versions": {"numpy": np.__version__, "torch": torch.__version__.split("+")[0]},
        "outcomes": results.meaning(),
        "results": {key: grid for key, grid in numpy.items() if grid.strip(chr(FIRST_CODE))},
        "found": [fields(r) for r in recipes.meaning()],
        "recipes": torch_side,
        "raises": {
            key: "".join(
                str(int(search.raises(pair, o))) for o in itertools.product(TORCH_OPERANDS, repeat=pair.arity)
            )
            for key, pair in PAIRS.items()
        },
        "inplace": inplace,
        "spellings": {key: pair.forms[0][1] for key, pair in PAIRS.items()},
        "can_cast": {
            casting: "".join(str(int(numpy_side.can_cast(a, b, casting))) for a in NUMPY_OPERANDS for b in DTYPES)
            for casting in CASTINGS
        },
    }


def encoded(data: dict[str, Any]) -> bytes:
    """The same data are the same bytes: sorted keys, no time stamp."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


def main(arguments: list[str]) -> int:
    started = time.monotonic()
    data = encoded(build())
    print(f"{len(data)} bytes in {time.monotonic() - started:.0f} s")
    if "--check" in arguments:
        return int(gzip.decompress(data) != gzip.decompress(TARGET.read_bytes()))
    TARGET.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
