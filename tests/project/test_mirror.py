"""Tests lie as the sources lie: the test of a module is found by its path, or the module is listed with what tests it.

`rules/fft.py` is tested by `tests/rules/test_fft.py`, or by the fixtures of its area in `fixtures/fft/`; a leading
underscore is left out. What tests several modules at once is in `conversions`, `project`, `properties`, `open_world`.
"""

from __future__ import annotations

from pathlib import Path

from support.paths import FIXTURES, ROOT, TESTS

SOURCES = {"": ROOT / "src" / "np2torch", "cli": ROOT / "cli" / "np2torch_cli", "tools": ROOT / "tools"}
ACROSS = {"conversions", "open_world", "project", "properties"}
TOPICS = {
    "cli/test_verbs.py", "shim/test_emath_bits.py", "shim/test_lifetimes.py", "shim/test_own_classes.py",
    "shim/test_random_streams.py", "shim/test_refusals.py", "shim/test_short_ways.py",
}  # fmt: skip
"""Tests in a folder of the sources that are of several modules of it."""


def modules() -> list[str]:
    """List the modules of the package and of the command line, by their paths as tests have them."""
    found = [(part, path, base) for part, base in SOURCES.items() if part != "tools" for path in base.rglob("*.py")]
    return sorted(
        (Path(part) / path.relative_to(base)).as_posix() for part, path, base in found if path.name[:2] != "__"
    )


def has_own_test(module: str) -> bool:
    """Tell whether a module has a test at its own place, or fixtures of its area."""
    path = Path(module)
    area = FIXTURES / path.stem
    named = TESTS / path.parent / f"test_{path.stem.lstrip('_')}.py"
    return named.exists() or path.parent == Path("rules") and area.is_dir()


def listed() -> dict[str, list[str]]:
    """Read which modules are tested elsewhere, and where."""
    lines = (TESTS / "elsewhere.txt").read_text("utf-8").splitlines()
    rows = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {module: where.split(", ") for module, _, where in rows}


def test_every_module_has_a_test_at_its_place_or_is_listed():
    missing = [module for module in modules() if not has_own_test(module) and module not in listed()]
    assert missing == [], "write tests/<path>/test_<module>.py"


def test_what_has_a_test_of_its_own_leaves_the_list():
    present = modules()
    assert [module for module in listed() if module not in present or has_own_test(module)] == []


def test_what_is_named_as_a_test_exists():
    assert [where for found in listed().values() for where in found if not (ROOT / where).exists()] == []


def test_every_test_lies_where_its_module_lies():
    astray = []
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS)
        part = place.parts[0] if place.parts[0] in SOURCES else ""
        base, name = SOURCES[part] / place.parent.relative_to(part), place.stem.removeprefix("test_")
        is_there = any((base / one).exists() for one in (f"{name}.py", f"_{name}.py", name))
        if place.parts[0] not in ACROSS and place.as_posix() not in TOPICS and not is_there:
            astray.append(place.as_posix())
    assert astray == []
