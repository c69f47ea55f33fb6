"""The files that say what a project requires, and what it needs once its code is converted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from np2torch.rewrite.requirements import lines, toml
from np2torch.rewrite.requirements.names import Needs
from np2torch.source.ignore import is_environment, is_foreign_folder
from np2torch.source.model import Converted, SourceFile
from np2torch.source.read import read_file
from np2torch.source.scan import imported_modules

READERS: tuple[tuple[str, Callable[[str, Needs], str]], ...] = (
    ("pyproject.toml", toml.rewritten),
    ("setup.cfg", lines.in_setup_cfg),
    ("requirements*.txt", lines.in_requirements),
    ("requirements/*.txt", lines.in_requirements),
    ("environment.yml", lines.in_environment),
    ("environment.yaml", lines.in_environment),
)
CODE = (".py", ".pyx", ".pxd", ".pyi", ".ipynb")
"""Files that may need NumPy, whether they were converted or not."""


def rewritten(
    folder: Path, after: Mapping[Path, str], needs: Needs | None = None
) -> Iterator[tuple[SourceFile, Converted]]:
    """Give the files in a project's folder that say what it requires, with what they are to say.

    Parameters
    ----------
    after
        The texts of the project's modules after the conversion, by resolved path.
    needs
        What the code needs; found out where it is not given.
    """
    found = list(_files(folder))
    if not found:
        return
    wanted = needs or needs_of(folder, after)
    for file, rewrite in found:
        new = rewrite(file.text, wanted)
        if new != file.text:
            yield file, Converted(file.path, file.text, new)


def _files(folder: Path) -> Iterator[tuple[SourceFile, Callable[[str, Needs], str]]]:
    for pattern, rewrite in READERS:
        for path in sorted(folder.glob(pattern)):
            file = read_file(path) if path.is_file() else None
            if isinstance(file, SourceFile) and any(name in file.text.lower() for name in ("numpy", "np2torch")):
                yield file, rewrite


def without_shim(folder: Path) -> Iterator[tuple[SourceFile, str]]:
    """Give the files that require the shim, with what they are to say once copies of it lie in the project.

    Nothing where code of the project still imports it.
    """
    texts = (_bytes(path).decode("utf-8", "replace") for path in _code_below(folder))
    if any("np2torch" in {name.split(".")[0] for name in imported_modules(text)} for text in texts):
        return
    needs = Needs(torch=True, shim=False, numpy=True, copied=True)
    for file, rewrite in _files(folder):
        if (new := rewrite(file.text, needs)) != file.text:
            yield file, new


def needs_of(folder: Path, after: Mapping[Path, str]) -> Needs:
    """Find out what the code of a project needs; in doubt it needs NumPy.

    The shim uses NumPy here and there, so that it stays where the shim is called.
    """
    texts = list(after.values())
    imports = [imported_modules(text) for text in texts]
    first = {name.split(".")[0] for found in imports for name in found}
    shim = "np2torch" in first
    torch = shim or "torch" in first
    numpy = shim or "numpy" in first or any(".numpy(" in text for text in texts)
    return Needs(torch, shim, numpy or not torch or _is_mentioned_elsewhere(folder, after))


def _is_mentioned_elsewhere(folder: Path, after: Mapping[Path, str]) -> bool:
    """Tell whether code that was not converted speaks of NumPy."""
    return any(b"numpy" in _bytes(path) for path in _code_below(folder) if path not in after)


def _code_below(folder: Path) -> Iterator[Path]:
    for above, inner, names in os.walk(os.path.realpath(folder)):
        inner[:] = [name for name in inner if not is_foreign_folder(name) and not is_environment(Path(above, name))]
        yield from (Path(above, name) for name in names if name.endswith(CODE))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b"numpy"  # in doubt it is needed


def torch_alone(needs: Needs) -> Needs:
    """Give the needs of a project that has both while it is converted."""
    return needs._replace(numpy=True)


def by_path(results: Sequence[tuple[SourceFile, Converted]]) -> dict[Path, str]:
    """Give the texts after a conversion by resolved path."""
    return {Path(os.path.realpath(file.path)): converted.after for file, converted in results}
