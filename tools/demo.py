"""`make demo`: convert an example, show the diff, run old against new."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def np2torch(folder: Path, *arguments: str) -> int:
    """Run the command line in a folder as a user would, echoing the command."""
    print(f"\n$ np2torch {' '.join(arguments)}", flush=True)
    return subprocess.run([sys.executable, "-m", "np2torch_cli", *arguments], cwd=folder, check=False).returncode


def main() -> int:
    """Convert and verify each example; the exit code says whether all results agree."""
    failures = 0
    with tempfile.TemporaryDirectory() as name:  # a project of its own: beside our tests they would be read with them
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        for example in sorted(path.name for path in (folder / "examples").glob("*.py")):
            old, new = f"examples/{example}", f"converted/{example}"
            np2torch(folder, "convert", old)
            converted = np2torch(folder, "convert", "--quiet", "--output-dir", "converted", old)
            failures += converted > 1 or np2torch(folder, "verify", "--no-generate", old, new) != 0
        page = folder / "evidence.md"
        failures += np2torch(folder, "verify", "examples", "converted", "--markdown", page.name) != 0
        print(f"\n{page.read_text('utf-8')}")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
