"""Functions that show the dtype of what they are given, in bytes, text or a file: they see what a guard makes of it."""

from __future__ import annotations

import runpy
from pathlib import Path

cases = runpy.run_path(str(Path(__file__).with_name("cases.py")))
Case, lines = cases["Case"], cases["lines"]
GIVEN = ["np.array([1, 2, 4])", "np.array([0.5, 2.0])", "np.array([1.5, 2.0], dtype=np.float32)", "[1, 2, 4]"]
SHOWING = {
    "saved": "f = io.BytesIO()\nnp.save(f, x)\nreturn y, f.getvalue()",
    "written": "f = io.StringIO()\nnp.savetxt(f, x, fmt='%s')\nreturn y, f.getvalue()",
    "to_file": "f = tempfile.TemporaryFile()\nx.tofile(f)\nf.seek(0)\nreturn y, f.read()",
    "packed": "return y, x.tobytes()",
    "address": "return y, x.ctypes is None",
    "text": "return y, np.array_str(x)",
    "repr": "return y, np.array_repr(x)",
    "common": "return y, str(np.result_type(x, np.int8))",
    "buffer": "return y, len(memoryview(x.tobytes()))",
}
"""By name, what functions do with `x` behind the lines that are plain torch for float64."""


BEGIN = {
    "": "y = np.exp(x) / 3 + np.sqrt(x) * np.mean(x)",
    "_between": "x = np.concatenate([x])\ny = np.exp(x) / 3 + np.sqrt(x)",
}
CASES = [
    Case(
        name + end,
        f"import io\nimport tempfile\n\n\ndef {name}{end}(x):\n{lines(begin)}{lines(body)}",
        f"{name}{end}(np.ones(3))",
        [f"{name}{end}({one})" for one in GIVEN],
    )
    for end, begin in BEGIN.items()
    for name, body in SHOWING.items()
]
