"""Policies: what people want otherwise than NumPy has it. The plan's texts are changed once they are all made.

The analysis goes on in NumPy's dtypes: with `float = "float32"` every float64 is a float32 and every complex128 a
complex64, so that promotion comes out the same and only the names change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from np2torch.rewrite.plan import Plan, position
from np2torch.rules.site import Context, Edit
from np2torch.source.model import Remark, Settings

NARROW = {"torch.float64": "torch.float32", "torch.complex128": "torch.complex64"}
WIDE = re.compile(r"\btorch\.(?:float64|complex128)\b")
FROM_NUMPY = re.compile(r"\btorch\.from_numpy\(")
TO_NUMPY = re.compile(r"\.numpy\(\)")
CREATORS = frozenset(
    "arange empty empty_strided eye full linspace logspace ones rand randint randn randperm tensor tril_indices "
    "triu_indices zeros bartlett_window blackman_window hamming_window hann_window kaiser_window".split()
)
"""Functions of torch that make a tensor where they are told to."""
NO_FLOAT64 = ("mps", "npu", "hpu")
"""Devices without float64."""


def apply(ctx: Context, plan: Plan, settings: Settings) -> list[Remark]:
    """Change the texts of a plan as the settings want it; what was changed, place by place."""
    remarks: list[Remark] = []
    steps = list(_steps(settings))
    for node, edit in plan.edits.items():
        if edit.code == "NPT508":
            remarks.append(Remark(*position(ctx, node), "NPT508", f"{edit.source}: {edit.message}"))
        for code, change in steps:
            if edit.outcome != "todo" and _changed(edit, change):
                remarks.append(Remark(*position(ctx, node), code, f"{edit.source}: {_said(code, settings)}"))
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            for code, change in steps:
                new = change(wrap.before), change(wrap.after)
                if new != (wrap.before, wrap.after):
                    wrap.before, wrap.after = new
                    remarks.append(Remark(*position(ctx, node), code, f"{wrap.message}: {_said(code, settings)}"))
    if settings.float == "numpy" and settings.device.startswith(NO_FLOAT64):
        remarks += _hazards(ctx, plan, settings.device)
    return list(dict.fromkeys(sorted(remarks)))


def _steps(settings: Settings) -> list[tuple[str, Callable[[str], str]]]:
    steps: list[tuple[str, Callable[[str], str]]] = []
    if settings.float == "float32":
        steps.append(("NPT507", lambda text: WIDE.sub(lambda found: NARROW[found[0]], text)))
    if settings.device != "default":
        steps.append(("NPT509", lambda text: _placed(text, settings.device)))
        steps.append(("NPT509", lambda text: TO_NUMPY.sub(".numpy(force=True)", text)))
    if settings.float == "float32" or settings.device != "default":  # the shim casts and moves what comes in
        steps.append(("NPT509", lambda text: FROM_NUMPY.sub("shim.from_numpy(", text)))
    return steps


def _said(code: str, settings: Settings) -> str:
    return "float32 instead of float64" if code == "NPT507" else f"on {settings.device}"


def _changed(edit: Edit, change: Callable[[str], str]) -> bool:
    """Change the texts of an edit; a call that keeps its layout is seen as a whole."""
    before = edit.text, edit.function, tuple(edit.arguments)
    edit.text = change(edit.text)
    edit.arguments = [(keyword, change(text)) for keyword, text in edit.arguments]
    if "(" in edit.function:
        edit.function = change(edit.function)
    elif edit.function:
        edit.function, _, inside = change(f"{edit.function}()")[:-1].partition("(")
        if inside and not any(keyword == "device" for keyword, _ in edit.arguments):
            keyword, _, text = inside.partition("=")
            edit.arguments.append((keyword, text))
    return before != (edit.text, edit.function, tuple(edit.arguments))


def _placed(text: str, device: str) -> str:
    """A text whose calls that make tensors say on which device."""
    if "torch." not in text:
        return text
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a part of a call: `.to(`
        return text
    ends: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _creates(node.func) and not any(k.arg == "device" for k in node.keywords):
            separator = ", " if node.args or node.keywords else ""
            ends.append((node.end_col_offset or 0, f'{separator}device="{device}"'))
    data = text.encode()
    for end, added in sorted(ends, reverse=True):
        data = data[: end - 1] + added.encode() + data[end - 1 :]
    return data.decode()


def _creates(function: ast.expr) -> bool:
    is_torchs = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return is_torchs and function.value.id == "torch" and function.attr in CREATORS  # type: ignore[attr-defined]


def _hazards(ctx: Context, plan: Plan, device: str) -> list[Remark]:
    """The float64 that stands in the new text and that the device does not have."""
    found = []
    for node, edit in plan.edits.items():
        if edit.outcome != "todo" and any(WIDE.search(text) for text in edit.texts):
            message = f"{edit.source}: {device} has no float64; convert with --float float32"
            found.append(Remark(*position(ctx, node), "NPT510", message))
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            if WIDE.search(wrap.before + wrap.after):
                message = f"{wrap.message}: {device} has no float64; convert with --float float32"
                found.append(Remark(*position(ctx, node), "NPT510", message))
    return found
