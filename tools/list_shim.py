"""Write `src/np2torch/rules/shim_names.txt`: every public dotted name of the shim.

The analyser reads the list and never imports the shim, which imports torch. A test fails when the list is stale.
"""

from __future__ import annotations

import pathlib
import types

PATH = pathlib.Path(__file__).parent.parent / "src/np2torch/rules/shim_names.txt"
NAMESPACES = (
    "linalg", "fft", "random", "testing", "typing", "operator", "polynomial", "polynomial.polynomial",
    "lib.stride_tricks",
)  # fmt: skip


def shim_names() -> list[str]:
    """Every public dotted name of the shim."""
    from np2torch import shim

    flat = {name: getattr(shim, name) for name in dir(shim) if not name.startswith("_")}
    found = {name for name, value in flat.items() if not isinstance(value, types.ModuleType)}
    for namespace in NAMESPACES:
        module: object = shim
        for part in namespace.split("."):
            module = getattr(module, part, None)
        for name in getattr(module, "__all__", ()):
            found.add(f"{namespace}.{name}")
    return sorted(found)


def main() -> None:
    """Write the list."""
    PATH.write_text("# public names of the shim, written by tools/list_shim.py\n" + "\n".join(shim_names()) + "\n")


if __name__ == "__main__":
    main()
