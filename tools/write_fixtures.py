"""Write the torch sides of fixtures anew where both sides agree: `python tools/write_fixtures.py [AREA/NAME ...]`.

Read them before committing: a fixture is a promise.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.fixture_pairs import converted, differences, expected_of, name_of, numpy_files


def refresh(names: list[str]) -> None:
    """Write the torch sides that differ from what the converter gives now."""
    for path in numpy_files():
        if names and name_of(path) not in names:
            continue
        done = converted(path)
        target = expected_of(path)
        if target.exists() and target.read_text("utf-8") == done.after:
            continue
        found = list(differences(path, done.after))
        if found or done.problems:
            print(f"{name_of(path)}: NOT written", *done.problems, *found, sep="\n    ")
        else:
            target.write_text(done.after, "utf-8")
            print(f"{name_of(path)}: written")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    refresh(sys.argv[1:])
