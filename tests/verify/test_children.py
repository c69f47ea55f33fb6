"""A function that hangs, crashes, floods its output, ends the process or forks has that as its result, no other has."""

from __future__ import annotations

import time

import pytest

HOSTILE = {
    "spin": ("while True:\n        pass", "hang"),
    "crash": ("ctypes.string_at(0)", "SIGSEGV"),
    "flood": ("for _ in range(1000):\n        print('x' * 1_000_000)", "output"),
    "leave": ("os._exit(3)", "exit 3"),
    "split": ("os.fork()", "fork"),
    "swell": ("held = [bytearray(2**30) for _ in range(64)]", "memory"),
}
"""What functions do, and how their calls end."""


def text(is_hostile: bool) -> str:
    """A module of these functions, harmless or not, with one before and one after them that never is."""
    lines = ["import ctypes, os\n\ndef first(x: float):\n    return x * 2\n"]
    for name, (body, _) in HOSTILE.items():
        lines.append(f"def {name}(x: float):\n    {body if is_hostile else 'pass'}\n    return x\n")
    return "\n".join([*lines, "def last(x: float):\n    return x + 1\n"])


@pytest.mark.parametrize("is_old_hostile", [False, True])
def test_the_run_ends_and_reports_each_hostile_function_and_the_rest(verify, is_old_hostile):
    begun = time.monotonic()
    done, rows = verify(text(is_old_hostile), text(True), "--seconds", "0.3", "--memory", "500")
    assert rows["first"]["verdict"] == rows["last"]["verdict"] == "equal"
    for name, (_, ending) in HOSTILE.items():
        row = rows[name]
        assert row["verdict"] == ("not exercised" if is_old_hostile else "different"), row
        assert ending in row["difference"], row
    assert len(rows) == len(HOSTILE) + 2 and time.monotonic() - begun < 300
    assert done.exit_code == (0 if is_old_hostile else 1)
