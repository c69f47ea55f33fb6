"""`make demo`: convert an example, show the diff, run old against new."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "demo"


def np2torch(*arguments: str | Path) -> int:
    """Run the command line as a user would, echoing the command."""
    shown = [str(a.relative_to(ROOT)) if isinstance(a, Path) else a for a in arguments]
    print(f"\n$ np2torch {' '.join(shown)}", flush=True)
    return subprocess.run([sys.executable, "-m", "np2torch_cli", *shown], cwd=ROOT, check=False).returncode


def main() -> int:
    """Convert and verify each example; the exit code says whether all results agree."""
    failures = 0
    for example in sorted((ROOT / "examples").glob("*.py")):
        np2torch("convert", example)
        converted = np2torch("convert", "--quiet", "--output-dir", OUT, example)
        failures += converted > 1 or np2torch("verify", example, OUT / example.name) != 0
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
