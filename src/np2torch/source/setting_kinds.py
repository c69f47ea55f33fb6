"""Kinds of values that settings have: how each is read strictly, and the same said as a JSON schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from np2torch import __version__

_DEVICES = "cpu, cuda, hpu, meta, mps, npu, xla, xpu"
_DEVICE = rf"default|parameter|({_DEVICES.replace(', ', '|')})(:\d+)?"
_CODE = r"NPT\d{0,3}"
_MODULE = r"[^:]+(:.+)?"


class SettingsError(ValueError):
    """A setting that means nothing; the message is one line."""


class Kind(NamedTuple):
    """A kind of value: what makes it of TOML's, or raises `SettingsError`; and its JSON schema."""

    read: Callable[[Any], Any]
    schema: Mapping[str, Any]


def check_codes(values: Sequence[str]) -> tuple[str, ...]:
    """Validate codes or their beginnings, each perhaps a comma-separated list."""
    codes = [code.strip() for value in values for code in value.split(",") if code.strip() or not value.strip(" ,")]
    for code in codes:
        if not re.fullmatch(_CODE, code.upper()):
            raise SettingsError(f"{code!r} is no code or beginning of one (NPT302, NPT3)")
    return tuple(code.upper() for code in codes)


def check_device(value: str) -> str:
    """Validate the name of a device as torch writes them."""
    if not re.fullmatch(_DEVICE, value):
        known = f"{_DEVICES}, with a number as in 'cuda:1', 'parameter' or 'default'"
        raise SettingsError(f"{value!r} is no device: one of {known}")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError("must be a list of strings")
    return tuple(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise SettingsError("must be true or false")
    return value


def _whole(value: Any, hint: str = "") -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SettingsError(f"must be a whole number{hint}")
    return value


def _codes(value: Any) -> tuple[str, ...]:
    return check_codes(_strings(value))


def _codes_of_files(value: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise SettingsError("must be a table of patterns and lists of codes")
    return tuple((pattern, _codes(codes)) for pattern, codes in value.items())


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


def _device(value: Any) -> str:
    if not isinstance(value, str):
        raise SettingsError("must be the name of a device in quotes")
    return check_device(value)


def _file(value: Any) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise SettingsError("must be the path of a file in quotes")
    return value


def _version(value: Any) -> str:
    """Validate which versions may run, as in PEP 440, and that this one may."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # only where somebody asks for a version

    if not isinstance(value, str):
        raise SettingsError("must be a version or a specifier in quotes, such as '>=0.1,<0.2'")
    try:
        wanted = SpecifierSet(f"=={value}" if value[:1].isdigit() else value, prereleases=True)
    except InvalidSpecifier:
        raise SettingsError(f"{value!r} is no version and no specifier such as '>=0.1,<0.2'") from None
    if __version__ not in wanted:
        raise SettingsError(f"np2torch {value} is required, and this is {__version__}")
    return value


def one_of(*choices: str) -> Kind:
    """Give the kind of values that are one of some words."""

    def read(value: Any) -> str:
        if value not in choices:
            raise SettingsError(f"must be one of {', '.join(map(repr, choices))}")
        return str(value)

    return Kind(read, {"enum": list(choices)})


def _list_of(**items: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", **items}}


def _table_of(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


_ANY_CASE = _CODE.replace("NPT", "[Nn][Pp][Tt]")
CODES_SCHEMA = _list_of(pattern=rf"^[\s,]*{_ANY_CASE}(\s*,[\s,]*{_ANY_CASE})*[\s,]*$")
STRINGS = Kind(_strings, _list_of())
BOOLEAN = Kind(_boolean, {"type": "boolean"})
PROCESSES = Kind(lambda value: _whole(value, ", 0 for one per core"), {"type": "integer", "minimum": 0})
COUNT = Kind(_whole, {"type": "integer", "minimum": 0})
CODES = Kind(_codes, CODES_SCHEMA)
CODES_OF_FILES = Kind(_codes_of_files, _table_of(CODES_SCHEMA))
ENTRIES = Kind(_entries, _list_of(pattern=f"^{_MODULE}$"))
TYPES = Kind(_types, _table_of({"type": "string"}))
DEVICE = Kind(_device, {"type": "string", "pattern": f"^({_DEVICE})$"})
FILE = Kind(_file, {"type": "string", "minLength": 1})
VERSION = Kind(_version, {"type": "string"})
