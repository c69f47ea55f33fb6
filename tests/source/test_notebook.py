"""Notebooks: cells are converted with what the cells before them made, all else in the file stays, both sides run."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner, Result
from nbclient import NotebookClient

from np2torch.source.notebook import NotebookError, read_notebook
from np2torch_cli import cli

OUTPUT = {"data": {"text/plain": ["np.float64(1e-05) é"]}, "execution_count": 3, "metadata": {}}
OUTPUT["output_type"] = "execute_result"
PYTHON = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
CELLS = [
    "%matplotlib --list\nimport numpy as np\nfrom math import pi",
    "x = np.linspace(0, 1, 5)\n!echo shell np\nfound = !echo 'np.sum'\nprint(found)",
    "%%bash\necho np.sum",
    "%%capture kept\nprint(np.cumsum(x))",
    "%time y = np.sin(x)\nfor i in range(2):\n    %time z = np.cumsum(x)[i]\n    !echo {i}\n"
    "s = '''\n%not magic\n!nor this\n'''\nprint(s, np.sum(y).item(), (5\n%3), (i !=\n2))",
    "len?",
    "",
    "def scaled(a, by=2):\n    return np.asarray(a) * by\n\n\nprint(scaled(y).sum().item(), np.std(scaled(x)).item())",
    "# a comment only\n",
    "x[0] = np.pi\nprint(x.tolist(), \\\n      z.item())",
]


def notebook(cells: list[str], metadata: dict[str, Any] = PYTHON) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    for number, source in enumerate(cells):
        code = {"cell_type": "code", "execution_count": number, "id": f"c{number}", "metadata": {"tags": ["é"]}}
        found.append({**code, "outputs": [OUTPUT], "source": source.splitlines(keepends=True)})
        text = ["np.sum(x) stays here"]
        found.append({"cell_type": "markdown", "id": f"m{number}", "metadata": {}, "source": text})
    return {"cells": found, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def written(folder: Path, document: dict[str, Any], name: str = "nb.ipynb", **spelling: Any) -> Path:
    (folder / "pyproject.toml").touch()
    path = folder / name
    path.write_text(json.dumps(document, **({"indent": 1, "ensure_ascii": False} | spelling)) + "\n", "utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


def sources(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"][::2]]


def printed(path: Path) -> list[str]:
    """The lines that the cells of a notebook print, wherever a kernel cuts its output; not empty ones of a terminal."""
    document = nbformat.read(path, as_version=4)
    nbformat.validate(document)
    NotebookClient(document, timeout=120, kernel_name="python3").execute()
    found = []
    for cell in document.cells:
        lines = "".join(output.get("text", "") for output in cell.get("outputs", ())).splitlines()
        found += [line for line in lines if line.strip() and "time" not in line and "µs" not in line]
    return found


def test_both_sides_run_and_print_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = Path(__file__).resolve().parents[2]
    monkeypatch.setenv("PYTHONPATH", f"{root / 'src'}:{root / 'cli'}")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    path = written(tmp_path, notebook(CELLS))
    before = printed(path)
    assert run("convert", "--write", path).exit_code == 0
    assert [line for line in "\n".join(sources(path)).splitlines() if "np." in line] == [
        "found = !echo 'np.sum'", "echo np.sum",
    ]  # fmt: skip
    assert printed(path) == before and len(before) > 10


def test_only_sources_change(tmp_path: Path):
    document = notebook(CELLS)
    path = written(tmp_path, document)
    assert run("convert", "--write", path).exit_code == 0
    new = path.read_text("utf-8").splitlines()
    after = json.loads(path.read_text("utf-8"))
    for cell, was in zip(after["cells"], document["cells"], strict=True):
        assert {**cell, "source": 0} == {**was, "source": 0}
    found = sources(path)
    assert found[0].startswith("import math\n%matplotlib --list\nimport torch")
    assert found[1].splitlines()[1:3] == ["!echo shell np", "found = !echo 'np.sum'"]
    timed = "%time y = torch.sin(x)\nfor i in range(2):\n    %time z = torch.cumsum(x, dim=0)[i]\n    !echo {i}"
    assert found[4].startswith(timed)
    assert [found[at] for at in (2, 5, 6, 8)] == [CELLS[at] for at in (2, 5, 6, 8)]
    assert run("convert", "--write", path).exit_code == 0
    assert path.read_text("utf-8").splitlines() == new


SPELLINGS: list[dict[str, Any]] = [
    {"indent": 4}, {"indent": None}, {"indent": 2, "ensure_ascii": True}, {"indent": "\t"},
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_spelling_of_the_file_stays(tmp_path: Path, spelling: dict[str, Any]):
    path = written(tmp_path, notebook(["import numpy as np\nnp.ones(2)", "1"]), **spelling)
    expected = path.read_text("utf-8").replace("import numpy as np", "import torch")
    expected = expected.replace("np.ones(2)", "torch.ones(2, dtype=torch.float64)")
    assert run("convert", "--write", path).exit_code == 0
    assert path.read_text("utf-8") == expected


def test_sources_that_are_one_string_stay_one(tmp_path: Path):
    document = notebook(["import numpy as np\nnp.ones(2)"])
    document["cells"][0]["source"] = "import numpy as np\nnp.ones(2)"
    path = written(tmp_path, document)
    assert run("convert", "--write", path).exit_code == 0
    assert json.loads(path.read_text())["cells"][0]["source"] == "import torch\ntorch.ones(2, dtype=torch.float64)"


def test_places_are_cells_and_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, notebook(["import numpy as np", "# first\nx = np.ones(2)", "y = np.array(['a'])"]))
    found = run("check", ".")
    assert found.exit_code == 1
    assert "nb.ipynb:cell 3:2:5: NPT120 np.ones" in found.stdout
    document = json.loads(run("convert", "--output-format", "json", "nb.ipynb").stdout)
    sites = document["files"][0]["sites"]
    assert [(site["cell"], site["line"], site["outcome"]) for site in sites] == [(3, 2, "native"), (5, 1, "todo")]
    assert "+# TODO(np2torch)" in document["files"][0]["diff"] and "# %% cell 3" in document["files"][0]["diff"]
    (tmp_path / "nb.ipynb").write_text(json.dumps(notebook(["1", "x = (\n"])))
    assert "nb.ipynb:cell 3:1:" in run("check", ".").stdout or "No convertible" in run("check", ".").output


def test_cells_share_their_names_with_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What a module hands a notebook is known, and a notebook is no module that others import."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text("import numpy as np\n\n\ndef grid(n):\n    return np.zeros(n)\n")
    path = written(tmp_path, notebook(["from lib import grid", "import numpy as np\nx = grid(3)", "print(np.mean(x))"]))
    assert run("convert", "--write", ".").exit_code == 0
    assert "torch.mean(x)" in sources(path)[2]


def test_an_import_at_the_top_goes_to_the_first_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text("import numpy as np\n\n\ndef grid(n):\n    return np.zeros(n)\n")
    path = written(tmp_path, notebook(["%autosave 0\nfrom lib import grid", "x = grid(3)\ny = x.astype('f4')"]))
    assert run("convert", "--write", ".").exit_code == 0
    assert "import torch" in sources(path)[0] and "%autosave 0" in sources(path)[0]


def test_no_import_goes_into_cells_that_are_no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text("import numpy as np\n\n\ndef grid(n):\n    return np.zeros(n)\n")
    cells = ["%%bash\nls", "%%time\nfrom lib import grid", "x = grid(3)\ny = x.astype('f4')"]
    path = written(tmp_path, notebook(cells))
    assert run("convert", "--write", ".").exit_code == 0
    assert sources(path)[:2] == ["%%bash\nls", "%%time\nimport torch\nfrom lib import grid"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a notebook"),
        ("[]", "it has no nbformat"),
        ('{"nbformat": 3, "worksheets": []}', "format 3"),
    ],
)
def test_what_is_no_notebook_is_said(text: str, message: str):
    with pytest.raises(NotebookError, match=message):
        read_notebook(text)


def test_other_languages_are_left_alone(tmp_path: Path):
    document = notebook(["import numpy as np"], {"kernelspec": {"language": "julia", "name": "j", "display_name": "J"}})
    path = written(tmp_path, copy.deepcopy(document))
    assert run("convert", "--write", path).exit_code == 0
    assert json.loads(path.read_text()) == document
