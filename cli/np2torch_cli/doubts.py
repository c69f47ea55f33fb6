"""Warnings about input that was not read, or has no effect, although it may seem otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from np2torch.names.modules import module_names
from np2torch.source.discover import Project
from np2torch.source.model import Settings, SourceFile
from np2torch.source.nearest import did_you_mean
from np2torch.source.paths import display_path
from np2torch.source.scope import Scope

MOST_NAMED = 3


def nothing_read(project: Project, scope: Scope | None, since: str | None) -> Iterator[str]:
    """Warn of input that was not read although it may seem so."""
    if project.notebooks:
        names = ", ".join(display_path(path) for path in project.notebooks[:MOST_NAMED])
        more = f" and {len(project.notebooks) - MOST_NAMED} more" if len(project.notebooks) > MOST_NAMED else ""
        yield f"NPT910 notebooks are not read: {names}{more}"
    if not project.files and not project.problems:
        yield "no Python files found under the paths given"
    elif project.files and scope is not None and not scope:
        yield f"none of the files given differs from {since}"


def unknown_modules(settings: Settings, files: Sequence[SourceFile]) -> Iterator[str]:
    """Settings that name modules which are neither among the files given nor lie in the project's folder."""
    if not settings.types and not settings.public_modules or not files:
        return
    names = set(module_names(files).of.values())
    for key, entries in (("types", [name for name, _ in settings.types]), ("public-modules", settings.public_modules)):
        for entry in entries:
            parts = entry.split(".")
            begins = [".".join(parts[: cut + 1]) for cut in range(len(parts) - (key == "types"))]
            inside = key != "types" and any(name.startswith(f"{entry}.") for name in names)
            if key != "types":
                begins = begins[-1:]
            if not inside and names.isdisjoint(begins) and not any(_lies_below(settings.root, one) for one in begins):
                nested = (one.root for one in settings.nested.values() if entry in dict(one.types))
                file = display_path(next(nested, settings.root) / "pyproject.toml")
                yield f"{file}: {key}: no module for {entry!r}{did_you_mean(begins[-1], names)}"


def _lies_below(root: Path, module: str) -> bool:
    """Tell whether a file of a module that was not given is in the folder of the settings or its `src`."""
    places = [base / Path(*module.split(".")) for base in (root, root / "src")]
    return any(place.with_name(f"{place.name}.py").is_file() or (place / "__init__.py").is_file() for place in places)
