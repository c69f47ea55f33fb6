"""The smallest failing input as a program that runs by itself."""

from __future__ import annotations

import re
from pathlib import Path

from np2torch.verify.calls import SETTING, Call
from np2torch.verify.check import Failure
from np2torch.verify.children import Place
from np2torch.verify.encode import Encoded
from np2torch.verify.judge import read_leaf

TEMPLATE = '''"""{title}

{text}

Run it as it is: it calls both sides, each in a process of its own.
"""
import subprocess
import sys

SIDES = {{
    "old": ({old_root!r}, {old_module!r}, {old_file!r}),
    "new": ({new_root!r}, {new_module!r}, {new_file!r}),
}}


def inputs(array, scalar):
    return [
{inputs}
    ]


def main(side):
    import importlib
    import importlib.util

    import numpy as np

    root, name, file = SIDES[side]
    sys.path.insert(0, root)
    if file:
        spec = importlib.util.spec_from_file_location(name, file)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(name)

    def array(items, dtype, shape):
        made = np.array(items, dtype).reshape(shape)
        if side == "old":
            return made
        import torch

        return torch.from_numpy(made)

    def scalar(item, dtype):
        return np.dtype(dtype).type(item) if side == "old" else array(item, dtype, ())

    values = iter(inputs(array, scalar))
    results = []
{steps}
    for result in results:
        print(f"{{side}}: {{getattr(result, 'dtype', type(result).__name__)}} {{result!r}}")
        if hasattr(result, "__dict__") and not hasattr(result, "dtype"):
            print(f"{{side}}: {{vars(result)}}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        for side in SIDES:
            done = subprocess.run([sys.executable, __file__, side], capture_output=True, text=True)
            print(done.stdout or f"{{side}}: {{done.stderr.strip().splitlines()[-1]}}")
'''


def script(name: str, old: Place, new: Place, failure: Failure) -> str | None:
    """The program; None where an input has no plain spelling."""
    spelled = [_spelled(value, failure.call) for value in failure.call.packed.values]
    if any(one is None for one in spelled) or any(":" in step.target for step in failure.call.steps):
        return None
    steps = []
    for step in failure.call.steps:
        target = (
            f"results[{step.on}].{step.target.rpartition('.')[2]}" if step.on is not None else f"module.{step.target}"
        )
        args = ["next(values)"] * step.positional + [f"{one}=next(values)" for one in step.keywords]
        if target.endswith(SETTING):
            object_, _, attribute = target.removesuffix(SETTING).rpartition(".")
            target, args = "setattr", [object_, repr(attribute), *args]
        steps.append(f"    results.append({target}({', '.join(args)}))")
    return TEMPLATE.format(
        title=f"{name} differs.", text=_quoted(failure.verdict.text),
        inputs="\n".join(f"        {one}," for one in spelled),
        steps="\n".join(steps), old_root=str(old.root), old_module=old.module, old_file=str(old.file or ""),
        new_root=str(new.root), new_module=new.module, new_file=str(new.file or ""),
    )  # fmt: skip


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def file_name(module: str, name: str) -> Path:
    """The name of the script for a function."""
    return Path(re.sub(r"\W+", "_", f"{module}_{name}") + ".py")


def _spelled(value: Encoded, call: Call) -> str | None:
    match value[0]:
        case "none":
            return "None"
        case "float" | "int" | "bool" | "str":
            return _number(value[1])
        case "complex":
            return f"complex({_number(value[1])}, {_number(value[2])})"
        case "array":
            leaf = read_leaf(value, call.packed.buffers)
            assert leaf is not None
            items = ", ".join(_number(item) for item in leaf.values.reshape(-1).tolist())
            return f"array([{items}], {leaf.dtype!r}, {tuple(leaf.values.shape)!r})"
        case "scalar":
            leaf = read_leaf(value, call.packed.buffers)
            assert leaf is not None
            return f"scalar({_number(leaf.values.item())}, {leaf.dtype!r})"
        case "list" | "tuple":
            inner = [_spelled(item, call) for item in value[1]]
            if any(one is None for one in inner):
                return None
            text = ", ".join(one for one in inner if one is not None)
            return f"[{text}]" if value[0] == "list" else f"({text}{',' if len(inner) == 1 else ''})"
    return None


def _number(item: object) -> str:
    if isinstance(item, complex):
        return f"complex({_number(item.real)}, {_number(item.imag)})"
    text = repr(item)
    return f"float({text!r})" if text in ("nan", "inf", "-inf") else text
