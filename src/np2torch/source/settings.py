"""`[tool.np2torch]` of pyproject.toml, checked strictly: a typing error in a setting must not pass in silence."""

from __future__ import annotations

import dataclasses
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from np2torch.source.model import Settings
from np2torch.source.nearest import did_you_mean
from np2torch.source.paths import common_folder, display_path

_DEVICES = "cpu, cuda, hpu, meta, mps, npu, xla, xpu"
_DEVICE = re.compile(rf"default|parameter|({_DEVICES.replace(', ', '|')})(:\d+)?")
_CODE = re.compile(r"NPT\d{0,3}")
FILE = "pyproject.toml"


class SettingsError(ValueError):
    """A setting that means nothing; the message is one line."""


def load_settings(paths: Iterable[Path] = (), config: Path | None = None) -> Settings:
    """Settings for some files: from `config`, or from the nearest pyproject.toml with a [tool.np2torch] table.

    The search starts at the deepest folder that holds all the paths and goes upward.
    """
    if config is not None:
        return dataclasses.replace(_from_table(_table(config) or {}, config), is_only=True)
    start = common_folder(paths)
    for folder in (start, *start.parents):
        if (found := settings_in(folder)) is not None:
            return found
    return Settings(root=start)


def nearest(folder: Path, settings: Settings) -> Settings:
    """The settings that lie nearest above a folder: those of the run, or others below their root."""
    if settings.is_only:
        return settings
    for above in (folder, *folder.parents):
        if above == settings.root:
            break
        if (found := settings_in(above)) is not None:
            return found if settings.root in above.parents else settings
    return settings


def settings_in(folder: Path) -> Settings | None:
    """The settings of the pyproject.toml that lies in a folder, if it has any."""
    candidate = folder / FILE
    if not os.path.isfile(candidate) or (table := _table(candidate)) is None:
        return None
    return _from_table(table, candidate)


OF_FILES = ("exclude", "respect_gitignore", "select", "ignore", "indirect", "closed")
"""What each file takes from the nearest settings."""
OF_RUNS = (
    "jobs", "keep", "unguarded", "assume", "public_api", "public_modules", "float", "random", "unknown", "scalars",
    "loops", "device",
)  # fmt: skip
"""What holds for all the files of a run, and is taken from the settings above all of them."""


def with_nested(settings: Settings, paths: Iterable[Path], given: Mapping[str, Any]) -> Settings:
    """The settings of a run with those that lie nearer to some of its files.

    Parameters
    ----------
    given
        What the command line says, which wins everywhere.
    """
    if settings.is_only:
        return settings
    nested: dict[Path, Settings] = {}
    seen = {settings.root}
    types = dict(settings.types)
    for start in dict.fromkeys(Path(os.path.abspath(path)).parent for path in paths):
        for folder in (start, *start.parents):
            if folder in seen or folder in settings.root.parents:
                break
            seen.add(folder)
            if (found := settings_in(folder)) is not None:
                nested[folder] = dataclasses.replace(found, **{k: given[k] for k in OF_FILES if k in given})
                types = {**dict(found.types), **types}
    return dataclasses.replace(settings, nested=nested, types=tuple(types.items()))


def has_table(path: Path) -> bool:
    """Does a file have a table of ours?"""
    return _table(path) is not None


def not_heard(settings: Settings, paths: Iterable[Path]) -> Iterator[str]:
    """Give what the nested settings of some files say that holds for a whole run, and is taken from elsewhere."""
    plain = Settings(root=settings.root)
    above = {folder for path in paths for folder in Path(os.path.abspath(path)).parents}
    for folder, nested in settings.nested.items():
        for name in OF_RUNS if folder in above else ():
            if getattr(nested, name) not in (getattr(settings, name), getattr(plain, name)):
                key, taken = name.replace("_", "-"), display_path(settings.root / FILE)
                yield f"{display_path(folder / FILE)}: {key} holds for a whole run: {taken} and options decide"


