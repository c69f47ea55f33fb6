"""`np2torch verify` that is stopped shows what it has compared by then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FIRST = """
def first(x: float):
    return x + 1
"""
NEXT = """
import os
import time


def waiting(x: float):
    open(os.environ["COME"], "a").close()
    time.sleep(60)
    return x + 1


def last(x: float):
    return x + 1
"""


def test_what_a_stopped_run_has_not_come_to_is_not_exercised(tmp_path: Path) -> None:
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.py").write_text(FIRST)
        (tmp_path / side / "b.py").write_text(NEXT)
    come = tmp_path / "come"
    words = [sys.executable, "-m", "np2torch", "verify", "old", "new", "--seconds", "50", "--output-format", "json"]
    child = subprocess.Popen(
        words, cwd=tmp_path, env={**os.environ, "COME": str(come)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    end = time.monotonic() + 120
    while not come.exists() and time.monotonic() < end and child.poll() is None:
        time.sleep(0.1)
    child.send_signal(signal.SIGTERM)
    printed, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "stopped" in said
    found = {one["name"]: one["verdict"] for one in json.loads(printed)}
    assert found == {"first": "equal", "waiting": "not exercised", "last": "not exercised"}
