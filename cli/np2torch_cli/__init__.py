"""The command line of np2torch: one file per verb, each imported only when it is called."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys
import traceback
from contextlib import suppress
from typing import Any

import click

from np2torch import __version__
from np2torch.source.nearest import did_you_mean

VERBS = {
    "convert": "Rewrite NumPy code into torch code: show the diff, or write it.",
    "check": "List the convertible uses of NumPy that are left; never edit.",
    "report": "Show what a migration takes, file by file, and what became of each use of NumPy.",
    "explain": "Say what is known on a line and why, or what a code stands for.",
    "apis": "Show what becomes of NumPy's API, name by name or counted.",
    "migrate": "Convert so far that every test that passed still passes.",
    "trace": "Run a program on NumPy and keep what its functions were given, as evidence.",
    "annotate": "Write what callers and traces show of parameters into the source, for later runs.",
    "config": "Show the settings in force, and where each comes from.",
    "clean": "Forget the answers of earlier runs.",
    "vendor": "Copy the functions of the shim that a package uses into it, so that it runs without np2torch.",
    "server": "Answer editors: diagnostics, what is known of an expression, conversions.",
    "verify": "Run a converted module against its original and compare.",
}


ANALYSING = frozenset({"check", "convert", "report"})
"""Verbs that analyse a project once, answer, and run nothing of the user's."""


class Verbs(click.Group):
    """A group whose commands live in modules of their names, so that `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order in which people meet them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one verb."""
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"np2torch_cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; Ctrl-C ends it in one line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("np2torch: stopped", err=True)
            raise SystemExit(128 + signal.SIGINT) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that was asked for; of one that there is not, the nearest is named."""
        word = click.utils.make_str(args[0])
        if word not in VERBS and not word.startswith("-"):
            raise click.UsageError(f"There is no command {word!r}{did_you_mean(word, VERBS, '.')}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from the table here."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def newest_name(token: str) -> str:
    """The name that an option has today; `--format` is an old one."""
    return "output-format" if token == "format" else token


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": newest_name})
@click.version_option(__version__, prog_name="np2torch")
def cli() -> None:
    """Turn NumPy source into PyTorch source that people would merge.

    Exit codes: 0 clean, 1 something found, 2 wrong usage or a file that could not be handled.
    """


def main() -> None:
    """Run the command line; an error of our own exits with 2, since 1 means findings.

    Where one project is analysed and no more, Python looks for no cycles among what is kept until the end, and does not
    take it apart in the end: that is a tenth of the time.
    """
    analyses, collects = not ANALYSING.isdisjoint(sys.argv[1:2]), gc.isenabled()
    if analyses:
        gc.disable()
    try:
        cli(prog_name="np2torch")
    except SystemExit as end:
        if analyses:
            _leave_at_once(end.code)
        raise
    except Exception:
        traceback.print_exc()
        sys.exit(2)
    finally:
        if collects:
            gc.enable()


def _leave_at_once(code: object) -> None:
    """End the process with all output written; come back where there is more to do, such as a broken pipe to report."""
    if code is None or isinstance(code, int):
        with suppress(OSError, ValueError):
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code or 0)
