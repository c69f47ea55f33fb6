"""Processes serve one run after the other, and are replaced where they were lost."""

from __future__ import annotations

from pathlib import Path

from np2torch.verify.calls import Call, Step
from np2torch.verify.children import Child, Limits, Place
from np2torch.verify.encode import pack
from np2torch.verify.processes import Processes, end, processes


def test_a_process_serves_the_next_run_with_its_folder_and_variables(tmp_path, monkeypatch):
    text = "import os\nSTARTED = os.getcwd(), os.environ['MINE']\ndef f():\n    return [*STARTED, os.getppid()]\n"
    seen: list[list] = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "m.py").write_text(text)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("MINE", name)
        with Child("old", Limits(1.0)) as child:
            child.open(Place(folder, "m"))
            process = child._process
            (observed,) = child.run([Call((Step("f", None, 0),), pack([]))])
        assert observed.values is not None
        seen.append([item[1] for item in observed.values.values[0][1][0][1]][:2])
        assert child._process is None and processes().take("old") is process and process is not None
        processes().give_back("old", process)
    assert seen == [[str(tmp_path / name), name] for name in ("a", "b")]


def test_processes_that_ended_are_not_taken_and_more_than_enough_end():
    own = Processes()
    made, scratch = [own.take("old") for _ in range(3)], Path(own.scratch())
    (scratch / "left").mkdir()
    for one in made:
        own.give_back("old", one)
    assert [one.poll() is None for one in made] == [True, True, False]
    end(made[1])
    assert own.take("old") is made[0]
    own.give_back("old", made[0])
    own.end()
    assert made[0].poll() is not None and not scratch.exists()
