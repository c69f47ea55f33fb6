"""Bugs planted in converted functions: how many does `np2torch verify` catch, and does it cry wolf on the others?

    python tools/seeded_bugs.py OLD NEW [OLD NEW ...] [--functions 80] [--seed 0] [--replay FILE] [--json FILE]

OLD and NEW are folders of packages before and after conversion. Functions are drawn from each package in turn, of
those that generated inputs exercise; each is checked as it is (a difference is a false alarm, or a bug of the
converter), then with one bug, of the kinds that fit it the one that was planted least. A bug that is missed is looked
at again with the calls of more seeds: where calls come to its statement, and all give the same, numbers to a relative
1e-12, it is no bug, and another one is planted; these are listed as "same". The table of bugs is in tools/bugs.py.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bugs import planted

from np2torch.source.discover import load_project
from np2torch.source.settings import load_settings
from np2torch.verify.calls import Call, Observation
from np2torch.verify.check import Result, Sides, check_trials
from np2torch.verify.children import Child, Limits, ModuleError
from np2torch.verify.clock import Allowance
from np2torch.verify.judge import How, judge
from np2torch.verify.pairs import Function, Pair, pairs
from np2torch.verify.replay import load
from np2torch.verify.statements import Statements
from np2torch.verify.target import Target
from np2torch.verify.trees import dotted_name, targets_of
from np2torch.verify.trials import MOST_SECONDS, trials_of
from np2torch.verify.trials import Trial as Calls


class Case(NamedTuple):
    """A function that generated inputs exercise."""

    pair: Pair
    function: Function
    target: Target
    root: Path

    @property
    def name(self) -> str:
        """Its module and name."""
        return f"{self.pair.old.module}:{dotted_name(self.function)}"


def cases(old: Path, new: Path) -> Iterator[Case]:
    """The functions of two trees."""
    settings = load_settings([old])
    statements = Statements.of(load_project([old], settings).files, settings)
    for pair in pairs(old, new):
        found = targets_of(pair.functions, old / pair.relative, statements)
        yield from (Case(pair, target.function, target, new) for target, _ in found)


def with_bug(case: Case, text: str, folder: Path) -> Pair:
    """The pair with another text of the module on the new side."""
    root = folder / case.root.name
    if root.exists():
        shutil.rmtree(root)
    shutil.copytree(case.root, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / case.pair.relative).write_text(text, "utf-8")
    return case.pair._replace(new=case.pair.new._replace(root=folder))


class Finding(NamedTuple):
    """A function with a bug in it, and what came of it."""

    name: str
    bug: str
    caught_by: str
    """"generated" or "replayed" inputs; empty where it was missed."""
    why: str
    diff: str


MOST_SEEN = 240
SEEDS = 2
"""Seeds that are drawn with where it is asked whether a bug changes anything."""
SAME = "it changes nothing"
ALIKE = How(numpy_left=True)


class Remembering(Child):
    """The old side, which is asked once only for the calls of a function: it is the same without and with a bug."""

    def __init__(self, side: str, limits: Limits) -> None:
        super().__init__(side, limits)
        self.answers: dict[int, Observation] = {}
        self.calls: dict[int, Call] = {}

    def learn(self, groups: Sequence[Sequence[Call]]) -> None:
        """Make calls that will be asked for again, and keep what they give; forget those of before.

        Parameters
        ----------
        groups
            The calls of one function in groups, each of which is made in the time that a function has.
        """
        self.calls = {id(call): call for calls in groups for call in calls}
        self.answers = {}
        for calls in groups:
            made = super().run(list(calls), allowance=Allowance(MOST_SECONDS, (self,)))
            self.answers |= zip(map(id, calls), made, strict=True)

    def run(
        self,
        calls: Sequence[Call],
        probe: str = "",
        patience: float = 1.0,
        is_afresh: bool = False,
        is_shared: bool = False,
        is_watched: bool = False,
        allowance: Allowance | None = None,
    ) -> list[Observation]:
        """What is known of these calls, or what they give."""
        if probe or is_afresh or is_watched or not all(id(call) in self.answers for call in calls):
            return super().run(calls, probe, patience, is_afresh, is_shared, is_watched, allowance)
        return [self.answers[id(call)] for call in calls]


class Trial:
    """Checks functions as they are, then with a bug."""

    def __init__(self, seed: int, recorded: dict[tuple[str, str], list[Call]]) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        self.recorded = recorded
        self.used: Counter[str] = Counter()
        self.equivalent: list[Finding] = []
        self.calls: list[tuple[list[Calls], str]] = []
        self.numbers = itertools.count()
        self.old, self.new = Remembering("old", Limits(2.0)), Child("new", Limits(2.0))

    def learn(self, case: Case) -> None:
        """Draw the calls of a function once for all that is asked of it: without and with recorded ones."""
        recorded = self.recorded.get((case.pair.old.module, dotted_name(case.function)), [])
        self.old.open(case.pair.old)
        self.calls = [trials_of(case.target, self.old, self.seed)]
        altered = case.target.altered_calls(recorded, self.seed)
        self.calls += [([*((None, call) for call in recorded), *altered], "")] if recorded else self.calls
        self.old.learn([[call for _, call in trials] for trials, _ in self.calls])

    def checked(self, case: Case, pair: Pair, is_replaying: bool = False) -> Result | None:
        """The result of a function; None where a module cannot be imported."""
        try:
            self.new.open(pair.new)
        except ModuleError:
            return None
        trials, why = self.calls[is_replaying]
        return check_trials(case.target, Sides(self.old, self.new, True), trials, why, is_brief=True)

    def finding(self, case: Case, folder: Path) -> Finding | None:
        """Plant bugs that fit until there is one that changes anything; None where there is none."""
        path = case.root / case.pair.relative
        text = path.read_text("utf-8")
        before = ast.unparse(ast.parse(text)).splitlines()
        for bug, changed, reached in planted(text, dotted_name(case.function), self.rng, self.used):
            own = folder / f"{next(self.numbers)}"
            own.mkdir()
            pair = with_bug(case, changed, own)
            lines = zip(before, changed.splitlines(), strict=False)
            diff = next((f"{a.strip()}  ->  {b.strip()}" for a, b in lines if a != b), "a line less")
            result = self.checked(case, pair)
            caught_by = "generated" if result is None or result.verdict == "different" else ""
            if not caught_by and self.calls[0] is not self.calls[1]:
                result = self.checked(case, pair, is_replaying=True) or result
                caught_by = "replayed" if result is not None and result.verdict == "different" else ""
            why = "the module cannot be imported" if result is None else result.why
            if not caught_by:
                why = self.seen(case, pair, with_bug(case, reached, own.with_name(f"{own.name}.reached")))
            if why == SAME:
                self.equivalent.append(Finding(case.name, bug, "", why, diff))
                print(f"same      {case.name}: {bug}: {diff}", flush=True)
                continue
            self.used[bug] += 1
            return Finding(case.name, bug, caught_by, why, diff)
        return None

    def seen(self, case: Case, bug: Pair, reached: Pair) -> str:
        """What a missed bug changes of many more calls: `SAME` where some come to it, and none gives anything else."""
        recorded = self.recorded.get((case.pair.old.module, dotted_name(case.function)), [])
        self.old.open(case.pair.old)
        calls = [
            call
            for seed in range(self.seed, self.seed + SEEDS)
            for _, call in trials_of(case.target, self.old, seed, [] if seed % 2 else recorded)[0]
        ]
        self.rng.shuffle(calls)
        calls = calls[:MOST_SEEN]
        observed = []
        for pair in (case.pair, bug, reached):
            self.new.open(pair.new)
            observed.append([one._replace(seconds=0.0) for one in self.new.run(calls)])
        plain, changed, stopped = observed
        told = zip(self.old.run(calls), plain, changed, strict=True)
        differing = [number for number, seen in enumerate(told) if _is_changed(*seen)]
        if differing:
            first = calls[differing[0]]
            return f"{len(differing)} of {len(calls)} calls differ: {first.origin} {first.note}".strip()
        return SAME if plain != stopped else f"none of {len(calls)} calls comes to it"

    def alarms(self, case: Case) -> tuple[Result | None, list[str]]:
        """What generated inputs say of a function as it is, and why it is said to differ, if it is."""
        try:
            self.learn(case)
        except ModuleError:
            return None, []
        generated = self.checked(case, case.pair)
        replayed = self.checked(case, case.pair, is_replaying=True) if self.calls[0] is not self.calls[1] else None
        found = [one.why for one in (generated, replayed) if one is not None and one.verdict == "different"]
        return generated, found


def _is_changed(old: Observation, plain: Observation, changed: Observation) -> bool:
    """Tell whether a bug changes what a call gives: not where what it gives is right, as where a guard took a list.

    Nor where only the old side raises, so that nothing is right: by a name that NumPy has no more, for one. Where both
    raise, and no `raise` of the project's, the class of the error is torch's, with a bug and without. A call that
    cannot be made on either side says nothing.
    """
    if old.refused or plain.refused and changed.refused:
        return False
    if old.raised is not None and plain.raised is None:
        return False
    if plain == changed or judge(plain, changed, ALIKE, True).kind == "equal":
        return False
    return judge(old, changed, ALIKE, old.raised is None).kind != "equal"


def in_turn(packages: Sequence[list[Case]], rng: random.Random) -> list[Case]:
    """The functions of packages in some order, one of each package after the other."""
    for one in packages:
        rng.shuffle(one)
    rows = itertools.zip_longest(*packages)
    return [case for row in rows for case in row if case is not None]


class Campaign:
    """The functions checked so far, what was found of them, and the file that holds it: a run takes long."""

    def __init__(self, trial: Trial, target: Path | None) -> None:
        self.trial = trial
        self.target = target
        self.verdicts: Counter[str] = Counter()
        self.alarms: list[tuple[str, str]] = []
        self.findings: list[Finding] = []

    def examine(self, case: Case, folder: Path) -> None:
        """Check a function as it is and, where that gives no alarm, with a bug; a function that no bug fits is left."""
        text = (case.root / case.pair.relative).read_text("utf-8")
        if not any(True for _ in planted(text, dotted_name(case.function), random.Random(0))):
            return
        if self._is_sound(case):
            self._plant(case, folder)
            self.save()

    def _is_sound(self, case: Case) -> bool:
        """Check a function as it is, and tell whether all its calls give the same on both sides."""
        unharmed, whys = self.trial.alarms(case)
        self.verdicts[unharmed.verdict if unharmed is not None else "not imported"] += 1
        for why in whys:
            self.alarms.append((case.name, why))
            print(f"ALARM  {case.name}: {why}", flush=True)
        return not whys and unharmed is not None and unharmed.verdict == "equal"

    def _plant(self, case: Case, folder: Path) -> None:
        """Check a function with a bug, if there is one that changes anything."""
        finding = self.trial.finding(case, folder)
        if finding is None:
            return
        self.findings.append(finding)
        why = "" if finding.caught_by else f" ({finding.why})"
        print(f"{finding.caught_by or 'MISSED':9} {finding.name}: {finding.bug}: {finding.diff}{why}", flush=True)

    def save(self) -> None:
        """Write what is known by now."""
        if self.target is not None:
            known = {"findings": self.findings, "alarms": self.alarms, "unharmed": self.verdicts}
            self.target.write_text(json.dumps({**known, "equivalent": self.trial.equivalent}, indent=1))

    def sum_up(self) -> bool:
        """Print the counts; tell whether every bug was caught and there was no alarm."""
        by = Counter(one.caught_by for one in self.findings)
        caught = by["generated"] + by["replayed"]
        print(f"{by['generated']} of {len(self.findings)} caught by generated inputs, {caught} with replay;", end=" ")
        print(f"unharmed: {dict(self.verdicts)}, {len(self.alarms)} differ")
        if self.trial.equivalent:
            print(f"{len(self.trial.equivalent)} bugs that changed nothing at all were planted anew")
        return caught == len(self.findings) and not self.alarms


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="part of module:function")
    parser.add_argument("--replay", type=Path, action="append", default=[])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    recorded = {key: calls for file in options.replay for key, calls in load(file).items()}
    trial = Trial(options.seed, recorded)
    packages = [list(cases(*both)) for both in zip(options.trees[::2], options.trees[1::2], strict=True)]
    found = in_turn(packages, trial.rng)
    found = [one for one in found if not options.only or any(part in one.name for part in options.only)]
    campaign = Campaign(trial, options.json)
    with tempfile.TemporaryDirectory() as folder, trial.old, trial.new:
        for case in found:
            if len(campaign.findings) == options.functions:
                break
            campaign.examine(case, Path(folder))
    is_clean = campaign.sum_up()
    campaign.save()
    return 0 if is_clean else 1


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
