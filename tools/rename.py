"""Rename modules and what they define, everywhere and exactly: `python tools/rename.py [--table FILE] [--check]`.

The table (`tools/renames.txt`) has one renaming a line, `OLD -> NEW`, both dotted and whole: a module
(`np2torch.facts.apart -> np2torch.facts.complex_tracking`), or a name that a module defines at its top
(`np2torch.rules.pieces.Piece -> np2torch.rules.pieces.RuleArgument`, written with the module's old name). What is not
there (any more) is passed over with a word. Names are followed as Python looks them up (own scopes): definitions,
imports, re-exports, attributes of modules; local names that are spelled alike stay. Beside code, dotted names and paths
(`facts/apart.py`) are replaced in strings, comments, pyproject.toml, the Makefile and the documents, and names in
backticks or code blocks there.

Run it on a tree without uncommitted changes, then `ruff check --fix`, `ruff format`, `mypy`, `lint-imports`, the tests,
and `tools/compare_revisions.py HEAD .`.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = ("src", "cli", "tests", "tools")
TEXTS = ("pyproject.toml", "Makefile", "mkdocs.yml", "*.md", "docs/**/*.md", "fixtures/*.md", ".ci/*")
SELF = {"tools/rename.py", "tools/renames.txt", "CHANGELOG.md"}


@dataclass
class Table:
    """The renamings: modules, and names by the old names of their modules."""

    modules: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def module(self, name: str) -> str:
        """Give the new name of a module, or of one below it."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            if (new := self.modules.get(".".join(parts[:length]))) is not None:
                return ".".join([new, *parts[length:]])
        return name

    def last(self, name: str) -> str | None:
        """Give the new last part of a dotted name, if it has one."""
        if name in self.names:
            return self.names[name]
        return self.modules[name].rpartition(".")[2] if name in self.modules else None


