"""Documents: their blocks and examples are converted where they stand, all else stays, both sides run."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch.source.document import read_document
from np2torch_cli import cli

RST = """Guide
=====

>>> import numpy as np
>>> x = np.linspace(0, 1, 3)
>>> x
array([0. , 0.5, 1. ])

Then ``np.sum`` of it, é:

    >>> np.sum(x * 2).item()
    3.0

.. code-block:: python
   :caption: A function

   import numpy as np

   def half(n: int):
       # halves

       return np.ones(n) * 0.5

It is no example::

    np.nothing_here

.. testcode::

   print(np.cumsum(half(3)).tolist(), "\\\\d")

.. code-block:: python

   np.zeros(3) = [...]

.. code-block:: bash

   np.zeros
"""
MARKDOWN = """# Title

Text with `np.sum`.

```python title="first.py"
import numpy as np

x = np.arange(3.0)
```

* an item

  ~~~py
  y = np.stack([x, x])
  print(np.mean(y, axis=0).tolist())
  ~~~

```pycon
>>> import numpy as np
>>> np.zeros(2)
array([0., 0.])
```

```console
$ python -c "import numpy as np; np.ones"
```
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "guide.rst").write_text(RST, "utf-8")
    (tmp_path / "README.md").write_text(MARKDOWN, "utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments])


def shown(text: str) -> tuple[int, str]:
    """How many examples behind prompts a document has, which hold, and what its blocks print."""
    plain = re.sub(r"^```$", "", text, flags=re.MULTILINE)  # which `doctest` takes for output
    examples = doctest.DocTestParser().get_doctest(plain, {}, "document", "document", 0)
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0
    rst = re.findall(r"^\.\. (?:code-block:: python|testcode::)\n((?:\n|   .*\n)+)", text, re.MULTILINE)
    md = re.findall(r"^ *(?:```|~~~)py(?:thon)?(?: .*)?\n((?:.*\n)*?) *(?:```|~~~)$", text, re.MULTILINE)
    program = "\n".join(textwrap.dedent(re.sub(r"^   :.*\n", "", one)) for one in (*rst, *md) if "[...]" not in one)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    return len(examples.examples), printed.getvalue()


@pytest.mark.parametrize(("name", "number"), [("guide.rst", 4), ("README.md", 2)])
def test_both_sides_show_the_same(folder: Path, name: str, number: int):
    before = (folder / name).read_text("utf-8")
    assert run("convert", "--write", name).exit_code == 0
    after = (folder / name).read_text("utf-8")
    found = shown(after)
    assert found == shown(before) and found[0] == number and len(found[1]) > 10
    kept = [line for line in after.splitlines() if "np." in line or "numpy" in line]
    assert kept == [line for line in before.splitlines() if line in kept] and 2 <= len(kept) <= 4
    assert len(after.splitlines()) == len(before.splitlines())
    assert run("check", name).exit_code == 0
    assert run("convert", name).stdout == ""


def test_places_are_lines_of_the_file(folder: Path):
    found = run("check", "guide.rst", "README.md").stdout
    for place in ("guide.rst:5:9: NPT121", "guide.rst:11:9: NPT110", "guide.rst:22:", "README.md:8:5: NPT121"):
        assert f"\n{place}" in f"\n{found}", found
    document = json.loads(run("convert", "--output-format", "json", "README.md").stdout)
    assert {site["line"] for site in document["files"][0]["sites"]} == {8, 14, 15, 20}
    assert "cell" not in document["files"][0]["sites"][0]


def test_documents_are_named_and_not_met(folder: Path):
    (folder / "m.py").write_text("import numpy as np\n\nx = np.ones(2)\n")
    assert "README" not in run("check", ".").output
    assert run("annotate", "README.md").exit_code == 2


@pytest.mark.parametrize("text", ['Text """ with\n', "no newline", "carriage\r\nreturns\r\n"])
def test_what_cannot_be_read_is_left(folder: Path, text: str):
    (folder / "other.md").write_bytes(text.encode())
    found = run("convert", "--write", "other.md")
    assert found.exit_code == 2 and "NPT910" in found.output
    assert (folder / "other.md").read_bytes() == text.encode()


def test_the_text_of_a_document_is_its_own():
    for raw, suffix in ((RST, ".rst"), (MARKDOWN, ".md")):
        found = read_document(raw, suffix)
        assert len(found.blocks) == 2 and len(found.rows) == found.text.count("\n")
        assert found.with_text(found.text.replace("np2torch_document", "np2torch_document")) == raw
        lines = raw.split("\n")
        pairs = zip(found.text.split("\n"), found.rows, strict=False)
        assert sum(line.strip() == lines[row - 1].strip() for line, row in pairs) >= len(found.rows) - 8
