"""What is known of objects of other libraries: what they hold may be an array, what the program put in comes out."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_facts import one

from np2torch.facts import values as v
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from scipy.sparse import csr_matrix\nm = csr_matrix(np.eye(3))\nshow(m.data)", None),
        ("from scipy.sparse import csr_matrix\nm = csr_matrix(np.eye(3))\nshow(m.nnz)", v.SIZE),
        ("import networkx as nx\ng = nx.DiGraph()\nfor n in g.nodes():\n    show(n)", None),
        ("import networkx as nx\ng = nx.DiGraph()\nfor n in g.nodes():\n    show(n.universe)", None),
        ("import matplotlib.pyplot as plt\nf = plt.figure()\nshow(f.axes)", v.OPAQUE),
    ],
)
def test_what_an_object_holds(text, expected):
    fact = one(text)
    if expected is None:
        assert v.known_to_include(fact, "unknown")
    elif expected == v.OPAQUE:
        assert v.only(fact, "opaque")
    else:
        assert fact == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("gamma(0.5, 1.0, 4)", v.array("float64", 1)),
        ("triangular(0.0, 1.0, 2.0, (2, 3))", v.array("float64", 2)),
        ("triangular(0.0, 1.0, 2.0)", v.FLOAT),
        ("geometric(0.5, 4)", v.array("int64", 1)),
        ("randint(0, 9, 4, bool)", v.array(None, 1)),
    ],
)
def test_where_the_size_of_a_draw_stands(call, expected):
    assert one(f"show(np.random.{call})") == expected


@pytest.mark.parametrize(
    ("attribute", "is_known"), [("vertices", False), ("vertices.T", False), ("_interpolation_steps", True)]
)
def test_what_an_object_that_draws_holds(attribute, is_known):
    fact = one(f"from matplotlib.path import Path\np = Path(np.zeros((3, 2)))\nshow(p.transformed(a).{attribute})")
    assert v.known_to_include(fact, "unknown") != is_known


@pytest.mark.parametrize("module", ["helper", "tests.helper"])
def test_a_module_of_the_project_found_by_another_path_is_no_third_party(module):
    """`from helper import f` beside `tests/helper.py`, as pytest finds it, or as the folder above does."""
    texts = {
        "tests/helper.py": "import numpy as np\n\ndef f(x):\n    return np.array(x, copy=True)\n",
        "tests/test_it.py": f"import numpy as np\nfrom {module} import f\n\ndef test_it():\n    f(np.zeros(3))\n",
    }
    files = [SourceFile(Path(name), name, text) for name, text in texts.items()]
    done = {str(one.path): one.after for one in convert_project(files, Settings(root=Path()))}
    assert "f(torch.zeros(3, dtype=torch.float64))" in done["tests/test_it.py"]
