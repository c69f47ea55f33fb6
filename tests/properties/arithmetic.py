"""Programs drawn at random that compute with scalars, element by element, run in NumPy and converted in torch.

Where Python numbers take the place of NumPy scalars, division by zero, overflow, wrapping, NaN, float32 and bools tell the
two apart. The arrays are full of such values, and the programs divide, shift, compare, store and print them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from typing import Any, NamedTuple

from scalars import converted_modules, executed

from np2torch.verify.compare import difference

ARRAYS = """\
    a = np.array([0.0, -0.0, 1.5, np.nan, np.inf, -2.0, 7.0])
    b = np.array([1e308, 0.1, 0.0, -np.inf, 3.0, 2.0, -1e308])
    f = np.array([0.1, 3e38, -0.0, 2.5, 1e-40, 7.0, 0.3], dtype=np.float32)
    k = np.array([0, -1, 2**62, 5, -(2**63), 3, 2**53 + 1])
    c = np.array([3, 1, 4, 1, 5, 9, 2])
    m = np.array([True, False, False, True, True, False, True])
"""
READS = {
    "float": "a[i] a[j] b[i] b[-1] a[i-1] a.max() b.min() np.max(b) np.min(a) s v".split(),
    "int": "k[i] k[j] c[i] c[i-1] c.sum() np.argmax(a) k.max() len(a) i t w np.count_nonzero(m) n".split(),
    "bool": "m[i] m[j] m.any() u".split(),
}
CONSTANTS = {
    "float": "0.0 0.5 -2.0 3.0 np.pi np.sqrt(2) np.exp(1.0) np.inf".split(),
    "int": "0 1 2 -1 7 255 9007199254740993".split(), "bool": ["True", "False"],
}  # fmt: skip
OPERATIONS = {
    "float": "{f} + {f}|{f} - {f}|{f} * {f}|{f} / {f}|{f} / 2|{f} // 2.5|{f} % 3.0|{f} % {f}|{f} ** 2|-{f}|abs({f})|"
    "min({f}, {f})|max({f}, {f}, {f})|{f} if {b} else {f}|{f} * {i}|{i} / {i}|{i} / 4|{f} + {b}|f[i]|f[i] * {f}|"
    "np.sqrt({f})|np.maximum({f}, {f})|{f} - {i}",
    "int": "{i} + {i}|{i} - {i}|{i} * {i}|{i} // 3|{i} % 7|{i} // {i}|{i} & 255|{i} ^ {i}|{i} | {i}|{i} >> 2|{i} << 3|"
    "{i} & {i}|-{i}|abs({i})|min({i}, {i})|max({i}, 3)|{i} if {b} else {i}|({i} & 15) + 1|({i} & 255) * ({i} & 15)|"
    "{i} + {b}|~{i}",
    "bool": "{f} < {f}|{f} == {i}|{i} >= {i}|{i} != {f}|{f} > 0|{i} % 2 == 0|{b} and {b}|{b} or {b}|not {b}|{b} & {b}|"
    "{b} ^ {b}|0 < {f} < {f}|{f} == {f}|f[i] > 0.1|f[i] == {f}|np.isnan({f})|{b} == {b}",
}  # fmt: skip
STATEMENTS = (
    "s = {f}|s += {f}|s -= {f} * {f}|s *= {f}|s /= {f}|v = {f}|v = s|t = {i}|t += {i}|t = t + 1|w = {i}|w ^= {i}|"
    "t = (t ^ {i}) & 255|w = t|u = {b}|s, v = v, s|a[i] = {f}|a[i] += {f}|b[j] = {f}|c[i] = {i}|c[j] += 1|k[i] = {i}|"
    "m[i] = {b}|f[i] = {f}|a[i] = a[i-1] * 0.5 + {f}|c[i] = min(c[i-1] + 1, c[i])|out.append(str({f}))|"
    "out.append(f'{{{f}}} {{{i}}} {{{b}}}')|out.append('%s %d' % ({f}, {i}))|out.append(f'{{{f}:.3g}}')|"
    "out.append({f})|out.append({i})|out.append({b})|out.append(int({i}))|out.append(float({f}))|out.append(a[{i} & 3])|"
    "out.append(list(range({i} & 3)))|out.append({{1: 'x', 2.0: 'y'}}.get({i}, 'z'))|out.append(isinstance(s, float))|"
    "out.append('p' if {b} else 'q')|out.append(a * s)|out.append(b + v)|out.append(f * s)|out.append(a[: t & 3])|"
    "out.append(bool({f}))|out.append(({i}) in (1, 2, 3))|"
    "out.append([f'{{e:.3g}}' for e in a])|out.append([int(e) for e in k if e > {i}])|out.append([float(e) for e in b[1:4]])|"
    "out.append(any(e > {f} for e in b))|out.append(all(e <= i for e in c))|out.append([str(c[e]) for e in c[:3] & 3])|"
    "out.append([str(e + 1) for e in k])|out.append([str(e * 2.0) for e in b if e != s])|"
    "out.append(','.join(str(e) for e in m))|out.append(sorted({{int(e) for e, o in zip(c, m) if o}}))|"
    "out.append([str(s) for s in a])|out.append([str(t + 1) for t in c[:3] if t > {i}])|"
    "out.append([f'{{p}} {{q}}' for p, q in np.stack([a, b], axis=1)])|"
    "out.append([str(g * 0.5 - {f}) for g in np.linspace(0, 1, 4)])|out.append([a * g for g in np.arange(0, 1, 0.25)])"
).split("|")
LOOPS = (
    "for s in a:|for v in b[2:]:|for t in c:|for t in np.argsort(b):|for w in k:|for u in m:|for t, s in enumerate(b):|"
    "for w, u in zip(k, m):|for i, v in enumerate(a[1:], 1):|for s in np.linspace(-1, 1, 5):|for t in np.arange(n):|"
    "for t in np.nonzero(m)[0]:|for v in reversed(b):|for i in c & 3:|for t, w in np.argwhere(np.outer(a, a) > 1):|"
    "for s, v in np.stack([a, b], axis=1):|for t, (w, k0) in enumerate(np.stack([k, c], axis=1)):"
).split("|")
"""Loops that go through arrays."""
TELLING = ("out.append({f})", "out.append({i})", "out.append({b})", "* s)", "+ v)", "b[j] =", "f[i] =", "m[i] =")
"""Parts of statements that leave what they are given a tensor; most programs are drawn without."""
LETTERS = {"f": "float", "i": "int", "b": "bool"}


ZERO = re.compile(r"-(0(?:\.0)?)(?![.\d])")


class Drawn(NamedTuple):
    """A program: the statements of its body, and what it gives back."""

    lines: list[str]
    result: str
    seed: int

    def text(self) -> str:
        """Its module."""
        body = "\n".join(f"    {line}" for line in self.lines)
        head = "import numpy as np\n\n\ndef run(a, b, f, k, c, m, n):\n    out = []\n    i = j = 2\n"
        main = "\n\n\ndef main():\n" + ARRAYS + "    return run(a, b, f, k, c, m, 3)\n"
        return f"{head}{body}\n    return {self.result}{main}"


def expression(choose: random.Random, kind: str, depth: int = 0) -> str:
    """An expression of a kind: a read, a constant or an operation."""
    roll = choose.random()
    if depth > 2 or roll < 0.35 + 0.2 * depth:
        return choose.choice(READS[kind])
    if roll > 0.93:
        return choose.choice(CONSTANTS[kind])
    return f"({filled(choose, choose.choice(OPERATIONS[kind].split('|')), depth + 1)})"


def filled(choose: random.Random, form: str, depth: int) -> str:
    """A form with its places filled."""
    for letter, kind in LETTERS.items():
        while f"{{{letter}}}" in form:
            form = form.replace(f"{{{letter}}}", expression(choose, kind, depth), 1)
    return form.replace("{{", "{").replace("}}", "}")


def block(choose: random.Random, depth: int, forms: list[str]) -> list[str]:
    """Some statements."""
    lines: list[str] = []
    for _ in range(choose.randint(1, 4)):
        roll = choose.random()
        if depth < 2 and roll < 0.2:
            lines += [f"if {expression(choose, 'bool')}:", *(f"    {one}" for one in block(choose, depth + 1, forms))]
        elif depth < 2 and roll < 0.3:
            lines += [choose.choice(LOOPS), *(f"    {one}" for one in block(choose, depth + 1, forms))]
        elif depth < 2 and roll < 0.5:
            name = "ij"[depth]
            lines += [f"for {name} in range(1, 6):", *(f"    {one}" for one in block(choose, depth + 1, forms))]
        else:
            lines.append(filled(choose, choose.choice(forms), 1))
    return lines


def drawn(seed: int) -> Drawn:
    """The program of a seed."""
    choose = random.Random(seed)
    start = [
        choose.choice(["s = 0.0", "s = a[0]", "s = b.max()"]), choose.choice(["v = 1.0", "v = b[1]"]),
        choose.choice(["t = 0", "t = k[3]", "t = c[0]", "t = 0xFFFF"]), choose.choice(["w = 1", "w = np.argmax(b)"]),
        choose.choice(["u = True", "u = m[0]", "u = a[0] > 0"]),
    ]  # fmt: skip
    plain = choose.random() < 0.8
    forms = [form for form in STATEMENTS if not plain or not any(part in form for part in TELLING)]
    forms = choose.sample(forms, len(forms) // 2)  # fewer forms, so that some names meet no telling use
    lines = [*start, *block(choose, 0, forms), *block(choose, 0, forms)]
    lines += [f"out.append(str({name}))" for name in "svtwu"]
    kept = [name for name in "svtwu" if choose.random() < 0.15 and not plain]
    return Drawn(lines, ", ".join(["out", "a", "b", "f", "k", "c", "m", *kept]), seed)


def outcome(program: Drawn) -> tuple[str, str]:
    """Run both sides: "equal", "wrong", "raise", "todo", or "invalid" where NumPy raises itself; and why."""
    old = executed({"program": program.text()}, "main")
    if isinstance(old, Exception):
        return "invalid", repr(old)
    after = converted_modules({"program": program.text()})
    if "TODO(np2torch)" in after["program"]:
        return "todo", ""
    new = executed(after, "main")
    if isinstance(new, Exception):
        return "raise", f"{type(new).__name__}: {new}"
    line = difference(_without_signs(old), _without_signs(new), rtol=1e-6)
    return ("equal", "") if line is None else ("wrong", line)


def _without_signs(result: Any) -> Any:
    """The texts of a result with all zeros alike: `torch.remainder` and `maximum` sign them otherwise than NumPy."""
    texts = [ZERO.sub(r"\1", one) if isinstance(one, str) else one for one in result[0]]
    return [texts, *result[1:]]


def numbers_held(program: Drawn) -> int:
    """How many scalars a conversion holds as Python numbers."""
    return converted_modules({"program": program.text()})["program"].count(".item()")


def shrunk(program: Drawn, kind: str) -> Drawn:
    """The same with every line left out that the outcome does not need."""
    for number in range(len(program.lines) - 1, -1, -1):
        smaller = program._replace(lines=program.lines[:number] + program.lines[number + 1 :])
        try:
            compile(smaller.text(), "program.py", "exec")
        except SyntaxError:
            continue
        if outcome(smaller)[0] == kind:
            program = smaller
    return program


def main() -> None:
    """Run, and print the shortest form of what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int, nargs="?", default=500)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--show", default="wrong", help="the outcome to show")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    for seed in range(options.start, options.start + options.programs):
        program = drawn(seed)
        kind, _ = outcome(program)
        kinds[kind] += 1
        if kind == options.show:
            smaller = shrunk(program, kind)
            print(f"seed {seed}: {outcome(smaller)[1]}", *(f"    {line}" for line in smaller.lines), sep="\n")
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))


if __name__ == "__main__":
    main()
