"""`np2torch verify`: the proof."""

from __future__ import annotations

import json
from pathlib import Path

import click

from np2torch.report.progress import Bar
from np2torch_cli.common import output_format_option

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command("verify")
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@output_format_option("text", "json")
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=120.0, show_default=True,
    help="Seconds a program may run.",
)  # fmt: skip
def command(old: Path, new: Path, output_format: str, timeout: float) -> None:
    """Run a converted module against its original and compare.

    OLD is the NumPy file, NEW the converted one. Functions named in the dict CASES of OLD (name -> list of argument
    tuples, or a function that makes them) are called on both sides; without CASES, both files are run as programs and
    every function that needs no argument is called. Results, errors, output and the arguments left behind must agree
    in dtype, shape, value and Python type. This runs the code of both files.

    Exits with 1 when something differs, when nothing was compared, or when a function never ran; with 2 when numpy or
    torch is missing.
    """
    with Bar("Running"):
        try:
            from np2torch.verify.run import left_out, verify_modules
            from np2torch.verify.table import print_table, proven
        except ImportError as error:
            raise click.UsageError(f"{error}; install 'np2torch[verify]' to run both sides.") from None
        rows = list(verify_modules(old, new, timeout))
    if output_format == "json":
        click.echo(json.dumps([row._asdict() for row in rows], indent=2, ensure_ascii=False))
    else:
        print_table(rows, old.name, new.name, left_out=left_out(old, rows) if proven(rows) else ())
    raise SystemExit(0 if proven(rows) else 1)
