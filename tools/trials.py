"""What can happen to people's files while a conversion writes them: edits, kills, two runs at once.

    python tools/trials.py [edits kills pairs] [--files 120] [--scale 1.0] [--seed 0]

Each trial lays out a project, runs `np2torch convert --write` in a process of its own, disturbs it, and compares the
tree with that of an undisturbed run, `.np2torch` included. Exits with 1 where something was lost or came out otherwise.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

MODULE = '''"""Module {number}."""
import numpy as np

from . import m{other:03}

WEIGHTS = np.array([{number}, 2.5, -1.0])


def weighted(x):
    return np.sum(x * WEIGHTS, axis=-1) / {number}.5


def used(x):
    y = np.sqrt(np.abs(x))
    y[0] = m{other:03}.weighted(y)
    return np.concatenate([y, np.zeros(3)]).reshape(2, -1)


def run():
    return used(np.arange(3.0)), np.std(np.ones((2, 3)), axis=0)
'''
JOURNAL = Path(".np2torch", "journal.json")
Tree = dict[str, bytes]


def lay_out(root: Path, files: int) -> None:
    """Write a package of modules that use one another."""
    (root / "pkg").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.np2torch]\n")
    (root / "pkg" / "__init__.py").write_text("")
    for number in range(files):
        text = MODULE.format(number=number, other=(number + 1) % files)
        (root / "pkg" / f"m{number:03}.py").write_text(text)


def tree(root: Path) -> Tree:
    """All that lies in a folder, by its name from there."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def started(root: Path, *options: str) -> subprocess.Popen[str]:
    """A conversion under way."""
    command = [sys.executable, "-m", "np2torch_cli", "convert", "--write", "--quiet", *options, "pkg"]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Trials:
    """Trials on one project.

    Parameters
    ----------
    files
        How many modules the project has.
    seed
        What the moments are drawn from.
    """

    def __init__(self, files: int, seed: int) -> None:
        self.files, self.draw = files, random.Random(seed)
        with self.project() as root:
            begin = time.monotonic()
            run = started(root)
            self.until(root, run, (root / JOURNAL).exists)
            self.writes_after = time.monotonic() - begin
            run.communicate()
            self.takes = time.monotonic() - begin
            assert run.returncode == 0, run.returncode
            self.undisturbed = tree(root)

    @contextmanager
    def project(self) -> Iterator[Path]:
        """A fresh copy of the project."""
        with tempfile.TemporaryDirectory(prefix="np2torch-trial-") as folder:
            root = Path(folder, "project")
            lay_out(root, self.files)
            yield root

    @staticmethod
    def until(root: Path, run: subprocess.Popen[str], came: Callable[[], bool]) -> None:
        """Wait until something has come, or the run is over."""
        while run.poll() is None and not came():
            time.sleep(0.001)

    def wait(self, root: Path, run: subprocess.Popen[str], number: int) -> None:
        """Wait for a moment: in every other trial while files are written, else anywhere in the run."""
        if number % 2:
            self.until(root, run, (root / JOURNAL).exists)
            time.sleep(self.draw.uniform(0, max(self.takes - self.writes_after, 0.01)))
        else:
            time.sleep(self.draw.uniform(0, self.takes))

    def edited(self, number: int) -> str:
        """What becomes of an edit that is made while files are converted, or written."""
        with self.project() as root:
            name = f"pkg/m{self.draw.randrange(self.files // 2, self.files):03}.py"
            before, edit = (root / name).read_bytes(), f"\nEDIT = {number}\n".encode()
            run = started(root)
            if number % 2:
                self.until(root, run, (root / JOURNAL).exists)
            else:
                time.sleep(self.draw.uniform(0.5, 1.0) * self.writes_after)
            if number % 4 < 2:  # as some editors save: into the file, or by way of another one
                with open(root / name, "ab") as stream:
                    stream.write(edit)
            else:
                saved = root / "saved.tmp"
                saved.write_bytes((root / name).read_bytes() + edit)
                os.replace(saved, root / name)
            _, said = run.communicate()
            now = (root / name).read_bytes()
            if now == before + edit:
                reported = run.returncode == 2 and f"{name}: NPT907" in said
                return "kept and reported" if reported else "NOT REPORTED"
            return "came before it was read or after it was written" if now.endswith(edit) else "LOST"

    def killed(self, number: int, end: signal.Signals = signal.SIGKILL) -> str:
        """What a second run makes of a tree on which the first one was killed."""
        with self.project() as root:
            run = started(root, *(["--jobs", "2"] if number % 3 == 0 else []))
            self.wait(root, run, number)
            begun = (root / JOURNAL).exists()
            run.send_signal(end)
            run.communicate()
            was_over = tree(root) == self.undisturbed
            again = started(root)
            again.communicate()
            moment = "after its end" if was_over else "while it wrote" if begun else "before it wrote"
            return f"equal, killed {moment}" if tree(root) == self.undisturbed else f"DIFFERS, killed {moment}"

    def paired(self, number: int) -> str:
        """What two runs at once come to."""
        with self.project() as root:
            first = started(root)
            time.sleep(self.draw.uniform(0, self.takes))
            second = started(root)
            codes = []
            said = ""
            for run in (first, second):
                said += run.communicate()[1]
                codes.append(run.returncode)
            waited = "one waited" if "waiting for it to end" in said else "one after the other"
            return f"equal, {waited}" if tree(root) == self.undisturbed and codes == [0, 0] else f"DIFFERS {codes}"


KINDS: dict[str, tuple[Callable[[Trials, int], str], int]] = {
    "edits": (Trials.edited, 20), "kills": (Trials.killed, 50), "pairs": (Trials.paired, 10),
}  # fmt: skip


def main() -> int:
    """Run the trials that are asked for and count what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], default=[])
    parser.add_argument("--files", type=int, default=120)
    parser.add_argument("--scale", type=float, default=1.0, help="how many trials, as a share of the usual number")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    trials, bad = Trials(options.files, options.seed), 0
    print(f"{options.files} files; a run takes {trials.takes:.1f} s and writes after {trials.writes_after:.1f} s")
    for kind in options.kinds or KINDS:
        trial, usual = KINDS[kind]
        count = max(1, round(usual * options.scale))
        outcomes: Counter[str] = Counter()
        for number in range(count):
            outcomes[trial(trials, number)] += 1
            print(f"{kind} {number + 1}: {dict(outcomes)}", file=sys.stderr, flush=True)
        bad += sum(outcomes[outcome] for outcome in outcomes if not outcome.islower())
        print(f"{kind}: {count} trials")
        for outcome, times in outcomes.most_common():
            print(f"  {times:3}  {outcome}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