def module_name(path: Path) -> str:
    """Give the dotted name of a file of the project."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] in CODE else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files() -> list[Path]:
    """List the Python files of the project."""
    found = (path for part in CODE for path in sorted((ROOT / part).rglob("*.py")))
    return [path for path in found if path.relative_to(ROOT).as_posix() not in SELF]


def read_table(path: Path, sources: dict[str, str]) -> Table:
    """Read the renamings that apply to this tree."""
    table = Table()
    for line in path.read_text("utf-8").splitlines():
        old, arrow, new = (part.strip() for part in line.partition("#")[0].partition("->"))
        if not arrow:
            continue
        if old in sources:
            table.modules[old] = new
            continue
        home, _, name = old.rpartition(".")
        if re.search(rf"^(?:class|def) {name}\b|^{name}\b.*=|^    {name} as {name},$", sources.get(home, ""), re.M):
            table.names[old] = new.rpartition(".")[2]
        else:
            print(f"passed over: there is no {old}", file=sys.stderr)
    return table


def follow_exports(table: Table, sources: dict[str, str]) -> None:
    """Add the names under which modules hand on what is renamed."""
    while True:
        found: dict[str, str] = {}
        for home, text in sources.items():
            for match in re.finditer(r"^(?: {4})?from (np2torch[\w.]*) import (\([^)]*\)|[^\n(]*)", text, re.M):
                for alias in re.sub(r"#.*", "", match[2]).strip("()\n ").split(","):
                    name, _, local = (part.strip() for part in alias.strip().partition(" as "))
                    new = table.last(f"{match[1]}.{name}")
                    if new is not None and (local or name) == name and f"{home}.{name}" not in table.names:
                        if f"{home}.{name}" not in table.modules:
                            found[f"{home}.{name}"] = new
        if not found:
            return
        table.names |= found


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Renamer:
    """Rename in one file: what names mean is told by its imports and definitions, but where a scope binds its own."""

    def __init__(self, table: Table, home: str, is_package: bool, text: str) -> None:
        self.table, self.home, self.is_package = table, home, is_package
        self.lines = [line.encode() for line in text.splitlines(keepends=True)]
        self.edits: dict[tuple[int, int], tuple[int, str]] = {}
        self.brought: set[str] = set()
        self.tree = ast.parse(text)
        self.means = {old.rpartition(".")[2]: old for old in table.names if old.rpartition(".")[0] == home}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                whole = self._absolute(node)
                self.means |= {alias.asname or alias.name: f"{whole}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    local = alias.asname or alias.name.partition(".")[0]
                    self.means[local] = alias.name if alias.asname else local

    def _absolute(self, node: ast.ImportFrom) -> str:
        parts = self.home.split(".")
        around = parts[: len(parts) - node.level + self.is_package] if node.level else []
        return ".".join([*around, node.module or ""]).strip(".")

    def renamed(self) -> str:
        """Give the new text."""
        self._visit(self.tree, frozenset())
        for (line, start), (end, new) in sorted(self.edits.items(), reverse=True):
            old = self.lines[line - 1]
            self.lines[line - 1] = old[:start] + new.encode() + old[end:]
        return b"".join(self.lines).decode()

    def _put(self, line: int, start: int, old: str, new: str) -> None:
        assert self.lines[line - 1][start : start + len(old)] == old.encode(), (self.home, line, old)
        self.edits[line, start] = start + len(old), new

    def _visit(self, node: ast.AST, hidden: frozenset[str]) -> None:
        if isinstance(node, DEFINITIONS) and node.name not in hidden and self.means.get(node.name) in self.table.names:
            if node in self.tree.body:
                word = re.compile(rb"(?:class|def)\s+").search(self.lines[node.lineno - 1], node.col_offset)
                assert word is not None
                self._put(node.lineno, word.end(), node.name, self.table.names[self.means[node.name]])
        if isinstance(node, SCOPES):
            hidden |= own_names(node)
        if isinstance(node, ast.ImportFrom):
            self._import_from(node)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if (new := self.table.module(alias.name)) != alias.name:
                    self._put(alias.lineno, alias.col_offset, alias.name, new)
        elif isinstance(node, ast.Name) and (new_name := self._last(node, hidden)) is not None:
            self.brought.add(new_name)
            self._put(node.lineno, node.col_offset, node.id, new_name)
        elif isinstance(node, ast.Attribute) and (new_name := self._last(node, hidden)) is not None:
            assert node.end_lineno is not None and node.end_col_offset is not None
            self._put(node.end_lineno, node.end_col_offset - len(node.attr), node.attr, new_name)
        for child in ast.iter_child_nodes(node):
            self._visit(child, hidden)

    def _last(self, node: ast.expr, hidden: frozenset[str]) -> str | None:
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id in hidden or node.id not in self.means:
            return None
        whole = self.means[node.id]
        if not attributes and whole.rpartition(".")[2] != node.id:
            return None  # imported under another name
        return self.table.last(".".join([whole, *attributes]))

    def _import_from(self, node: ast.ImportFrom) -> None:
        whole = self._absolute(node)
        if node.module and (new := self.table.module(whole)) != whole:
            start = self.lines[node.lineno - 1].index(node.module.encode(), node.col_offset + 5)
            self._put(node.lineno, start, node.module, new if not node.level else new.rpartition(".")[2])
        for alias in node.names:
            name = self.table.last(f"{whole}.{alias.name}")
            if name is not None:
                self._put(alias.lineno, alias.col_offset, alias.name, name)
                if alias.asname == alias.name and alias.end_col_offset is not None and alias.end_lineno is not None:
                    self._put(alias.end_lineno, alias.end_col_offset - len(alias.name), alias.name, name)


def own_names(scope: ast.AST) -> frozenset[str]:
    """Give the names that a function, lambda or comprehension binds by itself, other than by imports."""
    found: set[str] = set()
    stack = list(ast.iter_child_nodes(scope))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, DEFINITIONS):
            found.add(node.name)
            continue
        if not isinstance(node, SCOPES):
            stack.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def in_text(table: Table, text: str, names: bool) -> str:
    """Rename in what is no code: dotted names and paths; simple names only in backticks and code blocks."""
    for old, new in table.modules.items():
        text = re.sub(rf"(?<![\w.]){re.escape(old)}(?![\w])", new, text)
        parts, renamed = old.split(".")[1:], new.split(".")[1:]
        for length in range(len(parts)):  # `facts/apart.py`, and in brackets beside what it is about, `apart.py`
            tail, by = "/".join(parts[length:]) + ".py", "/".join(renamed[length:]) + ".py"
            before = r"(?<=[`/ ])" if "/" in tail else "(?<=`)"
            text = re.sub(rf"{before}{re.escape(tail)}\b", by, text)
    for old, name in table.names.items() if names else ():
        short = old.rpartition(".")[2]
        text = re.sub(rf"(?<![\w.]){re.escape(old)}\b", f"{table.module(old.rpartition('.')[0])}.{name}", text)
        if old.partition(".")[0] == "np2torch":
            text = re.sub(rf"`{short}`", f"`{name}`", text)
    return text


def in_document(table: Table, text: str) -> str:
    """Rename in a document, its blocks of Python code included."""
    short = {old.rpartition(".")[2]: new for old, new in table.names.items()}

    def code(match: re.Match[str]) -> str:
        return re.sub(r"(?<![\w.\"'])[A-Za-z_]\w*\b", lambda word: short.get(word[0], word[0]), match[0])

    return re.sub(r"```python\n.*?```", code, in_text(table, text, True), flags=re.S)


LITERAL = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*')


def renamed(job: tuple[Table, Path, str, bool]) -> tuple[Path, str, list[str]]:
    """Give the new text of a file, and what is wrong with it."""
    table, path, home, concerned = job
    text = path.read_text("utf-8")
    problems: list[str] = []
    if concerned:
        renamer = Renamer(table, home, path.stem == "__init__", text)
        new = renamer.renamed()
        words = {one.id for one in ast.walk(renamer.tree) if isinstance(one, ast.Name)}
        words |= {one.arg for one in ast.walk(renamer.tree) if isinstance(one, ast.arg)}
        problems = [f"{path.relative_to(ROOT)}: had a {name} already" for name in renamer.brought & words]
        text = new
    mention = mentioning(table)

    def literal(match: re.Match[str]) -> str:
        return in_text(table, match[0], True) if mention.search(match[0]) else match[0]

    return path, LITERAL.sub(literal, text), problems


def mentioning(table: Table) -> re.Pattern[str]:
    """Give a pattern that finds any last part of what is renamed, dotted, as a path or in backticks."""
    words = "|".join(sorted({name.rpartition(".")[2] for name in (*table.modules, *table.names)}))
    return re.compile(rf"\.(?:{words})\b|\b(?:{words})\.py\b|`(?:{words})`")


def jobs(table: Table, sources: dict[str, str], paths: dict[str, Path]) -> Iterator[tuple[Table, Path, str, bool]]:
    """List the files with anything of the table in them."""
    words = {name.rpartition(".")[2] for name in (*table.modules, *table.names)}
    mention = re.compile(rf"\b(?:{'|'.join(sorted(words))})\b")
    for home, text in sources.items():
        if mention.search(text):
            yield table, paths[home], home, "np2torch" in text or home.startswith("np2torch")


def main() -> int:
    """Rename all, and move the files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=Path, default=ROOT / "tools" / "renames.txt")
    parser.add_argument("--check", action="store_true", help="only say what the table has that the tree has not")
    options = parser.parse_args()
    paths = {module_name(path): path for path in files()}
    sources = {name: path.read_text("utf-8") for name, path in paths.items()}
    table = read_table(options.table, sources)
    follow_exports(table, sources)
    if options.check:
        return 0
    with ProcessPoolExecutor(2) as pool:
        done = list(pool.map(renamed, jobs(table, sources, paths), chunksize=8))
    for path, text, problems in done:
        path.write_text(text, "utf-8")
        for problem in problems:
            print(problem, file=sys.stderr)
    for pattern in TEXTS:
        for path in ROOT.glob(pattern):
            if path.is_file() and path.relative_to(ROOT).as_posix() not in SELF:
                text = path.read_text("utf-8")
                if (new := in_document(table, text)) != text:
                    path.write_text(new, "utf-8")
    for old, new in table.modules.items():
        path = paths[old]
        target = path.with_name(new.rpartition(".")[2] + ".py")
        subprocess.run(["git", "mv", str(path), str(target)], cwd=ROOT, check=True)
    print(f"{len(table.modules)} modules and {len(table.names)} names renamed in {len(done)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
