"""Tests lie as the sources lie: a module's test is found by its path, or the module is listed with what tests it."""

from __future__ import annotations

from support.paths import ROOT, TESTS

ELSEWHERE = TESTS / "elsewhere.txt"
SOURCES = {ROOT / "src" / "np2torch": TESTS, ROOT / "cli" / "np2torch_cli": TESTS / "cli", ROOT / "tools": TESTS / "tools"}
