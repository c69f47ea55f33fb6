"""Policies: what people want otherwise than NumPy has it. The plan's texts are changed once they are all made.

The analysis goes on in NumPy's dtypes: with `float = "float32"` every float64 is a float32 and every complex128 a
complex64, so that promotion comes out the same and only the names change.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterator

from np2torch.facts import values as v
from np2torch.names.tree import named_parameters
from np2torch.rewrite.plan import Plan, position
from np2torch.rules.site import Edit, ModuleContext, Wrap
from np2torch.source.model import Remark, Settings

NARROW = {"torch.float64": "torch.float32", "torch.complex128": "torch.complex64"}
WIDE = re.compile(r"\btorch\.(?:float64|complex128)\b")
TO_NUMPY = re.compile(r"\.numpy\(\)")
CREATORS = frozenset(
    "arange as_tensor empty empty_strided eye full linspace logspace ones rand randint randn randperm tensor "
    "tril_indices triu_indices zeros bartlett_window blackman_window hamming_window hann_window kaiser_window".split()
)
"""Functions of torch that make a tensor where they are told to."""
STREAM = re.compile(r"shim\.(?:random\b(?!\.seed\b)|default_rng\b)")
"""The calls that draw from NumPy's streams, or make one."""
"""The placeholder for the text inside a wrap, while the text of the wrap is changed."""
PARAMETER = "parameter"
"""The setting under which tensors are made where the function's own tensors are."""
NO_FLOAT64 = ("mps", "npu", "hpu")
"""Devices without float64."""


def apply(ctx: ModuleContext, plan: Plan, settings: Settings) -> list[Remark]:
    """Change the texts of a plan as the settings want it; what was changed, place by place."""
    remarks: list[Remark] = []
    for node, edit in plan.edits.items():
        if STREAM.match(edit.text or edit.function):
            remarks.append(Remark(*position(ctx, node), "NPT533", f"{edit.source}: NumPy's own stream of numbers"))
        device = device_of(ctx, node, settings)
        if edit.code == "NPT508":
            remarks.append(Remark(*position(ctx, node), "NPT508", f"{edit.source}: {edit.message}"))
        for code, change in _steps(settings, device):
            if edit.outcome != "todo" and _changed(edit, change):
                remarks.append(Remark(*position(ctx, node), code, f"{edit.source}: {_said(code, device)}"))
    if settings.device == PARAMETER:
        remarks += _moved(ctx, plan, settings)
    for node, wraps in plan.wraps.items():
        device = device_of(ctx, node, settings)
        for wrap in wraps:
            for code, change in _steps(settings, device):
                if wrap.respell(change):
                    remarks.append(Remark(*position(ctx, node), code, f"{wrap.message}: {_said(code, device)}"))
    if settings.float != "float32" and settings.device.startswith(NO_FLOAT64):
        remarks += _hazards(ctx, plan, settings.device)
    return list(dict.fromkeys(sorted(remarks)))


def _moved(ctx: ModuleContext, plan: Plan, settings: Settings) -> Iterator[Remark]:
    """Move what the shim makes of numbers and what comes from ndarrays to the device of a parameter."""
    made = {node: edit.source for node, edit in plan.edits.items() if _made_by_the_shim(ctx, node, edit)}
    come = {node: w.message for node, wraps in plan.wraps.items() for w in wraps if _comes_back(ctx, node, w)}
    for node, what in (made | come).items():
        if device := device_of(ctx, node, settings):
            plan.wraps.setdefault(node, []).append(Wrap(node, "", f".to({device})", "native", "NPT509", "moved"))
            yield Remark(*position(ctx, node), "NPT509", f"{what}: {_said('NPT509', device)}")


def _comes_back(ctx: ModuleContext, node: ast.AST, wrap: Wrap) -> bool:
    """Tell whether it is certainly an array that comes from a library."""
    return wrap.before == "shim.from_numpy(" and v.only(ctx.fact(node), "array")


