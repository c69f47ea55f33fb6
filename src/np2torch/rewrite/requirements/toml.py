"""Requirements in a `pyproject.toml`: those of the project, of groups, and poetry's; comments and layout are kept."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from np2torch.rewrite.requirements.names import SHIMS, Needs, name_of, names_to_add

OURS = ("numpy", "torch", *SHIMS)


def rewritten(text: str, needs: Needs) -> str:
    """Give the new text; the old one where it cannot be changed with certainty."""
    if not any(name in text.lower() for name in OURS):
        return text
    import tomlkit  # only where there is something to change

    try:
        document = tomlkit.parse(text)
        before = tomllib.loads(text)
    except ValueError:
        return text
    for array in _arrays(document):
        _in_array(array, needs)
    for table in _tables(document):
        _in_table(table, needs)
    after = tomlkit.dumps(document)
    try:
        same = _without_ours(tomllib.loads(after)) == _without_ours(before)
    except tomllib.TOMLDecodeError:
        return text
    return after if same else text


def _arrays(document: Any) -> Iterator[Any]:
    """Give the lists of requirements, those for building left out."""
    project = document.get("project", {})
    groups = (project.get("optional-dependencies", {}), document.get("dependency-groups", {}))
    found = [project.get("dependencies"), *(one for group in groups for one in group.values())]
    yield from (one for one in found if isinstance(one, list))


def _tables(document: Any) -> Iterator[Any]:
    poetry = document.get("tool", {}).get("poetry", {})
    groups = (group.get("dependencies") for group in poetry.get("group", {}).values())
    yield from (one for one in (poetry.get("dependencies"), *groups) if isinstance(one, Mapping))


def _in_array(array: Any, needs: Needs) -> None:
    for at in reversed([at for at, one in enumerate(array) if isinstance(one, str) and needs.loses(name_of(one))]):
        array.pop(at)
    names = [name_of(one) if isinstance(one, str) else "" for one in array]
    if "numpy" not in names:
        return
    for new in reversed(names_to_add(names, needs)):
        array.insert(names.index("numpy") + 1, new)
    if not needs.numpy:
        for at in reversed([at for at, name in enumerate(names) if name == "numpy"]):
            array.pop(at if at <= names.index("numpy") else at + len(names_to_add(names, needs)))


def _in_table(table: Any, needs: Needs) -> None:
    for key in [key for key in table if needs.loses(name_of(key))]:
        del table[key]
    names = {name_of(key): key for key in table}
    if "numpy" not in names:
        return
    for new in names_to_add(list(names), needs):
        name, _, version = new.partition(">=")
        bare, _, extra = name.partition("[")
        is_plain = not extra
        table[bare] = f">={version}" if is_plain else {"version": "*", "extras": [extra.rstrip("]")]}
    if not needs.numpy:
        del table[names["numpy"]]


def _without_ours(value: Any) -> Any:
    """Give a document without the requirements that are touched, to see that nothing else has changed."""
    if isinstance(value, dict):
        return {key: _without_ours(one) for key, one in value.items() if name_of(key) not in OURS}
    if isinstance(value, list):
        return [_without_ours(one) for one in value if not (isinstance(one, str) and name_of(one) in OURS)]
    return value