def check_codes(values: Sequence[str]) -> tuple[str, ...]:
    """Validate codes or their beginnings, each perhaps a comma-separated list."""
    codes = [code.strip() for value in values for code in value.split(",") if code.strip() or not value.strip(" ,")]
    for code in codes:
        if not _CODE.fullmatch(code.upper()):
            raise SettingsError(f"{code!r} is no code or beginning of one (NPT302, NPT3)")
    return tuple(code.upper() for code in codes)


def _table(path: Path) -> dict[str, Any] | None:
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None
    tool = document.get("tool", {})
    table = tool.get("np2torch") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: tool.np2torch must be a table")
    return table


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError("must be a list of strings")
    return tuple(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise SettingsError("must be true or false")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SettingsError("must be a whole number, 0 for one per core")
    return value


def _codes(value: Any) -> tuple[str, ...]:
    return check_codes(_strings(value))


def _entries(value: Any) -> tuple[str, ...]:
    for entry in (entries := _strings(value)):
        module, colon, name = entry.partition(":")
        is_module = module.endswith(".py") or all(part.isidentifier() for part in module.split("."))
        if not is_module or colon and not name:
            raise SettingsError(f"{entry!r} must be 'package.module' or 'package.module:Class.method'")
    return entries


def _types(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        raise SettingsError("must be a table of names and types")
    for name, spelling in value.items():
        if not isinstance(spelling, str):
            raise SettingsError(f"{name!r} must be a type in quotes such as \"float64[n, 3]\"; quote dotted names too")
    return tuple(value.items())


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise SettingsError(f"must be one of {', '.join(map(repr, choices))}")
        return str(value)

    return read


def check_device(value: str) -> str:
    """Validate the name of a device as torch writes them."""
    if not _DEVICE.fullmatch(value):
        known = f"{_DEVICES}, with a number as in 'cuda:1', 'parameter' or 'default'"
        raise SettingsError(f"{value!r} is no device: one of {known}")
    return value


def _device(value: Any) -> str:
    if not isinstance(value, str):
        raise SettingsError("must be the name of a device in quotes")
    return check_device(value)


ASSUMPTIONS = ("float",)
"""What may be assumed of arrays of unknown dtype."""
PUBLIC = ("tensor", "ndarray")
"""What callers of public functions may be given."""
FLOATS = ("numpy", "float32", "default")
"""What float64 becomes; "default": it is torch's default in programs."""
RANDOM = ("exact", "torch")
"""Whose stream `np.random` draws from."""
UNKNOWNS = ("guard", "shim")
"""What stands where a parameter of unknown type decides."""
SCALARS = ("number", "tensor")
"""What scalars are where both come out the same."""
LOOPS = ("numpy", "tensor")
"""What loops that go element by element run on."""
READERS: dict[str, Callable[[Any], Any]] = {
    "exclude": _strings,
    "respect-gitignore": _boolean,
    "indirect": _boolean,
    "jobs": _count,
    "select": _codes,
    "ignore": _codes,
    "types": _types,
    "keep": _entries,
    "unguarded": _entries,
    "assume": _one_of(*ASSUMPTIONS),
    "public-api": _one_of(*PUBLIC),
    "public-modules": _strings,
    "float": _one_of(*FLOATS),
    "random": _one_of(*RANDOM),
    "unknown": _one_of(*UNKNOWNS),
    "closed": _strings,
    "scalars": _one_of(*SCALARS),
    "loops": _one_of(*LOOPS),
    "device": _device,
}


def _from_table(table: dict[str, Any], path: Path) -> Settings:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in READERS:
            hint = did_you_mean(key, READERS, f"; known: {', '.join(READERS)}")
            raise SettingsError(f"{path}: unknown key {key!r} in [tool.np2torch]{hint}")
        try:
            values[key.replace("-", "_")] = READERS[key](value)
        except SettingsError as error:
            raise SettingsError(f"{path}: {key}: {error}") from None
    return Settings(**values, root=path.absolute().parent)
