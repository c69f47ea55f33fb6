"""Import modules one by one in the user's Python, and say how each went: `python -m np2torch_imports FILE`."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import time
import warnings


def load(name: str, path: str, top: str) -> None:
    """Import a module by its name from the folder that it is below; a file that has no such name by its path."""
    if top not in sys.path:
        sys.path.insert(0, top)
    if all(part.isidentifier() for part in name.split(".")):
        found = importlib.import_module(name)
        if os.path.realpath(getattr(found, "__file__", None) or path) == os.path.realpath(path):
            return
    spec = importlib.util.spec_from_file_location(f"np2torch_imported_{abs(hash(path))}", path)
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def main() -> None:
    """Read the names from a file, write a line for each."""
    probe = importlib.import_module("np2torch_probe")

    with open(sys.argv[1], encoding="utf-8") as file:
        listed = json.load(file)
    warnings.simplefilter("ignore")
    sys.argv = sys.argv[:1]
    for name, path, top in listed:
        probe.say(event="start", test=name, limit=probe.LIMITS.get(name, probe.LIMIT))
        begin = time.monotonic()
        try:
            load(name, path, top)
        except BaseException as error:
            probe.say(
                event="error", test=name, when="call", error=probe.describe(error), frames=probe.frames_of(error)
            )
            probe.say(event="phase", test=name, when="call", outcome="failed", seconds=0.0)
        else:
            probe.say(event="phase", test=name, when="call", outcome="passed", seconds=time.monotonic() - begin)
        probe.say(event="end", test=name, functions=[])
    probe.tell_outside()
    sys.stdout.flush()
    os._exit(0)  # threads that modules start do not hold us up


main()
