"""Write `cli/np2torch.1`, the manual page that the wheel installs, from what `--help` says: `python tools/man_page.py`.

A test fails where it is stale.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "cli")]

from np2torch_cli import VERBS, cli  # noqa: E402

PATH = ROOT / "cli" / "np2torch.1"


ENDING = """.SH EXIT STATUS
0 clean, 1 something found, 2 wrong usage or a file that could not be handled, 130 stopped.
.SH FILES
.TP
.I pyproject.toml
The table [tool.np2torch] holds the settings; np2torch config prints them.
.TP
.I .np2torch
What was converted, and traces, in the folder of the project.
"""


def page() -> str:
    """Give the whole page in the macros of man(7)."""
    context = click.Context(cli, info_name="np2torch")
    commands = {name: cli.get_command(context, name) for name in VERBS}
    shared = [one for one in _options(commands["convert"]) if one in _options(commands["check"])]
    lines = ['.TH NP2TORCH 1 "" np2torch "User Commands"', ".SH NAME", f"np2torch \\- {_text(_first(cli))}"]
    lines += [".SH SYNOPSIS", ".B np2torch", "COMMAND [OPTIONS] [ARGUMENTS]", ".SH DESCRIPTION"]
    lines += _paragraphs(cli)
    lines += [".SH OPTIONS OF ALL VERBS THAT CONVERT", *(line for one in shared for line in one), ".SH COMMANDS"]
    for name, command in commands.items():
        assert command is not None
        own = [one for one in _options(command) if one not in shared]
        usage = " ".join(command.collect_usage_pieces(click.Context(command, context, name)))
        lines += [f'.SS "np2torch {name} {_text(usage)}"', *_paragraphs(command)]
        lines += [line for one in own for line in one]
    return "\n".join(lines) + "\n" + ENDING


def _first(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").split("\n\n")[0]


def _paragraphs(command: click.Command) -> list[str]:
    parts = inspect.cleandoc(command.help or "").split("\n\n")
    return [line for part in parts for line in (".PP", _text(part.replace("\b\n", "")))]


def _options(command: click.Command | None) -> list[tuple[str, ...]]:
    """Give each option in lines: its names, and what it does."""
    assert command is not None
    context = click.Context(command)
    records = (one.get_help_record(context) for one in command.params if isinstance(one, click.Option))
    return [(".TP", f".B {_text(names)}", _text(says)) for names, says in filter(None, records)]


def _text(text: str) -> str:
    """Write a text so that man shows it as it is: hyphens and backslashes, no line that is a macro."""
    joined = re.sub(r"\s+", " ", text).strip().replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{joined}" if joined.startswith((".", "'")) else joined


if __name__ == "__main__":
    PATH.write_text(page(), "utf-8")
