"""Where the repository and its parts are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
TOOLS = ROOT / "tools"
FIXTURES = ROOT / "fixtures"
