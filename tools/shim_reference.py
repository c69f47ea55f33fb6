"""The pages of the shim's reference: every public function by module, with its signature and a sentence."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

HOME = "shim/index.md"
ALIKE = ("ufuncs", "subscript", "patterns", "policies", "typing")
"""Modules whose names are those of another one, or no functions."""
INTRODUCTION = """# Shim reference

What `from np2torch import shim` has: NumPy's functions on plain tensors, under NumPy's names, and what only converted
code needs. Array-likes go in, `torch.Tensor` comes out. Annotations are left out here; they are in the source, which is
typed. [Run time](../runtime.md) says how to install or copy it.

| module | names | |
|---|---|---|
"""


def pages() -> dict[str, str]:
    """Give the pages by their paths."""
    found, rows = {}, []
    for module in modules():
        short = module.__name__.removeprefix("np2torch.shim.")
        names = sorted(getattr(module, "__all__", ()))
        about = summary(module)
        rows.append(f"| [{short}]({short}.md) | {len(names)} | {about.replace('|', chr(92) + '|')} |\n")
        body = "\n".join(entry(name, getattr(module, name)) for name in names)
        found[f"shim/{short}.md"] = f"# {short}\n\n{about}\n\n{body}\n"
    return {HOME: INTRODUCTION + "".join(rows)} | found


def modules() -> Iterator[ModuleType]:
    """Give the public modules of the shim that list names."""
    from np2torch import shim

    for info in pkgutil.walk_packages(shim.__path__, "np2torch.shim."):
        parts = info.name.split(".")[2:]
        if any(part.startswith("_") for part in parts) or parts[-1] in ALIKE:
            continue
        module = importlib.import_module(info.name)
        if getattr(module, "__all__", ()):
            yield module


def entry(name: str, thing: object) -> str:
    """Write one name, its signature and the first sentence on it."""
    said = summary(thing) if getattr(thing, "__doc__", None) and not isinstance(thing, (int, float, str)) else ""
    return f"* `{name}{signature(thing)}`" + (f"  \n  {said}" if said else "")


def signature(thing: object) -> str:
    """Give a signature without annotations; nothing for what is no function."""
    if not callable(thing):
        return ""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in found.parameters.values()]
    text = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    text = re.sub(r"=<object object at \w+>", "=...", text)  # what stands for nothing given
    return re.sub(r"<[\w. ]*?'?([\w.]+)'?(?: at 0x\w+)?>", r"\1", text)


def summary(thing: object) -> str:
    """Give the first paragraph of a docstring in one line."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


if __name__ == "__main__":
    print(pages()[HOME])
