"""Workers share what a function leaves behind until another function begins; those that end are replaced."""

from __future__ import annotations

from pathlib import Path

from np2torch.verify.calls import Call, Step
from np2torch.verify.children import Child, Limits, Place
from np2torch.verify.clock import Allowance
from np2torch.verify.encode import pack
from np2torch.verify.processes import processes
from np2torch.verify.workers import LEAST

TEXT = (
    "import os, time\nseen = []\ndef count():\n    seen.append(1)\n    return len(seen)\n"
    "def leave():\n    os._exit(3)\ndef wait():\n    time.sleep(9)\n"
)


def test_a_worker_is_shared_until_a_function_begins(tmp_path):
    (tmp_path / "m.py").write_text(TEXT)
    count, leave, wait = (Call((Step(name, None, 0),), pack([])) for name in ("count", "leave", "wait"))

    with Child("old", Limits(0.3)) as child:
        child.open(Place(tmp_path, "m"))

        def told(*calls: Call, is_shared: bool = True) -> list[object]:
            seen = child.run(calls, is_shared=is_shared)
            return [one.ended if one.values is None else one.values.values[0][1][0][1] for one in seen]

        assert told(count, count) == [1, 2] and told(count) == [3] and told(count, count, is_shared=False) == [1, 2]
        assert told(count) == [4]
        child.begin()
        assert told(count) == [1]
        assert told(count, leave, count) == [2, "exit 3", 1] and told(wait, count) == ["hang", 1] and told(count) == [2]
        assert told(leave, leave, leave, leave) == ["exit 3"] * 4


def test_calls_beyond_the_time_for_all_of_them_are_not_made(tmp_path):
    (tmp_path / "m.py").write_text("import time\ndef wait():\n    time.sleep(0.05)\n")
    calls = [Call((Step("wait", None, 0),), pack([]))] * 12
    with Child("old", Limits(5.0)) as child:
        child.open(Place(tmp_path, "m"))
        made = [not one.is_late for one in child.run(calls, allowance=Allowance(0.41, (child,)))]
        assert made == [True] * sum(made) + [False] * (12 - sum(made)) and LEAST <= sum(made) < 12
        assert child.spent > 0.25 and [one.is_late for one in child.run(calls, allowance=Allowance(0.0))] == (
            [False] * LEAST + [True] * (12 - LEAST)
        )


def test_the_folder_of_a_worker_goes_with_it_even_where_it_was_killed(tmp_path):
    text = (
        "import os, time\ndef write(seconds):\n    open('left', 'w').close()\n    time.sleep(seconds)\n"
        "    return os.getcwd()\n"
    )
    (tmp_path / "m.py").write_text(text)
    calls = [Call((Step("write", None, 1),), pack([seconds])) for seconds in (0, 9)]
    with Child("old", Limits(0.3)) as child:
        child.open(Place(tmp_path, "m"))
        written, hung = child.run(calls)
    assert written.values is not None and hung.ended == "hang"
    folder = Path(written.values.values[0][1][0][1])
    assert str(folder.parent) == processes().scratch() and not folder.exists()
    assert not list(folder.parent.iterdir())
