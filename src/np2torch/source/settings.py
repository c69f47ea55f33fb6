"""`[tool.np2torch]` of pyproject.toml, checked strictly: a typing error in a setting must not pass in silence."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from np2torch.source.model import Settings
from np2torch.source.nearest import did_you_mean
from np2torch.source.paths import common_folder, display_path
from np2torch.source.setting_keys import KEYS, field
from np2torch.source.setting_kinds import SettingsError as SettingsError

FILE = "pyproject.toml"


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


OF_FILES = tuple(field(name) for name, key in KEYS.items() if key.reach == "file")
"""The settings that each file takes from the nearest table."""
OF_RUNS = tuple(field(name) for name, key in KEYS.items() if key.reach == "run")
"""The settings for all the files of a run, taken from the table above all of them."""


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
    """Tell whether a file has a table for np2torch."""
    return _table(path) is not None


def not_heard(settings: Settings, paths: Iterable[Path]) -> Iterator[str]:
    """List the entries in nested settings without effect, since they are read from the settings of the whole run."""
    plain = Settings(root=settings.root)
    above = {folder for path in paths for folder in Path(os.path.abspath(path)).parents}
    for folder, nested in settings.nested.items():
        for name in OF_RUNS if folder in above else ():
            if getattr(nested, name) not in (getattr(settings, name), getattr(plain, name)):
                key, taken = name.replace("_", "-"), display_path(settings.root / FILE)
                yield f"{display_path(folder / FILE)}: {key} holds for a whole run: {taken} and options decide"


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


def _from_table(table: dict[str, Any], path: Path) -> Settings:
    """Read a table, and below it what it extends; patterns and paths are relative to the folder of the table."""
    values = _values(table, path)
    origins: dict[str, Path] = dict.fromkeys(values, path)
    seen = [path.resolve()]
    below = values.pop("extend", None)
    while below is not None:
        base = seen[-1].parent / below
        if base.resolve() in seen:
            raise SettingsError(f"{path}: extend: {base} is extended already")
        if (found := _table(base)) is None:
            raise SettingsError(f"{path}: extend: {base} has no table [tool.np2torch]")
        seen.append(base.resolve())
        more = _values(found, base)
        below = more.pop("extend", None)
        origins = dict.fromkeys(more, base) | origins
        values = more | values
    values.pop("required_version", None)
    return Settings(**values, root=path.absolute().parent, origins=origins)


def _values(table: dict[str, Any], path: Path) -> dict[str, Any]:
    """Read the values of a table, by their names in `Settings`."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            hint = did_you_mean(key, KEYS, f"; known: {', '.join(KEYS)}")
            raise SettingsError(f"{path}: unknown key {key!r} in [tool.np2torch]{hint}")
        try:
            values[field(key)] = KEYS[key].kind.read(value)
        except SettingsError as error:
            raise SettingsError(f"{path}: {key}: {error}") from None
    return values
