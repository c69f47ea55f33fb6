"""What the documentation says is what the program does: codes, examples, and the pages made from the rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from np2torch.rules.codes import CODES, SERIES

ROOT = Path(__file__).resolve().parents[1]
CODE = re.compile(r"NPT\d{3}\b")
HEADER = "import numpy as np\n"


# --------------------------------------------------------------------------------------------------- codes
def spoken_of(path: Path) -> set[str]:
    """The codes in a file's string literals, docstrings left out."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    literals = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
    return {code for node in literals if isinstance(node.value, str) for code in CODE.findall(node.value)}


def test_the_table_names_the_codes_of_the_source():
    files = [p for part in ("src", "cli") for p in (ROOT / part).rglob("*.py") if p.name != "codes.py"]
    emitted = set().union(*map(spoken_of, files))
    assert emitted == set(CODES)
    assert list(CODES) == sorted(CODES)
    assert all(code[:4] in SERIES for code in CODES)


@pytest.mark.parametrize("code", [code for code in CODES if CODES[code].example])
def test_an_example_shows_its_code(code, project):
    done = project({"m.py": HEADER + CODES[code].example})["m.py"]
    assert code in {found.code for found in (*done.sites, *done.problems)}, done


def test_only_what_no_single_file_can_show_has_no_example():
    bare = {code for code in CODES if not CODES[code].example}
    assert bare <= {"NPT100", "NPT135", "NPT143", "NPT501", *(code for code in CODES if code.startswith("NPT9"))}