def device_of(ctx: ModuleContext, node: ast.AST, settings: Settings) -> str:
    """Give the `device=` argument for calls in a place that make tensors; nothing for the default device.

    With `device = "parameter"` it is that of the first parameter that is certainly a tensor and is not bound again, of
    the function the place is in or of one around it.
    """
    if settings.device != PARAMETER:
        return "" if settings.device == "default" else f'"{settings.device}"'
    child, current = node, ctx.parents.get(node)
    while current is not None:
        if isinstance(current, FUNCTIONS) and _is_run_by(current, child):
            for one in named_parameters(current):
                if _is_tensor(ctx, current, one.arg):
                    return f"{one.arg}.device"
        child, current = current, ctx.parents.get(current)
    return ""


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _is_run_by(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, child: ast.AST) -> bool:
    """Tell whether it is part of the body; defaults, decorators and annotations run where the function is defined."""
    return child is function.body if isinstance(function, ast.Lambda) else child in function.body


def _is_tensor(ctx: ModuleContext, function: ast.AST, name: str) -> bool:
    """Tell whether a parameter is a tensor wherever it is read, and never bound again."""
    named = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    return bool(named) and all(isinstance(n.ctx, ast.Load) and v.only(ctx.fact(n), "array") for n in named)


def _made_by_the_shim(ctx: ModuleContext, node: ast.AST, edit: Edit) -> bool:
    """Tell whether the shim makes an array here from numbers alone, without a tensor that would tell the device."""
    if not isinstance(node, ast.Call) or not edit.function.startswith("shim.") or not v.only(ctx.fact(node), "array"):
        return False
    given = [ctx.fact(one) for one in (*node.args, *(keyword.value for keyword in node.keywords))]
    return edit.outcome == "shim" and all(v.only(one, "number", "sequence", "text", "none", "dtype") for one in given)


def _steps(settings: Settings, device: str) -> Iterator[tuple[str, Callable[[str], str]]]:
    if settings.float == "float32":
        yield "NPT507", lambda text: WIDE.sub(lambda found: NARROW[found[0]], text)
    if device:
        yield "NPT509", lambda text: _placed(text, device)
        yield "NPT509", lambda text: TO_NUMPY.sub(".numpy(force=True)", text)


def _said(code: str, device: str) -> str:
    return "float32 instead of float64" if code == "NPT507" else f"on {device.strip(chr(34))}"


def _changed(edit: Edit, change: Callable[[str], str]) -> bool:
    """Change the texts of an edit; a call that keeps its layout is seen as a whole."""
    before = edit.text, edit.function, tuple(edit.arguments)
    edit.write(change(edit.text))
    function, arguments = edit.function, [(keyword, change(text)) for keyword, text in edit.arguments]
    if "(" in function:
        function = change(function)
    elif function:
        function, _, inside = change(f"{function}()")[:-1].partition("(")
        if inside and not any(keyword == "device" for keyword, _ in arguments):
            keyword, _, text = inside.partition("=")
            arguments.append((keyword, text))
    edit.write_call(function, arguments)
    return before != (edit.text, edit.function, tuple(edit.arguments))


def _placed(text: str, device: str) -> str:
    """A text whose calls that make tensors say on which device."""
    if "torch." not in text:
        return text
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a part of a call: `.to(`
        return text
    data = text.encode()
    lines = [0, *itertools.accumulate(map(len, data.splitlines(keepends=True)))]
    ends: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _creates(node.func) and not any(k.arg == "device" for k in node.keywords):
            separator = ", " if node.args or node.keywords else ""
            end = lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)
            ends.append((end, f"{separator}device={device}"))
    for end, added in sorted(ends, reverse=True):
        data = data[: end - 1] + added.encode() + data[end - 1 :]
    return data.decode()


def _creates(function: ast.expr) -> bool:
    is_torchs = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return is_torchs and function.value.id == "torch" and function.attr in CREATORS  # type: ignore[attr-defined]


def _hazards(ctx: ModuleContext, plan: Plan, device: str) -> list[Remark]:
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
