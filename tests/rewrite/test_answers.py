"""Answers of earlier runs: the same as those of a cold run, whatever was edited; and no others."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch.rewrite import answers, convert
from np2torch.rewrite.answers import key_of, side_files
from np2torch.source.model import AcceptedTypes, Contract, Converted, Guard, Origin, Problem, Remark, Settings, Site
from np2torch.source.plain import plain, restore
from np2torch.source.store import KEPT, Store, default_folder
from np2torch_cli import cli
from support.paths import ROOT

FILES = {
    "lib/__init__.py": "",
    "lib/mesh.py": "import numpy as np\n\n\ndef area(points, scale=1.0):\n    return np.sum(points * scale)\n",
    "lib/io.py": "import numpy as np\nfrom .mesh import area\n\n\ndef load(n):\n    return area(np.ones((n, 3)))\n",
    "lib/plain.py": "def one():\n    return 1\n",
    "use.py": "from lib.io import load\n\nprint(load(4) + 1)\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(cli, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def said(*arguments: str) -> tuple[int, str, str]:
    done = run(*arguments)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def engine(monkeypatch) -> list[int]:
    """Count the projects that are analysed."""
    runs: list[int] = []
    real = convert.convert_project

    def counted(files, *rest):
        runs.append(len(files))
        return real(files, *rest)

    monkeypatch.setattr(convert, "convert_project", counted)
    return runs


def test_a_second_run_analyses_nothing(folder, engine):
    cold = [said("convert", "."), said("check", "."), said("check", "lib/io.py")]
    assert len(engine) == 2  # all of it, and what is connected with one file
    assert [said("convert", "."), said("check", "."), said("check", "lib/io.py")] == cold
    assert said("check", ".", "--output-format", "sarif")[0] == 1
    assert len(engine) == 2
    assert said("check", ".", "--no-cache") == cold[1] and len(engine) == 3


def test_whole_runs_serve_parts_of_them(folder, engine):
    run("check", ".")
    cold = said("check", ".", "--only", "lib/io.py", "--no-cache")
    assert len(engine) == 2
    assert said("check", ".", "--only", "lib/io.py") == cold and len(engine) == 2
    run("check", ".", "--only", "lib/mesh.py::area")  # parts of files are not kept
    assert len(engine) == 3


def test_whole_runs_serve_files_named_one_by_one(folder, engine):
    """As a hook names them that runs in the folder of the project, be there settings or none."""
    for text in ("[project]\nname = 'p'\n", '[tool.np2torch]\nclosed = ["use.py"]\n'):
        (folder / "pyproject.toml").write_text(text)
        del engine[:]
        run("check", ".")
        cold = said("check", "lib/mesh.py", "--no-cache")
        assert engine == [len(FILES)] * 2
        assert said("check", "lib/mesh.py") == cold and len(engine) == 2
        assert "lib/io.py" in said("check", "lib/io.py", "lib/mesh.py")[1] and len(engine) == 2
        (folder / "lib" / "mesh.py").write_text(FILES["lib/mesh.py"].replace("np.sum", "np.max"))
        assert said("check", "lib/mesh.py") == said("check", "lib/mesh.py", "--no-cache") != cold
        (folder / "lib" / "mesh.py").write_text(FILES["lib/mesh.py"])


def test_parts_serve_only_themselves(folder, engine):
    cold = said("check", ".", "--no-cache")
    run("check", ".", "--only", "lib/io.py")
    assert said("check", ".") == cold and len(engine) == 3


EDITS = [
    lambda text, rng: text + f"\n\ndef added_{rng.randrange(99)}(x):\n    return np.exp(x)\n",
    lambda text, rng: text.replace("np.ones((n, 3))", rng.choice(["np.ones((n, 3), int)", "[n]", "np.zeros(n)"])),
    lambda text, rng: text.replace("scale=1.0", rng.choice(["scale=None", "scale: int = 2", "scale=1.0, k=0"])),
    lambda text, rng: f"# a line {rng.randrange(99)}\n{text}",
    lambda text, rng: text.replace("points * scale", rng.choice(["points + scale", "points[::-1]", "points"])),
    lambda text, rng: text.replace(
        "import numpy as np", rng.choice(["import numpy", "import numpy as np  # np2torch: skip"])
    ),
    lambda text, rng: text.replace("return", rng.choice(["return  # np2torch: skip", "x = 1\n    return"]), 1),
    lambda text, rng: text.replace("def one", "import torch\n\n\ndef one"),
    lambda text, rng: text.replace("load(4)", rng.choice(["load(5)", "load('a')", "None"])),
]


def edit(folder: Path, rng: random.Random) -> None:
    """Edit a file, a setting, a stub or what says how long lines may be; at times take it back."""
    kind = rng.randrange(8)
    if kind == 0:
        (folder / "pyproject.toml").write_text(f"[tool.np2torch]\n{rng.choice(CHOICES)}\n")
    elif kind == 1:
        (folder / ".editorconfig").write_text(f"[*.py]\nmax_line_length = {rng.choice([40, 60])}\n")
    elif kind == 2:
        kinds = rng.choice(["float64[n, 3]", "int64[n]"])
        text = f"def area(points, scale=1.0): ...  # np2torch: points: {kinds}\n"
        (folder / "lib" / "mesh.pyi").write_text(text)
    elif kind == 3:
        name = rng.choice(list(FILES))
        (folder / name).write_text(FILES[name])
    elif kind == 4:
        (folder / rng.choice(["extra.py", "lib/more.py"])).write_text(
            f"import numpy as np\nfrom lib.mesh import area\ny = area(np.arange({rng.randrange(9)}))\n"
        )
    else:
        path = folder / rng.choice(list(FILES))
        path.write_text(rng.choice(EDITS)(path.read_text(), rng))


CHOICES = ['unknown = "shim"', 'closed = ["**"]', 'ignore = ["NPT110"]', "jobs = 1", 'float = "float32"', ""]


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_are_answered_as_by_a_cold_run(folder, seed):
    rng = random.Random(seed)
    if seed % 2:
        (folder / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    for _ in range(6):
        edit(folder, rng)
        if rng.random() < 0.5:
            said("check", ".")
        arguments = rng.choice([("check", "."), ("convert", "."), ("check", "lib/mesh.py"), ("convert", "use.py")])
        warm = said(*arguments)
        assert warm == said(*arguments, "--no-cache")
        assert warm == said(*arguments)


# ------------------------------------------------------------------------------------------------------- the key
def test_nothing_else_is_read(folder):
    """What a conversion opens below the project is in the key: the modules, and the files beside them."""
    (folder / "lib" / "mesh.pyi").write_text("def area(points, scale=1.0): ...\n")
    (folder / "setup.cfg").write_text("[flake8]\nmax-line-length = 70\n")
    code = (
        "import sys, os\nopened = set()\n"
        "is_path = lambda event, given: event == 'open' and isinstance(given[0], str)\n"
        "sys.addaudithook(lambda event, given: is_path(event, given) and opened.add(given[0]))\n"
        "from pathlib import Path\n"
        "from np2torch.rewrite.convert import convert_project\n"
        "from np2torch.source.discover import load_project\n"
        "from np2torch.source.model import Settings\n"
        "files = load_project([Path('.')], Settings()).files\n"
        "opened.clear()\n"
        "assert any(one.is_changed for one in convert_project(files, Settings()))\n"
        "print('\\n'.join(os.path.abspath(path) for path in opened))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "cli")])}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    names = [Path(name) for name in FILES]
    known = {os.path.abspath(path) for path in (*names, *side_files(names))}
    opened = {line for line in done.stdout.splitlines() if Path(line).is_relative_to(folder)}
    assert str(folder / "setup.cfg") in opened and str(folder / "lib" / "mesh.pyi") in opened
    assert opened - known == set()


def test_settings_make_a_difference(folder):
    from np2torch.source.discover import load_project

    files = load_project([Path(".")], Settings()).files
    variants = [
        Settings(), Settings(keep=("lib",)), Settings(unknown="shim"), Settings(ignore=("NPT1",)),
        Settings(per_file_ignores=(("a", ("NPT1",)),)), Settings(nested={folder: Settings(ignore=("NPT2",))}),
    ]  # fmt: skip
    assert len({key_of(files, one) for one in variants}) == len(variants)
    assert key_of(files, Settings(jobs=3, max_todo=1)) == key_of(files, Settings())
    assert key_of(files, Settings(root=folder / "lib")) == key_of(files, Settings(root=folder))
    patterns = [Settings(root=root, closed=("*",)) for root in (folder, folder / "lib")]
    assert len({key_of(files, one) for one in patterns}) == 2
    assert len({key_of(files[1:], Settings()), key_of(files, Settings())}) == 2


def test_a_trace_is_part_of_the_key(folder):
    trace = folder / "trace.json"
    trace.write_text("1")
    before = key_of([], Settings(trace=trace))
    trace.write_text("2")
    assert key_of([], Settings(trace=trace)) != before


def test_internal_errors_are_not_kept(folder, monkeypatch):
    problem = Problem(Path("use.py"), 1, 1, "NPT906", "internal")
    monkeypatch.setattr(answers, "_convert", lambda files, *_: (
        Converted(file.path, file.text, file.text, problems=(problem,)) for file in files
    ))  # fmt: skip
    run("check", ".")
    assert not (default_folder() / "answers-1.sqlite").exists()


# ----------------------------------------------------------------------------------------------------- the store
def test_what_is_kept_comes_back():
    site = Site(1, 2, "native", "NPT101", "np.exp", "é\ud800", "f", "np.exp(x)")
    origin = Origin("call", "a.py:1", "f(1)")
    contract = Contract(Path("a.py"), 1, "f", "public", "x", (AcceptedTypes("x", "int", (origin,)),), "", "")
    whole = Converted(
        Path("a.py"), "a", "b", (site,), (Problem(Path("a.py"), 0, 0, "NPT513", "m"),), (Remark(1, 1, "NPT601", "r"),),
        (Guard(Path("a.py"), 1, "f", "t", "r"),), (contract,),
    )  # fmt: skip
    assert restore(Converted, json.loads(json.dumps(plain(whole)))) == whole


def test_a_store_holds_rows_and_forgets_the_oldest(tmp_path):
    store = Store(tmp_path / "deep" / "er")
    assert store.read("k") == {} and not store.file.exists()
    store.write("k", {"a": b"1", "b": b"2"})
    store.write("k", {"b": b"3"})
    assert store.read("k") == {"a": b"1", "b": b"3"} and store.read("other") == {}
    for number in range(KEPT):
        store.write(str(number), {"a": b""})
    assert store.read("k") == {} and len(store.read("0")) == 1


@pytest.mark.parametrize("damage", ["text", "half", "row", "empty", "tables"])
def test_damage_is_met_with_a_cold_run(folder, damage):
    cold = said("check", ".")
    file = default_folder() / "answers-1.sqlite"
    data = file.read_bytes()
    if damage == "row":
        with sqlite3.connect(file) as database:
            database.execute("UPDATE answers SET payload = x'00'")
    elif damage == "tables":
        with sqlite3.connect(file) as database:
            database.execute("DROP TABLE answers")
    else:
        file.write_bytes({"text": b"no database, " * 99, "half": data[: len(data) // 2], "empty": b""}[damage])
    assert said("check", ".") == cold == said("check", ".")
    assert Store(default_folder()).read("none") == {}


def test_a_folder_that_cannot_be_written_is_let_be(folder, monkeypatch):
    (folder / "file").write_text("")
    monkeypatch.setenv("NP2TORCH_CACHE_DIR", str(folder / "file" / "below"))
    assert said("check", ".")[0] == 1


def test_runs_at_once_do_not_disturb_each_other(tmp_path):
    store = Store(tmp_path)
    rows = {str(number): os.urandom(2000) for number in range(40)}
    errors: list[BaseException] = []

    def work(key: str) -> None:
        try:
            for _ in range(5):
                store.write(key, rows)
                assert store.read(key) in (rows, {})
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(str(number % 3),)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and store.read("0") == rows


def test_clean_forgets(folder, engine):
    run("check", ".")
    assert "removed" in run("clean").stderr and "nothing to remove" in run("clean").stderr
    run("check", ".")
    assert len(engine) == 2
